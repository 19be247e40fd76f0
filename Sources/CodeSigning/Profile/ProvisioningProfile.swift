public import PlistKit

/// A provisioning profile: which app of which team may run where, signed by whom, with which entitlements.
///
/// Source: Apple's technical note TN3125, "Inside Code Signing: Provisioning Profiles".
public struct ProvisioningProfile: Sendable, Equatable {
  /// `Name`.
  public let name: String?
  /// `UUID`.
  public let uuid: String?
  /// `AppIDName`.
  public let appIDName: String?
  /// `TeamName`.
  public let teamName: String?
  /// `TeamIdentifier`.
  public let teamIdentifiers: [String]
  /// `ApplicationIdentifierPrefix`: what stands before the bundle identifier; mostly the team's.
  public let applicationIdentifierPrefixes: [String]
  /// `Platform`: `iOS`, `tvOS`, `watchOS`, `visionOS` or `xrOS`, `OSX`. Empty in old profiles, which are iOS.
  public let platforms: [String]
  /// `CreationDate`.
  public let creationDate: PlistDate?
  /// `ExpirationDate`.
  public let expirationDate: PlistDate?
  /// `ProvisionedDevices`, nil where the profile names none.
  public let devices: [String]?
  /// `ProvisionsAllDevices`.
  public let provisionsAllDevices: Bool
  /// `IsXcodeManaged`.
  public let isXcodeManaged: Bool
  /// `Entitlements`: what it allows.
  public let entitlements: Entitlements
  /// `DeveloperCertificates`: with which of them the app may be signed.
  public let certificates: [Certificate]
  /// How the profile itself is signed.
  public let signature: Signature
  /// What has another type than it must have, or cannot be read, one sentence each that names the key. Such
  /// a field is nil or left out.
  public let problems: [String]

  /// How a profile is signed.
  public enum Signature: Sendable, Equatable {
    /// A property list by itself. Devices refuse it; build tools use such.
    case none
    /// A CMS message that nobody signed. Devices refuse it.
    case unsigned
    /// A CMS message with its signers, who need not be Apple.
    case cms(CMSSignature)

    /// Whether the signature fits the content, nil where there is none.
    public var isValid: Bool? {
      if case .cms(let message) = self { message.isValid } else { nil }
    }
  }

  /// How an app with the profile gets to its users.
  public enum Distribution: String, Sendable, CaseIterable {
    /// On listed devices, with a debugger.
    case development
    /// On listed devices.
    case adHoc = "ad-hoc"
    /// On every device of an enterprise; on macOS, signed with a Developer ID.
    case enterprise
    /// Through the store, which signs again.
    case appStore = "app-store"
  }

  /// The kind of distribution: `ProvisionsAllDevices` makes enterprise; devices make development where a
  /// debugger is allowed, else ad hoc. Without devices it is the store's, but for a macOS profile that
  /// allows a debugger: that is a development one.
  public var distribution: Distribution {
    if provisionsAllDevices { return .enterprise }
    let isDebuggable = entitlements.allowsDebugging ?? false
    if devices != nil { return isDebuggable ? .development : .adHoc }
    return isForMac && isDebuggable ? .development : .appStore
  }

  /// Whether it is of macOS alone.
  public var isForMac: Bool {
    !platforms.isEmpty && platforms.allSatisfy { $0 == "OSX" || $0 == "macOS" }
  }

  /// The application identifier that it is for, `TEAM.com.example.app`, or a wildcard: `TEAM.*`,
  /// `TEAM.com.example.*`.
  public var applicationIdentifier: String? { entitlements.applicationIdentifier }

  /// The identifier of the team, as its entitlements have it, else the first of ``teamIdentifiers``.
  public var teamIdentifier: String? { entitlements.teamIdentifier ?? teamIdentifiers.first }

  /// What stands before the bundle identifier in ``applicationIdentifier``, without its dot.
  public var prefix: String? {
    guard let identifier = applicationIdentifier else { return applicationIdentifierPrefixes.first }
    for prefix in applicationIdentifierPrefixes where identifier.hasPrefix(prefix + ".") {
      return prefix
    }
    return identifier.split(separator: ".", maxSplits: 1).first.map(String.init)
  }

  /// The bundle identifier that it is for, a wildcard as it stands: `*`, `com.example.*`.
  public var bundleIdentifier: String? {
    guard let identifier = applicationIdentifier, let prefix, identifier.hasPrefix(prefix + ".")
    else { return nil }
    return String(identifier.dropFirst(prefix.count + 1))
  }

  /// Whether it is for several apps: its application identifier ends in a label `*`.
  public var isWildcard: Bool {
    applicationIdentifier.map { EntitlementPattern($0).isWildcard } ?? false
  }

  /// Whether it is for an app, wildcards by whole labels.
  public func covers(bundleIdentifier: String) -> Bool {
    guard let pattern = self.bundleIdentifier else { return false }
    return EntitlementPattern(pattern).matches(bundleIdentifier)
  }

  /// Whether it has expired at a moment, nil where it has no date.
  public func isExpired(at date: PlistDate) -> Bool? {
    expirationDate.map { $0.secondsSince2001 <= date.secondsSince2001 }
  }

  /// Whether it lists a certificate.
  public func contains(_ certificate: Certificate) -> Bool {
    certificates.contains { $0.sha256 == certificate.sha256 }
  }

  /// Reads a profile: a CMS message, or the property list by itself.
  ///
  /// `DER-Encoded-Profile`, which newer profiles hold beside the same values, is not looked at. A message
  /// without a signer, or with a signature that does not fit, is read all the same: ``signature`` tells.
  /// - Throws: ``SigningError`` with codes `wrongKind` where it is no profile, `malformed`, `limit`,
  ///   `crypto`.
  public init(
    parsing bytes: [UInt8], limits: SigningLimits = .standard
  ) throws(SigningError) {
    guard bytes.count <= limits.profileBytes else {
      throw SigningError(
        .limit, detail: "a profile of \(bytes.count) bytes, at most \(limits.profileBytes) are read"
      )
    }
    var plist = bytes
    var signature = Signature.none
    if bytes.first == 0x30 {
      let message = try CMSSignature(parsing: bytes, limits: limits)
      guard let content = message.content else {
        throw SigningError(.wrongKind, detail: "the CMS message has no content: it is no profile")
      }
      plist = content
      signature = message.signers.isEmpty ? .unsigned : .cms(message)
    }
    let fields = try ProfileFields(plist, limits: limits)
    self.init(fields, signature: signature, limits: limits)
  }

  private init(_ fields: ProfileFields, signature: Signature, limits: SigningLimits) {
    var fields = fields
    name = fields.string("Name")
    uuid = fields.string("UUID")
    appIDName = fields.string("AppIDName")
    teamName = fields.string("TeamName")
    teamIdentifiers = fields.strings("TeamIdentifier") ?? []
    applicationIdentifierPrefixes = fields.strings("ApplicationIdentifierPrefix") ?? []
    platforms = fields.strings("Platform") ?? []
    creationDate = fields.date("CreationDate")
    expirationDate = fields.date("ExpirationDate")
    devices = fields.strings("ProvisionedDevices")
    provisionsAllDevices = fields.boolean("ProvisionsAllDevices") ?? false
    isXcodeManaged = fields.boolean("IsXcodeManaged") ?? false
    certificates = fields.certificates("DeveloperCertificates", limit: limits.certificates)
    entitlements = Entitlements(fields.entitlements)
    self.signature = signature
    problems = fields.problems
  }
}
