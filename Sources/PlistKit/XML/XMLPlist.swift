/// The XML codec: a scanner of its own for the plain form, libxml2's SAX2 interface for the rest.
///
/// What is accepted follows Core Foundation's reader (CFPropertyList.c of
/// swift-corelibs-foundation) where ``ParseStrictness`` does not say otherwise; document types with
/// an internal subset never pass.
enum XMLPlist {
  /// Reads an XML property list.
  /// - Throws: ``PlistError`` of every code but `unknownFormat`, `badReference`, `keyPath` and
  ///   `unrepresentable`.
  static func parse(
    _ bytes: [UInt8], limits: ParseLimits, strictness: ParseStrictness
  ) throws(PlistError) -> ParsedPlist {
    let encoding = try XMLEncoding(of: bytes, strictness: strictness)
    let text = try encoding.decode(bytes, strictness: strictness)
    return try text.withUnsafeBufferPointer { (buffer) throws(PlistError) -> ParsedPlist in
      let source = XMLBytes(buffer)
      var tree = try read(source, limits: limits, strictness: strictness)
      try checkTail(&tree, source, strictness)
      let layout = XMLLayout(
        source: bytes, text: text, encoding: encoding, body: tree.body, nodes: tree.nodes,
        hasShadowedEntries: tree.hasShadowedEntries)
      return ParsedPlist(
        root: tree.root, layout: layout, diagnostics: tree.notes.diagnostics(in: source))
    }
  }

  /// Writes a property list as Apple's writer lays it out.
  /// - Throws: ``PlistError`` with code `unrepresentable` where XML cannot hold a value, or `limit`
  ///   beyond 512 levels and where shared containers come to too much.
  static func serialize(_ value: PlistValue) throws(PlistError) -> [UInt8] {
    var size = PlistSize(limits: .standard)
    try size.add(value, depth: 0)
    var writer = XMLWriter()
    writer.reserve(size)
    writer.append(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">

      """)
    try writer.write(value)
    writer.append("\n</plist>\n")
    return writer.finish()
  }

  /// Reads the root element, in the way that suits it.
  private static func read(
    _ source: XMLBytes, limits: ParseLimits, strictness: ParseStrictness
  ) throws(PlistError) -> XMLTree {
    if let tree = XMLScanner.tree(of: source, limits: limits, strictness: strictness) {
      return tree
    }
    return try readWithLibXML(source, limits: limits, strictness: strictness)
  }

  /// Reads the root element with libxml2.
  static func readWithLibXML(
    _ source: XMLBytes, limits: ParseLimits, strictness: ParseStrictness
  ) throws(PlistError) -> XMLTree {
    if let place = source.crowdedTag(attributes: limits.attributes) {
      throw PlistError(
        .limit, at: source.location(of: place), keyPath: .root,
        detail: "an element has more than \(limits.attributes) attributes")
    }
    var notes = TextNotes()
    var start = 0
    while source[start].isXMLSpace { start += 1 }
    if start > 0, source.holds("<?xml", at: start) {
      guard strictness.allowsSpaceBeforeDeclaration else {
        throw PlistError(
          .malformed, at: source.location(of: 0), keyPath: .root,
          detail: "white space before the XML declaration")
      }
      notes.add(
        .surroundingBytes, at: 0, "white space before the XML declaration, which XML forbids")
    }
    // libxml2 would take zero bytes or a mark here for another encoding, and read another text.
    let hasZero = start + 1 < source.count && source[start + 1] == 0
    if start < source.count, source[start] != .less || hasZero {
      throw PlistError(
        .malformed, at: source.location(of: start), keyPath: .root,
        detail: "the document does not start with an element")
    }
    // XML wants the declaration to come first, so the parser does not see what stands before it.
    let rest = source[start..<source.count]
    let hyphens = XMLBytes(rest).hyphensInComment.map { start + $0 }
    if let hyphens {
      guard strictness.allowsHyphensInComments else {
        throw PlistError(
          .malformed, at: source.location(of: hyphens), keyPath: .root,
          detail: "two hyphens in a comment, or one without end")
      }
      notes.add(
        .refusedInEntitlements, at: hyphens,
        "two hyphens in a comment, which XML forbids and the reader of entitlements refuses")
    }
    let run = { (bytes: UnsafeBufferPointer<UInt8>, notes: TextNotes) throws(PlistError) in
      var builder = XMLTreeBuilder(source: source, limits: limits, strictness: strictness)
      builder.notes = notes
      guard !bytes.isEmpty else {
        throw builder.error(.truncated, at: start, "there is no element")
      }
      guard let parser = SAXParser(bytes, offset: start, builder: builder) else {
        throw PlistError(.limit, detail: "\(bytes.count) bytes are more than libxml2 reads")
      }
      return try parser.parse()
    }
    guard hyphens != nil || XMLShadow.isNeeded(for: strictness) else { return try run(rest, notes) }
    let shadow = XMLShadow(of: source, from: start, strictness: strictness)
    if let place = shadow.firstChange {
      notes.add(
        .notWellFormed, at: place, "a character, reference or ']]>' that XML forbids here")
    }
    return try shadow.bytes.withUnsafeBufferPointer { (buffer) throws(PlistError) in
      try run(UnsafeBufferPointer(rebasing: buffer[start...]), notes)
    }
  }

  /// Checks what stands after the root element: white space, comments, and zero bytes, which Apple's
  /// reader passes over.
  private static func checkTail(
    _ tree: inout XMLTree, _ source: XMLBytes, _ strictness: ParseStrictness
  ) throws(PlistError) {
    var index = tree.body.upperBound
    var hasZeros = false
    while index < source.count {
      if source[index].isXMLSpace || source[index] == 0 {
        hasZeros = hasZeros || source[index] == 0
        index += 1
      } else if let end = XMLMarkup.endOfComment(at: index, in: source) {
        index = end
      } else {
        let count = source.count - index
        guard strictness.allowsTrailingBytes else {
          throw PlistError(
            .trailingBytes, at: source.location(of: index), keyPath: .root,
            detail: "\(count) bytes after the end of the property list")
        }
        tree.notes.add(
          .surroundingBytes, at: index, "\(count) bytes after the end of the property list")
        return
      }
    }
    if hasZeros {
      tree.notes.add(
        .surroundingBytes, at: tree.body.upperBound, "zero bytes after the end of the property list"
      )
    }
  }
}
