"""Writes zip archives with every header byte under control, and says where in them things lie.

No clock and no chance: the same description gives the same bytes. Layout: PKWARE APPNOTE.TXT 4.3.
"""

import io
import struct
import zlib
from dataclasses import dataclass, field

LOCAL, CENTRAL, END = 0x04034B50, 0x02014B50, 0x06054B50
WIDE_END, LOCATOR, DESCRIPTOR = 0x06064B50, 0x07064B50, 0x08074B50
MAX16, MAX32, MAX64 = 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF
# 2024-05-17 12:34:56, as DOS and as Unix time.
TIME, DATE, UNIX = 12 << 11 | 34 << 5 | 28, 44 << 9 | 5 << 5 | 17, 1715949296
FILE, PROGRAM, FOLDER, LINK = 0o100644, 0o100755, 0o040755, 0o120755
# Descriptor shapes: with or without a signature, 32 or 64 bits.
SHAPES = {"signed32": (True, "<III"), "bare32": (False, "<III"),
          "signed64": (True, "<IQQ"), "bare64": (False, "<IQQ")}


def extra(identifier, data=b""):
    """One extra field."""
    return struct.pack("<HH", identifier, len(data)) + data


def times(local):
    """Info-ZIP's fields as `zip` on a Mac writes them: longer in the local header."""
    stamps = struct.pack("<BII", 3, UNIX, UNIX) if local else struct.pack("<BI", 3, UNIX)
    return extra(0x5455, stamps) + extra(0x7875, struct.pack("<BBIBI", 1, 4, 501, 4, 20))


def deflate(data, level=6, strategy=zlib.Z_DEFAULT_STRATEGY):
    packer = zlib.compressobj(level, zlib.DEFLATED, -15, 9, strategy)
    return packer.compress(data) + packer.flush()


def crc_of_zeros(count):
    """The CRC-32 of so many zero bytes, without reading them: the register is multiplied by x^8n."""
    def multiply(a, b):
        result = 0
        while b:
            if b & 1 << 31:
                result ^= a
            a = a >> 1 ^ (0xEDB88320 if a & 1 else 0)
            b = b << 1 & MAX32
        return result
    power, square, left = 1 << 31, 1 << 23, count
    while left:
        if left & 1:
            power = multiply(power, square)
        square = multiply(square, square)
        left >>= 1
    return multiply(power, MAX32) ^ MAX32


@dataclass
class Member:
    """One member. `local` and `central` force fields of one header apart from the other's."""
    name: bytes
    data: bytes = b""
    method: int = None
    level: int = 6
    mode: int = FILE
    packed: bytes = None
    # So many zero bytes, stored, which the file has as a hole.
    hole: int = 0
    checksum: int = None
    size: int = None
    packed_size: int = None
    flags: int = 0
    needed: int = 20
    made_by: int = 0x031E
    attributes: int = None
    internal: int = 0
    time: int = TIME
    date: int = DATE
    extra: bytes = None
    local_extra: bytes = None
    comment: bytes = b""
    descriptor: str = None
    wide_local: bool = False
    # Which of size, packed size and offset have their value in a zip64 field: letters of "spo".
    wide_central: str = ""
    # Where the zip64 field stands among the others.
    wide_last: bool = False
    before: bytes = b""
    has_local: bool = True
    has_central: bool = True
    local: dict = field(default_factory=dict)
    central: dict = field(default_factory=dict)

    def __post_init__(self):
        if isinstance(self.name, str):
            self.name = self.name.encode()
        if self.hole:
            self.method, self.packed = 0, b""
            self.size = self.packed_size = self.hole
            if self.checksum is None:
                self.checksum = crc_of_zeros(self.hole)
        if self.method is None:
            self.method = 8 if self.data else 0
        if self.packed is None:
            self.packed = deflate(self.data, self.level) if self.method == 8 else self.data
        if self.checksum is None:
            self.checksum = zlib.crc32(self.data)
        if self.size is None:
            self.size = len(self.data)
        if self.packed_size is None:
            self.packed_size = len(self.packed)
        if self.descriptor:
            self.flags |= 8
        if self.attributes is None:
            self.attributes = self.mode << 16 | (0x10 if self.mode & 0o170000 == 0o040000 else 0)
        if self.extra is None:
            self.extra = times(False)
        if self.local_extra is None:
            self.local_extra = times(True)


