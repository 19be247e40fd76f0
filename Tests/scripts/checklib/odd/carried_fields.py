"""Harmless oddities of members: descriptors, zip64, extra fields, modes, methods, times, flags."""

import bz2
import lzma
import struct
import zlib

from .base import APP, PLIST, app, forged_crc, info, other, plist, prepared
from .writer import (LINK, SHAPES, UNIX, Archive, Member, deflate, extra, times)


OTHER = "Payload/Odd.app/other"


def placed(place, member):
    """The app with Info.plist first, in the middle, last."""
    members = [m for m in app() if m.name != PLIST]
    members.insert({"first": 0, "middle": 3, "last": len(members)}[place], member)
    return Archive(members)


def fields(local, central=None):
    return {"local_extra": local, "extra": local if central is None else central}


def register():
    _descriptors()
    _wide()
    _extras()
    _modes()
    _methods()
    _headers()


def _descriptors():
    for shape in SHAPES:
        for place in ("first", "middle", "last"):
            prepared(f"descriptor-{shape}-{place}", "descriptor",
                     f"Info.plist, the {place} member, has a data descriptor of the form {shape}",
                     placed(place, info(descriptor=shape)))
        prepared(f"descriptor-{shape}-all", "descriptor", f"all files have descriptors, {shape}",
                 Archive([_with(m, shape) for m in app(other())]))
        prepared(f"descriptor-{shape}-stored", "descriptor",
                 f"another member is stored with a descriptor, {shape}",
                 Archive(app(other(method=0, descriptor=shape))))
    prepared("descriptor-stored-info", "descriptor", "Info.plist is stored with a descriptor",
             Archive(app(method=0, descriptor="signed32")))
    prepared("descriptor-mixed", "descriptor", "each file has a descriptor of another form",
             Archive([_with(m, list(SHAPES)[i % 4]) for i, m in enumerate(app(other()))]))
    prepared("descriptor-then-gap", "descriptor", "bytes stand between the descriptor and the next",
             _gap_behind(info(descriptor="bare32")))
    prepared("descriptor-sizes-too", "descriptor", "checksum and sizes also stand in the header",
             Archive(app(plist_member=_all_told(info(descriptor="signed32")))))
    prepared("descriptor-size-too", "descriptor", "the packed size also stands in the header",
             Archive(app(plist_member=_size_told(info(descriptor="signed32")))))
    data = forged_crc(plist() + b"<!-- ", 0x08074B50)
    prepared("descriptor-crc-like-signature", "descriptor",
             "another member's checksum is the signature of a descriptor, which has none",
             Archive(app(other(data=data, descriptor="bare32"))))
    prepared("descriptor-wide-with-field", "descriptor", "a zip64 field and a descriptor of 64 bits",
             Archive(app(descriptor="signed64", wide_local=True, local_extra=times(True))))


def _with(member, shape):
    if not member.name.endswith(b"/") and member.mode != LINK:
        member.descriptor = shape
        member.flags |= 8
    return member


def _gap_behind(member):
    members = app(plist_member=member)
    members[4].before = b"gap behind"
    return Archive(members)


def _all_told(member):
    member.local = {"checksum": member.checksum, "packed_size": member.packed_size,
                    "size": member.size}
    return member


def _size_told(member):
    member.local = {"packed_size": member.packed_size}
    return member


