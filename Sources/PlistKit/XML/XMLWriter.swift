/// Writes values as XML elements, in lines or in one line.
struct XMLWriter {
  /// How new text is laid out.
  struct Style: Equatable {
    /// What ends a line, nil to write all in one line.
    var lineBreak: [UInt8]? = [.lineFeed]
    /// What a level of containers adds to the indentation.
    var unit: [UInt8] = [.tab]
    /// The indentation of the element that is written.
    var indentation: [UInt8] = []
  }

  /// Core Foundation reads no deeper.
  private static let depth = 512

  private(set) var output: [UInt8] = []
  private let style: Style
  private var indentation: [UInt8]
  private var level: Int

  /// A writer in a style, of Apple's writer if none is given, of values at a level of containers.
  init(_ style: Style = Style(), level: Int = 0) {
    self.style = style
    self.level = level
    indentation = style.indentation
  }

  mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { output.append(contentsOf: $0) }
  }

  mutating func append(_ bytes: some Sequence<UInt8>) { output.append(contentsOf: bytes) }

  /// Ends the line, and indents the next.
  mutating func breakLine() {
    guard let lineBreak = style.lineBreak else { return }
    output.append(contentsOf: lineBreak)
    output.append(contentsOf: indentation)
  }

  /// Writes a value's element.
  mutating func write(_ value: PlistValue) throws(PlistError) {
    switch value {
    case .dictionary(let dictionary):
      try writeContainer("dict", dictionary.entries) { (writer, entry) throws(PlistError) in
        do throws(PlistError) {
          try writer.writeKey(entry.key)
          writer.breakLine()
          try writer.write(entry.value)
        } catch { throw error.below(.key(entry.key)) }
      }
    case .array(let items):
      var index = 0
      try writeContainer("array", items) { (writer, item) throws(PlistError) in
        do throws(PlistError) { try writer.write(item) } catch { throw error.below(.index(index)) }
        index += 1
      }
    case .uid(let number):
      try write(["CF$UID": .integer(PlistInteger(UInt64(number)))])
    case .boolean(let value): append(value ? "<true/>" : "<false/>")
    case .data: try writeLeaf(value, "data")
    case .string: try writeLeaf(value, "string")
    case .integer: try writeLeaf(value, "integer")
    case .real: try writeLeaf(value, "real")
    case .date: try writeLeaf(value, "date")
    case .null, .set:
      throw PlistError(
        .unrepresentable, keyPath: .root, detail: "\(value.typeName) has no form in XML")
    }
  }

  /// Writes a key's element.
  mutating func writeKey(_ key: String) throws(PlistError) {
    append("<key>")
    try writeText(key)
    append("</key>")
  }

  /// Writes what stands between the tags of a value that is no container.
  mutating func writeContent(_ value: PlistValue) throws(PlistError) {
    switch value {
    case .string(let text): try writeText(text)
    case .integer(let number): append(number.description.utf8)
    case .real(let real): append(XMLScalars.text(of: real).utf8)
    case .data(let bytes): writeData(bytes)
    case .date(let date):
      guard let text = XMLScalars.text(of: date) else {
        throw PlistError(
          .unrepresentable, keyPath: .root, detail: "a date more than 2^31 years away")
      }
      append(text.utf8)
    case .dictionary, .array, .boolean, .uid, .null, .set: break
    }
  }

  /// Writes text, of which `&`, `<` and `>` are escaped as Apple's writer does, and a carriage return
  /// too, which XML parsers would turn into a line feed.
  mutating func writeText(_ text: String) throws(PlistError) {
    var text = text
    let forbidden: UInt32? = text.withUTF8 { bytes in
      var taken = 0
      for index in bytes.indices {
        let escape: StaticString
        switch bytes[index] {
        case .ampersand: escape = "&amp;"
        case .less: escape = "&lt;"
        case .greater: escape = "&gt;"
        case .carriageReturn: escape = "&#13;"
        case .tab, .lineFeed: continue
        case let control where control < 0x20: return UInt32(control)
        case 0xBF, 0xBE:
          // U+FFFE and U+FFFF are no characters of XML.
          guard index >= 2, bytes[index - 1] == 0xBF, bytes[index - 2] == 0xEF else { continue }
          return 0xFF00 | UInt32(bytes[index] == 0xBF ? 0xFF : 0xFE)
        default: continue
        }
        output.append(contentsOf: bytes[taken..<index])
        append(escape)
        taken = index + 1
      }
      output.append(contentsOf: bytes[taken...])
      return nil
    }
    guard let forbidden else { return }
    let digits = String(forbidden, radix: 16, uppercase: true)
    throw PlistError(
      .unrepresentable, keyPath: .root,
      detail:
        "text with the character U+\(String(repeating: "0", count: 4 - digits.count))\(digits)")
  }

  private mutating func writeLeaf(_ value: PlistValue, _ name: StaticString) throws(PlistError) {
    append("<")
    append(name)
    append(">")
    try writeContent(value)
    append("</")
    append(name)
    append(">")
  }

  private mutating func writeContainer<Item>(
    _ name: StaticString, _ items: [Item],
    _ write: (inout XMLWriter, Item) throws(PlistError) -> Void
  ) throws(PlistError) {
    guard level < Self.depth else {
      throw PlistError(
        .limit, keyPath: .root, detail: "more than \(Self.depth) levels of containers")
    }
    append("<")
    append(name)
    guard !items.isEmpty else {
      append("/>")
      return
    }
    append(">")
    level += 1
    indentation.append(contentsOf: style.unit)
    for item in items {
      breakLine()
      try write(&self, item)
    }
    indentation.removeLast(style.unit.count)
    level -= 1
    breakLine()
    append("</")
    append(name)
    append(">")
  }

  /// Writes base 64 in Apple's lines: 76 columns less the indentation, of which a tab counts 8 and no
  /// more than 64 are used.
  private mutating func writeData(_ bytes: [UInt8]) {
    let text = Base64.encode(bytes)
    guard let lineBreak = style.lineBreak else {
      append(text)
      return
    }
    var columns = 0
    let margin = indentation.prefix { byte in
      columns += byte == .tab ? 8 : 1
      return columns <= 64
    }
    let width = (76 - min(columns, 64)) & ~3
    var index = 0
    while index < text.count {
      append(lineBreak)
      append(margin)
      append(text[index..<min(index + width, text.count)])
      index += width
    }
    breakLine()
  }
}

extension PlistError {
  /// The error as seen from a value one step higher.
  func below(_ component: PlistKeyPath.Component) -> PlistError {
    var error = self
    error.keyPath = PlistKeyPath([component] + (keyPath?.components ?? []))
    return error
  }
}
