/// A copy of a document for the XML parser alone, in which what XML forbids and the strictness lets
/// pass is written over.
///
/// Every byte stays at its place. The parser only tells where tags stand; all text is read from the
/// source, so what is written over is still read as it is.
struct XMLShadow {
  private let source: XMLBytes
  private let strictness: ParseStrictness
  private(set) var bytes: [UInt8]
  /// The first place at which something was written over that XML forbids.
  private(set) var firstChange: Int?
  private var isInProlog = true

  /// Stands for text that must not be seen. No white space, so that between tags it is still wrong.
  private static let filler = UInt8(ascii: "x")

  init(of source: XMLBytes, from start: Int, strictness: ParseStrictness) {
    self.source = source
    self.strictness = strictness
    bytes = Array(source[0..<source.count])
    var index = start
    while index < source.count {
      let next = source.index(of: .less, in: index..<source.count)
      text(index..<next)
      guard next < source.count else { break }
      index = max(markup(at: next), next + 1)
    }
  }

  /// Whether a strictness asks for a copy whatever the document holds.
  static func isNeeded(for strictness: ParseStrictness) -> Bool {
    strictness.allowsAnyBytesInComments || strictness.allowsLooseProlog
      || strictness.allowsLooseTags || strictness.allowsControlCharacters
      || strictness.allowsControlCharacterReferences || strictness.allowsCDATAEndInText
  }

  /// Takes the markup at a `<`. Returns where it ends.
  private mutating func markup(at start: Int) -> Int {
    // The ends that follow cost a scan each, so they are looked for only where they are stepped over.
    if source.holds("<!DOCTYPE", at: start), strictness.allowsLooseProlog, isInProlog {
      return documentType(at: start)
    }
    if source[start + 1].isNameStart || source[start + 1] == .slash {
      isInProlog = false
      if strictness.allowsLooseTags { return looseTag(at: start) }
    }
    let (kind, end) = XMLMarkup.markup(at: start, in: source)
    switch kind {
    case .comment:
      let close = end.map { $0 - 3 } ?? source.count
      comment(min(start + 4, close)..<close)
      return end ?? source.count
    case .cdata:
      controlCharacters(start..<(end ?? source.count))
      return end ?? source.count
    case .instruction:
      if strictness.allowsLooseProlog { blank(start..<(end ?? start)) }
      return end ?? source.count
    case .declaration, .tag: return end ?? source.count
    }
  }

  private mutating func comment(_ body: Range<Int>) {
    if strictness.allowsAnyBytesInComments {
      blank(body)
      return
    }
    guard strictness.allowsHyphensInComments else { return }
    for index in body where source[index] == UInt8(ascii: "-") { bytes[index] = .space }
  }

  /// A document type without an internal subset ends at its first `>`.
  private mutating func documentType(at start: Int) -> Int {
    let close = source.index(of: .greater, in: start..<source.count)
    let subset = source.index(of: UInt8(ascii: "["), in: start..<close)
    // The rest is not looked at: the parser stops there.
    guard close < source.count, subset == close else { return source.count }
    blank(start..<close + 1)
    return close + 1
  }

  /// A start tag ends at its first `>`, and only its name and a `/` before that count.
  private mutating func looseTag(at start: Int) -> Int {
    let next = source.index(of: .less, in: start + 1..<source.count)
    let close = source.index(of: .greater, in: start..<next)
    guard close < next, source[start + 1].isNameStart else { return next }
    var index = start + 1
    while index < close, !source[index].isXMLSpace { index += 1 }
    let end = source[close - 1] == .slash ? close - 1 : close
    if index < end { blank(index..<end) }
    return close + 1
  }

  private mutating func text(_ range: Range<Int>) {
    if strictness.allowsControlCharacters { controlCharacters(range) }
    if strictness.allowsControlCharacterReferences {
      var index = range.lowerBound
      while index < range.upperBound {
        index = source.index(of: .ampersand, in: index..<range.upperBound)
        guard index < range.upperBound else { break }
        if source[index + 1] == UInt8(ascii: "#"),
          source.endOfCharacterReference(at: index, digits: range.upperBound - index) == nil
        {
          overwrite(index, with: Self.filler)
        }
        index += 1
      }
    }
    guard strictness.allowsCDATAEndInText else { return }
    var index = range.lowerBound
    while let end = source.end(of: "]]>", in: index..<range.upperBound) {
      overwrite(end - 2, with: Self.filler)
      index = end
    }
  }

  private mutating func controlCharacters(_ range: Range<Int>) {
    guard strictness.allowsControlCharacters else { return }
    for index in range {
      switch source[index] {
      case .tab, .lineFeed, .carriageReturn: continue
      case 0..<0x20: overwrite(index, with: Self.filler)
      case 0xBE, 0xBF:
        // U+FFFE and U+FFFF.
        guard index >= 2, source[index - 1] == 0xBF, source[index - 2] == 0xEF else { continue }
        for place in index - 2...index { overwrite(place, with: Self.filler) }
      default: continue
      }
    }
  }

  private mutating func blank(_ range: Range<Int>) {
    for index in range where bytes[index] != .space { bytes[index] = .space }
  }

  private mutating func overwrite(_ index: Int, with byte: UInt8) {
    guard bytes.indices.contains(index) else { return }
    if firstChange == nil { firstChange = index }
    bytes[index] = byte
  }
}