def _wide():
    prepared("zip64-end", "zip64", "zip64 end records that nothing needs", Archive(app(), wide_end=True))
    prepared("zip64-end-full", "zip64", "zip64 end records, and the plain one is full",
             Archive(app(), wide_end="full"))
    prepared("zip64-end-longer", "zip64", "the zip64 end record holds data of others",
             Archive(app(), wide_end=True, wide={"extra": struct.pack("<HI", 0x4321, 4) + b"data"}))
    prepared("zip64-end-disks", "zip64", "the plain end record's disk numbers are saturated",
             Archive(app(), wide_end=True, end={"disk": 0xFFFF, "start_disk": 0xFFFF}))
    prepared("zip64-local-info", "zip64", "Info.plist has a local zip64 field that it does not need",
             Archive(app(wide_local=True)))
    prepared("zip64-both-info", "zip64", "Info.plist has zip64 fields in both headers",
             Archive(app(wide_local=True, wide_central="spo")))
    prepared("zip64-local-other", "zip64", "another member has a local zip64 field",
             Archive(app(other(wide_local=True))))
    for letters, what in (("s", "size"), ("p", "packed size"), ("o", "offset"), ("spo", "values")):
        prepared(f"zip64-central-{letters}", "zip64", f"zip64 fields for the {what} of three members",
                 Archive(app(other(wide_central=letters), other(b"second", wide_central=letters),
                             wide_central=letters)))
    prepared("zip64-behind-others", "zip64", "the zip64 field is the last of the extra fields",
             Archive(app(wide_local=True, wide_central="spo", wide_last=True)))
    prepared("zip64-unneeded-field", "zip64", "a zip64 field though no 32-bit value is saturated",
             Archive(app(other(**fields(extra(1, bytes(16)))), **fields(extra(1, bytes(16))))))
    prepared("zip64-empty-field", "zip64", "an empty zip64 field", Archive(app(**fields(extra(1)))))
    prepared("zip64-with-disk", "zip64", "a zip64 field that also holds a disk number",
             Archive(app(other(extra=extra(1, struct.pack("<QQQI", 999, 999, 0, 0))))))
    prepared("zip64-everything", "zip64", "zip64 fields, descriptors and end records on all files",
             Archive([_widened(m) for m in app()], wide_end=True))


def _widened(member):
    member.wide_local, member.wide_central = True, "spo"
    return _with(member, "signed64")


def _extras():
    ut, ux = extra(0x5455, struct.pack("<BI", 1, UNIX)), extra(0x7875, bytes([1, 1, 0, 1, 0]))
    for name, why, options in (
            ("order", "local fields in another order than central", fields(ux + ut, ut + ux)),
            ("local-only", "fields in the local header alone", fields(ut + ux, b"")),
            ("central-only", "fields in the directory alone", fields(b"", ut + ux)),
            ("unknown", "fields that no one knows", fields(extra(0x4242, b"what") + extra(0x9999))),
            ("empty", "fields without data", fields(extra(0x5455) + extra(0x7875))),
            ("twice", "the time is there twice", fields(ut + ut)),
            ("old-times", "the older field of Apple's archivers",
             fields(extra(0x5855, struct.pack("<IIHH", UNIX, UNIX, 501, 20)))),
            ("ntfs", "NTFS times", fields(extra(0x000A, bytes(4) + struct.pack("<HH", 1, 24) + bytes(24)))),
            ("java", "the mark of a jar", fields(extra(0xCAFE))),
            ("alignment", "padding as zipalign writes it",
             fields(extra(0xD935, struct.pack("<H", 4) + bytes(25)), b"")),
            ("comment", "Info-ZIP's Unicode comment",
             fields(extra(0x6375, bytes([1]) + bytes(4) + b"comment"))),
            ("same-path", "a Unicode path that is the name",
             fields(extra(0x7075, b"\1" + struct.pack("<I", zlib.crc32(PLIST)) + PLIST)))):
        prepared(f"extra-{name}-info", "extra", f"Info.plist: {why}", Archive(app(**options)))
        if name != "same-path":
            prepared(f"extra-{name}-other", "extra", f"another member: {why}",
                     Archive(app(other(**options))))
    for name, why, raw in (
            ("too-long", "a field longer than all", b"UT\xff\x7f123"),
            ("stray-byte", "one byte that is no field", ut + b"\0"),
            ("stray-bytes", "three bytes that are no field", b"\1\2\3"),
            ("zero-padding", "zeros, as some aligners write them", bytes(11))):
        prepared(f"extra-{name}-info", "extra-malformed", f"Info.plist: {why}",
                 Archive(app(**fields(raw))))
        prepared(f"extra-{name}-other", "extra-malformed", f"another member: {why}",
                 Archive(app(other(**fields(raw)))))
    prepared("extra-longest", "extra", "a local extra field of 65,535 bytes",
             Archive(app(other(local_extra=extra(0x4242, bytes(65531))))))
    prepared("extra-longest-info", "extra", "Info.plist has a local extra field of 65,535 bytes",
             Archive(app(local_extra=extra(0x4242, bytes(65531)))))


