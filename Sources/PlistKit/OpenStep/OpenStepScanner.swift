/// Reads the words of OpenStep text.
struct OpenStepScanner {
  /// The text in UTF-8, known to be valid.
  let text: [UInt8]
  /// Where the next byte stands.
  var place = 0
  private let allowsUnclosedComments: Bool

  init(_ text: [UInt8], strictness: ParseStrictness) {
    self.text = text
    allowsUnclosedComments = strictness.allowsUnclosedComments
  }

  var next: UInt8? { place < text.count ? text[place] : nil }
  var isAtEnd: Bool { place >= text.count }
  var isAtQuote: Bool { next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") }
  var isAtWord: Bool { next.map(Self.isWordByte) ?? false }

  /// Steps over a character, if it is next.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    place += 1
    return true
  }

  /// Steps over a character, if it is next.
  /// - Throws: ``PlistError`` with code `truncated` at the end of the text.
  mutating func take(
    _ character: Unicode.Scalar, orEndIn container: String
  ) throws(PlistError) -> Bool {
    if isAtEnd { throw error(.truncated, "the text ends inside \(container)") }
    return take(character)
  }

  /// Steps over white space and comments, `/* */` and `//` to the end of the line.
  /// - Throws: ``PlistError`` with code `truncated` in a comment without end.
  mutating func skipSpace() throws(PlistError) {
    while let byte = next {
      switch byte {
      case 0x09...0x0D, 0x20: place += 1
      case 0xE2 where isLineSeparator: place += 3
      case UInt8(ascii: "/") where following == UInt8(ascii: "/"):
        while let byte = next, byte != 0x0A, byte != 0x0D, !isLineSeparator { place += 1 }
      case UInt8(ascii: "/") where following == UInt8(ascii: "*"):
        let start = place
        place += 2
        while !(next == UInt8(ascii: "*") && following == UInt8(ascii: "/")) {
          guard !isAtEnd else {
            if allowsUnclosedComments { return }
            throw error(.truncated, at: start, "a comment without end")
          }
          place += 1
        }
        place += 2
      default: return
      }
    }
  }

  /// A string with or without quotes, and whether an escape stood for half of a surrogate pair.
  /// - Throws: ``PlistError`` with code `malformed` or `truncated`.
  mutating func string() throws(PlistError) -> (String, isUnpaired: Bool) {
    if let quote = next, isAtQuote { return try quoted(by: quote) }
    let start = place
    while let byte = next, Self.isWordByte(byte) { place += 1 }
    guard place > start else {
      if isAtEnd { throw error(.truncated, "the text ends where a value must stand") }
      throw unexpected("no value can start so")
    }
    return (String(decoding: text[start..<place], as: UTF8.self), false)
  }

  /// Bytes as pairs of hexadecimal digits between `<` and `>`, with white space between the pairs.
  /// - Throws: ``PlistError`` with code `badValue` or `truncated`.
  mutating func data() throws(PlistError) -> [UInt8] {
    let start = place
    place += 1
    var bytes: [UInt8] = []
    while let byte = next {
      place += 1
      switch byte {
      case 0x09, 0x0A, 0x0D, 0x20: continue
      case 0xE2 where Self.isLineSeparator(at: place - 1, in: text): place += 2
      case UInt8(ascii: ">"): return bytes
      default:
        guard let high = byte.digit(radix: 16) else {
          throw error(.badValue, at: place - 1, "data holds something else than hexadecimal digits")
        }
        guard let second = next else { break }
        guard let low = second.digit(radix: 16) else {
          throw error(.badValue, at: place, "one hexadecimal digit of data without another")
        }
        place += 1
        bytes.append(high << 4 | low)
      }
    }
    throw error(.truncated, at: start, "data without '>'")
  }

  func error(_ code: PlistError.Code, at place: Int? = nil, _ detail: String) -> PlistError {
    let location = text.withUnsafeBufferPointer {
      XMLBytes($0).location(of: place ?? self.place)
    }
    return PlistError(code, at: location, detail: detail)
  }

