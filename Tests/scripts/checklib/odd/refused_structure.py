"""Archives whose structure is refused: end records, directory, places, truncation."""

import struct

from .base import APP, PLIST, SHOWN_PLIST, app, info, other, patched, plist, refused
from .carried_layout import at_end
from .writer import END, MAX16, MAX32, MAX64, Archive, Member, extra

SHOWN_OTHER = (APP + b"other").decode()
LAST = (APP + b"en.lproj/Main.strings").decode()


def register():
    _no_archives()
    _end_records()
    _wide_end_records()
    _directories()
    _places()
    _overlaps()
    _cuts()


def _no_archives():
    for name, why, data in (
            ("not-text", "text", b"this is no archive\n" * 9), ("not-empty", "no byte", b""),
            ("not-zeros", "zero bytes", bytes(5000)), ("not-gzip", "a gzip file", b"\x1f\x8b\x08" + bytes(90)),
            ("not-7z", "a 7-Zip archive", b"7z\xbc\xaf\x27\x1c" + bytes(90)),
            ("not-html", "an HTML page, as a failed download leaves it", b"<!DOCTYPE html><html></html>"),
            ("not-macho", "a program", b"\xcf\xfa\xed\xfe" + bytes(90)),
            ("not-signature", "the first four bytes of an archive alone", b"PK\3\4")):
        kind = "cut-off" if name == "not-signature" else "no-archive"
        refused(name, kind, f"the file is {why}", data)
    refused("no-members", "no-payload", "an archive without members", Archive([]))
    refused("no-members-wide", "no-payload", "the same with zip64 records", Archive([], wide_end=True))


def _end(name, kind, why, **options):
    refused(name, kind, why, Archive(app(), **options))


def _end_records():
    _end("end-count-low", "count-differs", "the end record counts fewer members than there are",
         end={"count": 3, "disk_count": 3})
    _end("end-count-high", "count-differs", "it counts more",
         end={"count": 300, "disk_count": 300})
    _end("end-count-zero", "count-differs", "it counts none", end={"count": 0, "disk_count": 0})
    _end("end-counts-differ", "several-parts", "its two counts differ", end={"disk_count": 2})
    _end("end-disk", "several-parts", "it lies on the second disk", end={"disk": 1})
    _end("end-start-disk", "several-parts", "the directory begins on the second disk",
         end={"start_disk": 1})
    _end("end-disks-saturated", "several-parts", "disk numbers are saturated, without zip64 records",
         end={"disk": MAX16, "start_disk": MAX16})
    _end("end-size-small", "directory-misplaced", "the directory's size is too small", end={"size": 50})
    _end("end-size-large", "directory-too-long", "the directory is longer than the file",
         end={"size": 1 << 20})
    _end("end-size-off-by-one", "directory-misplaced", "one byte too much", end={"size": 1})
    _end("end-offset-zero", "prefix-uncounted", "the directory's offset is zero", end={"offset": 0})
    _end("end-offset-high", "directory-misplaced", "the offset lies past the file", end={"offset": 1 << 30})
    _end("end-offset-saturated", "directory-misplaced", "the offset is saturated, without zip64 records",
         end={"offset": MAX32})
    _end("end-size-saturated", "directory-too-long", "the size is saturated, without zip64 records",
         end={"size": MAX32})
    _end("end-comment-long", "comment-too-long", "the comment is longer than what follows",
         end={"comment_length": 9})
    _end("prefix-uncounted", "prefix-uncounted", "offsets do not count the bytes before the archive",
         prefix=b"#!stub\n" + bytes(4089), base=4096)
    _end("prefix-uncounted-wide", "wide-record-missing", "the same with zip64 records",
         prefix=b"#!stub\n" + bytes(4089), base=4096, wide_end=True)
    inner, _ = Archive(app()).bytes()
    _end("end-two-fit", "two-archives", "the comment is another archive", comment=inner)
    refused("end-two-fit-behind", "two-archives", "another archive stands behind this one", inner + inner)
    wide, _ = Archive(app(), wide_end=True).bytes()
    _end("end-two-fit-wide", "two-archives", "the comment is another archive with zip64 records, whose "
         "locator does not count what stands before it", comment=wide)
    refused("end-two-offset", "two-archives", "another archive stands behind this one, and of its "
            "directory only the offset is right",
            lambda: inner + Archive(app(), prefix=inner, end={"size": 1}).bytes()[0][len(inner):])
    refused("end-two-records", "two-ends", "two end records lead to one directory",
            patched(app(), lambda data, layout: data + _second_end(layout)))
    for name, why, comment in (("copied", "as it is", 22), ("copied-alone", "without a comment", 0)):
        refused(f"end-{name}", "two-archives", f"the comment is a copy of the end record, {why}",
                patched(app(), lambda data, layout, c=comment: _copy_end(data, layout, c),
                        comment=bytes(22)))
    refused("end-two-appended", "two-ends", "another archive was appended, offsets counted",
            lambda: inner + Archive(app(), prefix=inner).bytes()[0][len(inner):] + b"")


