internal import PlistKit

extension EntitlementGrant {
  /// The entitlements that an app should be signed with.
  public struct Outcome: Sendable, Equatable {
    /// What to sign with: each is allowed by the profile, and none is a wildcard.
    public var entitlements: Entitlements
    /// What was wanted and the profile does not allow; it was left out, or took the profile's value.
    public var refusals: [Refusal]
    /// What differs from what was wanted without being refused, one sentence each that names the key.
    public var changes: [String]
  }

  /// The entitlements that an app should be signed with: what is wanted and the profile allows.
  ///
  /// Wanted is what is given, else what the app had (`existing`), else the least: the application identifier,
  /// the team's and `get-task-allow` as the profile has them. Then:
  ///
  /// - The application identifier and the team's are always those of the profile and of the app's bundle
  ///   identifier; that the app had others is a change, not a refusal.
  /// - A wildcard becomes the app's own value: `TEAM.*` becomes `TEAM.com.example.app`. Where nothing sensible
  ///   can stand for it (`*` alone), it is left out.
  /// - Of an array the allowed values stay; an array of which none is left goes.
  /// - `get-task-allow` and `aps-environment` take the profile's value where it has another, as Xcode does
  ///   when it exports; this is told as a refusal all the same.
  public func entitlements(
    for bundleIdentifier: String, wanted given: Entitlements? = nil,
    existing: Entitlements? = nil
  ) -> Outcome {
    let wanted = given ?? existing.flatMap { $0.isEmpty ? nil : $0 }
    var outcome = Outcome(
      entitlements: identity(of: bundleIdentifier), refusals: [], changes: [])
    if let refusal = identityRefusal(bundleIdentifier) { outcome.refusals.append(refusal) }
    guard let wanted else {
      for key in Entitlements.debuggingKeys {
        if let value = profile.entitlements[key]?.boolean {
          outcome.entitlements[key] = .boolean(value)
        }
      }
      return outcome
    }
    var pairs = outcome.entitlements.values.entries.map { ($0.key, $0.value) }
    for entry in wanted.values.entries {
      if isIdentity(entry.key) {
        noteIdentity(entry, in: &outcome)
      } else if let value = value(of: entry, for: bundleIdentifier, in: &outcome) {
        pairs.append((entry.key, value))
      }
    }
    outcome.entitlements = Entitlements(PlistDictionary(pairs))
    return outcome
  }

  private func isIdentity(_ key: String) -> Bool {
    Entitlements.applicationIdentifierKeys.contains(key) || key == Entitlements.teamIdentifierKey
  }

  /// The application identifier and the team's.
  private func identity(of bundleIdentifier: String) -> Entitlements {
    var entitlements = Entitlements()
    if let prefix = profile.prefix, profile.covers(bundleIdentifier: bundleIdentifier) {
      for key in Entitlements.applicationIdentifierKeys where profile.entitlements[key] != nil {
        entitlements[key] = .string("\(prefix).\(bundleIdentifier)")
      }
    }
    if let team = profile.entitlements.teamIdentifier {
      entitlements[Entitlements.teamIdentifierKey] = .string(team)
    }
    return entitlements
  }

  private func identityRefusal(_ bundleIdentifier: String) -> Refusal? {
    guard !profile.covers(bundleIdentifier: bundleIdentifier) else { return nil }
    let key =
      Entitlements.applicationIdentifierKeys.first { profile.entitlements[$0] != nil }
      ?? Entitlements.applicationIdentifierKeys[0]
    let wanted = PlistValue.string(
      [profile.prefix, bundleIdentifier].compactMap(\.self).joined(separator: "."))
    return refusal(of: key, wanted)
      ?? Refusal(
        key: key, wanted: wanted, granted: profile.entitlements[key],
        reason: "\(key) would be \(wanted.brief), which the profile does not allow")
  }

  private func noteIdentity(_ entry: PlistDictionary.Entry, in outcome: inout Outcome) {
    guard let new = outcome.entitlements[entry.key] else {
      if entry.key == Entitlements.teamIdentifierKey,
        let refusal = refusal(of: entry.key, entry.value)
      {
        outcome.refusals.append(refusal)
      }
      return
    }
    guard new != entry.value else { return }
    outcome.changes.append("\(entry.key) becomes \(new.brief) in place of \(entry.value.brief)")
  }

  /// What an app gets under a key, nil for nothing.
  private func value(
    of entry: PlistDictionary.Entry, for bundleIdentifier: String, in outcome: inout Outcome
  ) -> PlistValue? {
    let key = entry.key
    var wanted: PlistValue? = entry.value
    if let refusal = refusal(of: key, entry.value) {
      outcome.refusals.append(refusal)
      wanted = remedy(key, entry.value, refusal.granted)
    }
    guard let wanted else { return nil }
    let own = withoutWildcards(wanted, bundleIdentifier)
    if own != wanted {
      let result = own.map { "becomes \($0.brief)" } ?? "is left out"
      outcome.changes.append("\(key) \(result) in place of the wildcard in \(wanted.brief)")
    }
    return own
  }

  /// What stays of a value that is not allowed as it stands.
  private func remedy(_ key: String, _ wanted: PlistValue, _ granted: PlistValue?) -> PlistValue? {
    guard let granted else { return nil }
    if Entitlements.debuggingKeys.contains(key), granted.boolean != nil { return granted }
    if key == "aps-environment" || key == "com.apple.developer.aps-environment",
      wanted.string != nil, granted.string != nil
    {
      return granted
    }
    guard case .array(let values) = wanted else { return nil }
    let allowed = allowed(values, by: granted)
    return allowed.isEmpty ? nil : .array(allowed)
  }

  /// A value with the app's own in the place of wildcards, nil where nothing is left.
  private func withoutWildcards(_ value: PlistValue, _ bundleIdentifier: String) -> PlistValue? {
    switch value {
    case .string(let text):
      guard EntitlementPattern(text).isWildcard else { return value }
      guard let prefix = profile.prefix, text == "\(prefix).*" else { return nil }
      return .string("\(prefix).\(bundleIdentifier)")
    case .array(let values):
      let own = values.compactMap { withoutWildcards($0, bundleIdentifier) }
      return own.isEmpty && !values.isEmpty ? nil : .array(own)
    default: return value
    }
  }
}
