"""Ad hoc signatures of every version and hash, written by hand.

Formats: xnu's cs_blobs.h, Security's codedirectory.h and requirement.h. Nothing here is shared with
the tool's own code, whose tests read what this writes.
"""

import dataclasses
import hashlib
import struct

from . import macho

HASHES = {  # hashType: name, bytes that are kept
    1: ("sha1", 20), 2: ("sha256", 32), 3: ("sha256", 20), 4: ("sha384", 48),
}
EMPTY_REQUIREMENTS = struct.pack(">III", 0xFADE0C01, 12, 0)
EMPTY_CMS = struct.pack(">II", 0xFADE0B01, 8)
CMS_ROOM = 4000  # bytes of a CMS with what follows it, whatever its length


@dataclasses.dataclass
class Directory:
    """What a CodeDirectory is made of."""

    version: int = 0x20400
    hash_type: int = 2
    page_power: int = 12  # 0: all bytes are one page
    flags: int = 2
    scatter: bool = False
    long_limit: bool = False  # codeLimit64 in place of codeLimit
    runtime: int = 0
    pre_encrypt: bool = False
    linkage: bytes = b""


@dataclasses.dataclass
class Parts:
    """What a signature seals."""

    identifier: str = "com.example.demo"
    team: str = None
    info_plist: bytes = None
    resources: bytes = None
    entitlements: bytes = None
    der: bytes = None
    requirements: bytes = EMPTY_REQUIREMENTS
    cms: bytes = EMPTY_CMS
    authority: object = None  # makes a CMS of the first CodeDirectory, in place of `cms`
    more: dict = dataclasses.field(default_factory=dict)  # slot: blob
    room: int = 0  # bytes that the signature takes at least, as one with a certificate does


def sign(data, parts, directories=(Directory(),)):
    """A file with every slice signed; the first directory is the primary one."""
    signed = [_sign_slice(thin, parts, directories) for thin in macho.slices(data)]
    if data[:4] not in (b"\xca\xfe\xba\xbe", b"\xca\xfe\xba\xbf"):
        return signed[0]
    return macho.fat(signed, data[:4] == b"\xca\xfe\xba\xbf")


def blob(magic, payload):
    return struct.pack(">II", magic, 8 + len(payload)) + payload


def digest(hash_type, data):
    name, size = HASHES[hash_type]
    return hashlib.new(name, data).digest()[:size]