def _copy_end(data, layout, comment):
    data[layout.end + 22:layout.end + 44] = data[layout.end:layout.end + 22]
    struct.pack_into("<H", data, layout.end + 42, comment)


def _second_end(layout):
    size = layout.end - layout.directory
    return struct.pack("<IHHHHIIH", END, 0, 0, 7, 7, size + 22, layout.directory, 0)


def _wide_end_records():
    def wide(name, kind, why, **options):
        refused(name, kind, why, Archive(app(), wide_end=options.pop("form", True), **options))
    wide("zip64-locator-past-end", "locator-lies", "the locator points past the file",
         locator={"record": 1 << 40})
    wide("zip64-locator-largest", "locator-lies", "it points to the last byte of 64 bits",
         locator={"record": MAX64})
    wide("zip64-locator-zero", "wide-record-missing", "it points to the first member",
         locator={"record": 0})
    wide("zip64-locator-short", "wide-record-missing", "it points into the record",
         wide={"extra": bytes(60)}, locator={"record": 1400})
    refused("zip64-locator-itself", "locator-lies", "it points to itself",
            patched(app(), lambda data, layout: struct.pack_into(
                "<Q", data, layout.end - 12, layout.end - 20), wide_end=True))
    wide("zip64-record-signature", "wide-record-missing", "the record has another signature",
         wide={"signature": 0x06064B51})
    wide("zip64-record-short", "wide-record-missing", "the record's length is too small",
         wide={"length": 10})
    wide("zip64-record-long", "wide-record-missing", "the record's length is too large",
         wide={"length": MAX64})
    wide("zip64-record-inside", "two-ends", "another record stands in it, where readers look that do "
         "not follow the locator", wide={"extra": struct.pack("<IQHHIIQQQQ", 0x06064B50, 44, 45, 45, 0, 0,
                                                              1, 1, 50, 0)})
    wide("zip64-record-disk", "several-parts", "the record lies on the second disk", wide={"disk": 1})
    wide("zip64-record-counts", "several-parts", "its two counts differ", wide={"disk_count": 1})
    wide("zip64-count-low", "count-differs", "it counts fewer members", wide={"disk_count": 3, "count": 3})
    wide("zip64-count-largest", "count-differs", "it counts 2^64 - 1 members",
         wide={"disk_count": MAX64, "count": MAX64})
    wide("zip64-size-largest", "directory-too-long", "the directory has 2^64 - 1 bytes",
         wide={"size": MAX64})
    wide("zip64-offset-largest", "directory-misplaced", "the directory begins at byte 2^64 - 1",
         wide={"offset": MAX64})
    wide("zip64-offset-negative", "directory-misplaced", "it begins at byte 2^63", wide={"offset": 1 << 63})
    wide("zip64-disagrees-count", "two-ends-disagree", "the plain record has another count",
         form="full", end={"count": 3, "disk_count": 3})
    wide("zip64-disagrees-offset", "two-ends-disagree", "the plain record has another offset",
         form="full", end={"offset": 40})
    wide("zip64-disagrees-size", "two-ends-disagree", "the plain record has another size",
         form="full", end={"size": 40})
    # Version 2 of the record: how the directory is packed and encrypted (APPNOTE.TXT 7.3.4).
    second = {"made_by": 0x033F, "needed": 62,
              "extra": struct.pack("<HQQHHHH", 8, 659, 659, 0x660E, 128, 1, 0) + bytes(2)}
    refused("zip64-encrypted-directory", "directory-encrypted", "the directory is encrypted, and the "
            "record says how", patched(app(), _scramble, wide_end=True, wide=second))


