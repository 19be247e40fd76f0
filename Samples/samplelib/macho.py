"""Minimal well-formed 64-bit arm64 Mach-O files.

The layout is what `ld` makes for an almost empty program: one page of __TEXT whose code stands at the
end, so that there is room after the load commands for the LC_CODE_SIGNATURE that a signer adds, then
__LINKEDIT. Formats: <mach-o/loader.h>, <mach-o/nlist.h>.
"""

import struct
import uuid

IOS, TVOS = 2, 3  # PLATFORM_IOS, PLATFORM_TVOS

PAGE = 0x4000
MAGIC_64, CPU_ARM64 = 0xFEEDFACF, 0x0100000C
MH_EXECUTE, MH_DYLIB = 2, 6
FLAGS_EXECUTE = 0x00200085  # NOUNDEFS, DYLDLINK, TWOLEVEL, PIE
FLAGS_DYLIB = 0x00100085  # NOUNDEFS, DYLDLINK, TWOLEVEL, NO_REEXPORTED_DYLIBS
READ, READ_EXECUTE = 1, 5
LC_UUID = 0x1B

SYSTEM = "/usr/lib/libSystem.B.dylib"
SYSTEM_VERSION = (1356, 0, 0)


def executable(identifier, platform, minimum, sdk, frameworks=(), with_uuid=True, cryptid=None):
    """A main executable; `frameworks` are install names that it links beside libSystem.

    With a `cryptid` other than 0 it says that its code is encrypted, as that of apps from the store is.
    """
    code = struct.pack("<II", 0x52800000, 0xD65F03C0)  # mov w0, #0; ret
    entry = PAGE - len(code)
    base = 0x100000000
    commands = [_segment("__PAGEZERO", 0, base, 0, 0, 0)]
    image = _image(identifier, platform, minimum, sdk, base, code, "__mh_execute_header")
    commands += [one for one in image if with_uuid or one[0] != LC_UUID]
    if cryptid is not None:
        commands.append(struct.pack("<IIIIII", 0x2C, 24, 0, PAGE, cryptid, 0))  # LC_ENCRYPTION_INFO_64
    commands.append(_with_text(0x0E, struct.pack("<I", 12), "/usr/lib/dyld"))  # LC_LOAD_DYLINKER
    commands.append(struct.pack("<IIQQ", 0x80000028, 24, entry, 0))  # LC_MAIN
    commands.append(_dylib(0x0C, SYSTEM, SYSTEM_VERSION))
    commands += [_dylib(0x0C, name, (1, 0, 0)) for name in frameworks]
    if frameworks:
        rpath = "@executable_path/Frameworks"
        commands.append(_with_text(0x8000001C, struct.pack("<I", 12), rpath))  # LC_RPATH
    return _file(MH_EXECUTE, FLAGS_EXECUTE, commands, code, "__mh_execute_header", base)


def library(identifier, install_name, platform, minimum, sdk):
    """A dynamic library, as it stands inside a framework."""
    code = struct.pack("<II", 0x52800020, 0xD65F03C0)  # mov w0, #1; ret
    symbol = "_sample"
    commands = _image(identifier, platform, minimum, sdk, 0, code, symbol)
    commands.append(_dylib(0x0D, install_name, (1, 0, 0)))  # LC_ID_DYLIB
    commands.append(_dylib(0x0C, SYSTEM, SYSTEM_VERSION))
    return _file(MH_DYLIB, FLAGS_DYLIB, commands, code, symbol, PAGE - len(code))


def identity(identifier, platform):
    """The LC_UUID: the same for the same bundle and platform, another for every other one."""
    return uuid.uuid5(uuid.NAMESPACE_DNS, f"{platform}.{identifier}")


def _image(identifier, platform, minimum, sdk, base, code, symbol):
    """The load commands that programs and libraries share."""
    start = PAGE - len(code)
    section = struct.pack(
        "<16s16sQQIIIIIIII",
        b"__text", b"__TEXT", base + start, len(code), start, 2, 0, 0, 0x80000400, 0, 0, 0,
    )
    strings = _strings(symbol)
    linkedit = 16 + len(strings)
    return [
        _segment("__TEXT", base, PAGE, 0, PAGE, READ_EXECUTE, section),
        _segment("__LINKEDIT", base + PAGE, PAGE, PAGE, linkedit, READ),
        struct.pack("<IIIIII", 0x02, 24, PAGE, 1, PAGE + 16, len(strings)),  # LC_SYMTAB
        # LC_DYSYMTAB: no local, one external, no undefined symbol; no other table.
        struct.pack("<II18I", 0x0B, 80, 0, 0, 0, 1, 1, 0, *([0] * 12)),
        struct.pack("<II16s", LC_UUID, 24, identity(identifier, platform).bytes),
        struct.pack("<IIIIII", 0x32, 24, platform, _nibbles(minimum), _nibbles(sdk), 0),
    ]


def _file(kind, flags, commands, code, symbol, address):
    body = b"".join(commands)
    header = struct.pack(
        "<8I", MAGIC_64, CPU_ARM64, 0, kind, len(commands), len(body), flags, 0
    )
    room = PAGE - len(code) - len(header) - len(body)
    if room < 64:
        raise ValueError(f"load commands leave no room for a code signature: {room} bytes")
    # One nlist_64: N_SECT | N_EXT in section 1, at string-table offset 2.
    table = struct.pack("<IBBHQ", 2, 0x0F, 1, 0x10 if kind == MH_EXECUTE else 0, address)
    return header + body + bytes(room) + code + table + _strings(symbol)


def _strings(symbol):
    """A string table: ld begins it with a blank and a NUL; padded to the 16 bytes of a signature."""
    text = b" \0" + symbol.encode("ascii") + b"\0"
    return text + bytes(-len(text) % 16)


def _segment(name, address, size, offset, length, protection, section=b""):
    return struct.pack(
        "<II16sQQQQiiII",
        0x19, 72 + len(section), name.encode("ascii"), address, size, offset, length,
        protection, protection, 1 if section else 0, 0,
    ) + section


def _dylib(command, name, version):
    major, minor, patch = version
    number = major << 16 | minor << 8 | patch
    return _with_text(command, struct.pack("<IIII", 24, 2, number, 0x10000), name)


def _with_text(command, fields, text):
    """A load command that ends in a string, padded to 8 bytes."""
    tail = text.encode("ascii") + b"\0"
    tail += bytes(-(8 + len(fields) + len(tail)) % 8)
    return struct.pack("<II", command, 8 + len(fields) + len(tail)) + fields + tail


def _nibbles(version):
    """"15.4.1" as the X.Y.Z number of LC_BUILD_VERSION."""
    parts = [int(part) for part in version.split(".")] + [0, 0]
    return parts[0] << 16 | parts[1] << 8 | parts[2]
