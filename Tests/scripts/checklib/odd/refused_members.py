"""Archives that are refused for what a member is: names, kinds, contents, headers that disagree."""

import struct
import zlib

from .base import (APP, PLIST, SHOWN_PLIST, TOP, app, info, other, patched, plist, prepared,
                   program, refused, rest)
from .writer import FOLDER, LINK, MAX32, Archive, Member, deflate, extra

SHOWN_OTHER = (APP + b"other").decode()


def without_info(*more):
    return [m for m in app(*more) if m.name != PLIST]


def register():
    _apps()
    _twins()
    _kinds()
    _contents()
    _packing()
    _disagreements()


def _apps():
    def renamed(old, new):
        return [Member(m.name.replace(old, new), m.data, m.method, mode=m.mode) for m in app()]
    refused("payload-lower-case", "no-payload", "the folder's name is in lower case",
            Archive(renamed(b"Payload/", b"payload/")))
    refused("payload-missing", "no-payload", "the app lies at the top", Archive(renamed(b"Payload/", b"")))
    refused("payload-deeper", "payload-elsewhere", "Payload lies in another folder",
            Archive(renamed(b"Payload/", b"Odd/Payload/")))
    refused("payload-absolute", "payload-elsewhere", "all names are absolute",
            Archive(renamed(b"Payload/", b"/Payload/")))
    refused("payload-up", "payload-elsewhere", "all names lead up", Archive(renamed(b"Payload/", b"../Payload/")))
    refused("payload-dot", "payload-elsewhere", "all names begin with a dot and a slash",
            Archive(renamed(b"Payload/", b"./Payload/")))
    refused("payload-backslashes", "no-payload", "all names have backslashes, as old .NET writes them",
            Archive([Member(m.name.replace(b"/", b"\\"), m.data, m.method) for m in app()]))
    refused("payload-apple-double", "no-payload", "__MACOSX alone", Archive(
        [Member(b"__MACOSX/Payload/Odd.app/._Info.plist", b"double")]))
    refused("payload-empty", "no-app", "Payload is empty", Archive([Member(b"Payload/", mode=FOLDER)]),
            "Payload")
    refused("payload-others", "no-app", "Payload holds a folder that is no app",
            Archive(renamed(b"Odd.app", b"Odd.framework")), "Payload")
    refused("payload-nul-app", "no-app", "a zero byte in the app's name",
            Archive(renamed(b"Odd.app", b"Od\0d.app")), "Payload")
    refused("payload-up-inside", "no-app", "the app lies in Payload/..",
            Archive([info(name=b"Payload/../Odd.app/Info.plist")]), "Payload")
    refused("payload-double-slash", "no-app", "two slashes behind Payload",
            Archive([info(name=b"Payload//Odd.app/Info.plist")]), "Payload")
    refused("two-apps", "several-apps", "two apps",
            Archive([*app(), info(name=b"Payload/Second.app/Info.plist")]), "Payload")
    refused("two-apps-case", "several-apps", "two apps that differ in case",
            Archive([*app(), info(name=b"Payload/ODD.app/Info.plist")]), "Payload")
    refused("two-apps-forms", "several-apps", "two apps whose names differ in Unicode form",
            Archive([info(name="Payload/\u00e9.app/Info.plist".encode()),
                     info(name="Payload/e\u0301.app/Info.plist".encode())]), "Payload")
    for name, why, more in (
            ("missing", "no Info.plist", []), ("case", "only info.plist", [info(name=APP + b"info.plist")]),
            ("zero-byte", "only one with a zero byte behind its name", [info(name=PLIST + b"\0.txt")]),
            ("backslash", "only one behind a backslash", [info(name=APP[:-1] + b"\\Info.plist")]),
            ("double-slash", "only one behind two slashes", [info(name=APP + b"/Info.plist")]),
            ("dot", "only one behind a dot", [info(name=APP + b"./Info.plist")])):
        refused(f"info-{name}", "no-info", why, Archive(without_info(*more)), TOP)
    refused("info-too-deep", "too-deep", "another member lies 513 levels deep",
            Archive(app(other(b"/".join([b"d"] * 512)))), (APP + b"/".join([b"d"] * 512)).decode())


