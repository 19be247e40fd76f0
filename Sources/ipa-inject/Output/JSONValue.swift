internal import ATSMerge
internal import PlistKit

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A JSON document, as reports put it together.
enum JSONValue: Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

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
      .object(
        Dictionary(
          members.map { (Redaction.hidingIDs(in: $0.key), $0.value.hidingIDs) },
          uniquingKeysWith: { first, _ in first }))
    default: self
    }
  }

  /// The document as text: keys sorted, so that the same report is the same bytes.
  func encoded() -> String { text([.prettyPrinted]) + "\n" }

  /// The value in one line.
  var compact: String { text([]) }

  private func text(_ formatting: JSONEncoder.OutputFormatting) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting.union([.sortedKeys, .withoutEscapingSlashes])
    // Every case encodes, and numbers that are not finite became text; there is nothing to fail.
    guard let data = try? encoder.encode(self) else { return "{}" }
    return String(decoding: data, as: UTF8.self)
  }
}

extension JSONValue: Encodable {
  func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let members):
      var container = encoder.container(keyedBy: MemberName.self)
      for (name, value) in members {
        try container.encode(value, forKey: MemberName(stringValue: name))
      }
    case .array(let items):
      var container = encoder.unkeyedContainer()
      for item in items { try container.encode(item) }
    default:
      var container = encoder.singleValueContainer()
      switch self {
      case .bool(let value): try container.encode(value)
      case .integer(let value): try container.encode(value)
      case .unsigned(let value): try container.encode(value)
      case .number(let value): try container.encode(value)
      case .string(let value): try container.encode(value)
      default: try container.encodeNil()
      }
    }
  }

  private struct MemberName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  init(stringLiteral value: String) { self = .string(value) }
  init(booleanLiteral value: Bool) { self = .bool(value) }
  init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements) { $1 })
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
      self = .object(
        Dictionary(dictionary.entries.map { ($0.key, JSONValue(fitting: $0.value)) }) { $1 })
    case .array(let items), .set(let items):
      self = .array(items.map { JSONValue(fitting: $0) })
    case .string(let text): self = .string(text)
    case .integer(let number):
      self = number.int64.map(JSONValue.integer) ?? .unsigned(number.uint64 ?? 0)
    case .real(let real):
      self = real.value.isFinite ? .number(real.value) : .string("\(real.value)")
    case .boolean(let flag): self = .bool(flag)
    case .date(let date):
      self = .string(date.iso8601 ?? "\(date.secondsSince2001) s since 2001")
    case .data(let bytes): self = .string("base64:" + PlistValue.base64(bytes))
    case .uid(let uid): self = .string("UID \(uid)")
    case .null: self = .null
    }
  }
}
