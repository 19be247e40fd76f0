internal import CLibCrypto
internal import PlistKit

// Apple's form, as its CoreEntitlements writes and reads it:
//
//   [APPLICATION 16] { INTEGER 1, [CONTEXT 16] { SEQUENCE { UTF8String key, value } … } }
//
// with the values BOOLEAN, INTEGER, UTF8String, OCTET STRING (data), SEQUENCE (array) and [CONTEXT 16]
// (dictionary), pairs in the order of the keys' bytes. Xcode 12 wrote another one, which iOS 15 refuses:
// SET { SEQUENCE { UTF8String key, value } … }, dictionaries inside it too.

extension Entitlements {
  /// Which of Apple's two DER forms bytes have.
  public enum DERForm: String, Sendable {
    /// With a version number, as iOS 15 and later want it.
    case current
    /// A bare set of pairs, as Xcode 12 wrote it.
    case older
  }

  /// The form that bytes begin as, nil for neither.
  public static func derForm(of bytes: [UInt8]) -> DERForm? {
    switch bytes.first {
    case 0x70: .current
    case 0x31: .older
    default: nil
    }
  }

  /// Reads the DER form, the current or the older one.
  /// - Throws: ``SigningError`` with codes `wrongKind` where the first tag is another, `truncated`,
  ///   `malformed` (a wrong tag, a key twice, text that is no UTF-8, bytes behind the end), `unsupported`
  ///   (another version or type of value), `limit`.
  public init(der bytes: [UInt8], limits: SigningLimits = .standard) throws(SigningError) {
    guard bytes.count <= limits.profileBytes else {
      throw SigningError(
        .limit,
        detail: "\(bytes.count) bytes of entitlements, at most \(limits.profileBytes) are read")
    }
    var decoder = EntitlementsDecoder(bytes, limits: limits)
    self.init(try decoder.root())
  }

  /// Apple's current DER form, keys sorted: the same values always give the same bytes.
  /// - Throws: ``SigningError`` with codes `unsupported` for a value that it cannot hold (a real number,
  ///   a date, a reference), `limit`.
  public func der(limits: SigningLimits = .standard) throws(SigningError) -> [UInt8] {
    let pairs = try EntitlementsEncoder.encoded(.dictionary(values), depth: limits.depth, at: "")
    return EntitlementsEncoder.element(0x70, [0x02, 0x01, 0x01] + pairs)
  }
}

private struct EntitlementsDecoder {
  private let reader: DERReader
  private let limits: SigningLimits
  private var room: Int

  init(_ bytes: [UInt8], limits: SigningLimits) {
    reader = DERReader(bytes: bytes)
    self.limits = limits
    room = limits.values
  }

  mutating func root() throws(SigningError) -> PlistDictionary {
    let form = Entitlements.derForm(of: reader.bytes)
    guard let form else {
      throw SigningError(.wrongKind, offset: 0, detail: "no DER entitlements begin there")
    }
    let root = try reader.element(at: 0, end: reader.bytes.count)
    guard root.content.upperBound == reader.bytes.count else {
      throw Self.error(.malformed, root.content.upperBound, "bytes behind the entitlements' end")
    }
    if form == .older { return try dictionary(root, form, depth: 1) }
    let version = try reader.element(at: root.content.lowerBound, end: root.content.upperBound)
    guard version.isUniversal(V_ASN1_INTEGER) else {
      throw Self.error(.malformed, version.start, "the version's number is wanted there")
    }
    guard Array(reader.bytes[version.content]) == [1] else {
      throw Self.error(.unsupported, version.start, "entitlements of another version than 1")
    }
    let body = try reader.element(at: version.content.upperBound, end: root.content.upperBound)
    guard body.content.upperBound == root.content.upperBound else {
      throw Self.error(.malformed, body.content.upperBound, "bytes behind the dictionary's end")
    }
    return try dictionary(body, form, depth: 1)
  }

  private func isDictionary(_ element: DERReader.Element, _ form: Entitlements.DERForm) -> Bool {
    guard element.isConstructed else { return false }
    return switch form {
    case .current: element.tagClass == V_ASN1_CONTEXT_SPECIFIC && element.tag == 16
    case .older: element.isUniversal(V_ASN1_SET)
    }
  }

  private mutating func dictionary(
    _ element: DERReader.Element, _ form: Entitlements.DERForm, depth: Int
  ) throws(SigningError) -> PlistDictionary {
    guard isDictionary(element, form) else {
      throw Self.error(.malformed, element.start, "a dictionary is wanted there")
    }
    var pairs: [(String, PlistValue)] = []
    var keys: Set<[UInt8]> = []
    for pair in try elements(of: element, depth: depth) {
      guard pair.isUniversal(V_ASN1_SEQUENCE), pair.isConstructed else {
        throw Self.error(.malformed, pair.start, "a pair of key and value is wanted there")
      }
      let key = try reader.element(at: pair.content.lowerBound, end: pair.content.upperBound)
      guard key.isUniversal(V_ASN1_UTF8STRING), !key.isConstructed else {
        throw Self.error(.malformed, key.start, "a key is wanted there")
      }
      guard keys.insert(Array(reader.bytes[key.content])).inserted else {
        throw Self.error(.malformed, key.start, "a key that is there twice")
      }
      let value = try reader.element(at: key.content.upperBound, end: pair.content.upperBound)
      guard value.content.upperBound == pair.content.upperBound else {
        throw Self.error(.malformed, value.content.upperBound, "bytes behind a pair's value")
      }
      pairs.append((try text(key), try self.value(value, form, depth: depth)))
    }
    return PlistDictionary(pairs)
  }

