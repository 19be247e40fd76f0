"""Writes a tree as an .ipa, in the manner of one of three archivers.

Readers and editors of archives meet all three, and each has fields that the others lack. The records
are those of PKWARE's APPNOTE.TXT; the extra fields are described in Info-ZIP's proginfo/extrafld.txt.
"""

import struct
import zlib

from .deflate import deflate

SECONDS = 1767225600  # 2026-01-01T00:00:00Z
DOS_TIME = 0
DOS_DATE = (2026 - 1980) << 9 | 1 << 5 | 1
DESCRIPTOR, UTF8 = 1 << 3, 1 << 11
STORED, DEFLATED = 0, 8


class InfoZip:
    """`zip -y -r`: UT and ux fields (the local UT also has the access time)."""

    made_by, directories, descriptors, utf8 = 3 << 8 | 30, True, False, False
    _owner = struct.pack("<HHBBIBI", 0x7875, 11, 1, 4, 501, 4, 20)
    local_extra = struct.pack("<HHBII", 0x5455, 9, 3, SECONDS, SECONDS) + _owner
    central_extra = struct.pack("<HHBI", 0x5455, 5, 3, SECONDS) + _owner


class Ditto:
    """Xcode and `ditto -c -k`: UX fields and data descriptors, names in UTF-8 without saying so."""

    made_by, directories, descriptors, utf8 = 3 << 8 | 21, True, True, False
    local_extra = struct.pack("<HHIIHH", 0x5855, 12, SECONDS, SECONDS, 501, 20)
    central_extra = struct.pack("<HHII", 0x5855, 8, SECONDS, SECONDS)


class Plain:
    """A build script's zip library: no extra field, no directory, the UTF-8 flag."""

    made_by, directories, descriptors, utf8 = 3 << 8 | 20, False, False, True
    local_extra = central_extra = b""


def ipa(tree, style):
    """The bytes of the archive; files that deflate makes smaller are deflated, all else is stored."""
    body, directory, count = bytearray(), bytearray(), 0
    for entry in tree.entries:
        if entry.data is None and not style.directories:
            continue
        local, central = _member(entry, style, len(body))
        body += local
        directory += central
        count += 1
    end = struct.pack(
        "<4sHHHHIIH", b"PK\5\6", 0, 0, count, count, len(directory), len(body), 0
    )
    return bytes(body + directory + end)


def _member(entry, style, offset):
    """The local header with the data, and the central record."""
    name = (entry.path + ("/" if entry.data is None else "")).encode()
    data = entry.data or b""
    regular = entry.mode & 0o170000 == 0o100000
    packed = deflate(data) if regular else data
    method = DEFLATED if len(packed) < len(data) else STORED
    if method == STORED:
        packed = data
    described = style.descriptors and method == DEFLATED
    flags = (DESCRIPTOR if described else 0) | (UTF8 if style.utf8 else 0)
    sums = struct.pack("<III", zlib.crc32(data), len(packed), len(data))
    fields = struct.pack(
        "<HHHHH", 20 if method or entry.data is None else 10, flags, method, DOS_TIME, DOS_DATE
    )
    local = (
        b"PK\3\4" + fields + (bytes(12) if described else sums)
        + struct.pack("<HH", len(name), len(style.local_extra)) + name + style.local_extra
        + packed + (b"PK\7\x08" + sums if described else b"")
    )
    attributes = entry.mode << 16 | (0x10 if entry.data is None else 0)
    central = (
        b"PK\1\2" + struct.pack("<H", style.made_by) + fields + sums
        + struct.pack(
            "<HHHHHII", len(name), len(style.central_extra), 0, 0, 0, attributes, offset
        )
        + name + style.central_extra
    )
    return local, central
