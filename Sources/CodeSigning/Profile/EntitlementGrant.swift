public import PlistKit

/// What a profile allows an app to claim.
///
/// A device compares each entitlement of a signature with the profile's (Apple's TN3125) and refuses the
/// app with 0xE8008016 where one is not allowed. The rules here are those of that note; where it leaves one
/// open, the stricter reading counts:
///
/// - A key must be in the profile. `get-task-allow` set to false asks for nothing and is always allowed, and
///   on macOS so is `com.apple.security.…`, which needs no profile.
/// - A boolean true must be true in the profile; false is allowed beside either.
/// - A string must be the profile's, or match its wildcard by whole labels (``ProvisioningProfile`` tells
///   which), or be one of the array that the profile has. `*` alone in the profile allows every string.
/// - Each string of an array must be allowed by the profile's string or by one of its array; what else stands in
///   an array must equal a value of the profile's.
/// - Each key of a dictionary must be allowed by the profile's dictionary. Other values must be equal.
/// - The application identifier must be an app's own: a wildcard in it is refused.
public struct EntitlementGrant: Sendable {
  /// The profile that allows.
  public let profile: ProvisioningProfile
  private let values: [[UInt8]: PlistValue]

  /// What a profile allows.
  public init(_ profile: ProvisioningProfile) {
    self.profile = profile
    values = Self.byKey(profile.entitlements.values)
  }

  /// An entitlement that is not as it was wanted.
  public struct Refusal: Sendable, Equatable {
    /// The entitlement's key.
    public let key: String
    /// The value that was wanted.
    public let wanted: PlistValue
    /// The profile's value, nil where it has none.
    public let granted: PlistValue?
    /// Why, as a sentence without a full stop that names the key and both values, shortened.
    public let reason: String
  }

  /// Why the profile does not allow a value under a key; nil where it does.
  public func refusal(of key: String, _ wanted: PlistValue) -> Refusal? {
    let granted = values[Array(key.utf8)]
    let reason = reason(key, wanted, granted)
    return reason.map { Refusal(key: key, wanted: wanted, granted: granted, reason: $0) }
  }

  /// Why the profile does not allow entitlements as they stand, by key in their own order; empty where it
  /// allows them all.
  public func refusals(of entitlements: Entitlements) -> [Refusal] {
    entitlements.values.entries.compactMap { refusal(of: $0.key, $0.value) }
  }

  private func reason(_ key: String, _ wanted: PlistValue, _ granted: PlistValue?) -> String? {
    if needsNoProfile(key, wanted) { return nil }
    guard let granted else {
      return "\(key) is \(wanted.brief) and the profile does not have it"
    }
    if Entitlements.applicationIdentifierKeys.contains(key), let text = wanted.string,
      EntitlementPattern(text).isWildcard
    {
      return "\(key) is \(wanted.brief), a wildcard, and must be the app's own"
    }
    if allows(wanted, by: granted) { return nil }
    if case .array(let values) = wanted, granted.isText {
      let left = Set(allowed(values, by: granted).compactMap(\.string).map { Array($0.utf8) })
      let foreign = values.filter { value in
        value.string.map { !left.contains(Array($0.utf8)) } ?? true
      }
      if !left.isEmpty {
        return "\(key) holds \(PlistValue.array(foreign).brief), the profile allows"
          + " \(granted.brief)"
      }
    }
    if wanted.typeName != granted.typeName, !(wanted.isText && granted.isText) {
      return "\(key) is \(wanted.brief), \(wanted.typeName), and in the profile it is"
        + " \(granted.brief), \(granted.typeName)"
    }
    return "\(key) is \(wanted.brief), the profile allows \(granted.brief)"
  }

  private func needsNoProfile(_ key: String, _ wanted: PlistValue) -> Bool {
    if Entitlements.debuggingKeys.contains(key), wanted.boolean == false { return true }
    return profile.isForMac && key.hasPrefix("com.apple.security.")
      && !Entitlements.debuggingKeys.contains(key)
  }

  /// Whether a value is within another of the profile.
  private func allows(_ wanted: PlistValue, by granted: PlistValue) -> Bool {
    switch (wanted, granted) {
    case (.boolean(let wanted), .boolean(let granted)): return granted || !wanted
    case (.string, .string), (.string, .array): return !allowed([wanted], by: granted).isEmpty
    case (.array(let values), .string), (.array(let values), .array):
      return allowed(values, by: granted).count == values.count
    case (.dictionary(let wanted), .dictionary(let granted)):
      let values = Self.byKey(granted)
      return wanted.entries.allSatisfy { entry in
        values[Array(entry.key.utf8)].map { allows(entry.value, by: $0) } ?? false
      }
    default: return wanted == granted
    }
  }

  /// Those of some values that a string or an array of the profile allows, in their order.
  func allowed(_ values: [PlistValue], by granted: PlistValue) -> [PlistValue] {
    switch granted {
    case .array(let array):
      let patterns = EntitlementPatterns(array)
      return values.filter { patterns.allow($0) }
    case .string:
      let patterns = EntitlementPatterns([granted])
      return values.filter { $0.string != nil && patterns.allow($0) }
    default: return []
    }
  }

  private static func byKey(_ values: PlistDictionary) -> [[UInt8]: PlistValue] {
    Dictionary(values.entries.map { (Array($0.key.utf8), $0.value) }) { first, _ in first }
  }
}

extension PlistValue {
  /// Whether it is a string, or an array, which profiles and apps use for one another.
  fileprivate var isText: Bool {
    switch self {
    case .string, .array: true
    default: false
    }
  }

  /// The value in one short line, for a sentence.
  var brief: String {
    switch self {
    case .string(let text): return "\"\(Self.shortened(text, 80))\""
    case .boolean(let flag): return flag ? "true" : "false"
    case .integer(let number): return number.description
    case .real(let number): return "\(number.value)"
    case .date(let date): return date.iso8601 ?? "a date"
    case .data(let bytes): return "\(bytes.count) bytes"
    case .dictionary(let dictionary): return "a dictionary of \(dictionary.count) keys"
    case .array(let values):
      guard !values.isEmpty else { return "an empty array" }
      let shown = values.prefix(3).map { value in
        if case .array = value { "an array" } else { value.brief }
      }
      let rest = values.count > 3 ? " and \(values.count - 3) more" : ""
      return "[" + shown.joined(separator: ", ") + "]" + rest
    case .uid, .null, .set: return typeName
    }
  }

  private static func shortened(_ text: String, _ count: Int) -> String {
    let scalars = text.unicodeScalars
    guard scalars.count > count else { return text }
    return String(String.UnicodeScalarView(scalars.prefix(count - 1))) + "…"
  }
}