  /// The elements of a container, taken off the count of values that may still come.
  private mutating func elements(
    of element: DERReader.Element, depth: Int
  ) throws(SigningError) -> [DERReader.Element] {
    guard depth <= limits.depth else {
      throw Self.error(
        .limit, element.start, "more than \(limits.depth) structures inside one another")
    }
    let found = try reader.elements(in: element.content, limit: room)
    room -= found.count
    return found
  }

  private mutating func value(
    _ element: DERReader.Element, _ form: Entitlements.DERForm, depth: Int
  ) throws(SigningError) -> PlistValue {
    if isDictionary(element, form) {
      return .dictionary(try dictionary(element, form, depth: depth + 1))
    }
    guard element.tagClass == V_ASN1_UNIVERSAL else {
      throw Self.error(.unsupported, element.start, "a value of an unknown type")
    }
    if element.tag == V_ASN1_SEQUENCE, element.isConstructed {
      var values: [PlistValue] = []
      for item in try elements(of: element, depth: depth + 1) {
        values.append(try value(item, form, depth: depth + 1))
      }
      return .array(values)
    }
    guard !element.isConstructed else {
      throw Self.error(.unsupported, element.start, "a value of an unknown type")
    }
    switch element.tag {
    case V_ASN1_BOOLEAN:
      guard element.content.count == 1 else {
        throw Self.error(.malformed, element.start, "a boolean of \(element.content.count) bytes")
      }
      return .boolean(reader.bytes[element.content.lowerBound] != 0)
    case V_ASN1_INTEGER: return .integer(try integer(element))
    case V_ASN1_UTF8STRING: return .string(try text(element))
    case V_ASN1_OCTET_STRING: return .data(Array(reader.bytes[element.content]))
    default: throw Self.error(.unsupported, element.start, "a value of ASN.1 type \(element.tag)")
    }
  }

  private func text(_ element: DERReader.Element) throws(SigningError) -> String {
    guard let text = String(validating: reader.bytes[element.content], as: UTF8.self) else {
      throw Self.error(.malformed, element.start, "text that is no UTF-8")
    }
    return text
  }

  private func integer(_ element: DERReader.Element) throws(SigningError) -> PlistInteger {
    let bytes = reader.bytes[element.content]
    let unsigned = bytes.count == 9 && bytes.first == 0
    guard let first = bytes.first, bytes.count <= 8 || unsigned else {
      throw Self.error(.malformed, element.start, "an integer of \(bytes.count) bytes")
    }
    if unsigned {
      return PlistInteger(bytes.dropFirst().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
    let start: Int64 = first & 0x80 == 0 ? 0 : -1
    return PlistInteger(bytes.reduce(start) { $0 << 8 | Int64($1) })
  }

  private static func error(
    _ code: SigningError.Code, _ place: Int, _ detail: String
  ) -> SigningError {
    SigningError(code, offset: UInt64(clamping: place), detail: detail)
  }
}

private enum EntitlementsEncoder {
  static func encoded(
    _ value: PlistValue, depth: Int, at key: String
  ) throws(SigningError) -> [UInt8] {
    guard depth > 0 else {
      throw SigningError(.limit, detail: "\(key): too many values inside one another")
    }
    switch value {
    case .boolean(let flag): return [0x01, 0x01, flag ? 0xFF : 0x00]
    case .integer(let number): return element(0x02, bytes(of: number))
    case .string(let text): return element(0x0C, Array(text.utf8))
    case .data(let bytes): return element(0x04, bytes)
    case .array(let values):
      var content: [UInt8] = []
      for value in values { content += try encoded(value, depth: depth - 1, at: key) }
      return element(0x30, content)
    case .dictionary(let dictionary):
      var content: [UInt8] = []
      let entries = dictionary.entries.sorted {
        $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
      }
      for entry in entries {
        let name = element(0x0C, Array(entry.key.utf8))
        let path = key.isEmpty ? entry.key : "\(key)/\(entry.key)"
        content += element(0x30, name + (try encoded(entry.value, depth: depth - 1, at: path)))
      }
      return element(0xB0, content)
    case .real, .date, .uid, .null, .set:
      throw SigningError(
        .unsupported,
        detail: "\(key): DER entitlements cannot hold \(value.typeName)")
    }
  }

  /// The two's complement in as few bytes as hold it.
  private static func bytes(of number: PlistInteger) -> [UInt8] {
    let isNegative = number.isNegative
    let bits = number.int64.map { UInt64(bitPattern: $0) } ?? number.uint64 ?? 0
    var bytes = (0..<8).reversed().map { UInt8(truncatingIfNeeded: bits >> (8 * UInt64($0))) }
    bytes.insert(isNegative ? 0xFF : 0, at: 0)
    while bytes.count > 1, bytes[0] == (isNegative ? 0xFF : 0),
      (bytes[1] & 0x80 != 0) == isNegative
    {
      bytes.removeFirst()
    }
    return bytes
  }

  /// An element of a tag's byte and its content.
  static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    guard content.count >= 0x80 else { return [tag, UInt8(content.count)] + content }
    let size = UInt64(content.count)
    let length = (0..<8).reversed().map { UInt8(truncatingIfNeeded: size >> (8 * UInt64($0))) }
      .drop { $0 == 0 }
    return [tag, 0x80 | UInt8(length.count)] + length + content
  }
}
