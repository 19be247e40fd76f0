/// OpenStep's text form of property lists, and the `.strings` files made of its dictionaries' inside.
///
/// The grammar is the one that CFOldStylePList.c of Core Foundation reads; Apple's Property List
/// Programming Guide describes it as "Old-Style ASCII Property Lists". All that it holds are strings,
/// data, arrays and dictionaries. It is read and never written.
enum OpenStepPlist {
  /// Reads OpenStep text in UTF-8, or in UTF-16 with a byte-order mark.
  ///
  /// A single word without quotes, which Core Foundation takes for a string, is refused: any text
  /// at all would pass that way. White space and comments alone are an empty `.strings` file.
  /// - Throws: ``PlistError`` with code `encoding`, `unknownFormat`, `malformed`, `truncated`,
  ///   `badValue`, `duplicateKey`, `trailingBytes` or `limit`, and a line.
  static func parse(
    _ bytes: [UInt8], limits: ParseLimits, strictness: ParseStrictness
  ) throws(PlistError) -> ParsedPlist {
    let text = try utf8(bytes)
    var parser = OpenStepParser(text, limits: limits, strictness: strictness)
    let (root, source) = try parser.parse()
    return ParsedPlist(
      root: root, layout: OpenStepLayout(bytes: bytes, text: text, root: source),
      diagnostics: parser.diagnostics)
  }

  /// The line and column of a place in UTF-8 text; CR, LF and CR LF end a line.
  static func location(of offset: Int, in text: [UInt8]) -> PlistLocation {
    var line = 1
    var start = 0
    for place in 0..<min(offset, text.count) {
      let isFeed = text[place] == UInt8(ascii: "\n")
      let isReturn = text[place] == UInt8(ascii: "\r")
      let next = place + 1 < text.count ? text[place + 1] : 0
      if isFeed || isReturn && next != UInt8(ascii: "\n") {
        line += 1
        start = place + 1
      }
    }
    return .line(line, column: offset - start + 1)
  }

  /// The text in UTF-8 without a byte-order mark.
  private static func utf8(_ bytes: [UInt8]) throws(PlistError) -> [UInt8] {
    if bytes.starts(with: [0xFF, 0xFE, 0, 0]) || bytes.starts(with: [0, 0, 0xFE, 0xFF]) {
      throw PlistError(.encoding, detail: "UTF-32 text, only UTF-8 and UTF-16 are read")
    }
    if bytes.starts(with: [0xFE, 0xFF]) { return try utf8(bytes, high: 0, low: 1) }
    if bytes.starts(with: [0xFF, 0xFE]) { return try utf8(bytes, high: 1, low: 0) }
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    guard String(validating: text, as: UTF8.self) != nil else {
      throw PlistError(
        .encoding, detail: "neither UTF-8 nor UTF-16 with a byte-order mark")
    }
    return text
  }

  private static func utf8(
    _ bytes: [UInt8], high: Int, low: Int
  ) throws(PlistError) -> [UInt8] {
    guard bytes.count.isMultiple(of: 2) else {
      throw PlistError(
        .encoding, detail: "UTF-16 text of \(bytes.count) bytes, which is no even number")
    }
    let units = stride(from: 2, to: bytes.count, by: 2).map {
      UInt16(bytes[$0 + high]) << 8 | UInt16(bytes[$0 + low])
    }
    guard let text = String(validating: units, as: UTF16.self) else {
      throw PlistError(.encoding, detail: "UTF-16 text with half of a surrogate pair")
    }
    return Array(text.utf8)
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

  /// The line at which the value at a path starts.
  func location(of path: PlistKeyPath, in original: PlistValue) -> PlistLocation? {
    var source = root
    var value = original
    for component in path.components {
      let place: Int? =
        switch value {
        case .dictionary(let dictionary): dictionary.index(of: component.text)
        case .array: Int(component.text)
        default: nil
        }
      guard let place, source.children.indices.contains(place),
        let next = value[PlistKeyPath([component])]
      else { return nil }
      source = source.children[place]
      value = next
    }
    return OpenStepPlist.location(of: source.offset, in: text)
  }
}