def _sign_slice(data, parts, directories):
    limit = -(-len(data) // 16) * 16
    data = data + bytes(limit - len(data))
    size = len(superblob(data, limit, parts, directories))
    room = max(-(-size // 16) * 16, parts.room)
    data = _with_command(data, limit, room)
    signature = superblob(data, limit, parts, directories)
    return data + signature + bytes(room - size)


def _with_command(data, start, size):
    """Adds LC_CODE_SIGNATURE, and grows __LINKEDIT over it."""
    order = macho.byte_order(data)
    is_64_bit = data[0 if order == "<" else 3] == 0xCF
    header = 32 if is_64_bit else 28
    count, total = struct.unpack_from(order + "II", data, 16)
    out = bytearray(data)
    place = header
    for _ in range(count):
        number, length = struct.unpack_from(order + "II", out, place)
        if number in (macho.LC_SEGMENT, macho.LC_SEGMENT_64) \
                and out[place + 8:place + 24].rstrip(b"\0") == b"__LINKEDIT":
            word, width = ("Q", 8) if is_64_bit else ("I", 4)
            file_start, = struct.unpack_from(order + word, out, place + 24 + 2 * width)
            grown = start + size - file_start
            struct.pack_into(order + word, out, place + 24 + width, -(-grown // 0x4000) * 0x4000)
            struct.pack_into(order + word, out, place + 24 + 3 * width, grown)
        place += length
    if any(out[place:place + 16]):
        raise ValueError("no room for LC_CODE_SIGNATURE")
    struct.pack_into(order + "4I", out, place, 0x1D, 16, start, size)
    struct.pack_into(order + "II", out, 16, count + 1, total + 16)
    return bytes(out)


def superblob(data, limit, parts, directories):
    blobs = [(2, parts.requirements)] if parts.requirements is not None else []
    if parts.entitlements is not None:
        blobs.append((5, blob(0xFADE7171, parts.entitlements)))
    if parts.der is not None:
        blobs.append((7, blob(0xFADE7172, parts.der)))
    blobs += sorted(parts.more.items())
    sealed = {
        # What is wrapped is hashed without the wrapper's head.
        slot: each[8:] if each[:4] == b"\xfa\xde\x0b\x01" else each for slot, each in blobs}
    if parts.info_plist is not None:
        sealed[1] = parts.info_plist
    if parts.resources is not None:
        sealed[3] = parts.resources
    made = [code_directory(data, limit, parts, directory, sealed) for directory in directories]
    blobs = [(0, made[0])] + blobs
    blobs += [(0x1000 + index, each) for index, each in enumerate(made[1:])]
    if parts.authority is not None:
        blobs.append((0x10000, blob(0xFADE0B01, parts.authority(made[0]).ljust(CMS_ROOM, b"\0"))))
    elif parts.cms is not None:
        blobs.append((0x10000, parts.cms))
    return container(0xFADE0CC0, blobs)


def container(magic, blobs):
    """A SuperBlob of (type, blob)."""
    place = 12 + 8 * len(blobs)
    index, body = b"", b""
    for kind, each in blobs:
        index += struct.pack(">II", kind, place + len(body))
        body += each
    return struct.pack(">III", magic, place + len(body), len(blobs)) + index + body


def code_directory(data, limit, parts, directory, sealed):
    version = directory.version
    page = (1 << directory.page_power) if directory.page_power else max(limit, 1)
    pages = [
        digest(directory.hash_type, data[start:min(start + page, limit)])
        for start in range(0, limit, page)]
    size = HASHES[directory.hash_type][1]
    special_count = max([slot for slot in sealed if slot < 0x1000], default=0)
    special = b"".join(
        digest(directory.hash_type, sealed[slot]) if slot in sealed else bytes(size)
        for slot in range(special_count, 0, -1))
    header = 44 + sum(
        more for since, more in (
            (0x20100, 4), (0x20200, 4), (0x20300, 12), (0x20400, 24), (0x20500, 8), (0x20600, 12))
        if version >= since)
    tail, places = b"", {}

    def put(name, content):
        nonlocal tail
        places[name] = header + len(tail)
        tail += content

    if directory.scatter:
        half = len(pages) // 2
        runs = [(half, 0), (len(pages) - half, half)] if half else [(len(pages), 0)]
        put("scatter", b"".join(
            struct.pack(">IIQQ", count, base, base * page, 0) for count, base in runs) + bytes(24))
    put("identifier", parts.identifier.encode() + b"\0")
    if parts.team and version >= 0x20200:
        put("team", parts.team.encode() + b"\0")
    if directory.linkage and version >= 0x20600:
        put("linkage", directory.linkage)
    if directory.pre_encrypt and version >= 0x20500:
        put("pre-encrypt", b"".join(pages))
    put("hashes", special + b"".join(pages))
    short_limit = 0 if directory.long_limit else limit
    fields = struct.pack(
        ">7I4BI", version, directory.flags, places["hashes"] + len(special), places["identifier"],
        special_count, len(pages), short_limit, size, directory.hash_type, 0,
        directory.page_power, 0)
    if version >= 0x20100:
        fields += struct.pack(">I", places.get("scatter", 0))
    if version >= 0x20200:
        fields += struct.pack(">I", places.get("team", 0))
    if version >= 0x20300:
        fields += struct.pack(">IQ", 0, limit if directory.long_limit else 0)
    if version >= 0x20400:
        fields += struct.pack(">QQQ", 0, page, 1)
    if version >= 0x20500:
        fields += struct.pack(">II", directory.runtime, places.get("pre-encrypt", 0))
    if version >= 0x20600:
        fields += struct.pack(
            ">BBHII", directory.hash_type if directory.linkage else 0, 1, 2,
            places.get("linkage", 0), len(directory.linkage))
    return blob(0xFADE0C02, fields + tail)


# ---------------------------------------------------------------- requirements

def requirements(expressions):
    """A requirements blob of {kind: expression}, where 3 is the designated one."""
    made = [
        (kind, blob(0xFADE0C00, struct.pack(">I", 1) + each)) for kind, each in expressions.items()]
    return container(0xFADE0C01, made)


def op(number, *arguments):
    """An expression: integers as they are, text and bytes with count and padding, matches as made."""
    out = struct.pack(">I", number)
    for argument in arguments:
        if isinstance(argument, int):
            out += struct.pack(">i", argument)
        elif isinstance(argument, Expression):
            out += argument
        else:
            out += data(argument)
    return Expression(out)


class Expression(bytes):
    """Bytes that are already an expression or a match."""


def data(value):
    value = value.encode() if isinstance(value, str) else value
    return struct.pack(">I", len(value)) + value + bytes(-len(value) % 4)


def match(number, value=None):
    return Expression(struct.pack(">I", number) + (b"" if value is None else data(value)))


def both(*expressions):
    """`a and b and c`, as Apple's compiler nests it."""
    result = expressions[-1]
    for each in reversed(expressions[:-1]):
        result = op(6, each, result)
    return result


def development_requirement(identifier, name):
    """What Xcode writes for a development certificate."""
    return both(
        op(2, identifier), op(15), op(11, 0, "subject.CN", match(1, name)),
        op(14, 1, bytes.fromhex("2a864886f76364060201"), match(0)))


# ---------------------------------------------------------------- DER entitlements

def der(value):
    """Entitlements as Apple writes them in DER: booleans, integers, text, arrays and dictionaries."""
    return _tag(0x70, _tag(0x02, b"\1") + _der_value(value))


def _der_value(value):
    if isinstance(value, bool):
        return _tag(0x01, b"\xff" if value else b"\0")
    if isinstance(value, int):
        return _tag(0x02, value.to_bytes(value.bit_length() // 8 + 1, "big", signed=True))
    if isinstance(value, str):
        return _tag(0x0C, value.encode())
    if isinstance(value, (list, tuple)):
        return _tag(0x30, b"".join(map(_der_value, value)))
    pairs = sorted(value.items(), key=lambda pair: pair[0].encode())
    return _tag(0xB0, b"".join(
        _tag(0x30, _der_value(key) + _der_value(each)) for key, each in pairs))


def _tag(tag, content):
    size = len(content)
    if size < 0x80:
        return bytes([tag, size]) + content
    digits = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(digits)]) + digits + content
