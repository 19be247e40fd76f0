internal import ATSMerge
internal import PlistKit

/// A JSON document, as reports put it together.
enum JSONValue: Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case number(Double)
  case string(String)
  case array([JSONValue])
  /// The members in any order; of a repeated name the last value counts. Names are compared by their
  /// bytes, so that two Unicode forms of one text stay two names.
  case object([(name: String, value: JSONValue)])

  static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
  static func strings(_ texts: some Sequence<String>) -> JSONValue {
    .array(texts.map(JSONValue.string))
  }

  /// The document with installation IDs hidden in all its strings and names.
  var hidingIDs: JSONValue {
    switch self {
    case .string(let text): .string(Redaction.hidingIDs(in: text))
    case .array(let items): .array(items.map(\.hidingIDs))
    case .object(let members):
      .object(members.map { (Redaction.hidingIDs(in: $0.name), $0.value.hidingIDs) })
    default: self
    }
  }

  /// The document as text: names sorted, so that the same report is the same bytes.
  func encoded() -> String { text(JSONOptions()) + "\n" }

  /// The value in one line.
  var compact: String { text(JSONOptions(isCompact: true)) }

  /// Reports are of a size already: values of property lists were measured when they came in.
  private static let limits: ParseLimits = {
    var limits = ParseLimits.standard
    limits.depth = 2 * limits.depth
    limits.expandedObjects = .max
    limits.expandedBytes = .max
    return limits
  }()

  private func text(_ options: JSONOptions) -> String {
    // Every case has a form, and numbers that are not finite became text; there is nothing to fail.
    guard let bytes = try? plist.json(options, limits: Self.limits) else { return "{}" }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The document as the value that PlistKit writes.
  private var plist: PlistValue {
    switch self {
    case .null: return .null
    case .bool(let flag): return .boolean(flag)
    case .integer(let number): return .integer(PlistInteger(number))
    case .unsigned(let number): return .integer(PlistInteger(number))
    case .number(let number): return .real(PlistReal(number))
    case .string(let text): return .string(text)
    case .array(let items): return .array(items.map(\.plist))
    case .object(let members):
      let sorted = members.enumerated().sorted { a, b in
        let (first, second) = (a.element.name.utf8, b.element.name.utf8)
        return first.lexicographicallyPrecedes(second)
          || (a.offset < b.offset && !second.lexicographicallyPrecedes(first))
      }
      return .dictionary(PlistDictionary(sorted.map { ($0.element.name, $0.element.value.plist) }))
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  init(stringLiteral value: String) { self = .string(value) }
  init(booleanLiteral value: Bool) { self = .bool(value) }
  init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { ($0.0, $0.1) })
  }
}

extension JSONValue {
  /// A property-list value for people and programs to read. JSON has no dates and no data: those
  /// become text (ISO 8601, and base 64 behind `base64:`), as do a UID and numbers that are not
  /// finite.
  ///
  /// A value that comes to more than anyone reads, as shared containers can make it, is not shown.
  init(_ value: PlistValue) {
    self =
      PlistSize.fits(value, values: 1 << 20, bytes: 64 << 20)
      ? JSONValue(fitting: value) : .string("a value too large to show")
  }

  private init(fitting value: PlistValue) {
    switch value {
    case .dictionary(let dictionary):
      self = .object(dictionary.entries.map { ($0.key, JSONValue(fitting: $0.value)) })
    case .array(let items), .set(let items):
      self = .array(items.map { JSONValue(fitting: $0) })
    case .string(let text): self = .string(text)
    case .integer(let number):
      self = number.int64.map(JSONValue.integer) ?? .unsigned(number.uint64 ?? 0)
    case .real(let real):
      self = real.value.isFinite ? .number(real.value) : .string("\(real.value)")
    case .boolean(let flag): self = .bool(flag)
    case .date(let date):
      self = .string(date.exactISO8601 ?? "\(date.secondsSince2001) s since 2001")
    case .data(let bytes): self = .string("base64:" + PlistValue.base64(bytes))
    case .uid(let uid): self = .string("UID \(uid)")
    case .null: self = .null
    }
  }
}
