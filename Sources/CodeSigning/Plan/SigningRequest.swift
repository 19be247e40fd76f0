public import PlistKit

/// What a person gives for signing an app.
public struct SigningRequest: Sendable {
  /// A profile from a file.
  public struct Profile: Sendable {
    /// The bundle that it was given for, nil where it goes to those that it covers.
    public var bundleIdentifier: String?
    /// The file, as it was named.
    public var file: String
    /// What is in it.
    public var profile: ProvisioningProfile

    /// A profile from a file.
    public init(bundleIdentifier: String? = nil, file: String, profile: ProvisioningProfile) {
      self.bundleIdentifier = bundleIdentifier
      self.file = file
      self.profile = profile
    }
  }

  /// Entitlements from a file.
  public struct EntitlementsFile: Sendable {
    /// The bundle that they were given for, nil for the main app.
    public var bundleIdentifier: String?
    /// The file, as it was named.
    public var file: String
    /// What is in it.
    public var entitlements: Entitlements

    /// Entitlements from a file.
    public init(bundleIdentifier: String? = nil, file: String, entitlements: Entitlements) {
      self.bundleIdentifier = bundleIdentifier
      self.file = file
      self.entitlements = entitlements
    }
  }

  /// Profiles in the order in which they were given.
  public var profiles: [Profile] = []
  /// Entitlements in the order in which they were given; of two for one bundle the last counts.
  public var entitlements: [EntitlementsFile] = []
  /// The team that is to sign, nil for any.
  public var team: String?
  /// The certificate that is to sign, nil where it is not known.
  public var certificate: Certificate?
  /// The moment at which profiles must be valid.
  public var date: PlistDate

  /// A request of nothing but a moment.
  public init(date: PlistDate) { self.date = date }

  /// The entitlements that were given for a code object, nil where none were: those that name its bundle,
  /// or none where it is the main app; of several the last.
  public func givenEntitlements(for object: CodeObject, isMain: Bool) -> EntitlementsFile? {
    entitlements.last { given in
      guard let name = given.bundleIdentifier else { return isMain }
      return object.folder != nil
        && object.bundleIdentifier.map { $0.utf8.elementsEqual(name.utf8) } == true
    }
  }
}
