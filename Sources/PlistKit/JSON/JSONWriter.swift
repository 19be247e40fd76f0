/// Writes property-list values as JSON.
struct JSONWriter {
  private(set) var output: [UInt8] = []
  private let options: JSONOptions
  private var level = 0
  /// Levels beyond which lines are indented no more: a hostile file of a few megabytes could come to
  /// gigabytes of blanks.
  private static let deepestIndentation = 64

  init(_ options: JSONOptions) { self.options = options }

  mutating func write(_ value: PlistValue) throws(PlistError) {
    switch value {
    case .dictionary(let dictionary):
      try writeContainer(dictionary.entries, "{", "}") { (writer, _, entry) throws(PlistError) in
        writer.writeText(entry.key)
        writer.append(writer.options.isCompact ? ":" : " : ")
        do throws(PlistError) { try writer.write(entry.value) } catch {
          throw error.under(.key(entry.key))
        }
      }
    case .array(let items):
      try writeContainer(items, "[", "]") { (writer, index, item) throws(PlistError) in
        do throws(PlistError) { try writer.write(item) } catch { throw error.under(.index(index)) }
      }
    case .string(let text): writeText(text)
    case .integer(let number): append(number.description)
    case .boolean(let flag): append(flag ? "true" : "false")
    case .null: append("null")
    case .real(let real): try writeReal(real.value)
    case .date(let date): try writeDate(date)
    case .data(let bytes):
      guard options.writesDatesAndDataAsText else { throw unrepresentable(value.typeName) }
      writeText(PlistValue.base64(bytes))
    case .uid, .set: throw unrepresentable(value.typeName)
    }
  }

  private mutating func append(_ text: String) { output.append(contentsOf: text.utf8) }

  private mutating func breakLine() {
    guard !options.isCompact else { return }
    output.append(.lineFeed)
    output.append(contentsOf: repeatElement(0x20, count: 2 * min(level, Self.deepestIndentation)))
  }

  private mutating func writeContainer<Item>(
    _ items: [Item], _ start: Character, _ end: Character,
    _ write: (inout JSONWriter, Int, Item) throws(PlistError) -> Void
  ) throws(PlistError) {
    append(String(start))
    level += 1
    for (index, item) in items.enumerated() {
      if index > 0 { append(",") }
      breakLine()
      try write(&self, index, item)
    }
    level -= 1
    if !items.isEmpty { breakLine() }
    append(String(end))
  }

  /// The shortest digits that read back as the same number, always with a point or an exponent, so
  /// that it reads back as a real.
  private mutating func writeReal(_ number: Double) throws(PlistError) {
    guard number.isFinite else { throw unrepresentable("the real \(number)") }
    append(number.description)
  }

  private mutating func writeDate(_ date: PlistDate) throws(PlistError) {
    guard options.writesDatesAndDataAsText else { throw unrepresentable("a date") }
    guard let text = date.exactISO8601 else {
      throw unrepresentable("a date more than 2^31 years away")
    }
    writeText(text)
  }

  /// Text with the escapes that JSON asks for, and no others.
  private mutating func writeText(_ text: String) {
    var text = text
    output.append(UInt8(ascii: "\""))
    text.withUTF8 { bytes in
      var taken = 0
      for (index, byte) in bytes.enumerated() {
        guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
          continue
        }
        output.append(contentsOf: bytes[taken..<index])
        output.append(contentsOf: Self.escape(of: byte).utf8)
        taken = index + 1
      }
      output.append(contentsOf: bytes[taken...])
    }
    output.append(UInt8(ascii: "\""))
  }

  private static func escape(of byte: UInt8) -> String {
    switch byte {
    case UInt8(ascii: "\""): return "\\\""
    case UInt8(ascii: "\\"): return "\\\\"
    case 0x08: return "\\b"
    case 0x0C: return "\\f"
    case 0x0A: return "\\n"
    case 0x0D: return "\\r"
    case 0x09: return "\\t"
    default:
      let digits = String(byte, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
  }

  private func unrepresentable(_ what: String) -> PlistError {
    PlistError(.unrepresentable, keyPath: .root, detail: "\(what) has no form in JSON")
  }
}

extension PlistError {
  /// The error as seen from a value one step higher.
  fileprivate func under(_ component: PlistKeyPath.Component) -> PlistError {
    var error = self
    error.keyPath = PlistKeyPath([component] + (keyPath?.components ?? []))
    return error
  }
}
