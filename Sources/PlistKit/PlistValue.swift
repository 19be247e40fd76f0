/// A property-list value.
///
/// The model keeps what a format can say: the order of keys, signed against unsigned integers,
/// `float` against `double`, dates to the stored precision. Containers are copy-on-write values, so
/// an object that a binary property list shares between many parents is stored once here too.
///
/// Equality is exact: strings compare by their UTF-8 bytes (Swift's own comparison takes a composed
/// and a decomposed accent as the same, a property list does not), reals and dates by their bits,
/// dictionaries with their order.
public enum PlistValue: Sendable {
  case dictionary(PlistDictionary)
  case array([PlistValue])
  case string(String)
  case integer(PlistInteger)
  case real(PlistReal)
  case date(PlistDate)
  case data([UInt8])
  case boolean(Bool)
  /// A keyed archive's reference; in XML a dictionary with the one key `CF$UID`.
  case uid(UInt32)
  /// The null object of binary property lists; XML has none.
  case null
  /// The set object of binary property lists; XML has none.
  case set([PlistValue])
}

extension PlistValue: Equatable {
  public static func == (a: PlistValue, b: PlistValue) -> Bool {
    switch (a, b) {
    case (.dictionary(let a), .dictionary(let b)): a == b
    case (.array(let a), .array(let b)), (.set(let a), .set(let b)): a == b
    case (.string(let a), .string(let b)): a.isIdenticalText(to: b)
    case (.integer(let a), .integer(let b)): a == b
    case (.real(let a), .real(let b)): a == b
    case (.date(let a), .date(let b)): a == b
    case (.data(let a), .data(let b)): a == b
    case (.boolean(let a), .boolean(let b)): a == b
    case (.uid(let a), .uid(let b)): a == b
    case (.null, .null): true
    default: false
    }
  }
}

extension String {
  /// Whether both hold the same Unicode scalars: no canonical equivalence, unlike `==`.
  func isIdenticalText(to other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    return withUTF8Bytes { a in other.withUTF8Bytes { b in a.isIdentical(to: b) } }
  }

  /// Lends the text's bytes; a string that keeps none in UTF-8 is copied first.
  @inline(__always)
  func withUTF8Bytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    if let result = utf8.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) {
      return result
    }
    var copy = self
    return copy.withUTF8 { body(UnsafeRawBufferPointer($0)) }
  }
}

extension PlistValue {
  /// The dictionary, where this is one.
  public var dictionary: PlistDictionary? {
    if case .dictionary(let value) = self { value } else { nil }
  }

  /// The items, where this is an array.
  public var array: [PlistValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The text, where this is a string.
  public var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The truth value, where this is a boolean: the integer 1 and the string "YES" are none.
  public var boolean: Bool? {
    if case .boolean(let value) = self { value } else { nil }
  }

  /// What the type is called in messages, with its article: "a dictionary", "an integer".
  public var typeName: String {
    switch self {
    case .dictionary: "a dictionary"
    case .array: "an array"
    case .string: "a string"
    case .integer: "an integer"
    case .real: "a real"
    case .date: "a date"
    case .data: "data"
    case .boolean: "a boolean"
    case .uid: "a UID"
    case .null: "null"
    case .set: "a set"
    }
  }
}

extension PlistValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  public init(integerLiteral value: Int64) { self = .integer(PlistInteger(value)) }
  public init(arrayLiteral elements: PlistValue...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, PlistValue)...) {
    self = .dictionary(PlistDictionary(elements))
  }
}
