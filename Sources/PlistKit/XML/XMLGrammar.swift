/// What XML has between elements' ends, as far as ``XMLScanner`` takes it. It is apart from the scanner
/// because that is too large to lend for each tag.
struct XMLGrammar {
  let source: XMLBytes
  /// White space in a tag.
  let attributeBytes: Int
}

// Tags without attributes.
extension XMLGrammar {
  struct Tag {
    enum Kind { case start, end, empty }
    let kind: Kind
    let element: XMLElement
    let end: Int
  }

  /// How many bytes of a word come before the first that stands before `a`.
  @inline(__always) private static func lettersBefore(_ word: UInt64) -> Int {
    // Of each byte the highest bit is set where it is at least 0x61, or no ASCII.
    let isLetter = ((word & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x1F1F_1F1F_1F1F_1F1F | word)
    return (~isLetter & 0x8080_8080_8080_8080).trailingZeroBitCount >> 3
  }

  /// The tag at a place.
  func tag(at start: Int) throws(PlistError) -> Tag {
    guard source[start] == .less else { throw .unusual }
    let isEnd = source[start + 1] == .slash
    let nameStart = start + (isEnd ? 2 : 1)
    let word = source.word(at: nameStart)
    let length = Self.lettersBefore(word)
    guard length > 0, length < 8 else { throw .unusual }
    let packed = word.byteSwapped >> UInt64(64 - 8 * length)
    guard let element = XMLElement(packedName: packed) else { throw .unusual }
    var index = nameStart + length
    if source[index].isXMLSpace {
      index = source.endOfSpace(from: index)
      guard index - nameStart <= attributeBytes else { throw .unusual }
    }
    var kind = isEnd ? Tag.Kind.end : .start
    if source[index] == .slash, !isEnd {
      kind = .empty
      index += 1
    }
    guard source[index] == .greater else { throw .unusual }
    return Tag(kind: kind, element: element, end: index + 1)
  }
}

// Text that XML allows.
extension XMLGrammar {
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
    guard let end = source.endOfCharacterReference(at: start, digits: 7) else { throw .unusual }
    return end
  }
}

extension XMLBytes {
  /// The end of a reference at a place to a character that XML allows (XML 1.0, production 66), nil for
  /// all else and for one of more digits.
  func endOfCharacterReference(at start: Int, digits most: Int) -> Int? {
    guard holds("&#", at: start) else { return nil }
    let isHexadecimal = self[start + 2] == UInt8(ascii: "x")
    let digits = start + (isHexadecimal ? 3 : 2)
    var index = digits
    var value: UInt32 = 0
    while index - digits < most, let digit = self[index].digit(radix: isHexadecimal ? 16 : 10) {
      // A value that is too large stays so.
      value = min(value, 0x11_0000) * (isHexadecimal ? 16 : 10) + UInt32(digit)
      index += 1
    }
    guard index > digits, self[index] == UInt8(ascii: ";") else { return nil }
    // XML 1.0, production 2.
    switch value {
    case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x1_0000...0x10_FFFF: return index + 1
    default: return nil
    }
  }
}
