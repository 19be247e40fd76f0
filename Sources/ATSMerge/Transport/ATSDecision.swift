public import PlistKit

/// What App Transport Security says of one URL, and why.
public struct ATSDecision: Sendable, Equatable {
  /// Whether the app may load it.
  public var isAllowed: Bool
  /// Why, as a sentence.
  public var reason: String
  /// The key that decides, nil where a default does.
  public var path: PlistKeyPath?
  /// How sure it is.
  public var certainty = ATSCertainty.documented
  /// What an HTTPS connection must meet; nil for HTTP, and where nothing is asked of it.
  public var requirements: ATSRequirements?
  /// What was looked at, in its order. The last step decides.
  public var trace: [ATSStep] = []

  init(isAllowed: Bool, reason: String, path: PlistKeyPath? = nil) {
    self.isAllowed = isAllowed
    self.reason = reason
    self.path = path
  }
}

/// What a decision rests on.
public enum ATSCertainty: String, Sendable, CaseIterable {
  /// Apple's own words.
  case documented
  /// What people measured on devices; Apple does not say it.
  case observed
  /// Neither: the most likely reading of what Apple says.
  case assumed
}

/// One thing that was looked at on the way to a decision.
public struct ATSStep: Sendable, Equatable {
  /// What came of it.
  public enum Outcome: String, Sendable {
    /// There is no such key.
    case absent
    /// It says nothing of this URL on this OS.
    case passedOver = "passed-over"
    /// It says how other keys are read, or what HTTPS must meet.
    case applies
    /// It decides.
    case decides
  }

  /// The key, nil for a default of the system.
  public var path: PlistKeyPath?
  /// What came of it.
  public var outcome: Outcome
  /// What it says, as a sentence without capital and full stop.
  public var detail: String
}

/// What an HTTPS connection must meet.
public struct ATSRequirements: Sendable, Equatable {
  /// The oldest protocol version, `TLSv1.2` unless an entry says another.
  public var minimumTLSVersion: String
  /// Whether only forward-secret ciphers count.
  public var forwardSecrecy: Bool
  /// Whether the certificate must be logged.
  public var certificateTransparency: Bool
  /// Whether the certificate must hold one of the keys in `NSPinnedDomains`.
  public var pinned: Bool

  init(entry: PlistDictionary?, pinned: Bool) {
    minimumTLSVersion =
      ATSKey.spellings(of: ATSKey.minimumTLSVersion).lazy
      .compactMap { entry?[$0]?.string }.first { ATSKey.tlsVersions.contains($0) }
      ?? ATSKey.defaultTLSVersion
    forwardSecrecy =
      ATSKey.spellings(of: ATSKey.requiresForwardSecrecy).lazy
      .compactMap { entry?[$0]?.boolean }.first ?? true
    certificateTransparency = entry?[ATSKey.requiresCertificateTransparency]?.boolean ?? false
    self.pinned = pinned
  }
}
