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
  /// Bytes of a CodeResources file.
  public var resourcesBytes = 64 << 20
  /// Bytes of a provisioning profile, and of an entitlements file.
  public var profileBytes = 8 << 20
  /// Structures inside one another in DER and in requirements.
  public var depth = 64

  /// The bounds for any application.
  public static let standard = SigningLimits()
}
