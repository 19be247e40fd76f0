extension UInt8 {
  /// Whether the byte is a decimal digit of ASCII.
  var isDigit: Bool { (0x30...0x39).contains(self) }

  /// The value of a digit of ASCII, letters in either case, nil where it is none of a radix up to 16.
  @inline(__always) func digit(radix: UInt8) -> UInt8? {
    let digit: UInt8
    switch self {
    case 0x30...0x39: digit = self - 0x30
    case 0x41...0x46: digit = self - 0x41 + 10
    case 0x61...0x66: digit = self - 0x61 + 10
    default: return nil
    }
    return digit < radix ? digit : nil
  }
}
