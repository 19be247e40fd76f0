internal import PlistKit

/// What an executable says of itself, as far as a plan needs it.
public struct ExecutableFacts: Sendable {
  /// LC_UUID of each slice in their order, nil for one without.
  public var uuids: [String?] = []
  /// Whether a slice is encrypted, as an app from the store is, and its `cryptid`.
  public var encryption: (architecture: String, cryptID: UInt32)?
  /// For which systems it was built, each once.
  public var platforms: [MachOPlatform] = []
  /// Whether it has a code signature.
  public var isSigned = false
  /// The identifier in the signature.
  public var identifier: String?
  /// The team's identifier in the signature.
  public var teamIdentifier: String?
  /// The certificate that it was signed with, nil for an ad hoc signature.
  public var certificate: Certificate?
  /// The entitlements in the signature (``CodeSignature/readEntitlements(limits:)``), nil where it has none.
  public var entitlements: Entitlements?
  /// Why not all of it can be read, nil where it can.
  public var problem: String?

  /// What an executable says whose signature was looked at.
  ///
  /// Of a fat file the entitlements, the identifier and the certificate are those of the first slice that
  /// is signed. An error is no end: ``problem`` tells it.
  public init(_ object: AppSignature.Object, limits: SigningLimits = .standard) {
    problem = object.error?.detail
    for slice in object.executable?.slices ?? [] { take(slice.slice) }
    do throws(SigningError) {
      guard let slice = object.executable?.slices.first(where: { $0.signature != nil }),
        let signature = slice.signature
      else { return }
      try take(signature, limits: limits)
    } catch { problem = problem ?? error.detail }
  }

  private mutating func take(_ slice: MachOSlice) {
    uuids.append(slice.uuidText)
    if let found = slice.encryption, found.isEncrypted, encryption == nil {
      encryption = (slice.architecture, found.cryptID)
    }
    for build in slice.builds where !platforms.contains(build.platform) {
      platforms.append(build.platform)
    }
  }

  private mutating func take(
    _ signature: CodeSignature, limits: SigningLimits
  ) throws(SigningError) {
    isSigned = true
    let directory = signature.bestCodeDirectory
    identifier = directory?.identifier
    teamIdentifier = directory?.teamIdentifier
    entitlements = try signature.readEntitlements(limits: limits)
    certificate = try signature.cmsSignature(limits: limits)?.signers.first?.certificate
  }
}
