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
      var units = [try readUnit(of: start)]
      if units[0] & 0xFC00 == 0xD800, bytes[index...].starts(with: "\\u".utf8) {
        index += 2
        units.append(try readUnit(of: start))
      }
      guard !units.hasUnpairedSurrogate else {
        throw error(.encoding, at: start, "half a surrogate pair is no text")
      }
      decoded += String(decoding: units, as: UTF16.self).utf8
    case nil: throw error(.truncated, at: start, "the text ends in an escape")
    default: throw error(.malformed, at: start, "an escape that JSON does not have")
    }
  }

  /// Four hexadecimal digits.
  private mutating func readUnit(of escape: Int) throws(PlistError) -> UInt16 {
    let digits = bytes[index...].prefix(4)
    guard digits.count == 4, digits.allSatisfy(\.isHexadecimal),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw error(.malformed, at: escape, "an escape without four hexadecimal digits") }
    index += 4
    return unit
  }
}

extension UInt8 {
  var isDigit: Bool { (0x30...0x39).contains(self) }

  fileprivate var isHexadecimal: Bool { isDigit || (0x41...0x46).contains(self & 0xDF) }
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
    var line = 1
    var start = 0
    for (position, byte) in bytes[..<min(place, bytes.count)].enumerated() {
      // A carriage return ends a line, unless a line feed does right after it.
      let isReturn = byte == 0x0D && !(position + 1 < bytes.count && bytes[position + 1] == 0x0A)
      guard byte == 0x0A || isReturn else { continue }
      line += 1
      start = position + 1
    }
    return .line(line, column: place - start + 1)
  }
}