@dataclass
class Layout:
    """Where in an archive things lie; what a change of one member's size must move."""
    members: dict = field(default_factory=dict)
    directory: int = 0
    end: int = 0
    records: list = field(default_factory=list)
    # Places of values, as (position, bytes): of members' offsets, of the directory's start, and of
    # the zip64 record's start.
    offsets: list = field(default_factory=list)
    directory_places: list = field(default_factory=list)
    record_places: list = field(default_factory=list)


@dataclass
class Place:
    """A member's parts, by where each begins."""
    start: int
    name: int
    extra: int
    data: int
    descriptor: int
    end: int
    shape: str
    # Places of values in the central record, as (position, bytes).
    record: int = 0
    packed_size: tuple = ()
    size: tuple = ()


class Archive:
    """A whole archive: members in the order of the file."""

    def __init__(self, members, **options):
        self.members = list(members)
        self.prefix = options.pop("prefix", b"")
        self.before_directory = options.pop("before_directory", b"")
        self.after_directory = options.pop("after_directory", b"")
        self.comment = options.pop("comment", b"")
        self.trailing = options.pop("trailing", b"")
        # What the offsets do not count.
        self.base = options.pop("base", 0)
        # The central directory's order, as a key for sorting (index, member).
        self.order = options.pop("order", None)
        # Zip64 end records: True with saturated plain fields, "full" with plain values too.
        self.wide_end = options.pop("wide_end", False)
        self.cut_offsets = options.pop("cut_offsets", False)
        self.end = options.pop("end", {})
        self.wide = options.pop("wide", {})
        self.locator = options.pop("locator", {})
        self.edit = options.pop("edit", None)
        if options:
            raise TypeError(f"unknown options {sorted(options)}")

    def bytes(self):
        """The archive and its Layout."""
        file = io.BytesIO()
        layout = self.write(file)
        return file.getvalue(), layout

    def write(self, file):
        layout = Layout()
        file.write(self.prefix)
        offsets = {}
        for member in self.members:
            file.write(member.before)
            offsets[id(member)] = file.tell() - self.base
            if member.has_local:
                layout.members.setdefault(member.name, self._local(file, member))
        file.write(self.before_directory)
        layout.directory = file.tell()
        ordered = list(enumerate(self.members))
        if self.order:
            ordered.sort(key=self.order)
        for _, member in ordered:
            if member.has_central:
                self._central(file, member, offsets[id(member)], layout)
        file.write(self.after_directory)
        self._end(file, layout)
        file.write(self.trailing)
        return layout

    @staticmethod
    def _local(file, member):
        start = file.tell()
        fields = {
            "signature": LOCAL, "name": member.name, "needed": member.needed, "flags": member.flags,
            "method": member.method, "time": member.time, "date": member.date,
            "checksum": member.checksum, "packed_size": member.packed_size, "size": member.size,
            "extra": member.local_extra,
        }
        if member.descriptor:
            fields.update(checksum=0, packed_size=0, size=0)
        fields.update(member.local)
        if member.wide_local or max(fields["packed_size"], fields["size"]) >= MAX32:
            wide = extra(1, struct.pack("<QQ", fields["size"], fields["packed_size"]))
            others = fields["extra"]
            fields["extra"] = others + wide if member.wide_last else wide + others
            fields.update(packed_size=MAX32, size=MAX32)
        name = fields["name"]
        file.write(struct.pack(
            "<IHHHHHIIIHH", fields["signature"], fields["needed"], fields["flags"],
            fields["method"], fields["time"], fields["date"], fields["checksum"],
            fields["packed_size"], fields["size"], member.local.get("name_length", len(name)),
            member.local.get("extra_length", len(fields["extra"]))))
        file.write(name)
        after_name = file.tell()
        file.write(fields["extra"])
        data = file.tell()
        file.write(member.packed)
        file.seek(member.hole, io.SEEK_CUR)
        after_data = file.tell()
        if member.descriptor in SHAPES:
            signed, form = SHAPES[member.descriptor]
            values = member.local.get(
                "descriptor", (member.checksum, member.packed_size, member.size))
            file.write(struct.pack("<I", DESCRIPTOR) if signed else b"")
            file.write(struct.pack(form, *values))
        return Place(start, start + 30, after_name, data, after_data, file.tell(),
                     member.descriptor)

    def _central(self, file, member, offset, layout):
        start = file.tell()
        fields = {
            "signature": CENTRAL, "name": member.name, "needed": member.needed,
            "made_by": member.made_by, "flags": member.flags, "method": member.method,
            "time": member.time, "date": member.date, "checksum": member.checksum,
            "packed_size": member.packed_size, "size": member.size, "extra": member.extra,
            "comment": member.comment, "disk": 0, "internal": member.internal,
            "attributes": member.attributes, "offset": offset,
        }
        fields.update(member.central)
        name = fields["name"]
        letters = {"s": "size", "p": "packed_size", "o": "offset"}
        narrow = {"s": 24, "p": 20, "o": 42}
        places = {letter: (start + at, 4) for letter, at in narrow.items()}
        values = b""
        if self.cut_offsets:
            fields.update({key: fields[key] & MAX32 for key in letters.values()})
        else:
            others = fields["extra"]
            begin = start + 46 + len(name) + (len(others) if member.wide_last else 0) + 4
            for letter, key in letters.items():
                if letter in member.wide_central or fields[key] >= MAX32:
                    places[letter] = (begin + len(values), 8)
                    values += struct.pack("<Q", fields[key])
                    fields[key] = MAX32
            if values:
                wide = extra(1, values)
                fields["extra"] = others + wide if member.wide_last else wide + others
        file.write(struct.pack(
            "<IHHHHHHIIIHHHHHII", fields["signature"], fields["made_by"], fields["needed"],
            fields["flags"], fields["method"], fields["time"], fields["date"],
            fields["checksum"], fields["packed_size"], fields["size"],
            member.central.get("name_length", len(name)),
            member.central.get("extra_length", len(fields["extra"])),
            member.central.get("comment_length", len(fields["comment"])), fields["disk"],
            fields["internal"], fields["attributes"], fields["offset"]))
        file.write(name + fields["extra"] + fields["comment"])
        layout.records.append(start)
        layout.offsets.append(places["o"])
        place = layout.members.get(member.name)
        if place and not place.record:
            place.record, place.size, place.packed_size = start, places["s"], places["p"]

    def _end(self, file, layout):
        start = file.tell()
        count = len(layout.records)
        size, offset = start - layout.directory, layout.directory - self.base
        if self.cut_offsets:
            offset &= MAX32
            count &= MAX16
        wide_end = self.wide_end or (
            not self.cut_offsets and (count >= MAX16 or offset >= MAX32))
        if wide_end:
            fields = {"length": None, "made_by": 0x032D, "needed": 45, "disk": 0, "start_disk": 0,
                      "disk_count": count, "count": count, "size": size, "offset": offset,
                      "extra": b"", **self.wide}
            if fields["length"] is None:
                fields["length"] = 44 + len(fields["extra"])
            file.write(struct.pack(
                "<IQHHIIQQQQ", fields.get("signature", WIDE_END), fields["length"],
                fields["made_by"], fields["needed"], fields["disk"], fields["start_disk"],
                fields["disk_count"], fields["count"], fields["size"], fields["offset"]))
            file.write(fields["extra"])
            layout.directory_places.append((start + 48, 8))
            locator = {"disk": 0, "record": start - self.base, "disks": 1, **self.locator}
            layout.record_places.append((file.tell() + 8, 8))
            file.write(struct.pack(
                "<IIQI", locator.get("signature", LOCATOR), locator["disk"], locator["record"],
                locator["disks"]))
            file.write(self.locator.get("after", b""))
            if wide_end != "full":
                count, size, offset = MAX16, MAX32, MAX32
        layout.end = file.tell()
        fields = {"disk": 0, "start_disk": 0, "disk_count": count & MAX16, "count": count & MAX16,
                  "size": size, "offset": offset, "comment_length": len(self.comment), **self.end}
        if fields["offset"] != MAX32:
            layout.directory_places.append((layout.end + 16, 4))
        file.write(struct.pack(
            "<IHHHHIIH", END, fields["disk"], fields["start_disk"], fields["disk_count"],
            fields["count"], fields["size"], fields["offset"], fields["comment_length"]))
        file.write(self.comment)
