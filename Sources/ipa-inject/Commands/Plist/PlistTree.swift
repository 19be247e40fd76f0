internal import ATSMerge
internal import PlistKit

/// A value as a person reads it: a line for each value with its type, in its order.
struct PlistTree: Sendable {
  let style: Style
  let showsSecrets: Bool
  private var lines: [String] = []

  /// Characters of a text, and bytes of data, that are printed.
  private static let shownText = 1000
  private static let shownData = 48
  /// Columns that a key gets at most, so that one long key does not push all others away.
  private static let widestKey = 40
  private static let widestIndentation = 128

  init(style: Style, showsSecrets: Bool) {
    self.style = style
    self.showsSecrets = showsSecrets
  }

  /// The lines of a value.
  static func text(of value: PlistValue, _ style: Style, showsSecrets: Bool) -> String {
    var tree = PlistTree(style: style, showsSecrets: showsSecrets)
    guard value.isContainerWithItems else { return tree.summary(of: value) + "\n" }
    tree.add(value, indent: 0)
    return tree.lines.map { $0 + "\n" }.joined()
  }

  private mutating func add(_ value: PlistValue, indent: Int) {
    switch value {
    case .dictionary(let dictionary):
      add(dictionary.entries.map { (key($0.key), $0.value) }, indent: indent)
    case .array(let items), .set(let items):
      add(items.enumerated().map { (String($0), $1) }, indent: indent)
    default: break
    }
  }

  private mutating func add(_ rows: [(name: String, value: PlistValue)], indent: Int) {
    let widths = rows.map(\.name.count).filter { $0 <= Self.widestKey }
    let width = widths.max() ?? 0
    for (name, value) in rows {
      let margin = String(repeating: " ", count: min(indent, Self.widestIndentation))
      let gap = String(repeating: " ", count: max(0, width - name.count) + 2)
      lines.append(margin + style.bold(name) + gap + summary(of: value))
      add(value, indent: indent + 2)
    }
  }

  /// The type with the value of a leaf, or with the number of items.
  private func summary(of value: PlistValue) -> String {
    let type = { (name: String) in style.dim(name) }
    switch value {
    case .dictionary(let dictionary):
      return type("dictionary, \(dictionary.count) \(dictionary.count == 1 ? "key" : "keys")")
    case .array(let items):
      return type("array, \(items.count) \(items.count == 1 ? "item" : "items")")
    case .set(let items): return type("set, \(items.count) \(items.count == 1 ? "item" : "items")")
    case .string(let text): return type("string") + "  " + quoted(text)
    case .integer(let number): return type("integer") + "  \(number)"
    case .real(let real):
      return type(real.isSinglePrecision ? "real (32 bits)" : "real") + "  \(real.value)"
    case .boolean(let flag): return type("boolean") + "  \(flag)"
    case .date(let date):
      return type("date") + "  "
        + (date.exactISO8601 ?? "\(date.secondsSince2001) seconds since 2001-01-01")
    case .data(let bytes):
      let start = PlistValue.base64(Array(bytes.prefix(Self.shownData)))
      return type("data, \(bytes.count) \(bytes.count == 1 ? "byte" : "bytes")")
        + (bytes.isEmpty ? "" : "  \(start)\(bytes.count > Self.shownData ? "…" : "")")
    case .uid(let number): return type("UID") + "  \(number)"
    case .null: return type("null")
    }
  }

  /// A text in quotation marks. IDs are hidden before the end is cut off: of half an ID nobody would
  /// know that it is one.
  private func quoted(_ text: String) -> String {
    let text = showsSecrets ? text : Redaction.hidingIDs(in: text)
    let shown = JSONValue.string(String(text.unicodeScalars.prefix(Self.shownText))).compact
    let rest = text.unicodeScalars.dropFirst(Self.shownText).count
    return shown.printable + (rest > 0 ? "… and \(rest) more characters" : "")
  }

  /// A key as it is, in quotation marks where it would not be seen as what it is.
  private func key(_ text: String) -> String {
    let text = showsSecrets ? text : Redaction.hidingIDs(in: text)
    let isPlain =
      !text.isEmpty && text.first != " " && text.last != " " && text.first != "\""
      && !text.contains("  ") && text.printable == text
    return isPlain ? text : JSONValue.string(text).compact.printable
  }
}

extension PlistValue {
  fileprivate var isContainerWithItems: Bool {
    switch self {
    case .dictionary(let dictionary): !dictionary.isEmpty
    case .array(let items), .set(let items): !items.isEmpty
    default: false
    }
  }
}
