// What stands around the root element, and between elements.
extension XMLScanner {
  /// Passes the declaration, comments, the document type, and the start tag of `plist` if it has an
  /// attribute.
  mutating func skipProlog() throws(PlistError) {
    if source.holds("<?xml", at: 0) {
      try skipDeclaration()
    } else {
      position = source.endOfSpace(from: 0)
      if source.holds("<?", at: position) { throw .unusual }
    }
    try skipGap()
    if source.holds("<!", at: position) {
      try skipDocumentType()
      try skipGap()
    }
    if source.holds("<plist", at: position), source[position + 6].isXMLSpace {
      try openRoot()
    }
  }

  /// Passes white space and comments, up to the next tag.
  mutating func skipGap() throws(PlistError) {
    position = source.endOfSpace(from: position)
    while source.word(at: position) & 0xFFFF_FFFF == Self.commentStart {
      try skipComment()
      position = source.endOfSpace(from: position)
    }
  }

  /// `<!--` in the order of ``XMLBytes/word(at:)``.
  private static let commentStart: UInt64 = 0x2D2D_213C

  /// XML 1.0, production 15: two hyphens end a comment.
  private mutating func skipComment() throws(PlistError) {
    let start = position + 4
    guard let end = source.end(of: "--", in: min(start, source.count)..<source.count),
      source[end] == .greater, source.holdsCharacters(start..<end)
    else { throw .unusual }
    position = end + 1
    // libxml2 does not tell of what comes after the root element.
    if !builder.isComplete { builder.comment(before: position) }
  }

  /// XML 1.0, production 23, of the version 1.0 and in UTF-8.
  private mutating func skipDeclaration() throws(PlistError) {
    position = 5
    guard try attribute(in: ["version"])?.value.elementsEqual("1.0".utf8) == true else {
      throw .unusual
    }
    var next = try attribute(in: ["encoding", "standalone"])
    if let encoding = next, encoding.name == 0 {
      guard encoding.value.elementsEqual("UTF-8".utf8) || encoding.value.elementsEqual("utf-8".utf8)
      else { throw .unusual }
      next = try attribute(in: ["encoding", "standalone"])
    }
    if let standalone = next {
      guard standalone.name == 1,
        standalone.value.elementsEqual("yes".utf8) || standalone.value.elementsEqual("no".utf8)
      else { throw .unusual }
    }
    position = source.endOfSpace(from: position)
    guard source.holds("?>", at: position) else { throw .unusual }
    position += 2
  }

  /// XML 1.0, production 28, without an internal subset.
  private mutating func skipDocumentType() throws(PlistError) {
    guard source.holds("<!DOCTYPE plist", at: position) else { throw .unusual }
    position += 15
    let space = source.endOfSpace(from: position)
    if space > position, source.holds("PUBLIC", at: space) {
      position = space + 6
      _ = try quoted()
      _ = try quoted()
    } else if space > position, source.holds("SYSTEM", at: space) {
      position = space + 6
      _ = try quoted()
    }
    position = source.endOfSpace(from: position)
    guard source[position] == .greater else { throw .unusual }
    position += 1
  }

  /// The start tag of `plist` with one attribute at most.
  private mutating func openRoot() throws(PlistError) {
    let start = position
    position += 6
    guard builder.limits.attributes > 0 else { throw .unusual }
    _ = try attribute(in: ["version"])
    position = source.endOfSpace(from: position)
    guard source[position] == .greater, position - start <= builder.limits.attributeBytes else {
      throw .unusual
    }
    position += 1
    try builder.open(.plist, tag: start..<position)
  }

  /// The attribute of one of these names that follows white space: which of them, and its value. Nil,
  /// with nothing read, where there is none.
  private mutating func attribute(
    in names: [StaticString]
  ) throws(PlistError) -> (name: Int, value: UnsafeBufferPointer<UInt8>)? {
    let start = source.endOfSpace(from: position)
    guard start > position, source[start].isNameStart else { return nil }
    guard let name = names.firstIndex(where: { source.holds($0, at: start) }) else {
      throw .unusual
    }
    position = source.endOfSpace(from: start + names[name].utf8CodeUnitCount)
    guard source[position] == UInt8(ascii: "=") else { throw .unusual }
    position = source.endOfSpace(from: position + 1)
    return (name, try literal())
  }

  /// A quoted text that follows white space.
  private mutating func quoted() throws(PlistError) -> UnsafeBufferPointer<UInt8> {
    let start = source.endOfSpace(from: position)
    guard start > position else { throw .unusual }
    position = start
    return try literal()
  }

  /// A quoted text, of letters, digits and the marks that a public identifier may hold (XML 1.0,
  /// production 13).
  private mutating func literal() throws(PlistError) -> UnsafeBufferPointer<UInt8> {
    let quote = source[position]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { throw .unusual }
    let start = position + 1
    let end = source.index(of: quote, in: min(start, source.count)..<source.count)
    let value = source[start..<end]
    guard source[end] == quote, value.allSatisfy(\.isPublic) else { throw .unusual }
    position = end + 1
    return value
  }

  /// Leaves a document to libxml2 that has more than white space and comments after its end.
  mutating func checkTail() throws(PlistError) {
    let end = position
    try skipGap()
    guard position == source.count else { throw .unusual }
    position = end
  }
}

extension UInt8 {
  /// Whether a public identifier may hold the character, quotes aside.
  fileprivate var isPublic: Bool {
    switch self {
    case 0x61...0x7A, 0x41...0x5A, 0x30...0x39: true
    default: " -()+,./:=?;!*#@$_%".utf8.contains(self)
    }
  }
}

extension XMLBytes {
  /// Whether a range is text of characters that XML allows.
  func holdsCharacters(_ range: Range<Int>) -> Bool {
    var isASCII = true
    for index in range {
      switch self[index] {
      case .tab, .lineFeed, .carriageReturn: continue
      case 0..<0x20: return false
      case 0x80...:
        isASCII = false
        if isNoncharacter(at: index) { return false }
      default: continue
      }
    }
    return isASCII || string(range) != nil
  }

  /// Whether U+FFFE or U+FFFF stands at a place.
  func isNoncharacter(at index: Int) -> Bool {
    self[index] == 0xEF && self[index &+ 1] == 0xBF && self[index &+ 2] >= 0xBE
  }
}
