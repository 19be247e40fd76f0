"""Property lists, strings files and pictures, the same bytes on every machine."""

import plistlib
import struct
import zlib

from .deflate import deflate


def binary_plist(value):
    """Binary, the keys in the order given."""
    return plistlib.dumps(value, fmt=plistlib.FMT_BINARY, sort_keys=False)


def xml_plist(value, newline="\n"):
    """XML as Xcode writes it (tabs), the keys in the order given."""
    text = plistlib.dumps(value, fmt=plistlib.FMT_XML, sort_keys=False)
    return text.replace(b"\n", newline.encode("ascii"))


def openstep_strings(texts):
    """A .strings file in the older text form, UTF-8."""
    lines = ["/* Texts of the permission prompts and the name under the icon. */"]
    lines += [f'"{key}" = "{text}";' for key, text in texts.items()]
    return ("\n".join(lines) + "\n").encode()


def png(side, red, green, blue):
    """A square of one colour: 8 bits a channel, no alpha."""
    row = b"\0" + bytes([red, green, blue]) * side
    pixels = row * side
    packed = b"\x78\x01" + deflate(pixels) + struct.pack(">I", zlib.adler32(pixels))  # RFC 1950
    return (
        b"\x89PNG\r\n\x1a\n"
        + _chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
        + _chunk(b"IDAT", packed)
        + _chunk(b"IEND", b"")
    )


def catalog(name, length):
    """Bytes that stand for a compiled asset catalog: its first word is a BOM store's, the rest noise
    that hardly packs, derived from `name`."""
    state = zlib.crc32(name.encode()) | 1
    noise = bytearray()
    while len(noise) < length - 8:
        state ^= state << 13 & 0xFFFFFFFF
        state ^= state >> 17
        state ^= state << 5 & 0xFFFFFFFF
        noise.append(state & 0xFF)
    return b"BOMStore" + bytes(noise)


def _chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
