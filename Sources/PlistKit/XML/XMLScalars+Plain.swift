// What numbers are in their commonest form.
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
