"""Minimal well-formed Mach-O files, thin and fat, of 32 and 64 bits and of both byte orders.

A file has __TEXT, whose code stands at its end so that load commands have room to grow, and
__LINKEDIT with a symbol table, to which a signer appends. Formats: <mach-o/loader.h>,
<mach-o/fat.h>, <mach/machine.h>.
"""

import dataclasses
import hashlib
import struct

CPUS = {  # name: cputype, cpusubtype, page size
    "armv7": (12, 9, 0x4000),
    "arm64": (0x0100000C, 0, 0x4000),
    "arm64e": (0x0100000C, 0x80000002, 0x4000),
    "i386": (7, 3, 0x1000),
    "x86_64": (0x01000007, 3, 0x1000),
    "ppc": (18, 0, 0x1000),
}
KINDS = {"execute": 2, "dylib": 6, "bundle": 8}
MACOS, IOS, TVOS, WATCHOS, IOS_SIMULATOR = 1, 2, 3, 4, 7
VERSION_MINIMUM = {MACOS: 0x24, IOS: 0x25, TVOS: 0x2F, WATCHOS: 0x30}

LC_SEGMENT, LC_SEGMENT_64, LC_UUID = 0x1, 0x19, 0x1B
LC_ENCRYPTION_INFO, LC_ENCRYPTION_INFO_64 = 0x21, 0x2C
SYSTEM = "/usr/lib/libSystem.B.dylib"


@dataclasses.dataclass
class Spec:
    """What a thin file is made of."""

    cpu: str = "arm64"
    kind: str = "execute"
    name: str = "Demo"  # tells UUIDs and code of files apart
    platform: int = IOS
    minimum: str = "15.0"
    sdk: str = "18.0"
    build_version: bool = True  # LC_BUILD_VERSION; else LC_VERSION_MIN_…
    has_uuid: bool = True
    install_name: str = ""  # LC_ID_DYLIB
    libraries: tuple = ()
    run_paths: tuple = ()
    crypt_id: int = None  # LC_ENCRYPTION_INFO
    info_plist: bytes = None  # section __TEXT,__info_plist
    code_size: int = 64
    room: int = None  # bytes left behind the load commands; else what the page has
    page: int = None  # bytes to which __TEXT is filled; else the processor's page

    @property
    def order(self):
        return ">" if self.cpu == "ppc" else "<"

    @property
    def is_64_bit(self):
        return bool(CPUS[self.cpu][0] & 0x01000000)

    @property
    def page_size(self):
        return self.page or CPUS[self.cpu][2]


def thin(spec):
    """The bytes of a thin file."""
    commands_size = sum(map(len, _commands(spec, 0, 0, 0)))
    header_size = 32 if spec.is_64_bit else 28
    page = spec.page_size
    info_size = len(spec.info_plist or b"")
    used = header_size + commands_size
    if spec.room is None:
        text_size = _up(used + 256 + info_size + spec.code_size, page)
        start = text_size - spec.code_size - info_size
    else:
        start = used + spec.room
        text_size = _up(start + info_size + spec.code_size, page)
    commands = _commands(spec, text_size, start, start + info_size)
    order, cpu = spec.order, CPUS[spec.cpu]
    header = struct.pack(
        order + "7I", 0xFEEDFACF if spec.is_64_bit else 0xFEEDFACE, cpu[0], cpu[1],
        KINDS[spec.kind], len(commands), commands_size,
        0x00200085 if spec.kind == "execute" else 0x85)
    if spec.is_64_bit:
        header += bytes(4)
    text = header + b"".join(commands)
    text += bytes(start - len(text)) + (spec.info_plist or b"") + _code(spec)
    return text + bytes(text_size - len(text)) + _symbols(spec)


def fat(files, is_64_bit=False):
    """A fat file of thin ones, in their order."""
    entry = 32 if is_64_bit else 20
    header = struct.pack(">II", 0xCAFEBABF if is_64_bit else 0xCAFEBABE, len(files))
    place = len(header) + entry * len(files)
    body = b""
    for data in files:
        cpu, subtype = struct.unpack(byte_order(data) + "II", data[4:12])
        power = 12 if cpu in (7, 0x01000007, 18) else 14
        start = _up(place + len(body), 1 << power)
        body += bytes(start - place - len(body)) + data
        if is_64_bit:
            header += struct.pack(">IIQQII", cpu, subtype, start, len(data), power, 0)
        else:
            header += struct.pack(">5I", cpu, subtype, start, len(data), power)
    return header + body


def slices(data):
    """The thin files of a file, in their order."""
    magic, count = struct.unpack(">II", data[:8])
    if magic not in (0xCAFEBABE, 0xCAFEBABF):
        return [data]
    found = []
    for index in range(count):
        if magic == 0xCAFEBABF:
            _, _, start, size, _, _ = struct.unpack_from(">IIQQII", data, 8 + 32 * index)
        else:
            _, _, start, size, _ = struct.unpack_from(">5I", data, 8 + 20 * index)
        found.append(data[start:start + size])
    return found


