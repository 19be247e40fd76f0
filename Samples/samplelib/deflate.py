"""A small deflate encoder (RFC 1951, one block of fixed Huffman codes).

zlib's output differs between its versions and replacements; the samples have the same bytes on every
machine, so they are packed here. It is not fast and packs less well than zlib.
"""

MINIMUM, MAXIMUM, WINDOW = 3, 258, 32768


def deflate(data):
    """`data` as a raw deflate stream."""
    out = _Bits()
    out.write(0b011, 3)  # final block, fixed codes
    seen = {}
    at = 0
    while at < len(data):
        key = data[at:at + MINIMUM]
        earlier = seen.get(key)
        length = 1
        if earlier is not None and at - earlier <= WINDOW:
            length = _common(data, earlier, at)
            _length(out, length)
            _distance(out, at - earlier)
        else:
            _literal(out, data[at])
        for passed in range(at, at + length):
            seen[data[passed:passed + MINIMUM]] = passed
        at += length
    _literal(out, 256)
    return out.bytes()


def _common(data, earlier, at):
    length = MINIMUM
    limit = min(MAXIMUM, len(data) - at)
    while length < limit and data[earlier + length] == data[at + length]:
        length += 1
    return length


def _literal(out, symbol):
    """The fixed code of RFC 1951, section 3.2.6."""
    if symbol < 144:
        out.code(0x30 + symbol, 8)
    elif symbol < 256:
        out.code(0x190 + symbol - 144, 9)
    elif symbol < 280:
        out.code(symbol - 256, 7)
    else:
        out.code(0xC0 + symbol - 280, 8)


def _length(out, length):
    if length == MAXIMUM:
        _literal(out, 285)
    else:
        symbol, extra, rest = _bucket(length - MINIMUM, 4)
        _literal(out, 257 + symbol)
        out.write(rest, extra)


def _distance(out, distance):
    symbol, extra, rest = _bucket(distance - 1, 2)
    out.code(symbol, 5)
    out.write(rest, extra)


def _bucket(value, each):
    """The tables of section 3.2.5: `each` codes share a number of extra bits, which then grows by one.

    Returns the code, the number of extra bits and their value.
    """
    if value < 2 * each:
        return value, 0, 0
    extra = value.bit_length() - each.bit_length()
    return each * extra + (value >> extra), extra, value & ((1 << extra) - 1)


class _Bits:
    """Bits packed from the least significant one up."""

    def __init__(self):
        self.done, self.held, self.count = bytearray(), 0, 0

    def write(self, value, width):
        self.held |= value << self.count
        self.count += width
        while self.count >= 8:
            self.done.append(self.held & 0xFF)
            self.held >>= 8
            self.count -= 8

    def code(self, value, width):
        """A Huffman code goes in from its most significant bit."""
        self.write(int(f"{value:0{width}b}"[::-1], 2), width)

    def bytes(self):
        return bytes(self.done) + (bytes([self.held]) if self.count else b"")
