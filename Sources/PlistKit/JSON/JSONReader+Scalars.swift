extension JSONReader {
  /// Digits beyond any that a number can need: a real is exact in less than 800.
  private static let mostDigits = 4096

  /// Reads a number: an integer where it has neither a fraction nor an exponent, else a real.
  mutating func readNumber() throws(PlistError) -> PlistValue {
    let start = index
    _ = take("-")
    if !take("0") { try readDigits() }
    var isInteger = true
    if take(".") {
      isInteger = false
      try readDigits()
    }
    if take("e") || take("E") {
      isInteger = false
      if !take("+") { _ = take("-") }
      try readDigits()
    }
    guard index - start <= Self.mostDigits else {
      throw error(.limit, at: start, "a number has more than \(Self.mostDigits) characters")
    }
    if isInteger, let number = shortInteger(start..<index) { return .integer(number) }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    guard isInteger else {
      guard let number = Double(text), number.isFinite else {
        throw error(.badValue, at: start, "\(text.quoted) is beyond the range of a real")
      }
      return .real(PlistReal(number))
    }
    guard let number = PlistInteger(text) else {
      throw error(.badValue, at: start, "\(text.quoted) is beyond the range -2^63 to 2^64 - 1")
    }
    return .integer(number)
  }

  /// An integer that cannot be beyond the range, nil for one of more digits.
  private func shortInteger(_ range: Range<Int>) -> PlistInteger? {
    guard range.count <= 18 else { return nil }
    var number: Int64 = 0
    for byte in bytes[range] where byte.isDigit { number = number * 10 + Int64(byte - 0x30) }
    return PlistInteger(bytes[range.lowerBound] == UInt8(ascii: "-") ? -number : number)
  }

  private mutating func readDigits() throws(PlistError) {
    let start = index
    while let byte = next, byte.isDigit { index += 1 }
    guard index > start else { throw unexpected("a digit") }
  }

  /// Reads text in quotation marks.
  mutating func readText() throws(PlistError) -> String {
    let start = index
    index += 1
    var decoded: [UInt8] = []
    var plain = index
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        let text =
          decoded.isEmpty
          ? String(validating: bytes[plain..<index], as: UTF8.self)
          : String(validating: decoded + bytes[plain..<index], as: UTF8.self)
        index += 1
        guard let text else { throw error(.encoding, at: start, "the text is no UTF-8") }
        return text
      case UInt8(ascii: "\\"):
        decoded += bytes[plain..<index]
        try readEscape(into: &decoded)
        plain = index
      case ..<0x20:
        throw error(.malformed, "a control character stands in text without an escape")
      default: index += 1
      }
    }
    throw error(.truncated, at: start, "the text has no end")
  }

  private mutating func readEscape(into decoded: inout [UInt8]) throws(PlistError) {
    let start = index
    index += 1
    let letter = next
    if letter != nil { index += 1 }
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): decoded.append(bytes[index - 1])
    case UInt8(ascii: "b"): decoded.append(0x08)
    case UInt8(ascii: "f"): decoded.append(0x0C)
    case UInt8(ascii: "n"): decoded.append(0x0A)
    case UInt8(ascii: "r"): decoded.append(0x0D)
    case UInt8(ascii: "t"): decoded.append(0x09)
    case UInt8(ascii: "u"):
      decoded += UTF8.encode(try readScalar(of: start)) ?? UTF8.encodedReplacementCharacter
    case nil: throw error(.truncated, at: start, "the text ends in an escape")
    default: throw error(.malformed, at: start, "an escape that JSON does not have")
    }
  }

  /// The character of one or two units, of which the first comes next.
  private mutating func readScalar(of escape: Int) throws(PlistError) -> Unicode.Scalar {
    let high = try readUnit(of: escape)
    if let scalar = Unicode.Scalar(high) { return scalar }
    if high & 0xFC00 == 0xD800, take("\\"), take("u") {
      let low = try readUnit(of: escape)
      let code = 0x1_0000 + UInt32(high & 0x3FF) << 10 + UInt32(low & 0x3FF)
      if low & 0xFC00 == 0xDC00, let scalar = Unicode.Scalar(code) { return scalar }
    }
    throw error(.encoding, at: escape, "half a surrogate pair is no text")
  }

  /// Four hexadecimal digits.
  private mutating func readUnit(of escape: Int) throws(PlistError) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = next?.digit(radix: 16) else {
        throw error(.malformed, at: escape, "an escape without four hexadecimal digits")
      }
      unit = unit << 4 | UInt16(digit)
      index += 1
    }
    return unit
  }
}

// MARK: - Errors

extension JSONReader {
  /// An error at a place, the present one if none is given.
  func error(_ code: PlistError.Code, at place: Int? = nil, _ detail: String) -> PlistError {
    PlistError(code, at: location(of: place ?? index), keyPath: keyPath, detail: detail)
  }

  /// The error of something else than what must stand here.
  func unexpected(_ wanted: String) -> PlistError {
    guard let byte = next else { return error(.truncated, "the text ends before \(wanted)") }
    let found =
      (0x21...0x7E).contains(byte) ? "'\(Character(UnicodeScalar(byte)))'" : "something else"
    return error(.malformed, "\(found) stands in the place of \(wanted)")
  }

  func location(of place: Int) -> PlistLocation {
    bytes.withUnsafeBufferPointer { XMLBytes($0).location(of: place) }
  }
}
