/// Writes values as XML elements, in lines or in one line.
struct XMLWriter: ~Copyable {
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

  private var sink = ByteSink()
  private let style: Style
  /// What starts a line: the line break and the indentation. Empty where all goes in one line.
  private var lineStart: [UInt8]
  private var level: Int
  private var blanks = 0
  /// Bytes of line breaks and indentations: deep in a document these are far more than the values.
  var mostBlanks = ParseLimits.standard.expandedBytes

  /// A writer in a style, of Apple's writer if none is given, of values at a level of containers.
  init(_ style: Style = Style(), level: Int = 0) {
    self.style = style
    self.level = level
    lineStart = style.lineBreak.map { $0 + style.indentation } ?? []
  }

  /// What was written, which the writer then holds no more.
  mutating func finish() -> [UInt8] { sink.finish() }

  /// Makes room for a value of that size.
  mutating func reserve(_ size: PlistSize) {
    // A value comes with its tags, often with those of a key, and with indentations.
    sink.reserve(size.bytes + 64 * size.values)
  }

  @inline(__always) mutating func append(_ text: StaticString) { sink.append(text) }

  mutating func append(_ bytes: [UInt8]) { sink.append(bytes) }

  @inline(__always) mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) { sink.append(bytes) }

  /// Ends the line, and indents the next.
  mutating func breakLine() {
    sink.append(lineStart)
    blanks &+= lineStart.count
  }

  /// Writes a value's element.
  mutating func write(_ value: PlistValue) throws(PlistError) {
    guard blanks <= mostBlanks else {
      throw PlistError(
        .limit, keyPath: .root, detail: "more than \(mostBlanks) bytes of indentation")
    }
    switch value {
    case .dictionary(let dictionary):
      guard try open("<dict", isEmpty: dictionary.isEmpty) else { return }
      for entry in dictionary.entries {
        do throws(PlistError) {
          breakLine()
          try writeKey(entry.key)
          breakLine()
          try write(entry.value)
        } catch { throw error.below(.key(entry.key)) }
      }
      close("</dict>")
    case .array(let items):
      guard try open("<array", isEmpty: items.isEmpty) else { return }
      for index in items.indices {
        breakLine()
        do throws(PlistError) { try write(items[index]) } catch {
          throw error.below(.index(index))
        }
      }
      close("</array>")
    case .uid(let number):
      try write(["CF$UID": .integer(PlistInteger(UInt64(number)))])
    case .boolean(let value): value ? append("<true/>") : append("<false/>")
    case .data:
      append("<data>")
      try writeContent(value)
      append("</data>")
    case .string(let text):
      append("<string>")
      try writeText(text)
      append("</string>")
    case .integer:
      append("<integer>")
      try writeContent(value)
      append("</integer>")
    case .real:
      append("<real>")
      try writeContent(value)
      append("</real>")
    case .date:
      append("<date>")
      try writeContent(value)
      append("</date>")
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
    case .integer(let number):
      if number.isNegative { sink.append(UInt8(ascii: "-")) }
      sink.append(decimal: number.int64?.magnitude ?? number.bits)
    case .real(let real): writeReal(real)
    case .data(let bytes): writeData(bytes)
    case .date(let date):
      guard let text = XMLScalars.text(of: date) else {
        throw PlistError(
          .unrepresentable, keyPath: .root, detail: "a date more than 2^31 years away")
      }
      append(Array(text.utf8))
    case .dictionary, .array, .boolean, .uid, .null, .set: break
    }
  }

  /// Writes text, of which `&`, `<` and `>` are escaped as Apple's writer does, and a carriage return
  /// too, which XML parsers would turn into a line feed.
  mutating func writeText(_ text: String) throws(PlistError) {
    var text = text
    let forbidden: UInt32? = text.withUTF8 { buffer in
      let bytes = XMLBytes(buffer)
      var taken = 0
      var index = bytes.endOfWritableText(from: 0)
      while index < bytes.count {
        let escape: StaticString?
        switch bytes[index] {
        case .ampersand: escape = "&amp;"
        case .less: escape = "&lt;"
        case .greater: escape = "&gt;"
        case .carriageReturn: escape = "&#13;"
        case 0xEF where bytes.isNoncharacter(at: index):
          return 0xFF00 | UInt32(bytes[index + 2] == 0xBF ? 0xFF : 0xFE)
        case 0xEF, .tab, .lineFeed: escape = nil
        case let control: return UInt32(control)
        }
        if let escape {
          append(bytes[taken..<index])
          append(escape)
          taken = index + 1
        }
        index = bytes.endOfWritableText(from: index + 1)
      }
      append(bytes[taken..<bytes.count])
      return nil
    }
    guard let forbidden else { return }
    let digits = String(forbidden, radix: 16, uppercase: true)
    throw PlistError(
      .unrepresentable, keyPath: .root,
      detail:
        "text with the character U+\(String(repeating: "0", count: 4 - digits.count))\(digits)")
  }

  /// Writes the start of a container's tag, and its end. Returns whether items follow.
  private mutating func open(_ start: StaticString, isEmpty: Bool) throws(PlistError) -> Bool {
    guard level < Self.depth else {
      throw PlistError(
        .limit, keyPath: .root, detail: "more than \(Self.depth) levels of containers")
    }
    append(start)
    guard !isEmpty else {
      append("/>")
      return false
    }
    append(">")
    level += 1
    if style.lineBreak != nil { lineStart += style.unit }
    return true
  }

  private mutating func close(_ tag: StaticString) {
    if style.lineBreak != nil { lineStart.removeLast(style.unit.count) }
    level -= 1
    breakLine()
    append(tag)
  }

  /// Writes a real, a whole one of less than 16 digits without the way through text.
  private mutating func writeReal(_ real: PlistReal) {
    if let whole = Int64(exactly: real.value), whole != 0, whole.magnitude < 1_000_000_000_000_000 {
      if whole < 0 { sink.append(UInt8(ascii: "-")) }
      sink.append(decimal: whole.magnitude)
    } else {
      append(XMLScalars.bytes(of: real))
    }
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
    let margin = lineStart.dropFirst(lineBreak.count).prefix { byte in
      columns += byte == .tab ? 8 : 1
      return columns <= 64
    }
    let width = (76 - min(columns, 64)) & ~3
    let start = lineBreak + margin
    text.withUnsafeBufferPointer { text in
      for index in stride(from: 0, to: text.count, by: width) {
        append(start)
        append(UnsafeBufferPointer(rebasing: text[index..<min(index + width, text.count)]))
      }
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
