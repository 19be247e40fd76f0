// Text that XML allows, and what numbers are in their commonest form.
extension XMLScanner {
  /// The end of the text at a place, which is at a `<`, and whether it is ASCII without references.
  func text(from start: Int) throws(PlistError) -> (end: Int, isPlain: Bool) {
    let end = source.endOfOrdinaryText(from: start)
    if source[end] == .less { return (end, true) }
    return try longText(from: start, ordinaryEnd: end)
  }

  private func longText(
    from start: Int, ordinaryEnd: Int
  ) throws(PlistError) -> (end: Int, isPlain: Bool) {
    var index = ordinaryEnd
    var isASCII = true
    var hasReference = false
    while source[index] != .less {
      switch source[index] {
      case .tab, .lineFeed, .carriageReturn: index += 1
      case .ampersand:
        index = try endOfReference(at: index)
        hasReference = true
      case UInt8(ascii: "]"):
        if source.holds("]]>", at: index) { throw .unusual }
        index += 1
      case 0x80...:
        if source.isNoncharacter(at: index) { throw .unusual }
        isASCII = false
        index += 1
      default: throw .unusual
      }
      index = source.endOfOrdinaryText(from: index)
    }
    // The builder sees to it that text is UTF-8.
    return (index, isASCII && !hasReference)
  }

  /// The end of a reference to a predefined entity or to a character that XML allows.
  private func endOfReference(at start: Int) throws(PlistError) -> Int {
    for (name, count) in [("&lt;", 4), ("&gt;", 4), ("&amp;", 5), ("&quot;", 6), ("&apos;", 6)]
      as [(StaticString, Int)] where source.holds(name, at: start)
    { return start + count }
    guard source[start + 1] == UInt8(ascii: "#") else { throw .unusual }
    let isHexadecimal = source[start + 2] == UInt8(ascii: "x")
    let digits = start + (isHexadecimal ? 3 : 2)
    var index = digits
    var value: UInt32 = 0
    while index - digits < 7, let digit = source[index].digit(isHexadecimal ? 16 : 10) {
      value = value * (isHexadecimal ? 16 : 10) + digit
      index += 1
    }
    guard index > digits, source[index] == UInt8(ascii: ";") else { throw .unusual }
    // XML 1.0, production 2.
    switch value {
    case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x1_0000...0x10_FFFF: return index + 1
    default: throw .unusual
    }
  }
}

extension UInt8 {
  fileprivate func digit(_ radix: UInt32) -> UInt32? {
    switch self {
    case 0x30...0x39: UInt32(self - 0x30)
    case 0x61...0x66 where radix == 16: UInt32(self - 0x61 + 10)
    case 0x41...0x46 where radix == 16: UInt32(self - 0x41 + 10)
    default: nil
    }
  }
}

extension XMLBytes {
  /// The integer at a place, and its end, which is at a `<`: nil for other than a sign and up to 18
  /// digits.
  @inline(__always) func plainInteger(at start: Int) -> (number: PlistInteger, end: Int)? {
    let isNegative = self[start] == UInt8(ascii: "-")
    let digits = isNegative ? start + 1 : start
    var index = digits
    var number: Int64 = 0
    while self[index] &- 0x30 < 10, index - digits < 18 {
      number = number &* 10 &+ Int64(self[index] &- 0x30)
      index += 1
    }
    guard index > digits, self[index] == .less else { return nil }
    return (PlistInteger(isNegative ? -number : number), index)
  }
}

extension XMLScalars {
  /// A real of digits and a point among them, nil for one that takes more care.
  static func plainReal(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    let isNegative = bytes.first == UInt8(ascii: "-")
    var digits = 0
    var number: Int64 = 0
    var fraction: Int?
    for byte in bytes[(isNegative ? 1 : 0)...] {
      if byte == UInt8(ascii: "."), fraction == nil, digits > 0 {
        fraction = 0
        continue
      }
      guard byte &- 0x30 < 10, digits < 15 else { return nil }
      number = number &* 10 &+ Int64(byte &- 0x30)
      digits += 1
      if fraction != nil { fraction? += 1 }
    }
    guard digits > 0, fraction != 0 else { return nil }
    // Both numbers are exact, so that the quotient is the nearest number there is.
    let value = Double(number) / powersOfTen[fraction ?? 0]
    return isNegative ? -value : value
  }

  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]
}
