/// The XML codec, over libxml2's SAX2 interface.
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
      var builder = try build(from: source, limits: limits, strictness: strictness)
      guard let root = builder.root else {
        throw builder.error(.truncated, at: source.count, "there is no element")
      }
      try checkTail(&builder)
      let layout = XMLLayout(
        source: bytes, text: text, encoding: encoding, body: builder.bodyStart..<builder.bodyEnd,
        nodes: builder.nodes)
      return ParsedPlist(
        root: root, layout: layout, diagnostics: builder.notes.diagnostics(in: source))
    }
  }

  /// Writes a property list as Apple's writer lays it out.
  /// - Throws: ``PlistError`` with code `unrepresentable` where XML cannot hold a value, or `limit`
  ///   beyond 512 levels and where shared containers come to too much.
  static func serialize(_ value: PlistValue) throws(PlistError) -> [UInt8] {
    var size = PlistSize(limits: .standard)
    try size.add(value, depth: 0)
    var writer = XMLWriter()
    writer.append(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">

      """)
    try writer.write(value)
    writer.append("\n</plist>\n")
    return writer.output
  }

  private static func build(
    from source: XMLBytes, limits: ParseLimits, strictness: ParseStrictness
  ) throws(PlistError) -> XMLTreeBuilder {
    var builder = XMLTreeBuilder(source: source, limits: limits, strictness: strictness)
    if let place = source.crowdedTag(attributes: limits.attributes) {
      throw builder.error(
        .limit, at: place, "an element has more than \(limits.attributes) attributes")
    }
    var start = 0
    while source[start].isXMLSpace { start += 1 }
    if start > 0, source.holds("<?xml", at: start) {
      guard strictness.allowsSpaceBeforeDeclaration else {
        throw builder.error(.malformed, at: 0, "white space before the XML declaration")
      }
      builder.notes.add(
        .surroundingBytes, at: 0, "white space before the XML declaration, which XML forbids")
    }
    // libxml2 would take zero bytes or a mark here for another encoding, and read another text.
    let hasZero = start + 1 < source.count && source[start + 1] == 0
    if start < source.count, source[start] != .less || hasZero {
      throw builder.error(.malformed, at: start, "the document does not start with an element")
    }
    // XML wants the declaration to come first, so the parser does not see what stands before it.
    let rest = source[start..<source.count]
    let hasHyphens = XMLBytes(rest).hasHyphensInComments
    if hasHyphens {
      guard strictness.allowsHyphensInComments else {
        throw builder.error(.malformed, at: start, "two hyphens in a comment, or one without end")
      }
      builder.notes.add(
        .refusedInEntitlements, at: start,
        "two hyphens in a comment, which XML forbids and the reader of entitlements refuses")
    }
    guard hasHyphens || XMLShadow.isNeeded(for: strictness) else {
      return try run(rest, builder, offset: start)
    }
    let shadow = XMLShadow(of: source, from: start, strictness: strictness)
    if let place = shadow.firstChange {
      builder.notes.add(
        .notWellFormed, at: place, "a character, reference or ']]>' that XML forbids here")
    }
    return try shadow.bytes.withUnsafeBufferPointer { (buffer) throws(PlistError) in
      try run(UnsafeBufferPointer(rebasing: buffer[start...]), builder, offset: start)
    }
  }

  private static func run(
    _ bytes: UnsafeBufferPointer<UInt8>, _ builder: XMLTreeBuilder, offset: Int
  ) throws(PlistError) -> XMLTreeBuilder {
    guard !bytes.isEmpty else {
      throw builder.error(.truncated, at: offset, "there is no element")
    }
    guard let parser = SAXParser(bytes, offset: offset, builder: builder) else {
      throw PlistError(.limit, detail: "\(bytes.count) bytes are more than libxml2 reads")
    }
    return try parser.parse()
  }

  /// Checks what stands after the root element: white space, comments, and zero bytes, which Apple's
  /// reader passes over.
  private static func checkTail(_ builder: inout XMLTreeBuilder) throws(PlistError) {
    let source = builder.source
    var index = builder.bodyEnd
    var hasZeros = false
    while index < source.count {
      if source[index].isXMLSpace || source[index] == 0 {
        hasZeros = hasZeros || source[index] == 0
        index += 1
      } else if let end = XMLMarkup.endOfComment(at: index, in: source) {
        index = end
      } else {
        let count = source.count - index
        guard builder.strictness.allowsTrailingBytes else {
          throw builder.error(
            .trailingBytes, at: index, "\(count) bytes after the end of the property list")
        }
        builder.notes.add(
          .surroundingBytes, at: index, "\(count) bytes after the end of the property list")
        return
      }
    }
    if hasZeros {
      builder.notes.add(
        .surroundingBytes, at: builder.bodyEnd, "zero bytes after the end of the property list")
    }
  }
}