def _twins():
    for name, why, twin in (
            ("twice", "Info.plist is there twice", PLIST),
            ("case", "another one in upper case", APP + b"INFO.PLIST"),
            ("app-case", "another one in a folder in another case", b"Payload/odd.APP/Info.plist"),
            ("payload-case", "another one in PAYLOAD", b"PAYLOAD/Odd.app/Info.plist"),
            ("long-s", "another one with a long s, which folds to s", APP + "Info.pli\u017ft".encode()),
            ("zero-byte", "another one with a zero byte behind it", PLIST + b"\0.txt"),
            ("dot", "another one behind a dot", APP + b"./Info.plist"),
            ("slashes", "another one behind two slashes", APP + b"/Info.plist"),
            ("up", "another one behind a way up", APP + b"en.lproj/../Info.plist"),
            ("payload-up", "another one through Payload/..", b"Payload/../Payload/Odd.app/Info.plist"),
            ("absolute", "another one that is absolute", b"/" + PLIST),
            ("backslash", "another one with backslashes", PLIST.replace(b"/", b"\\")),
            ("folder", "a folder of its name", PLIST + b"/")):
        refused(f"twin-{name}", "twice" if name in ("twice", "folder") else "twin", why,
                Archive([*app(), Member(twin, plist(1, "org.example.evil"))]), SHOWN_PLIST)
    refused("twin-first", "twice", "the other one stands before it",
            Archive([info(data=plist(1, "org.example.evil")), *app()]), SHOWN_PLIST)
    refused("twin-thrice", "twice", "Info.plist is there three times",
            Archive([*app(), info(), info()]), SHOWN_PLIST)
    path = extra(0x7075, b"\1" + struct.pack("<I", zlib.crc32(APP + b"other")) + PLIST)
    upper = path[:9] + PLIST.upper()
    refused("unicode-path-other", "unicode-path", "another member's Unicode path is Info.plist's",
            Archive(app(other(extra=path, local_extra=path))), SHOWN_OTHER)
    refused("unicode-path-other-case", "unicode-path", "the same in another case",
            Archive(app(other(extra=upper, local_extra=upper))), SHOWN_OTHER)
    both = extra(0x7075, b"\1" + struct.pack("<I", zlib.crc32(APP + b"other")) + APP + b"other") + path
    refused("unicode-path-other-second", "unicode-path", "it has two, and the last one is Info.plist's",
            Archive(app(other(extra=both, local_extra=both))), SHOWN_OTHER)
    own = extra(0x7075, b"\1" + struct.pack("<I", zlib.crc32(PLIST)) + APP + b"Other.plist")
    refused("unicode-path-info", "unicode-path", "Info.plist has another Unicode path",
            Archive(app(extra=own, local_extra=own)), SHOWN_PLIST)
    refused("unicode-path-local", "local-name", "the same in the local header alone",
            Archive(app(extra=b"", local_extra=own)), SHOWN_PLIST)
    refused("unicode-path-local-other", "local-name",
            "another member's Unicode path is Info.plist's, in the local header alone",
            Archive(app(other(extra=b"", local_extra=path))), SHOWN_OTHER)


def _kinds():
    for name, why, options in (
            ("link", "a link", {"data": b"../../other.plist", "method": 0, "mode": LINK}),
            ("link-absolute", "a link to a file of the system", {"data": b"/etc/passwd", "mode": LINK}),
            ("folder", "a folder by its mode", {"mode": FOLDER}),
            ("folder-attribute", "a folder by its DOS attribute", {"made_by": 0x14, "attributes": 0x10}),
            ("pipe", "a named pipe", {"mode": 0o010644}), ("device", "a device", {"mode": 0o060644}),
            ("socket", "a socket", {"mode": 0o140644}),
            ("unknown-type", "of an unknown type", {"mode": 0o170644})):
        refused(f"info-is-{name}", "info-no-file", f"Info.plist is {why}", Archive(app(**options)), SHOWN_PLIST)
    refused("info-is-folder-name", "info-no-file", "Info.plist's name ends in a slash",
            Archive(without_info(Member(PLIST + b"/", mode=FOLDER))), SHOWN_PLIST)
    below = [program(), info(), *rest()]
    refused("app-is-link", "folder-is-link", "the app's folder is a link",
            Archive([Member(b"Payload/", mode=FOLDER), Member(APP[:-1], b"/tmp", 0, mode=LINK), *below]), TOP)
    refused("app-is-link-behind", "folder-is-link", "the same, behind what lies below it",
            Archive([*below, Member(APP[:-1], b"/tmp", 0, mode=LINK)]), TOP)
    refused("app-is-link-and-folder", "folder-is-link", "the app's folder is also there as a link",
            Archive([*app(), Member(APP[:-1], b"/tmp", 0, mode=LINK)]), TOP)
    refused("app-is-link-case", "folder-is-link", "a link in another case",
            Archive([*app(), Member(b"Payload/ODD.APP", b"/tmp", 0, mode=LINK)]), "Payload/ODD.APP")
    refused("payload-is-link", "folder-is-link", "Payload is a link",
            Archive([Member(b"Payload", b"/tmp", 0, mode=LINK), *below]), "Payload")
    refused("app-is-file", "folder-is-file", "the app's folder is also a file",
            Archive([*below, Member(APP[:-1], b"file")]), TOP)
    refused("payload-is-file", "folder-is-file", "Payload is also a file",
            Archive([Member(b"Payload", b"file"), *below]), "Payload")


