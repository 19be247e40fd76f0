// The text of leaf elements, decoded from the source: what SAX tells has its CR LF turned into LF,
// which Apple's reader keeps.
extension XMLTreeBuilder {
  /// Takes an element that holds no others, whose place is checked, with what its content means.
  mutating func add(_ element: XMLElement, _ range: XMLRange) throws(PlistError) {
    if isKey(element) {
      addKey(try text(range.content), of: range.element)
    } else {
      try add(try value(of: element, range), element, range)
    }
  }

  private mutating func value(
    of element: XMLElement, _ range: XMLRange
  ) throws(PlistError) -> PlistValue {
    let content = range.content
    switch element {
    case .integer: return .integer(try integer(content))
    case .real: return .real(try real(content))
    case .date: return .date(try date(content))
    case .data:
      guard !range.isSelfClosing else {
        throw error(.badValue, at: range.element.lowerBound, "<data/> holds no data")
      }
      return .data(try data(content))
    case .true, .false:
      guard content.isEmpty else {
        throw error(.malformed, at: content.lowerBound, "<\(element.name)> is not empty")
      }
      return .boolean(element == .true)
    case .string, .key, .plist, .dict, .array: return .string(try text(content))
    }
  }

  /// The text of a string or key.
  mutating func text(_ content: Range<Int>) throws(PlistError) -> String {
    var index = content.lowerBound
    var union: UInt8 = 0
    while index < content.upperBound, source[index] != .ampersand, source[index] != .less {
      union |= source[index]
      index += 1
    }
    if index == content.upperBound {
      // ASCII needs no validation, and takes a faster way through the standard library.
      if union < 0x80 { return String(decoding: source[content], as: UTF8.self) }
      return try checked(source.string(content), content)
    }
    var bytes = Array(source[content.lowerBound..<index])
    bytes.reserveCapacity(content.count)
    while index < content.upperBound {
      switch source[index] {
      case .ampersand: index = try appendReference(at: index, in: content, to: &bytes)
      case .less: index = try appendMarkup(at: index, in: content, to: &bytes)
      default:
        bytes.append(source[index])
        index += 1
      }
    }
    return try checked(String(validating: bytes, as: UTF8.self), content)
  }

  private func checked(_ text: String?, _ content: Range<Int>) throws(PlistError) -> String {
    guard let text else {
      throw error(.encoding, at: content.lowerBound, "the bytes are no text in UTF-8")
    }
    return text
  }

  /// Appends what a reference stands for. Returns where it ends.
  private func appendReference(
    at start: Int, in content: Range<Int>, to bytes: inout [UInt8]
  ) throws(PlistError) -> Int {
    let end = source.index(of: UInt8(ascii: ";"), in: start..<content.upperBound)
    guard end < content.upperBound else {
      throw error(.malformed, at: start, "'&' without ';'")
    }
    let name = source[start + 1..<end]
    if name.first == UInt8(ascii: "#") {
      guard let scalar = scalar(name.dropFirst()) else {
        throw error(
          .malformed, at: start,
          "the character reference &\(source.excerpt(start + 1..<end)); is not valid")
      }
      bytes.append(contentsOf: String(Character(scalar)).utf8)
    } else if let byte = Self.predefined(name) {
      bytes.append(byte)
    } else {
      throw error(
        .entity, at: start, "the entity &\(source.excerpt(start + 1..<end)); is not predefined")
    }
    return end + 1
  }

  /// The character of an entity that XML 1.0, section 4.6, predefines.
  private static func predefined(_ name: UnsafeBufferPointer<UInt8>) -> UInt8? {
    switch String(decoding: name, as: UTF8.self) {
    case "lt": .less
    case "gt": .greater
    case "amp": .ampersand
    case "quot": UInt8(ascii: "\"")
    case "apos": UInt8(ascii: "'")
    default: nil
    }
  }

