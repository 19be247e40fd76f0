/// OpenStep's text form of property lists, and the `.strings` files made of its dictionaries' inside.
///
/// The grammar is the one that CFOldStylePList.c of Core Foundation reads; Apple's Property List
/// Programming Guide describes it as "Old-Style ASCII Property Lists". All that it holds are strings,
/// data, arrays and dictionaries. It is read and never written.
enum OpenStepPlist {
  /// Reads OpenStep text in UTF-8, or in UTF-16 or UTF-32 with a byte-order mark.
  ///
  /// White space and comments alone are an empty `.strings` file.
  /// - Throws: ``PlistError`` with code `encoding`, `unknownFormat`, `malformed`, `truncated`,
  ///   `badValue`, `duplicateKey`, `trailingBytes` or `limit`, and a line.
  static func parse(
    _ bytes: [UInt8], limits: ParseLimits, strictness: ParseStrictness
  ) throws(PlistError) -> ParsedPlist {
    let text = try utf8(bytes, strictness: strictness)
    var parser = OpenStepParser(text, limits: limits, strictness: strictness)
    let (root, source) = try parser.parse()
    return ParsedPlist(
      root: root, layout: OpenStepLayout(bytes: bytes, text: text, root: source),
      diagnostics: text.withUnsafeBufferPointer { parser.notes.diagnostics(in: XMLBytes($0)) })
  }

  /// The text in UTF-8 without a byte-order mark.
  ///
  /// Core Foundation takes the first unit of UTF-16 without a mark for one and drops it, so that all
  /// but text that starts with white space fails there; it is refused here.
  private static func utf8(
    _ bytes: [UInt8], strictness: ParseStrictness
  ) throws(PlistError) -> [UInt8] {
    guard let encoding = XMLEncoding(marked: bytes) else {
      guard bytes.first != 0, bytes.count < 2 || bytes[1] != 0 else {
        throw PlistError(.encoding, detail: "UTF-16 text without a byte-order mark")
      }
      return try valid(bytes)
    }
    if case .utf32 = encoding, !strictness.allowsUTF32 {
      throw PlistError(.encoding, detail: "the text is in UTF-32")
    }
    var strictness = strictness
    strictness.allowsContradictingEncoding = true
    return try valid(encoding.decode(bytes, strictness: strictness))
  }

  private static func valid(_ text: [UInt8]) throws(PlistError) -> [UInt8] {
    guard String(validating: text, as: UTF8.self) != nil else {
      throw PlistError(.encoding, detail: "neither UTF-8 nor UTF-16 with a byte-order mark")
    }
    return text
  }
}

/// Where a value starts in the text, and where those in it do.
struct OpenStepSource: Sendable {
  let offset: Int
  var children: [OpenStepSource] = []
}

/// OpenStep text that was read.
struct OpenStepLayout: PlistLayout {
  let bytes: [UInt8]
  /// The bytes as UTF-8.
  let text: [UInt8]
  let root: OpenStepSource

  /// The bytes, where nothing changed.
  /// - Throws: ``PlistError`` with code `unrepresentable` where something did.
  func serialized(_ edited: PlistValue, original: PlistValue) throws(PlistError) -> [UInt8] {
    var comparison = PlistComparison()
    guard comparison.areEqual(edited, original) else {
      throw PlistError(
        .unrepresentable,
        detail: "OpenStep text is only read, never written: convert it to XML to edit it")
    }
    return bytes
  }

  /// Where the values at some paths start, or the nearest containers of those.
  func places(of paths: [PlistKeyPath], in original: PlistValue) -> [PlistPlace?] {
    let ends = PathEnd.ends(of: paths, from: root, original) { source, _ in source.children }
    return text.withUnsafeBufferPointer { buffer in
      XMLBytes(buffer).places(
        of: ends.map { PathEnd(node: $0.node.offset, isExact: $0.isExact) })
    }
  }
}
