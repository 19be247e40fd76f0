"""The app that every case is a variation of, and the list of cases."""

import struct
import zlib
from dataclasses import dataclass

from .writer import FILE, FOLDER, LINK, PROGRAM, Archive, Layout, Member

APP = b"Payload/Odd.app/"
PLIST = APP + b"Info.plist"
SHOWN_PLIST = PLIST.decode()
TOP = "Payload/Odd.app"


def plist(lines=5, identifier="org.example.odd"):
    """An Info.plist of so many lines more than it needs."""
    more = "".join(f"\t<key>Key{index:04d}</key>\n\t<string>value {index}</string>\n"
                   for index in range(lines))
    return ('<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST '
            '1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n<plist version="1.0">\n'
            f"<dict>\n\t<key>CFBundleIdentifier</key>\n\t<string>{identifier}</string>\n"
            "\t<key>CFBundleExecutable</key>\n\t<string>Odd</string>\n"
            f"{more}</dict>\n</plist>\n").encode()


def info(**options):
    """The member that is edited."""
    return Member(options.pop("name", PLIST), options.pop("data", plist()), **options)


def folders(**options):
    return [Member(b"Payload/", mode=FOLDER, **options), Member(APP, mode=FOLDER, **options)]


def program(**options):
    return Member(APP + b"Odd", b"\xcf\xfa\xed\xfe" + b"code " * 800, mode=PROGRAM, **options)


def rest(**options):
    """What stands behind Info.plist: stored, a link, and deflated."""
    return [Member(APP + b"PkgInfo", b"APPL????", method=0, **options),
            Member(APP + b"Frameworks/F.framework/F", b"Versions/Current/F", method=0,
                   **{"mode": LINK, **options}),
            Member(APP + b"en.lproj/Main.strings", b'"key" = "value";\n' * 90, **options)]


def app(*more, plist_member=None, at=3, **options):
    """The members of a small app, with Info.plist at a place and others behind."""
    members = [*folders(), program(), *rest(), *more]
    members.insert(at, plist_member or info(**options))
    return members


def other(name=b"other", data=b"other content\n" * 40, **options):
    """A member beside Info.plist."""
    return Member(APP + name, data, **options)


@dataclass
class Case:
    """One archive: `kind` is its row in Documentation/archives.md, `member` whom a refusal names."""
    name: str
    kind: str
    why: str
    build: object
    prepared: bool
    member: str = None
    plist: bytes = PLIST
    # What an unpacking refuses, as (kind, member); None where it may be unpacked.
    unpacking: tuple = None
    heavy: bool = False
    # Judges that are not asked: what they mind is mended with Info.plist, or they take long.
    unasked: tuple = ()


CASES = {}


def _add(case):
    if case.name in CASES:
        raise ValueError(f"two cases are named {case.name}")
    CASES[case.name] = case


def prepared(name, kind, why, archive, **options):
    """A case that is prepared; `archive` is an Archive or makes one when it is wanted."""
    _add(Case(name, kind, why, archive, True, **options))


def refused(name, kind, why, archive, member=None, **options):
    """A case that is refused; `archive` may also be the bytes themselves, or make them."""
    _add(Case(name, kind, why, archive, False, member, **options))


def made(case):
    """A case's bytes and Layout; the Layout of bytes without one is empty."""
    archive = case.build
    if callable(archive):
        archive = archive()
    return archive.bytes() if isinstance(archive, Archive) else (archive, Layout())


def patched(members, change, **options):
    """An archive's bytes after `change(bytearray, layout)`; its Layout stays."""
    def build():
        data, layout = Archive(members, **options).bytes()
        data = bytearray(data)
        result = change(data, layout)
        return bytes(result if result is not None else data)
    return build


def forged_crc(data, wanted):
    """`data` with four bytes more, so that its CRC-32 is the wanted one."""
    table = []
    for index in range(256):
        value = index
        for _ in range(8):
            value = value >> 1 ^ (0xEDB88320 if value & 1 else 0)
        table.append(value)
    register, back = zlib.crc32(data) ^ 0xFFFFFFFF, wanted ^ 0xFFFFFFFF
    for _ in range(4):
        index = next(i for i in range(256) if table[i] >> 24 == back >> 24)
        back = ((back ^ table[index]) << 8 | index) & 0xFFFFFFFF
    return data + struct.pack("<I", back ^ register)