def byte_order(data):
    return ">" if data[:3] == b"\xfe\xed\xfa" else "<"


def _commands(spec, text_size, info_start, code_start):
    order = spec.order
    page = spec.page_size
    base = (0x100000000 if spec.is_64_bit else page) if spec.kind == "execute" else 0
    linkedit = len(_symbols(spec))
    sections = [("__text", code_start, spec.code_size, 2, 0x80000400)]
    if spec.info_plist is not None:
        sections.insert(0, ("__info_plist", info_start, len(spec.info_plist), 0, 0))
    commands = []
    if spec.kind == "execute":
        commands.append(_segment(spec, "__PAGEZERO", 0, base, 0, 0, 0))
    commands.append(_segment(spec, "__TEXT", base, text_size, 0, text_size, 5, sections))
    commands.append(_segment(
        spec, "__LINKEDIT", base + text_size, _up(linkedit, page), text_size, linkedit, 1))
    if spec.install_name:
        commands.append(_library(spec, 0x0D, spec.install_name))
    table = 16 if spec.is_64_bit else 12
    commands.append(struct.pack(
        order + "6I", 0x02, 24, text_size, 1, text_size + table, linkedit - table))
    commands.append(struct.pack(order + "20I", 0x0B, 80, 0, 0, 0, 1, 1, 0, *([0] * 12)))
    if spec.kind == "execute":
        commands.append(_with_text(spec, 0x0E, struct.pack(order + "I", 12), "/usr/lib/dyld"))
    if spec.has_uuid:
        identity = hashlib.sha256(f"{spec.name} {spec.cpu}".encode()).digest()[:16]
        commands.append(struct.pack(order + "II", LC_UUID, 24) + identity)
    minimum, sdk = _nibbles(spec.minimum), _nibbles(spec.sdk)
    if spec.build_version:
        commands.append(struct.pack(order + "6I", 0x32, 24, spec.platform, minimum, sdk, 0))
    else:
        commands.append(struct.pack(
            order + "4I", VERSION_MINIMUM[spec.platform], 16, minimum, sdk))
    if spec.kind == "execute":
        commands.append(struct.pack(order + "IIQQ", 0x80000028, 24, code_start, 0))
    if spec.crypt_id is not None:
        number = LC_ENCRYPTION_INFO_64 if spec.is_64_bit else LC_ENCRYPTION_INFO
        fields = (number, 24 if spec.is_64_bit else 20, 0x1000, 0x1000, spec.crypt_id)
        commands.append(struct.pack(order + "5I", *fields) + bytes(4 * spec.is_64_bit))
    commands += [_library(spec, 0x0C, name) for name in (SYSTEM, *spec.libraries)]
    commands += [
        _with_text(spec, 0x8000001C, struct.pack(order + "I", 12), path)
        for path in spec.run_paths]
    return commands


def _segment(spec, name, address, size, start, length, protection, sections=()):
    number, word = (LC_SEGMENT_64, "Q") if spec.is_64_bit else (LC_SEGMENT, "I")
    order = spec.order
    rows = b""
    for section, place, count, power, flags in sections:
        rows += struct.pack(
            f"{order}16s16s2{word}7I", section.encode(), name.encode(), address + place, count,
            place, power, 0, 0, flags, 0, 0)
        rows += bytes(4 * spec.is_64_bit)
    fields = struct.pack(
        f"{order}16s4{word}4I", name.encode(), address, size, start, length, protection,
        protection, len(sections), 0)
    return struct.pack(order + "II", number, 8 + len(fields) + len(rows)) + fields + rows


def _library(spec, number, name):
    fields = struct.pack(spec.order + "4I", 24, 2, 0x10000, 0x10000)
    return _with_text(spec, number, fields, name)


def _with_text(spec, number, fields, text):
    tail = text.encode() + b"\0"
    tail += bytes(-(8 + len(fields) + len(tail)) % (8 if spec.is_64_bit else 4))
    size = 8 + len(fields) + len(tail)
    return struct.pack(spec.order + "II", number, size) + fields + tail


def _code(spec):
    """Bytes that differ from file to file and from page to page."""
    seed = f"{spec.name} {spec.cpu} {spec.kind}".encode()
    blocks = -(-spec.code_size // 32)
    return b"".join(
        hashlib.sha256(seed + bytes([index % 256, index // 256 % 256])).digest()
        for index in range(blocks))[:spec.code_size]


def _symbols(spec):
    """One symbol and the strings, padded to the 16 bytes to which a signature is aligned."""
    strings = b" \0_demo\0"
    kind = "IBBHQ" if spec.is_64_bit else "IBBHI"
    table = struct.pack(spec.order + kind, 2, 0x0F, 1, 0, 0)
    return table + strings + bytes(-(len(table) + len(strings)) % 16)


def _nibbles(version):
    parts = [int(part) for part in version.split(".")] + [0, 0]
    return parts[0] << 16 | parts[1] << 8 | parts[2]


def _up(number, unit):
    return -(-number // unit) * unit
