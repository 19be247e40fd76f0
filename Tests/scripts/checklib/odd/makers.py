"""Archives in the style of the programs that write them, as far as headers show it.

Each style is what that program's archives were seen to hold, or its sources say.
"""

import struct

from .base import app, folders, info, other, plist, prepared, program, rest
from .writer import LINK, UNIX, Archive, extra

NTFS = extra(0x000A, bytes(4) + struct.pack("<HHQQQ", 1, 24, 133604000960000000,
                                            133604000960000000, 133604000960000000))
OLD_TIMES = struct.pack("<II", UNIX, UNIX)
STAMP = extra(0x5455, struct.pack("<BI", 1, UNIX))


def _each(members, change):
    for member in members:
        change(member)
    return members


def _style(name, why, change, **options):
    prepared(f"maker-{name}", "maker", f"as {why} writes it",
             Archive(_each(app(other()), change), **options))


def _is_file(member):
    return not member.name.endswith(b"/")


def _archive_utility(member):
    """Bit 3 with the packed size in the local header all the same, the older times, host Unix."""
    _described(member, "signed32")
    member.local = {"packed_size": member.packed_size} if _is_file(member) else {}
    member.made_by = 0x0315
    member.extra = extra(0x5855, OLD_TIMES)
    member.local_extra = extra(0x5855, OLD_TIMES + struct.pack("<HH", 501, 20))


def _ditto(member):
    _described(member, "signed32")
    member.made_by = 0x0315
    member.extra = extra(0x5855, OLD_TIMES)
    member.local_extra = extra(0x5855, OLD_TIMES + struct.pack("<HH", 501, 20))


def _described(member, shape):
    if _is_file(member) and member.mode != LINK:
        member.descriptor = shape
        member.flags |= 8


def _seven_zip(member):
    member.made_by, member.local_extra, member.extra = 0x003F, b"", NTFS
    member.attributes = 0x10 if not _is_file(member) else 0x20


def _seven_zip_unix(member):
    member.made_by, member.local_extra, member.extra = 0x033F, b"", NTFS
    member.attributes |= 0x8000


def _explorer(member):
    member.made_by, member.local_extra, member.extra = 0x000A, b"", b""
    member.attributes = 0x10 if not _is_file(member) else 0x20


def _java(member):
    _described(member, "signed32")
    member.flags |= 0x800
    member.made_by, member.attributes = 0x0014, 0
    member.extra = member.local_extra = extra(0xCAFE) if member.name == b"Payload/" else b""


def _go(member):
    _described(member, "signed32")
    member.made_by, member.extra, member.local_extra = 0x0314, STAMP, STAMP
    member.needed = 20


def _python(member):
    member.extra = member.local_extra = b""
    member.made_by, member.needed = 0x0314, 20


def _python_stream(member):
    _python(member)
    _described(member, "signed32")


def _libarchive(member):
    """The central record has an experimental field; streamed files have descriptors."""
    _described(member, "signed32")
    unix = extra(0x7875, struct.pack("<BBIBI", 1, 4, 501, 4, 20))
    member.local_extra = STAMP + unix + extra(0x6C78, struct.pack("<BHH", 3, 0x0317, 0))
    member.extra, member.made_by = STAMP + unix, 0x0314


def _dotnet(member):
    member.made_by, member.attributes, member.extra, member.local_extra = 0x0014, 0, b"", b""


def _minizip(member):
    """As zsign packs: no mode, host FAT, no links."""
    member.made_by, member.attributes, member.extra, member.local_extra = 0x0000, 0, b"", b""
    member.needed, member.flags = 20, member.flags | 2


def _ruby(member):
    member.extra = member.local_extra = STAMP
    member.made_by, member.needed = 0x0334, 10


def _node(member):
    _described(member, "signed32")
    member.flags |= 0x800
    member.made_by, member.extra, member.local_extra = 0x033F, b"", b""


def _node_stream(member):
    """A stream of unknown length: descriptors of 64 bits, wide values in the directory alone."""
    _described(member, "signed64")
    member.flags |= 0x800
    member.made_by, member.extra, member.local_extra, member.needed = 0x033F, b"", b"", 45
    member.wide_central = "spo" if _is_file(member) else ""


def _android(member):
    """Aligned data by padding fields, the UTF-8 flag, and time of 1981."""
    member.local_extra, member.extra = extra(0xD935, struct.pack("<H", 4) + bytes(17)), b""
    member.time, member.date, member.flags = 0x0821, 0x0221, member.flags | 0x800
    member.made_by, member.attributes = 0, 0


def _streaming_conduit(member):
    """As a Mac sends an app to a device: no descriptors, all stored."""
    if _is_file(member):
        member.method, member.packed = 0, member.data
        member.packed_size = len(member.data)
    member.local_extra = STAMP + extra(0x7875, struct.pack("<BBIBI", 1, 4, 0, 4, 0))


def register():
    _style("info-zip", "zip 3.0 on Linux", lambda member: None)
    _style("info-zip-stream", "zip 3.0 into a pipe",
           lambda member: _described(member, "signed32"))
    _style("archive-utility", "Archive Utility of macOS", _archive_utility)
    _style("ditto", "ditto", _ditto)
    _style("7-zip", "7-Zip on Windows", _seven_zip)
    _style("7-zip-unix", "7-Zip on Linux", _seven_zip_unix)
    _style("explorer", "Windows Explorer", _explorer)
    _style("java", "java.util.zip", _java)
    _style("go", "Go's archive/zip", _go)
    _style("python", "Python's zipfile", _python)
    _style("python-stream", "Python's zipfile into a pipe", _python_stream)
    _style("libarchive", "bsdtar", _libarchive)
    _style("dotnet", ".NET's ZipArchive", _dotnet)
    _style("minizip", "minizip in a signing tool", _minizip)
    _style("ruby", "rubyzip", _ruby)
    _style("node", "Node's yazl", _node)
    _style("node-stream", "a streaming writer of Node", _node_stream)
    _style("android", "Android's packager", _android)
    _style("conduit", "a Mac that sends it to a device", _streaming_conduit)
    prepared("maker-appended", "maker", "as zip -u leaves it: the newest member last, in one order",
             Archive([*folders(), program(), *rest(), info(made_by=0x031E, data=plist(9))]))
    prepared("maker-mixed", "maker", "as after a second program: each member in another style",
             Archive(_mixed()))
    prepared("maker-signing-tool", "maker", "as ipatool: descriptors where deflated, none where stored",
             Archive(_each(app(other()), lambda m: _described(m, "signed32") if m.method == 8 else None)))


def _mixed():
    styles = [_archive_utility, _seven_zip, _go, _java, _python, _libarchive, _explorer]
    members = app(other(), other(b"second"))
    for index, member in enumerate(members):
        styles[index % len(styles)](member)
    return members