def _directories():
    def changed(name, kind, why, at, value, member=None, record=3):
        refused(name, kind, why, patched(app(), lambda data, layout: struct.pack_into(
            "<I" if value > MAX16 else "<H", data, layout.records[record] + at, value)), member)
    changed("directory-signature", "no-record", "a record has another signature", 0, 0x02014B51)
    changed("directory-first-signature", "no-directory", "the first record has another signature",
            0, 0x02014B51, record=0)
    changed("directory-disk", "several-parts", "a member lies on the second disk", 34, 1)
    changed("directory-name-long", "no-record", "a name runs into the next record", 28, 60)
    changed("directory-name-past", "record-past-end", "the last name runs past the directory", 28, 9999,
            record=6)
    changed("directory-extra-past", "record-past-end", "the last extra field runs past it", 30, 9999,
            record=6)
    changed("directory-comment-past", "record-past-end", "the last comment runs past it", 32, 9999,
            record=6)
    changed("directory-comment-long", "no-record", "a comment swallows half of the next record", 32, 40)
    changed("directory-swallowed", "count-differs", "a comment swallows the next record", 32,
            46 + len(APP + b"PkgInfo") + 24)
    refused("directory-digital-signature", "no-record", "a digital signature stands in the directory",
            Archive(app(), after_directory=struct.pack("<IH", 0x05054B50, 4) + b"sign"))
    refused("directory-gap", "no-record", "bytes stand between the directory and the end record",
            Archive(app(), after_directory=bytes(64)))
    refused("directory-encrypted", "no-directory", "the directory is encrypted",
            patched(app(), lambda data, layout: _scramble(data, layout)))
    refused("directory-half", "no-record", "the directory is zeros from the middle on",
            patched(app(), lambda data, layout: data.__setitem__(
                slice(layout.records[4], layout.end), bytes(layout.end - layout.records[4]))))
    for name, why, field in (
            ("empty", "it is empty", extra(1)), ("short", "it holds four bytes", extra(1, bytes(4))),
            ("missing-one", "it holds one value of three", extra(1, struct.pack("<Q", 5)))):
        for whose, member, shown in (("info", None, SHOWN_PLIST), ("other", other(), SHOWN_OTHER)):
            options = {"extra": field, "central": {"size": MAX32, "packed_size": MAX32, "offset": MAX32}}
            refused(f"zip64-field-{name}-{whose}", "zip64-field-cut", f"a zip64 field is wanted: {why}",
                    lambda o=options, m=member: _raw_wide(o, m), shown)
    double = extra(1, struct.pack("<QQQ", 5, 5, 0)) * 2
    refused("zip64-field-twice", "zip64-field-cut", "the zip64 field is there twice",
            lambda: _raw_wide({"extra": double, "central": {"size": MAX32}}, other()), SHOWN_OTHER)


def _raw_wide(options, member):
    """Saturated values whose zip64 field is not the writer's."""
    target = member or info()
    target.extra = options["extra"]
    members = app(target) if member else app(plist_member=target)

    def change(data, layout):
        record = layout.members[target.name].record
        for key, at in (("size", 24), ("packed_size", 20), ("offset", 42)):
            if key in options["central"]:
                struct.pack_into("<I", data, record + at, MAX32)
    return patched(members, change)()


def _scramble(data, layout):
    for index in range(layout.directory, layout.directory + 600):
        data[index] ^= 0x5A


def _places():
    def forced(name, kind, why, member=SHOWN_OTHER, **central):
        refused(name, kind, why, Archive(app(other(central=central))), member)
    forced("offset-past-end", "past-directory", "an offset lies past the file", offset=1 << 30)
    forced("offset-largest", "past-directory", "an offset is 2^32 - 2", offset=MAX32 - 1)
    forced("offset-wide", "past-directory", "a zip64 offset is 2^63", offset=1 << 63)
    forced("offset-wide-largest", "past-directory", "a zip64 offset is 2^64 - 1", offset=MAX64)
    forced("size-past-end", "past-directory", "the packed bytes run past the file", packed_size=1 << 30)
    forced("size-wide-largest", "past-directory", "the packed bytes are 2^64 - 1", packed_size=MAX64)
    refused("offset-into-directory", "past-directory", "the directory is a member of itself",
            patched(app(other()), lambda data, layout: struct.pack_into(
                "<I", data, layout.records[7] + 42, layout.directory)), SHOWN_OTHER)
    refused("offset-into-end", "past-directory", "a member lies in the end record",
            patched(app(other()), lambda data, layout: struct.pack_into(
                "<I", data, layout.records[7] + 42, layout.end)), SHOWN_OTHER)
    refused("data-into-directory", "past-directory", "the last member's data runs into the directory",
            Archive(app(other(method=0, size=9000, packed_size=9000))), SHOWN_OTHER)
    refused("info-into-directory", "past-directory", "Info.plist's data runs into the directory",
            Archive(at_end(info(packed_size=9000, method=0, size=9000))), SHOWN_PLIST)
    refused("info-past-end", "past-directory", "Info.plist's offset lies past the file",
            Archive(app(central={"offset": 1 << 30})), SHOWN_PLIST)
    refused("info-no-header", "no-local-header", "no local header where Info.plist should be",
            Archive(app(local={"signature": 0x04034B51})), SHOWN_PLIST)
    refused("info-offset-off-by-one", "no-local-header", "Info.plist's offset is one byte too large",
            patched(app(), lambda data, layout: struct.pack_into(
                "<I", data, layout.members[PLIST].record + 42, layout.members[PLIST].start + 1)),
            SHOWN_PLIST)
    refused("other-no-header", "no-local-header", "no local header where another member should be",
            Archive(app(other(local={"signature": 0x04034B51}))), SHOWN_OTHER)
    refused("other-offset-in-prefix", "no-local-header", "another member lies in bytes that are none",
            Archive([Member(APP + b"other", b"", has_local=False, extra=b"", central={"offset": 7}), *app()],
                    prefix=bytes(500)), SHOWN_OTHER)