  /// The character of a reference's digits. The parser has seen to it that XML allows it, unless the
  /// strictness lets others pass, and then no digits are 0, as in Apple's reader.
  private func scalar(_ reference: Slice<UnsafeBufferPointer<UInt8>>) -> Unicode.Scalar? {
    let isHexadecimal = reference.first == UInt8(ascii: "x")
    var digits = isHexadecimal ? reference.dropFirst() : reference
    if digits.isEmpty { return strictness.allowsControlCharacterReferences ? "\0" : nil }
    if digits.count > 8 {
      guard strictness.allowsLongCharacterReferences else { return nil }
      digits = digits.drop { $0 == UInt8(ascii: "0") }
      if digits.isEmpty { digits = reference.suffix(1) }
    }
    guard digits.count <= 8, digits.allSatisfy(\.isLetterOrDigit) else { return nil }
    let text = String(decoding: digits, as: UTF8.self)
    return UInt32(text, radix: isHexadecimal ? 16 : 10).flatMap(Unicode.Scalar.init)
  }

  /// Passes a comment or an instruction, or appends a CDATA section. Returns where it ends.
  private mutating func appendMarkup(
    at start: Int, in content: Range<Int>, to bytes: inout [UInt8]
  ) throws(PlistError) -> Int {
    let (kind, end) = XMLMarkup.markup(at: start, in: source)
    guard let end, end <= content.upperBound else {
      throw error(.malformed, at: start, "markup in text that does not end")
    }
    switch kind {
    case .cdata: bytes.append(contentsOf: source[start + 9..<max(start + 9, end - 3)])
    case .comment, .instruction: try noteMarkup(at: start)
    case .tag, .declaration: throw error(.malformed, at: start, "a tag in text")
    }
    return end
  }

  private mutating func noteMarkup(at start: Int) throws(PlistError) {
    guard strictness.allowsCommentsInText else {
      throw error(.malformed, at: start, "a comment in text")
    }
    guard !notes.isFull else { return }
    let path = keyPath
    notes.add(
      .refusedByApple, at: start, keyPath: path, "a comment in text, which Apple's reader refuses")
  }
}

// Numbers, dates and data: they hold no references.
extension XMLTreeBuilder {
  mutating func integer(_ content: Range<Int>) throws(PlistError) -> PlistInteger {
    let parsed = try withoutComments(content) { XMLScalars.integer($0) }
    guard let parsed else { throw badValue(content, "no integer from -2^63 to 2^64 - 1") }
    return parsed
  }

  mutating func date(_ content: Range<Int>) throws(PlistError) -> PlistDate {
    let parsed = try withoutComments(content) { XMLScalars.date($0) }
    guard let parsed else { throw badValue(content, "no date of the form 2001-12-31T23:59:59Z") }
    guard parsed.isInRange || strictness.allowsDatesOutOfRange else {
      throw badValue(content, "a date with a field outside its range")
    }
    return parsed.date
  }

  mutating func data(_ content: Range<Int>) throws(PlistError) -> [UInt8] {
    let parsed = try withoutComments(content) { Base64.decode($0) }
    guard let parsed else { throw badValue(content, "no base 64") }
    return parsed
  }

  /// A real's text may hold references: Apple's reader takes it as it takes a string's.
  mutating func real(_ content: Range<Int>) throws(PlistError) -> PlistReal {
    guard let parsed = XMLScalars.real(try text(content)) else {
      throw badValue(content, "no real number")
    }
    return parsed
  }

  private func badValue(_ content: Range<Int>, _ what: String) -> PlistError {
    error(.badValue, at: content.lowerBound, "'\(source.excerpt(content))' is \(what)")
  }

  /// Reads content, of which comments are left out.
  private mutating func withoutComments<Value>(
    _ content: Range<Int>, read: (UnsafeBufferPointer<UInt8>) -> Value?
  ) throws(PlistError) -> Value? {
    var index = source.index(of: .less, in: content)
    if index == content.upperBound { return read(source[content]) }
    var bytes: [UInt8] = []
    var taken = content.lowerBound
    while index < content.upperBound {
      bytes.append(contentsOf: source[taken..<index])
      guard let end = XMLMarkup.endOfComment(at: index, in: source), end <= content.upperBound
      else {
        throw badValue(content, "text with markup")
      }
      try noteMarkup(at: index)
      taken = end
      index = source.index(of: .less, in: end..<content.upperBound)
    }
    bytes.append(contentsOf: source[taken..<content.upperBound])
    return bytes.withUnsafeBufferPointer { read($0) }
  }
}
