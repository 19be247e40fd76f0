"""Harmless oddities of an archive's layout: gaps, prefixes, order, counts, comments, tails."""

import struct

from .base import APP, PLIST, app, info, other, plist, prepared
from .writer import (CENTRAL, END, LOCAL, Archive, Member, deflate, times)

SIGNING_BLOCK = struct.pack("<Q", 32) + bytes(8) + struct.pack("<Q", 32) + b"APK Sig Block 42"


def at_end(member):
    return [m for m in app() if m.name != PLIST] + [member]


def with_gap(index, gap):
    members = app(other())
    members[index].before = gap
    return Archive(members)


def old_copy():
    """A whole old Info.plist that no record names."""
    stale = Archive([info(data=plist(1, "org.example.stale"))]).bytes()
    return stale[0][:stale[1].directory]


def many(count, **options):
    """So many members, nearly all of them empty."""
    def build():
        members = app()
        plain = {"extra": b"", "local_extra": b""}
        members += [Member(APP + b"m/%05d" % index, **plain) for index in range(count - len(members))]
        return Archive(members, **options)
    return build


def register():
    _gaps()
    _order()
    _tails()
    _counts()
    _comments()


def _gaps():
    prepared("plain", "plain", "as zip writes it on a Mac", Archive(app()))
    prepared("info-first", "plain", "Info.plist is the first member", Archive(app(at=0)))
    prepared("info-last", "plain", "Info.plist is the last member", Archive(at_end(info())))
    prepared("info-alone", "plain", "Info.plist is the only member", Archive([info()]))
    prepared("gap-between", "gap", "1,000 zero bytes between two others", with_gap(5, bytes(1000)))
    prepared("gap-before-info", "gap", "bytes right before Info.plist", with_gap(3, b"gap" * 9))
    prepared("gap-behind-info", "gap", "bytes right behind Info.plist", with_gap(4, b"gap" * 9))
    prepared("gap-of-one-byte", "gap", "one byte", with_gap(4, b"\0"))
    prepared("gap-everywhere", "gap", "a gap before each member",
             Archive([_gapped(member) for member in app()]))
    prepared("gap-with-headers", "gap", "the gap holds the signatures of all records",
             with_gap(5, struct.pack("<IIII", LOCAL, CENTRAL, END, LOCAL)))
    prepared("gap-with-old-info", "gap", "the gap holds an old Info.plist, as appending leaves it",
             with_gap(5, old_copy()))
    prepared("gap-before-directory", "gap", "bytes between the last member and the directory",
             Archive(app(), before_directory=bytes(4096)))
    prepared("signing-block", "gap", "a block as Android puts it before the directory",
             Archive(app(), before_directory=SIGNING_BLOCK))
    prepared("prefix-script", "prefix", "a shell script before the first member",
             Archive(app(), prefix=b"#!/bin/sh\nexec unzip \"$0\"\n" + bytes(4069)))
    prepared("prefix-program", "prefix", "a self-extractor of Windows",
             Archive(app(), prefix=b"MZ" + bytes(58) + struct.pack("<I", 64) + b"PE\0\0" + bytes(9000)))
    prepared("prefix-split-mark", "prefix", "the mark of an archive that was to be split and was not",
             Archive(app(), prefix=b"PK00"))
    prepared("prefix-span-mark", "prefix", "the mark of a split archive",
             Archive(app(), prefix=b"PK\7\x08"))
    prepared("prefix-of-one-byte", "prefix", "one byte", Archive(app(), prefix=b"\0"))
    prepared("prefix-member", "prefix", "a whole member that no record names",
             Archive(app(), prefix=old_copy()))


def _gapped(member):
    member.before = b"gap"
    return member


def _order():
    prepared("order-reversed", "order", "the directory stands in reverse",
             Archive(app(), order=lambda pair: -pair[0]))
    prepared("order-by-name", "order", "the directory is sorted by name",
             Archive(app(), order=lambda pair: pair[1].name))
    prepared("order-info-first", "order", "Info.plist is first in the directory, last in the file",
             Archive(at_end(info()), order=lambda pair: pair[1].name != PLIST))
    prepared("order-info-last", "order", "Info.plist is last in the directory, first in the file",
             Archive(app(at=0), order=lambda pair: pair[1].name == PLIST))
    prepared("order-scattered", "order", "the directory is shuffled, with gaps and descriptors",
             Archive([_gapped(m) for m in app(other(descriptor="signed32"))],
                     order=lambda pair: pair[0] * 5 % 7))
    prepared("folders-missing", "folders", "no entries for folders",
             Archive([m for m in app() if not m.name.endswith(b"/")]))
    prepared("folders-behind", "folders", "entries for folders behind what they hold",
             Archive(sorted(app(), key=lambda member: member.name.endswith(b"/"))))
    prepared("folders-some", "folders", "an entry for the app's folder alone",
             Archive([m for m in app() if m.name != b"Payload/"]))
    prepared("folders-with-descriptor", "folders", "entries for folders have data descriptors",
             Archive([_described(m) for m in app()]))
    prepared("folders-deflated", "folders", "an entry for a folder that is deflated, in two bytes",
             Archive(app(Member(APP + b"Empty/", method=8, mode=0o040755))))


