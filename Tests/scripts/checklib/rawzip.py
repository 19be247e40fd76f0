"""Reads an archive's records as they lie in the file: every field of both headers of every member.

zipfile hides the local headers and repairs what it can. Here two archives are to be compared byte by
byte. Layout: PKWARE APPNOTE.TXT, sections 4.3.7 (local header), 4.3.12 (central directory), 4.3.16 (end).
"""

import struct
from collections import namedtuple

Member = namedtuple(
    "Member",
    "name made_by needed flags method time crc packed_size size comment internal_attributes "
    "external_attributes central_extra local_fields local_name local_extra data tail offset",
)
Archive = namedtuple("Archive", "members prefix comment")


class BadArchive(Exception):
    pass


def read(path):
    """The members in the order of the central directory.

    A member's `tail` is what stands between its data and the next record: its data descriptor, if it
    has one, and bytes that belong to nothing. Archives of the 64-bit form are not read.
    """
    with open(path, "rb") as file:
        raw = file.read()
    try:
        return _archive(raw)
    except struct.error as error:
        raise BadArchive(f"a record is cut short: {error}") from error


def _archive(raw):
    end = raw.rfind(b"PK\5\6")
    if end < 0:
        raise BadArchive("no end-of-central-directory record")
    _, _, _, count, size, start, comment = struct.unpack_from("<HHHHIIH", raw, end + 4)
    if count == 0xFFFF or start == 0xFFFFFFFF:
        raise BadArchive("64-bit archives are not read here")
    if start + size != end:
        raise BadArchive(f"the central directory ends at {start + size}, its end record is at {end}")
    if len(raw) != end + 22 + comment:
        raise BadArchive(f"{len(raw) - end - 22} bytes after the end record, {comment} declared")
    central, at = [], start
    for _ in range(count):
        record, at = _central(raw, at)
        central.append(record)
    if at != end:
        raise BadArchive(f"the central directory holds {end - at} bytes more than its members")
    stops = sorted(record["offset"] for record in central) + [start]
    following = {stop: stops[index + 1] for index, stop in enumerate(stops[:-1])}
    members = [_member(raw, record, following[record["offset"]]) for record in central]
    return Archive(members, raw[:stops[0]], raw[end + 22:])


def _central(raw, at):
    if raw[at:at + 4] != b"PK\1\2":
        raise BadArchive(f"no central record at {at}")
    (made_by, needed, flags, method, time, crc, packed, size, name, extra, comment, _, internal,
     external, offset) = struct.unpack_from("<HHHHIIIIHHHHHII", raw, at + 4)
    at += 46
    after_name = at + name
    after_extra = after_name + extra
    record = {
        "made_by": made_by, "needed": needed, "flags": flags, "method": method, "time": time,
        "crc": crc, "packed_size": packed, "size": size, "internal_attributes": internal,
        "external_attributes": external, "offset": offset, "name": raw[at:after_name],
        "central_extra": raw[after_name:after_extra],
        "comment": raw[after_extra:after_extra + comment],
    }
    return record, after_extra + comment


def _member(raw, record, stop):
    at = record["offset"]
    if raw[at:at + 4] != b"PK\3\4":
        raise BadArchive(f"no local header at {at}")
    name, extra = struct.unpack_from("<HH", raw, at + 26)
    after_name = at + 30 + name
    begin = after_name + extra
    finish = begin + record["packed_size"]
    if finish > stop:
        raise BadArchive(f"the data of {record['name']!r} reaches into the next record")
    return Member(
        local_fields=raw[at + 4:at + 30], local_name=raw[at + 30:after_name],
        local_extra=raw[after_name:begin], data=raw[begin:finish], tail=raw[finish:stop], **record,
    )


# What is compared, with the words a failure uses. An offset moves, so it is not among them.
FIELDS = {
    "made_by": "version made by", "needed": "version needed", "flags": "flags", "method": "method",
    "time": "time", "crc": "CRC", "size": "size", "data": "compressed bytes",
    "comment": "comment", "internal_attributes": "internal attributes",
    "external_attributes": "mode", "central_extra": "central extra fields",
    "local_extra": "local extra fields", "local_name": "local name", "tail": "descriptor or gap",
    "local_fields": "local header",
}
EDITED_FIELDS = ("method", "external_attributes", "local_name", "comment")
DESCRIBED = 1 << 3


def differences(before, after, edited):
    """What changed between two archives beside the content of the member `edited` (name bytes)."""
    names = [member.name for member in before.members]
    if [member.name for member in after.members] != names:
        return ["the members or their order in the central directory changed"]
    problems = []
    if _by_offset(after) != _by_offset(before):
        problems.append("the order of the members in the file changed")
    for part in ("prefix", "comment"):
        if getattr(before, part) != getattr(after, part):
            problems.append(f"the archive's {part} changed")
    for old, new in zip(before.members, after.members):
        for field in EDITED_FIELDS if old.name == edited else FIELDS:
            if getattr(old, field) != getattr(new, field):
                problems.append(f"{FIELDS[field]} of {old.name.decode('utf-8', 'replace')} changed")
        if old.name == edited:
            problems += _framing(old, new)
    return problems


def _by_offset(archive):
    return [member.name for member in sorted(archive.members, key=lambda member: member.offset)]


def _framing(old, new):
    """The edited member's sizes stay where they were: in its header, or in a descriptor behind it."""
    if old.flags & DESCRIBED != new.flags & DESCRIBED:
        return ["the edited member's data descriptor came or went"]
    local = struct.unpack_from("<III", new.local_fields, 10)
    if not new.flags & DESCRIBED and local != (new.crc, new.packed_size, new.size):
        return ["the edited member's two headers disagree about its sizes"]
    return []