def _overlaps():
    def aliases(count, alias_of):
        """Names more for one body, as the 2019 zip bomb's simplest form."""
        def change(data, layout):
            for record in layout.records[-count:]:
                struct.pack_into("<I", data, record + 42, layout.members[alias_of].start)
        members = app(*[other(b"alias%d" % index, has_local=False) for index in range(count)])
        if alias_of == PLIST:
            for member in members[-count:]:
                member.packed, member.packed_size = info().packed, info().packed_size
        return patched(members, change)
    refused("overlap-alias", "overlapping", "two names for one local header", aliases(1, APP + b"PkgInfo"),
            (APP + b"PkgInfo").decode())
    refused("overlap-hundred", "overlapping", "a hundred names for one body",
            aliases(100, APP + b"en.lproj/Main.strings"), LAST)
    refused("overlap-info", "overlapping", "another name for Info.plist's local header",
            aliases(1, PLIST), SHOWN_PLIST)
    refused("overlap-quoted", "overlapping", "local headers inside others' data, quoted by stored blocks",
            _quoted, (APP + b"quoted0").decode())
    refused("overlap-quoted-extra", "overlapping",
            "local headers inside others' extra fields", _quoted_by_extra, (APP + b"quoted0").decode())
    inner = Archive([info(data=plist(1, "org.example.inner"))]).bytes()[0]
    refused("overlap-nested", "overlapping", "Info.plist lies inside a stored member",
            lambda: _nested(inner), (APP + b"outer").decode())
    refused("overlap-by-one", "reaches-next", "a member's data ends one byte into the next",
            patched(app(other(method=0), other(b"next")), lambda data, layout: _grow(
                data, layout, APP + b"other", 1)), SHOWN_OTHER)
    refused("overlap-info-by-one", "reaches-next", "Info.plist ends one byte into the next",
            patched(app(method=0), lambda data, layout: _grow(data, layout, PLIST, 1)), SHOWN_PLIST)
    refused("overlap-order", "reaches-next", "the same, with the directory in reverse",
            patched(app(other(method=0), other(b"next")), lambda data, layout: _grow(
                data, layout, APP + b"other", 1), order=lambda pair: -pair[0]), SHOWN_OTHER)
    refused("overlap-extra-info", "reaches-next", "Info.plist's local extra field reaches into the next member",
            Archive(app(local={"extra_length": 600})), SHOWN_PLIST)
    refused("overlap-extra-before-info", "overlapping",
            "the local extra field of the member before reaches over Info.plist",
            Archive(_reaching()), SHOWN_PLIST)
    refused("overlap-extra-other", "reaches-next", "another member's local extra field reaches into the next",
            Archive(app(other(local={"extra_length": 900}), other(b"next"))), SHOWN_OTHER)
    refused("overlap-name-other", "reaches-next", "another member's local name reaches into its data",
            Archive(app(other(local={"name_length": 60}), other(b"next"))), SHOWN_OTHER)


def _reaching():
    members = app()
    members[2].local = {"extra_length": 300}
    return members


def _grow(data, layout, name, by):
    place = layout.members[name]
    for at, width in (place.packed_size, place.size):
        value = struct.unpack_from("<I", data, at)[0] + by
        struct.pack_into("<I", data, at, value)
    for at in (18, 22):
        value = struct.unpack_from("<I", data, place.start + at)[0] + by
        struct.pack_into("<I", data, place.start + at, value)
    assert width == 4