def _modes():
    for name, why, options in (
            ("none", "no permission at all", {"mode": 0o100000}),
            ("setuid", "set-user-ID and sticky bits", {"mode": 0o105755}),
            ("without-type", "permissions without a file type", {"mode": 0o644}),
            ("no-mode", "no mode", {"attributes": 0}),
            ("windows", "made on FAT, no mode", {"made_by": 0x0014, "attributes": 0x20}),
            ("windows-mode", "made on FAT, and a mode all the same", {"made_by": 0x0014}),
            ("read-only", "the read-only bit of DOS", {"made_by": 0x0014, "attributes": 0x21}),
            ("ntfs-host", "made on NTFS", {"made_by": 0x0B3F, "attributes": 0x20}),
            ("mac-host", "made on a Mac", {"made_by": 0x1314}),
            ("unknown-host", "made on an unknown system", {"made_by": 0xFF3F})):
        prepared(f"mode-{name}-info", "mode", f"Info.plist: {why}", Archive(app(**options)))
        prepared(f"mode-{name}-other", "mode", f"another member: {why}", Archive(app(other(**options))))
    prepared("mode-folder-by-attribute", "mode", "a folder that the DOS attribute alone makes one",
             Archive(app(Member(APP + b"d/", made_by=0x0014, attributes=0x10))))
    prepared("mode-pipe-elsewhere", "mode", "another member is a named pipe",
             Archive(app(other(b"pipe", b"", mode=0o010644))),
             unpacking=("unpack-special", "Payload/Odd.app/pipe"))
    for name, target in (("up", b"../../../../etc/passwd"), ("absolute", b"/etc/passwd"),
                         ("loop", b"link-loop"), ("long", b"x/" * 2000 + b"x"), ("empty", b"")):
        unpacking = {"up": "unpack-link", "absolute": "unpack-link", "empty": "unpack-link-nowhere"}
        prepared(f"link-{name}", "link", f"a link elsewhere: {name}",
                 Archive(app(other(b"link-" + name.encode(), target, method=0, mode=LINK))),
                 unpacking=(unpacking[name], f"Payload/Odd.app/link-{name}")
                 if name in unpacking else None)
    prepared("link-deflated", "link", "a link whose target is deflated",
             Archive(app(other(b"link", b"a/" * 99 + b"b", mode=LINK))))