def _described(member):
    if member.name.endswith(b"/"):
        member.descriptor = "signed32"
        member.flags |= 8
    return member


def _tails():
    for name, why, tail in (
            ("trailing-newline", "a line end", b"\n"), ("trailing-text", "63 bytes", b"garbage" * 9),
            ("trailing-zeros", "60,000 zero bytes, as tapes and downloads add", bytes(60000)),
            ("trailing-signature", "the signature of an end record", b"PK\5\6"),
            ("trailing-half-end", "the first half of an end record", b"PK\5\6" + bytes(7))):
        prepared(name, "trailing", f"behind the archive's end: {why}", Archive(app(), trailing=tail))
    prepared("trailing-behind-comment", "trailing", "bytes behind a comment",
             Archive(app(), comment=b"comment", trailing=b"more"))
    prepared("trailing-wide", "trailing", "bytes behind the end of an archive with zip64 records",
             Archive(app(), wide_end=True, trailing=b"more"))


def _counts():
    end = "the end record counts"
    for name, count, why, options in (
            ("65534", 65534, "the last count without zip64", {}),
            ("65535", 65535, "zip64 begins", {}),
            ("65535-plain", 65535, "a count that looks saturated, and no zip64 record",
             {"cut_offsets": True}),
            ("65536", 65536, "with zip64", {}),
            ("65536-cut", 65536, f"{end} 0, no zip64 record", {"cut_offsets": True}),
            ("70000", 70000, "with zip64", {}),
            ("70000-cut", 70000, f"{end} 4,464, no zip64 record", {"cut_offsets": True})):
        # All judges see one of each kind; reading so many members takes them seconds.
        slow = () if name in ("65535", "70000-cut") else ("bsdtar", "zipcmp", "zipfile")
        prepared(f"count-{name}", "count-cut" if name.endswith("cut") else "count", why,
                 many(count, **options), heavy=True, unasked=slow)


def _comments():
    archive_end = struct.pack("<IHHHHIIH", END, 0, 0, 0, 0, 0, 0, 0)
    for name, why, comment in (
            ("comment", "a line", b"hello"), ("comment-longest", "65,535 bytes", b"c" * 65535),
            ("comment-utf8", "UTF-8", "\u00c4rger \u4e2d".encode()),
            ("comment-binary", "every byte", bytes(range(256))),
            ("comment-empty-end", "the end record of an empty archive", archive_end + b"tail"),
            ("comment-end-signature", "it ends like an end record begins", b"tail PK\5\6"),
            ("comment-end-cut", "an end record whose comment is too long", archive_end[:-1] + b"\7"),
            ("comment-end-lost", "an end record that points nowhere",
             struct.pack("<IHHHHIIH", END, 0, 0, 9, 9, 999, 77, 0)),
            ("comment-other-records", "the signatures of members and records",
             struct.pack("<III", LOCAL, CENTRAL, LOCAL) + bytes(90)),
            ("comment-escape", "control characters", b"\x1b[31mred\x1b[0m\r\n\7")):
        prepared(name, "comment", f"the archive's comment: {why}", Archive(app(), comment=comment))
    prepared("comment-of-members", "comment", "every member has a comment",
             Archive(app(at=2, comment=b"of Info.plist")[:-1] + [other(comment=b"of the other" * 99)]))
    prepared("archive-inside", "inside", "a stored member is a whole archive of another app",
             Archive(app(other(b"inner.ipa", Archive(app()).bytes()[0], method=0))))
    prepared("archive-inside-last", "inside", "the last member is a whole archive, right before the "
             "directory", Archive(app(other(b"inner.zip", Archive(app()).bytes()[0], method=0))))
    prepared("archive-inside-deflated", "inside", "a deflated member is a whole archive",
             Archive(app(other(b"inner.ipa", Archive(app()).bytes()[0]))))
    prepared("bomb-elsewhere", "bomb-elsewhere", "another member of 20 KB unpacks to 20 MB",
             Archive(app(other(b"zeros", bytes(20 << 20)))))
    prepared("members-without-extras", "plain", "no member has an extra field",
             Archive(app(extra=b"", local_extra=b"")))
    prepared("crc-elsewhere", "crc-elsewhere", "another member's checksum is wrong in both headers",
             Archive(app(other(checksum=1))),
             unpacking=("checksum", "Payload/Odd.app/other"))
    prepared("data-elsewhere", "crc-elsewhere", "another member's deflated bytes are no deflate data",
             Archive(app(other(packed=b"\xff" * 40))),
             unpacking=("deflate-damaged", "Payload/Odd.app/other"))
    prepared("size-elsewhere", "crc-elsewhere", "another member declares fewer bytes than it holds",
             Archive(app(other(size=5, packed=deflate(b"x" * 400), local_extra=times(True)))),
             unpacking=("size-differs", "Payload/Odd.app/other"))
