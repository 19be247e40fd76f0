#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// A view of UTF-8 text in which reading outside gives 0, a byte that no XML document holds, so that
/// no scan can leave the memory. It is valid only within the closure that lends the memory.
struct XMLBytes {
  let base: UnsafePointer<UInt8>?
  /// How many bytes there are.
  let count: Int

  init(_ buffer: UnsafeBufferPointer<UInt8>) {
    base = buffer.baseAddress
    count = buffer.baseAddress == nil ? 0 : buffer.count
  }

  /// The byte at a place, 0 outside.
  subscript(index: Int) -> UInt8 {
    guard let base, UInt(bitPattern: index) < UInt(bitPattern: count) else { return 0 }
    return base[index]
  }

  /// The bytes of a range, cut to what there is.
  subscript(range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    let range = range.clamped(to: 0..<count)
    return UnsafeBufferPointer(start: base.map { $0 + range.lowerBound }, count: range.count)
  }

  /// Where a byte stands next in a range, or the range's end.
  func index(of byte: UInt8, in range: Range<Int>) -> Int {
    let range = range.clamped(to: 0..<count)
    guard let base, !range.isEmpty,
      let found = memchr(base + range.lowerBound, Int32(byte), range.count)
    else { return range.upperBound }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }

  /// Where a byte stands last before a place, nil if it does not stand from the lower bound on.
  func lastIndex(of byte: UInt8, before end: Int, from lowerBound: Int) -> Int? {
    var index = min(end, count) - 1
    while index >= max(lowerBound, 0) {
      if self[index] == byte { return index }
      index -= 1
    }
    return nil
  }

  /// Whether ASCII text stands at a place.
  func holds(_ text: StaticString, at index: Int) -> Bool {
    text.withUTF8Buffer { text in
      for offset in 0..<text.count where self[index &+ offset] != text[offset] { return false }
      return true
    }
  }

  /// The end of the next occurrence of ASCII text in a range, nil if there is none.
  func end(of text: StaticString, in range: Range<Int>) -> Int? {
    let first = text.withUTF8Buffer { $0.first ?? 0 }
    var index = range.lowerBound
    while index < range.upperBound {
      index = self.index(of: first, in: index..<range.upperBound)
      if index + text.utf8CodeUnitCount > range.upperBound { return nil }
      if holds(text, at: index) { return index + text.utf8CodeUnitCount }
      index += 1
    }
    return nil
  }

  /// The text of a range, nil where it is no UTF-8.
  func string(_ range: Range<Int>) -> String? {
    String(validating: self[range], as: UTF8.self)
  }

  /// Whether no tag ends at a place or after it.
  func endsTooEarly(after place: Int) -> Bool {
    index(of: .greater, in: min(place, count)..<count) == count
  }

  /// Whether a place holds the first byte of a character in UTF-8, or the text ends there or within.
  func holdsCharacter(at index: Int) -> Bool {
    // The first byte tells the length; a byte that cannot be the first fails with any.
    let length =
      switch self[index] {
      case 0xC0...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xFF: 4
      default: 1
      }
    return index + length > count || string(index..<index + length) != nil
  }

  /// The start of a range in a form that fits into a message of one line.
  func excerpt(_ range: Range<Int>) -> String {
    let bytes = self[range]
    let shown = String(decoding: bytes.prefix(40), as: UTF8.self).unicodeScalars.map { scalar in
      scalar.isControl ? "?" : Character(scalar)
    }
    return String(shown) + (bytes.count > 40 ? "…" : "")
  }

  /// The line and column of a place, each counted from 1, the column in bytes.
  ///
  /// CR LF, LF and a CR by itself end a line. O(n).
  func location(of offset: Int) -> PlistLocation { locations(of: [offset])[0] }

  /// The line and column of places in rising order, O(n) for all.
  func locations(of offsets: [Int]) -> [PlistLocation] {
    var line = 1
    var lineStart = 0
    var index = 0
    return offsets.map { offset in
      let offset = min(max(offset, 0), count)
      while index < offset {
        if isLineEnd(index) {
          line += 1
          lineStart = index + 1
        }
        index += 1
      }
      return .line(line, column: offset - lineStart + 1)
    }
  }

  /// Whether a line ends behind a byte.
  func isLineEnd(_ index: Int) -> Bool {
    self[index] == .lineFeed || (self[index] == .carriageReturn && self[index + 1] != .lineFeed)
  }
}

extension UInt8 {
  static let tab = UInt8(ascii: "\t")
  static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let space = UInt8(ascii: " ")
  static let less = UInt8(ascii: "<")
  static let greater = UInt8(ascii: ">")
  static let slash = UInt8(ascii: "/")
  static let ampersand = UInt8(ascii: "&")

  /// Space or tab.
  var isBlank: Bool { self == .space || self == .tab }
  /// White space as XML 1.0, production 3, has it.
  var isXMLSpace: Bool { isBlank || self == .lineFeed || self == .carriageReturn }
  /// Whether the byte can start an element's name; all of a longer UTF-8 sequence count.
  var isNameStart: Bool {
    (0x61...0x7A).contains(self) || (0x41...0x5A).contains(self) || self == 0x5F || self == 0x3A
      || self >= 0x80
  }
  /// Whether the byte is an ASCII letter or digit.
  var isLetterOrDigit: Bool {
    (0x30...0x39).contains(self) || (0x61...0x7A).contains(self | 0x20)
  }
  /// Whether the byte ends an element's name.
  var endsName: Bool { isXMLSpace || self == .slash || self == .greater || self == 0 }
}
