"""Reads the signatures in Mach-O files, and compares them with hashes of Python's own."""

import hashlib
import struct

from . import macho
from .signature import HASHES


def read(data, info_plist=None, resources=None):
    """What stands in each slice, as plain values."""
    return [_slice(thin, info_plist, resources) for thin in macho.slices(data)]


def _commands(data):
    order = macho.byte_order(data)
    place = 32 if data[0 if order == "<" else 3] == 0xCF else 28
    count, = struct.unpack_from(order + "I", data, 16)
    for _ in range(count):
        number, size = struct.unpack_from(order + "II", data, place)
        yield number, data[place:place + size], order
        place += size


def _slice(data, info_plist, resources):
    result = {"uuid": None, "cryptID": None, "platforms": [], "directories": [], "blobs": []}
    start = size = None
    for number, command, order in _commands(data):
        if number == macho.LC_UUID:
            result["uuid"] = command[8:24].hex()
        elif number in (macho.LC_ENCRYPTION_INFO, macho.LC_ENCRYPTION_INFO_64):
            result["cryptID"], = struct.unpack_from(order + "I", command, 16)
        elif number == 0x32:
            result["platforms"].append(struct.unpack_from(order + "I", command, 8)[0])
        elif number == 0x1D:
            start, size = struct.unpack_from(order + "II", command, 8)
        elif number in (macho.LC_SEGMENT, macho.LC_SEGMENT_64) and info_plist is None:
            info_plist = _section(command, order, data)
    if start is None:
        return result
    blobs = _blobs(data[start:start + size])
    result["blobs"] = [[kind, len(each)] for kind, each in blobs]
    sealed = {
        # What is wrapped is hashed without the wrapper's head.
        kind: each[8:] if each[:4] == b"\xfa\xde\x0b\x01" else each
        for kind, each in blobs if 1 <= kind < 12}
    sealed.pop(1, None)
    sealed.pop(3, None)
    if info_plist is not None:
        sealed[1] = info_plist
    if resources is not None:
        sealed[3] = resources
    for kind, each in sorted(blobs):
        if kind == 0 or 0x1000 <= kind < 0x1005:
            result["directories"].append(_directory(kind, each, data, sealed))
    return result


def _section(command, order, data):
    is_64_bit = struct.unpack_from(order + "I", command)[0] == macho.LC_SEGMENT_64
    place, step, word = (72, 80, "Q") if is_64_bit else (56, 68, "I")
    while place < len(command):
        name = command[place:place + 16].rstrip(b"\0")
        _, size = struct.unpack_from(f"{order}2{word}", command, place + 32)
        start, = struct.unpack_from(order + "I", command, place + 32 + 2 * struct.calcsize(word))
        if name == b"__info_plist":
            return data[start:start + size]
        place += step
    return None


def _blobs(data):
    _, _, count = struct.unpack_from(">III", data)
    found = []
    for index in range(count):
        kind, start = struct.unpack_from(">II", data, 12 + 8 * index)
        size, = struct.unpack_from(">I", data, start + 4)
        found.append((kind, data[start:start + size]))
    return found


def _directory(kind, blob, data, sealed):
    version, flags, hashes, identifier, special, code, limit = struct.unpack_from(">7I", blob, 8)
    size, hash_type, _, power = blob[36:40]
    name = HASHES[hash_type][0]
    if version >= 0x20300:
        limit = struct.unpack_from(">Q", blob, 56)[0] or limit
    team = struct.unpack_from(">I", blob, 48)[0] if version >= 0x20200 else 0
    page = 1 << power if power else max(limit, 1)

    def hashed(content):
        return hashlib.new(name, content).digest()[:size]

    slots = {}
    for slot in range(1, 12):
        kept = blob[hashes - slot * size:][:size] if slot <= special else None
        is_set = kept is not None and any(kept)
        if slot not in sealed:
            if is_set:
                slots[slot] = "missing-file"
        elif kept is None:
            slots[slot] = "absent"
        elif not is_set:
            slots[slot] = "zero"
        else:
            slots[slot] = "valid" if kept == hashed(sealed[slot]) else "mismatch"
    wrong = [
        index for index in range(code)
        if blob[hashes + index * size:][:size]
        != hashed(data[index * page:min((index + 1) * page, limit)])]
    return {
        "slot": kind, "version": version, "flags": flags, "hashType": hash_type,
        "identifier": _text(blob, identifier), "team": _text(blob, team) if team else None,
        "codeLimit": limit, "pages": code, "wrong": wrong,
        "slots": {str(slot): state for slot, state in sorted(slots.items())},
        "cdhash": hashed(blob)[:20].hex(),
    }


def _text(blob, start):
    return blob[start:blob.index(0, start)].decode()