def _quoted(count=20):
    """Each member's data is a stored block that holds the next member's header, then the kernel."""
    body = other(b"kernel", bytes(5000), extra=b"", local_extra=b"")
    names = [b"quoted%d" % index for index in range(count)]
    file, _ = Archive([body]).bytes()
    tail = file[:30 + len(body.name) + body.packed_size]
    members, data = [], tail
    sizes = []
    for name in reversed(names):
        packed = struct.pack("<BHH", 0, len(tail) - body.packed_size, 0xFFFF ^ (len(tail) - body.packed_size))
        whole = packed + data
        member = other(name, packed=whole, size=5000 + len(sizes), method=8, extra=b"", local_extra=b"")
        one, _ = Archive([member]).bytes()
        data = one[:30 + len(member.name)] + whole
        sizes.append((name, len(whole), len(data)))
    total = len(data)
    members = app(Member(b"", has_central=False, has_local=False, before=data))
    for name, packed_size, from_end in reversed(sizes):
        members.append(other(name, has_local=False, packed_size=packed_size, size=5000, extra=b"",
                             central={"offset": (total, from_end)}))
    return _resolved(members, total)


def _quoted_by_extra(count=5):
    """Each member's local extra field holds the next member's whole header."""
    data = b""
    starts = []
    for index in reversed(range(count)):
        member = other(b"quoted%d" % index, extra=b"", local_extra=extra(0x4242, data), method=0, data=b"k" * 90)
        one, layout = Archive([member]).bytes()
        data = one[:layout.members[member.name].data]
        starts.append((member.name, len(data)))
    data += b"k" * 90
    members = app(Member(b"", has_central=False, has_local=False, before=data))
    for name, from_end in reversed(starts):
        members.append(Member(name, b"k" * 90, 0, has_local=False, extra=b"",
                              central={"offset": (len(data), from_end + 90)}))
    return _resolved(members, len(data))


def _resolved(members, total):
    """Turns offsets that count from the end of the data into ones from the file's start."""
    marks = [member.central.pop("offset") for member in members if member.central.get("offset")]

    def change(data, layout):
        for record, (_, from_end) in zip(layout.records[-len(marks):], marks):
            struct.pack_into("<I", data, record + 42, layout.directory - from_end)
    return patched(members, change)()


def _nested(inner):
    members = app(other(b"outer", inner, method=0))
    del members[3]
    members.append(Member(PLIST, plist(1, "org.example.inner"), has_local=False))

    def change(data, layout):
        start = layout.members[APP + b"outer"].data
        struct.pack_into("<I", data, layout.records[-1] + 42, start)
    return patched(members, change)()


def _cuts():
    def cut(name, why, where, kind="cut-off", **options):
        refused(f"cut-{name}", kind, f"the file ends {why}",
                patched(app(), lambda data, layout: data[:where(data, layout)], **options))
    place = lambda layout: layout.members[PLIST]
    cut("in-signature", "in the first signature", lambda data, layout: 3, kind="no-archive")
    cut("in-header", "in the first local header", lambda data, layout: 15)
    cut("after-header", "after the first local header", lambda data, layout: 30)
    cut("before-info", "before Info.plist", lambda data, layout: place(layout).start)
    cut("in-info-header", "in Info.plist's local header", lambda data, layout: place(layout).start + 20)
    cut("in-info-name", "in Info.plist's local name", lambda data, layout: place(layout).name + 5)
    cut("in-info-extra", "in Info.plist's local extra field", lambda data, layout: place(layout).extra + 5)
    cut("in-info-data", "in Info.plist's data", lambda data, layout: place(layout).data + 9)
    cut("behind-info", "behind Info.plist", lambda data, layout: place(layout).end)
    cut("before-directory", "before the directory", lambda data, layout: layout.directory)
    cut("in-directory", "in the directory", lambda data, layout: layout.records[3] + 20)
    cut("before-end", "before the end record", lambda data, layout: layout.end)
    cut("in-end", "in the end record", lambda data, layout: layout.end + 21)
    cut("in-end-signature", "in the end record's signature", lambda data, layout: layout.end + 2)
    cut("in-zip64-record", "in the zip64 end record", lambda data, layout: layout.end - 50, wide_end=True)
    cut("before-locator", "before the zip64 locator", lambda data, layout: layout.end - 20, wide_end=True)
    cut("after-locator", "after the zip64 locator", lambda data, layout: layout.end, wide_end=True)
    cut("in-comment", "in the comment", lambda data, layout: layout.end + 25, kind="comment-too-long",
        comment=b"a comment")
    cut("first-byte", "where it should, but its first byte is missing", lambda data, layout: slice_all(data),
        kind="directory-misplaced")
    refused("cut-middle", "directory-misplaced", "100 bytes are missing in the middle",
            patched(app(), lambda data, layout: data[:400] + data[500:]))
    refused("cut-tail-added", "cut-off", "65,600 bytes stand behind the end record, more than a comment",
            Archive(app(), trailing=bytes(65600)))


def slice_all(data):
    del data[0]
    return len(data)