  /// The error for what stands next, `truncated` at the end.
  func unexpected(_ detail: String) -> PlistError {
    guard place < text.count else { return error(.truncated, "\(detail), the text ends") }
    let found = String(decoding: text[place...].prefix(4), as: UTF8.self).unicodeScalars.first
    return error(.malformed, "\(detail): \(found.map { String($0).quoted } ?? "")")
  }

  private var following: UInt8? { place + 1 < text.count ? text[place + 1] : nil }

  /// Whether U+2028 or U+2029 is next.
  private var isLineSeparator: Bool { Self.isLineSeparator(at: place, in: text) }

  private static func isLineSeparator(at place: Int, in text: [UInt8]) -> Bool {
    text.count - place >= 3 && text[place] == 0xE2 && text[place + 1] == 0x80
      && (text[place + 2] == 0xA8 || text[place + 2] == 0xA9)
  }

  /// Letters, digits and `_ $ / : . -` need no quotes.
  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "-")...UInt8(ascii: ":"): true
    case UInt8(ascii: "_"), UInt8(ascii: "$"): true
    default: false
    }
  }
}

// MARK: - Quoted strings

extension OpenStepScanner {
  private mutating func quoted(
    by quote: UInt8
  ) throws(PlistError) -> (String, isUnpaired: Bool) {
    let start = place
    place += 1
    var string = EscapedText()
    while let byte = next {
      place += 1
      if byte == quote { return string.finished() }
      if byte == UInt8(ascii: "\\") {
        try escape(into: &string, from: start)
      } else {
        string.append(byte)
      }
    }
    throw error(.truncated, at: start, "a quoted string without end")
  }

  /// Reads what follows a backslash. An escape that is not known stands for its character.
  private mutating func escape(
    into string: inout EscapedText, from start: Int
  ) throws(PlistError) {
    guard let byte = next else {
      throw error(.truncated, at: start, "a quoted string without end")
    }
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      let code = number(radix: 8, digits: 3)
      // Beyond a byte the highest bit is lost, as in Core Foundation.
      string.append(unit: NextStepEncoding.unit(UInt8(truncatingIfNeeded: code)))
    case UInt8(ascii: "U"):
      place += 1
      string.append(unit: number(radix: 16, digits: 4))
    default:
      place += 1
      string.append(Self.controlEscapes[byte] ?? byte)
    }
  }

  private static let controlEscapes: [UInt8: UInt8] = [
    UInt8(ascii: "a"): 0x07, UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C,
    UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
    UInt8(ascii: "v"): 0x0B,
  ]

  /// The number in the digits that follow, at most so many; 0 where there is none.
  private mutating func number(radix: UInt8, digits: Int) -> UInt16 {
    var number: UInt16 = 0
    for _ in 0..<digits {
      guard let byte = next, let digit = byte.digit(radix: radix) else { break }
      number = number &* UInt16(radix) &+ UInt16(digit)
      place += 1
    }
    return number
  }
}

/// Text made of UTF-8 bytes and, from escapes, of UTF-16 units.
private struct EscapedText {
  private var bytes: [UInt8] = []
  private var high: UInt16?
  private var isUnpaired = false

  mutating func append(_ byte: UInt8) {
    dropHigh()
    bytes.append(byte)
  }

  mutating func append(unit: UInt16) {
    if let first = high, unit & 0xFC00 == 0xDC00 {
      high = nil
      bytes += String(decoding: [first, unit], as: UTF16.self).utf8
      return
    }
    dropHigh()
    if unit & 0xFC00 == 0xD800 {
      high = unit
    } else {
      isUnpaired = isUnpaired || unit & 0xFC00 == 0xDC00
      bytes += String(decoding: [unit], as: UTF16.self).utf8
    }
  }

  mutating func finished() -> (String, isUnpaired: Bool) {
    dropHigh()
    return (String(decoding: bytes, as: UTF8.self), isUnpaired)
  }

  private mutating func dropHigh() {
    guard high != nil else { return }
    high = nil
    isUnpaired = true
    bytes += "\u{FFFD}".utf8
  }
}
