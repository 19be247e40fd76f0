/// Reads the form that nearly every property list has, without libxml2 and twice as fast.
///
/// That form is: an XML declaration and a document type as Apple writes them or none, comments between
/// elements, the known elements without attributes (`plist` may have one), and text with the predefined
/// entities and character references. At all else, and at every error, the scanner gives up, and
/// libxml2 reads the document from its start. So what the scanner takes must be what libxml2 takes: its
/// rules are those of XML 1.0 or narrower.
struct XMLScanner: ~Copyable {
  let source: XMLBytes
  let grammar: XMLGrammar
  var builder: XMLTreeBuilder
  /// What was read.
  var position = 0

  /// libxml2 reads no longer names, texts and comments.
  private static let mostBytes = 1_000_000_000

  /// The tree of a document, nil where libxml2 must read it.
  static func tree(
    of source: XMLBytes, limits: ParseLimits, strictness: ParseStrictness
  ) -> XMLTree? {
    guard source.count < mostBytes else { return nil }
    var scanner = XMLScanner(
      source: source,
      grammar: XMLGrammar(source: source, attributeBytes: limits.attributeBytes),
      builder: XMLTreeBuilder(source: source, limits: limits, strictness: strictness))
    do throws(PlistError) { try scanner.scan() } catch { return nil }
    return scanner.builder.finish()
  }

  private mutating func scan() throws(PlistError) {
    try skipProlog()
    repeat {
      try skipGap()
      try scanElement()
    } while !builder.isComplete
    try checkTail()
  }

  /// Reads the tag that comes next, and the whole of an element that holds no others.
  private mutating func scanElement() throws(PlistError) {
    let start = position
    let inDictionary = builder.expected == .key
    if inDictionary, source.word(at: start) & 0xFF_FFFF_FFFF == Self.keyTag {
      return try scanKey(from: start)
    }
    let tag = try grammar.tag(at: start)
    position = tag.end
    switch (tag.kind, tag.element) {
    case (.end, _):
      guard builder.innermost == tag.element else { throw .unusual }
      try builder.close(contentEnd: start, end: tag.end)
    case (_, .plist), (_, .dict), (_, .array):
      try builder.checkPlace(of: tag.element, at: start)
      try builder.open(tag.element, tag: start..<tag.end)
      if tag.kind == .empty { try builder.close(contentEnd: tag.end, end: tag.end) }
    case (.empty, _):
      try builder.checkPlace(of: tag.element, at: start)
      try builder.add(
        tag.element, XMLRange(element: start..<tag.end, content: tag.end..<tag.end))
    case (.start, _):
      try builder.checkPlace(of: tag.element, at: start)
      try scanLeaf(tag.element, start: start)
    }
  }

  /// `<key>` in the order of ``XMLBytes/word(at:)``.
  private static let keyTag: UInt64 = 0x3E_7965_6B3C
  /// `</string` in that order.
  private static let stringEndTag: UInt64 = 0x676E_6972_7473_2F3C
  /// `</key>` in that order.
  private static let keyEndTag: UInt64 = 0x3E79_656B_2F3C

  private mutating func scanKey(from start: Int) throws(PlistError) {
    let text = try grammar.text(from: start + 5)
    guard source.word(at: text.end) & 0xFFFF_FFFF_FFFF == Self.keyEndTag else { throw .unusual }
    position = text.end + 6
    if text.isPlain {
      builder.addKey(plain: start + 5..<text.end, of: start..<position)
    } else {
      try builder.add(
        .key, XMLRange(element: start..<position, content: start + 5..<text.end))
    }
  }

  /// Reads what follows the start tag of an element that holds no others.
  private mutating func scanLeaf(_ element: XMLElement, start: Int) throws(PlistError) {
    let contentStart = position
    if element == .integer, let (number, end) = source.plainInteger(at: contentStart) {
      let range = try range(element, start, contentStart, end)
      return try builder.add(.integer(number), element, range)
    }
    let text = try grammar.text(from: contentStart)
    let range = try range(element, start, contentStart, text.end)
    guard text.isPlain || element == .string || element == .key else { throw .unusual }
    switch element {
    case .string where text.isPlain:
      let string = String(decoding: source[range.content], as: UTF8.self)
      try builder.add(.string(string), element, range)
    case .real:
      if let number = XMLScalars.plainReal(source[range.content]) {
        try builder.add(.real(PlistReal(number)), element, range)
      } else {
        try builder.add(element, range)
      }
    default: try builder.add(element, range)
    }
  }

  /// Takes the end tag at a place. Returns the ranges of its element.
  private mutating func range(
    _ element: XMLElement, _ start: Int, _ contentStart: Int, _ contentEnd: Int
  ) throws(PlistError) -> XMLRange {
    if element == .string, source.word(at: contentEnd) == Self.stringEndTag,
      source[contentEnd + 8] == .greater
    {
      position = contentEnd + 9
    } else {
      let tag = try grammar.tag(at: contentEnd)
      guard tag.kind == .end, tag.element == element else { throw .unusual }
      position = tag.end
    }
    return XMLRange(element: start..<position, content: contentStart..<contentEnd)
  }
}

extension PlistError {
  /// The document is not of the plain form. No one sees it.
  static var unusual: PlistError { PlistError(.malformed, detail: "not of the plain form") }
}