def _info(name, kind, why, **options):
    refused(name, kind, why, Archive(app(**options)), SHOWN_PLIST)


def _bomb():
    """2 GB of zeros, packed twice as far as one pass goes by repeating what one block packs to."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = bytes(1 << 20)
    packed = packer.compress(block) + packer.flush(zlib.Z_FULL_FLUSH)
    again = packer.compress(block) + packer.flush(zlib.Z_FULL_FLUSH)
    return packed + again * 2047 + packer.flush()


def _contents():
    _info("crc-info", "checksum", "Info.plist's checksum is wrong in both headers", checksum=0xDEADBEEF)
    refused("crc-info-stored", "checksum", "one bit of a stored Info.plist is another",
            patched(app(method=0), lambda data, layout: data.__setitem__(
                layout.members[PLIST].data + 50, data[layout.members[PLIST].data + 50] ^ 1)), SHOWN_PLIST)
    _info("crc-info-described", "checksum", "the checksum is wrong in the descriptor too",
          checksum=0xDEADBEEF, descriptor="signed32")
    packed = deflate(plist())
    _info("data-info-no-deflate", "deflate-damaged", "Info.plist's data are no deflate data",
          packed=b"\xff" * 40)
    _info("data-info-cut", "checksum", "Info.plist's data are cut short", packed=packed[:-9])
    _info("data-info-empty", "size-differs", "Info.plist's data are empty", packed=b"")
    _info("size-info-less", "size-differs", "Info.plist declares 10 bytes", size=10)
    _info("size-info-more", "size-differs", "Info.plist declares one byte too much", size=len(plist()) + 1)
    _info("size-info-zero", "size-differs", "Info.plist declares no byte", size=0)
    _info("size-info-stored", "stored-size", "a stored Info.plist declares another size", method=0, size=10)
    _info("bomb-info", "too-large", "Info.plist unpacks to 2 GB, and says so",
          data=b"", packed=_bomb(), size=1 << 31, checksum=0, method=8)
    _info("bomb-info-hidden", "size-differs", "Info.plist unpacks to 2 GB and declares 100 bytes",
          data=b"", packed=_bomb(), size=100, checksum=0, method=8)
    _info("size-info-4g", "too-large", "Info.plist declares 4 GiB - 2 bytes", size=MAX32 - 1)
    _info("size-info-64-bits", "too-large", "Info.plist declares 2^63 bytes", size=1 << 63)
    _info("size-info-limit", "too-large", "Info.plist has one byte more than the limit",
          data=b" " * (16 << 20) + b"x")
    # Some more than its content is let pass, since what does not shrink grows when it is packed.
    packed_limit = 18 << 20
    _info("packed-info-limit", "packed-too-large", "Info.plist is packed to more than the limit",
          packed=b"\0\0\0\xff\xff" * (packed_limit // 5) + packed)
    _info("plist-empty", "plist-unreadable", "Info.plist is empty", data=b"", method=0)
    _info("plist-text", "plist-unreadable", "Info.plist is no property list", data=b"<plist><dict>")
    _info("plist-array", "plist-no-dictionary", "Info.plist is a list",
          data=b"<plist version=\"1.0\"><array/></plist>")


def _packing():
    for method, what in ((1, "shrunk"), (6, "imploded"), (9, "Deflate64"), (12, "bzip2"), (14, "LZMA"),
                         (93, "Zstandard"), (95, "XZ"), (97, "WavPack"), (98, "PPMd"), (99, "LZFSE")):
        _info(f"method-{method}-info", "method", f"Info.plist is packed with method {method}, {what}",
              method=method, packed=b"bvx2" + bytes(60))
    _info("encrypted-info", "encrypted", "Info.plist is encrypted as by zip -e", flags=1,
          packed=b"\x5a" * 12 + deflate(plist()))
    aes = extra(0x9901, struct.pack("<HHBH", 2, 0x4541, 3, 8))
    _info("encrypted-aes-info", "encrypted", "Info.plist is encrypted with AES", flags=1, method=99,
          packed=bytes(99), extra=aes, local_extra=aes)
    _info("encrypted-strong-info", "encrypted", "Info.plist has PKWARE's strong encryption", flags=0x41,
          packed=bytes(99))
    _info("encrypted-masked-info", "encrypted", "the local header is masked, as with an encrypted directory",
          flags=0x2041, packed=bytes(99))


def _both(name, kind, why, make, **options):
    """A disagreement of Info.plist's two headers, and of another member's."""
    refused(f"{name}-info", kind, f"Info.plist: {why}", lambda: Archive(app(plist_member=make(
        PLIST, plist(), **options))), SHOWN_PLIST)
    refused(f"{name}-other", kind, f"another member: {why}", lambda: Archive(app(make(
        APP + b"other", b"other content\n" * 40, **options), other(b"next"))), SHOWN_OTHER)


def _disagreements():
    def local(**fields):
        return lambda name, data: Member(name, data, local=fields)
    _both("local-name", "local-name", "the local name is another", local(name=APP + b"evil"))
    _both("local-name-empty", "local-name", "the local name is empty", local(name=b""))
    _both("local-name-longer", "local-name", "the local name is longer",
          lambda name, data: Member(name, data, local={"name": name + b"x"}))
    _both("local-name-case", "local-name", "the local name is in another case",
          lambda name, data: Member(name, data, local={"name": name.upper()}))
    _both("local-method", "local-method", "the local header says stored", local(method=0))
    _both("local-method-99", "local-method", "the local header says LZFSE", local(method=99))
    _both("local-encrypted", "local-flags", "encrypted by the local header alone", local(flags=1))
    _both("local-strong", "local-flags", "strongly encrypted by the local header alone", local(flags=0x40))
    _both("local-masked", "local-flags", "masked by the local header alone", local(flags=0x2000))
    _both("local-described", "local-flags", "a descriptor by the local header alone", local(flags=8))
    _both("central-described", "local-flags", "a descriptor by the directory alone",
          lambda name, data: Member(name, data, central={"flags": 8}))
    _both("local-packed-size", "local-sizes", "the local packed size is another", local(packed_size=7))
    _both("local-size", "local-sizes", "the local size is another", local(size=7))
    _both("local-sizes", "local-sizes", "both local sizes are others", local(packed_size=7, size=7))
    _both("local-size-zero", "local-sizes", "the local sizes are zero without a descriptor",
          local(packed_size=0, size=0))
    _both("local-size-described", "local-sizes", "the local size is another, with a descriptor",
          lambda name, data: Member(name, data, descriptor="signed32", local={"size": 7}))
    _both("local-checksum", "local-checksum", "the local checksum is another", local(checksum=7))
    _both("local-checksum-zero", "local-checksum", "the local checksum is zero without a descriptor",
          local(checksum=0))
    _both("local-checksum-described", "local-checksum", "the local checksum is another, with a descriptor",
          lambda name, data: Member(name, data, descriptor="signed32", local={"checksum": 7}))
    for name, why, make in DESCRIPTORS:
        refused(f"descriptor-{name}-info", "descriptor-lies", f"Info.plist: {why}",
                lambda m=make: Archive(app(plist_member=m(PLIST, plist()))), SHOWN_PLIST)
        prepared(f"descriptor-{name}-other", "descriptor-elsewhere", f"another member: {why}",
                 Archive(app(make(APP + b"other", b"other content\n" * 40), other(b"next"))))
    for whose, name, shown in (("info", PLIST, SHOWN_PLIST), ("other", APP + b"other", SHOWN_OTHER)):
        for what, field in (("cut", extra(1, bytes(4))), ("twice", extra(1, bytes(16)) * 2)):
            refused(f"local-zip64-{what}-{whose}", "local-zip64", f"{whose}: the local zip64 field is "
                    f"{'cut short' if what == 'cut' else 'there twice'}",
                    lambda n=name, f=field: _saturated(n, f), shown)


# Descriptors that are not what the directory says.
DESCRIPTORS = (
    ("lies-size", "the descriptor's sizes are others", lambda name, data: Member(
        name, data, descriptor="signed32", local={"descriptor": (zlib.crc32(data), 1, 2)})),
    ("lies-checksum", "the descriptor's checksum is another", lambda name, data: Member(
        name, data, descriptor="signed32", local={"descriptor": (7, len(deflate(data)), len(data))})),
    ("missing", "there is no descriptor where the flags say so",
     lambda name, data: Member(name, data, flags=8)),
)


def _saturated(name, field):
    member = info(local_extra=field) if name == PLIST else other(local_extra=field)
    members = app(plist_member=member) if name == PLIST else app(member, other(b"next"))

    def change(data, layout):
        struct.pack_into("<II", data, layout.members[name].start + 18, MAX32, MAX32)
    return patched(members, change)()
