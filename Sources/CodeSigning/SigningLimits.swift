/// Every bound that the readers of signatures, profiles and Mach-O files keep.
///
/// Beyond one, reading ends with ``SigningError/Code/limit``.
public struct SigningLimits: Sendable, Equatable {
  /// Slices of a fat file.
  public var slices = 64
  /// Load commands of one slice.
  public var loadCommands = 16_384
  /// Bytes of the load commands of one slice.
  public var loadCommandBytes = 4 << 20
  /// Bytes of one code signature.
  public var signatureBytes = 64 << 20
  /// Blobs of one SuperBlob.
  public var blobs = 256
  /// Bytes of a signature's requirements.
  public var requirementBytes = 1 << 20
  /// Bytes of a CodeResources file.
  public var resourcesBytes = 64 << 20
  /// Entries of each list of a CodeResources file.
  public var resourceEntries = 200_000
  /// Rules of each list of a CodeResources file.
  public var resourceRules = 256
  /// Bytes of a rule's expression.
  public var resourceRuleBytes = 1024
  /// Steps that matching rules may take, all paths and all CodeResources files of an app together.
  public var resourceRuleSteps = 1 << 26
  /// Entries that all bundles of an app may come to, an entry counted once for each that it lies in.
  public var resourceVisits = 1 << 24
  /// Problems of one bundle's sealed resources that are kept by name; the others are counted.
  public var resourceProblems = 100
  /// Bytes of a provisioning profile, and of an entitlements file.
  public var profileBytes = 8 << 20
  /// Bytes of one CMS signature.
  public var cmsBytes = 8 << 20
  /// Certificates in one CMS signature or profile.
  public var certificates = 1_000
  /// Signers of one CMS signature.
  public var signers = 16
  /// Values of one set of entitlements, and of one profile.
  public var values = 200_000
  /// Structures inside one another in DER and in requirements.
  public var depth = 64

  /// The bounds for any application.
  public static let standard = SigningLimits()
}
