internal import PlistKit

/// The values of a profile, read with an eye on their types.
struct ProfileFields {
  private let values: PlistDictionary
  let entitlements: PlistDictionary
  private(set) var problems: [String] = []

  /// - Throws: ``SigningError`` with codes `wrongKind` for another property list, `malformed` where
  ///   `Entitlements` is no dictionary, `limit`.
  init(_ bytes: [UInt8], limits: SigningLimits) throws(SigningError) {
    let values: PlistDictionary
    do throws(SigningError) {
      values = try PlistDictionary(parsing: bytes, of: "profile's values", limits: limits)
    } catch {
      // Text that is nothing at all may look like a damaged list of another form.
      let start = bytes.drop { [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
      let isList = start.first == 0x3C || start.starts(with: Array("bplist".utf8))
      guard isList || error.code == .limit else {
        throw SigningError(
          .wrongKind, detail: "neither a signed message nor a property list: it is no profile")
      }
      throw error
    }
    switch values["Entitlements"] {
    case .dictionary(let entitlements): self.entitlements = entitlements
    case let other?:
      throw SigningError(
        .malformed, detail: "Entitlements is \(other.typeName) and must be a dictionary")
    case nil:
      throw SigningError(
        .wrongKind, detail: "a property list without Entitlements: it is no profile")
    }
    self.values = values
  }

  mutating func string(_ key: String) -> String? {
    field(key, "a string") { $0.string }
  }

  mutating func boolean(_ key: String) -> Bool? {
    field(key, "a boolean") { $0.boolean }
  }

  mutating func date(_ key: String) -> PlistDate? {
    field(key, "a date") { if case .date(let date) = $0 { date } else { nil } }
  }

  /// The strings of an array, or of one that stands by itself.
  mutating func strings(_ key: String) -> [String]? {
    if let single = values[key]?.string { return [single] }
    guard let array = field(key, "an array of strings", { $0.array }) else { return nil }
    let strings = array.compactMap(\.string)
    if strings.count < array.count {
      problems.append(
        "\(key): of \(array.count) values \(array.count - strings.count) cannot be read as strings")
    }
    return strings
  }

  mutating func certificates(_ key: String, limit: Int) -> [Certificate] {
    guard let array = field(key, "an array of data", { $0.array }) else { return [] }
    if array.count > limit {
      problems.append("\(key) holds \(array.count) values, the first \(limit) are read")
    }
    var found: [Certificate] = []
    var unread = 0
    for value in array.prefix(limit) {
      if case .data(let bytes) = value, let certificate = try? Certificate(der: bytes) {
        found.append(certificate)
      } else {
        unread += 1
      }
    }
    if unread > 0 {
      problems.append("\(key): of \(array.count) values \(unread) cannot be read as certificates")
    }
    return found
  }

  private mutating func field<Value>(
    _ key: String, _ wanted: String, _ read: (PlistValue) -> Value?
  ) -> Value? {
    guard let value = values[key] else { return nil }
    if let read = read(value) { return read }
    problems.append("\(key) is \(value.typeName) and must be \(wanted)")
    return nil
  }
}