def _methods():
    for level in range(10):
        data = plist(40)
        prepared(f"deflate-level-{level}", "method", f"all is deflated at level {level}",
                 Archive(app(other(level=level), data=data, level=level)))
    prepared("deflate-fixed", "method", "Info.plist is deflated with fixed codes",
             Archive(app(packed=deflate(plist(), 6, zlib.Z_FIXED))))
    prepared("deflate-empty-blocks", "method", "empty blocks stand before Info.plist's data",
             Archive(app(packed=b"\0\0\0\xff\xff" * 40 + deflate(plist()))))
    prepared("deflate-then-bytes", "data-behind-stream", "bytes stand behind the end of the deflated data",
             Archive(app(packed=deflate(plist()) + b"more bytes")), unasked=("java",))
    for bits in (2, 4, 6):
        prepared(f"deflate-flag-{bits}", "method", f"the compression bits of the flags are {bits}",
                 Archive(app(other(flags=bits), flags=bits)))
    prepared("stored-info", "method", "Info.plist is stored", Archive(app(method=0)))
    prepared("stored-all", "method", "all members are stored",
             Archive([Member(m.name, m.data, 0, mode=m.mode) for m in app()]))
    prepared("empty-stored", "method", "an empty member, stored", Archive(app(other(b"empty", b""))))
    prepared("empty-deflated", "method", "an empty member, deflated in two bytes",
             Archive(app(other(b"empty", b"", method=8))))
    prepared("empty-described", "method", "an empty member with a descriptor",
             Archive(app(other(b"empty", b"", method=8, descriptor="signed32"))))
    body = b"content\n" * 500
    packed = {
        1: b"shrunk", 6: b"imploded", 9: b"deflate64", 12: bz2.compress(body),
        14: b"\x09\x14\x05\0" + lzma.compress(body, lzma.FORMAT_RAW, filters=[
            {"id": lzma.FILTER_LZMA1}]),
        93: b"\x28\xb5\x2f\xfd" + b"zstandard", 95: lzma.compress(body), 97: b"wvpk" + bytes(28),
        98: b"ppmd" * 9, 99: b"bvx2" + b"\1" * 60 + b"bvx$", 65535: b"no one knows",
    }
    for method, data in packed.items():
        prepared(f"method-{method}-other", "method-elsewhere", f"another member has method {method}",
                 Archive(app(other(data=body, method=method, packed=data, needed=63))),
                 unpacking=("method", OTHER))
    prepared("encrypted-other", "encrypted-elsewhere", "another member is encrypted as by zip -e",
             Archive(app(other(flags=1, packed=b"\x5a" * 12 + deflate(body), data=body))),
             unpacking=("encrypted", OTHER))
    aes = extra(0x9901, struct.pack("<HHBH", 2, 0x4541, 3, 8))
    prepared("encrypted-aes-other", "encrypted-elsewhere", "another member is encrypted with AES",
             Archive(app(other(flags=1, method=99, checksum=0, data=body, needed=51,
                               packed=b"\xa5" * (16 + 2 + 50 + 10), **fields(aes)))),
             unpacking=("encrypted", OTHER))
    strong = extra(0x0017, struct.pack("<HHHH", 2, 0x660E, 128, 1))
    prepared("encrypted-strong-other", "encrypted-elsewhere",
             "another member has PKWARE's strong encryption",
             Archive(app(other(flags=0x41, data=body, needed=50, packed=bytes(90), **fields(strong)))),
             unpacking=("encrypted", OTHER))
    prepared("encrypted-described-other", "encrypted-elsewhere",
             "another member is encrypted and has a descriptor",
             Archive(app(other(flags=9, packed=b"\x5a" * 12 + deflate(body), data=body,
                               descriptor="signed32"))), unpacking=("encrypted", OTHER))


def _headers():
    for name, why, options in (
            ("time-zero", "no time", {"time": 0, "date": 0}),
            ("time-invalid", "month 15, day 31, hour 31", {"time": 0xFFFF, "date": 0x01FF}),
            ("time-last", "the last time there is", {"time": 0xBF7D, "date": 0xFF9F}),
            ("needed-high", "a reader of version 25.5 is wanted", {"needed": 255}),
            ("needed-zero", "no version is wanted", {"needed": 0}),
            ("needed-host", "the upper byte of the version is set", {"needed": 0x0314}),
            ("internal-text", "marked as text", {"internal": 1}),
            ("flag-utf8-ascii", "the UTF-8 flag on a plain name", {"flags": 0x800}),
            ("flag-reserved", "reserved flags", {"flags": 0x0480}),
            ("local-time", "the local header has another time", {"local": {"time": 0, "date": 33}}),
            ("local-needed", "the local header wants another version", {"local": {"needed": 10}}),
            ("local-utf8", "the UTF-8 flag in the local header alone", {"local": {"flags": 0x800}})):
        prepared(f"{name}-info", "header", f"Info.plist: {why}", Archive(app(**options)),
                 unasked=("libzip",) if name == "local-time" else ())
        prepared(f"{name}-other", "header", f"another member: {why}", Archive(app(other(**options))))
    prepared("crc-zero-described", "header", "a descriptor of zeros behind an empty member",
             Archive(app(other(b"none", b"", method=0, descriptor="signed32"))))
