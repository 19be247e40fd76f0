public import PlistKit

/// A rule on code, signatures, profiles or entitlements; the raw value is its ID in `verify` and `plan`.
public enum SigningRule: String, Sendable, CaseIterable {
  case executableUUID = "executable.uuid"
  case executableEncrypted = "executable.encrypted"
  case signatureMissing = "signature.missing"
  case signatureInfoPlist = "signature.info-plist"
  case signatureResources = "signature.resources"
  case signatureCode = "signature.code"
  case profileMissing = "profile.missing"
  case profileUnreadable = "profile.unreadable"
  case profileExpired = "profile.expired"
  case profileExpiresSoon = "profile.expires-soon"
  case profileApplicationIdentifier = "profile.application-identifier"
  case profilePlatform = "profile.platform"
  case profileCertificate = "profile.certificate"
  case profileTeam = "profile.team"
  case entitlementsNotInProfile = "entitlements.not-in-profile"
}

/// Something that a device would refuse, or that a signer did wrong.
public struct SigningProblem: Sendable, Equatable {
  /// How much it matters where that is not what the rule says.
  public enum Level: String, Sendable {
    case note, warning, error
  }

  /// The rule that it breaks.
  public var rule: SigningRule
  /// What was found and what to do, as a sentence without a full stop.
  public var message: String
  /// The member it was found in.
  public var file: String?
  /// The value it was found at, where that member is a property list.
  public var keyPath: PlistKeyPath?
  /// The level, where it is not the rule's own.
  public var level: Level?

  /// A problem of these parts.
  public init(
    _ rule: SigningRule, _ message: String, file: String? = nil, at keyPath: PlistKeyPath? = nil,
    level: Level? = nil
  ) {
    self.rule = rule
    self.message = message
    self.file = file
    self.keyPath = keyPath
    self.level = level
  }
}
