"""What an archive must be after Info.plist was exchanged, byte by byte, told from its old bytes.

The old archive's Layout is the writer's own, so nothing has to be found by reading.
"""

import struct
import time
import zlib

from .writer import DESCRIPTOR, SHAPES

FORMS = {4: "<I", 8: "<Q"}


def differences(old, new, layout, name, clock):
    """What differs from what must be, one line each, and the new content of the member `name`."""
    place = layout.members[name]
    shift = len(new) - len(old)
    record = place.record
    method = struct.unpack_from("<H", old, record + 10)[0]
    packed = new[place.data:place.descriptor + shift]
    try:
        content = unpacked(packed, method)
    except (zlib.error, ValueError) as error:
        return [f"the new member does not unpack: {error}"], None
    values = zlib.crc32(content), len(packed), len(content)
    parts = [
        ("bytes before the member", 0, place.start, old[:place.start]),
        ("local header", place.start, place.data - place.start, _header(old, place, values, clock)),
    ]
    descriptor = _descriptor(place.shape, values)
    at = place.descriptor + shift
    parts.append(("descriptor", at, len(descriptor), descriptor))
    at += len(descriptor)
    between = old[place.end:layout.directory]
    parts.append(("bytes behind the member", at, len(between), between))
    at += len(between)
    tail = _tail(old, layout, place, values, shift, clock)
    parts.append(("directory and end", at, len(new) - at, tail))
    problems = []
    for what, start, length, wanted in parts:
        got = new[start:start + length]
        if got != wanted:
            first = next((i for i, pair in enumerate(zip(got, wanted)) if pair[0] != pair[1]),
                         min(len(got), len(wanted)))
            problems.append(f"{what} differ from byte {first}: {got[first:first + 8].hex()}, "
                            f"expected {wanted[first:first + 8].hex()}")
    return problems, content


def unpacked(packed, method, exact=True):
    if method == 0:
        return packed
    unpacker = zlib.decompressobj(-15)
    content = unpacker.decompress(packed)
    if exact and (not unpacker.eof or unpacker.unused_data):
        raise ValueError("the deflated data do not end where the member does")
    return content


def dos(clock):
    """Time and date of seconds since 1970, in UTC."""
    year, month, day, hour, minute, second, *_ = time.gmtime(clock)
    return hour << 11 | minute << 5 | second // 2, year - 1980 << 9 | month << 5 | day


def _stamp(data, start, length, clock):
    """Sets the modification time in the extra fields that tell one."""
    at, end = start, start + length
    while end - at >= 4:
        identifier, size = struct.unpack_from("<HH", data, at)
        at += 4
        if size > end - at:
            return
        if identifier == 0x5455 and size >= 5 and data[at] & 1:
            struct.pack_into("<I", data, at + 1, clock)
        if identifier == 0x5855 and size >= 8:
            struct.pack_into("<I", data, at + 4, clock)
        at += size


def _header(old, place, values, clock):
    header = bytearray(old[place.start:place.data])
    extra = place.extra - place.start
    fields = {14: (14, 4), 18: (18, 4), 22: (22, 4)}
    wide = extra + 4
    for at in (22, 18):
        if struct.unpack_from("<I", header, at)[0] == 0xFFFFFFFF:
            wide_field = _find_wide(header, extra)
            fields[at] = (wide_field + (wide - extra - 4), 8)
            wide += 8
    for at, value in zip((14, 18, 22), values):
        position, width = fields[at]
        form = FORMS[width]
        # Zero before a descriptor means "see there".
        if not place.shape or struct.unpack_from(form, header, position)[0]:
            struct.pack_into(form, header, position, value)
    struct.pack_into("<HH", header, 10, *dos(clock))
    _stamp(header, extra, len(header) - extra, clock)
    return bytes(header)


def _find_wide(header, at):
    while True:
        identifier, size = struct.unpack_from("<HH", header, at)
        if identifier == 1:
            return at + 4
        at += 4 + size


def _descriptor(shape, values):
    if not shape:
        return b""
    signed, form = SHAPES[shape]
    return (struct.pack("<I", DESCRIPTOR) if signed else b"") + struct.pack(form, *values)


def _tail(old, layout, place, values, shift, clock):
    base = layout.directory
    tail = bytearray(old[base:])

    def read(field):
        return struct.unpack_from(FORMS[field[1]], tail, field[0] - base)[0]

    def write(field, value):
        struct.pack_into(FORMS[field[1]], tail, field[0] - base, value)
    own = read(layout.offsets[layout.records.index(place.record)])
    for field in layout.offsets:
        if read(field) > own:
            write(field, read(field) + shift)
    for field in layout.directory_places + layout.record_places:
        write(field, read(field) + shift)
    checksum, packed_size, size = values
    write((place.record + 16, 4), checksum)
    write(place.packed_size, packed_size)
    write(place.size, size)
    struct.pack_into("<HH", tail, place.record - base + 12, *dos(clock))
    name, extra = struct.unpack_from("<HH", tail, place.record - base + 28)
    _stamp(tail, place.record - base + 46 + name, extra, clock)
    return bytes(tail)
