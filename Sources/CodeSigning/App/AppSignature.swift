/// The signatures of a whole app: of every code object its CodeDirectories, its CMS and its sealed
/// resources, against what lies in the app now.
///
/// It is told whether they fit, and who signed; not whether a device trusts the signer.
public struct AppSignature: Sendable {
  /// How the app as a whole is signed.
  public enum State: String, Sendable {
    /// The main executable has no signature.
    case none
    /// Every signature seals what is there.
    case valid
    /// Info.plist or resources are not those that were signed.
    case stale
    /// Code, entitlements or the signature itself are not as they were signed, or some code has none.
    case broken
  }

  /// What stands behind the main app's signature.
  public enum Kind: String, Sendable {
    /// Nobody: hashes alone.
    case adHoc = "adhoc"
    /// A certificate.
    case cms
  }

  /// What is looked at.
  public struct Options: Sendable {
    /// How many threads read and hash.
    public var workers = 1
    /// Whether pages of code and sealed resources are hashed. Else the slots of the CodeDirectories
    /// alone are compared.
    public var checksContents = true
    /// The bounds to keep.
    public var limits = SigningLimits.standard

    /// One thread, and everything is checked.
    public init() {}
  }

  /// A code object with what was found of it.
  public struct Object: Sendable {
    /// The object.
    public let object: CodeObject
    /// Its executable, nil where it has none or it cannot be read.
    public let executable: ExecutableSeal?
    /// Why the executable cannot be read.
    public let error: SigningError?
    /// The CMS of each slice, in the order of ``ExecutableSeal/slices``; nil where it has none.
    public let certifications: [Certification?]
    /// Its sealed resources, nil for a file by itself and where they were left alone.
    public internal(set) var resources: ResourceSeal?

    /// Whether any slice has a signature.
    public var isSigned: Bool { executable?.isSigned == true }
  }

  /// The CMS of one slice, compared with its CodeDirectories.
  public struct Certification: Sendable {
    /// The CMS, nil where it cannot be read.
    public let signature: CMSSignature?
    /// What does not fit, each as a line without a full stop.
    public let problems: [String]
  }

  /// The code objects, inside out, the main app last.
  public let objects: [Object]
  /// Whether code and resources were hashed.
  public let checksContents: Bool

  /// The main app; nil where the input is a property list by itself.
  public var main: Object? { objects.last }

  /// The first CodeDirectory of the main executable.
  private var directory: ExecutableSeal.Directory? {
    main?.executable?.slices.lazy.compactMap(\.directories.first).first
  }

  /// Who signed the main executable.
  public var signer: CMSSignature.Signer? {
    main?.certifications.lazy.compactMap { $0?.signature?.signers.first }.first
  }

  /// How the app as a whole is signed.
  public var state: State {
    guard main?.isSigned == true else { return .none }
    let found = Set(problems.filter { $0.level != .note }.map(\.rule))
    if found.contains(.signatureCode) || found.contains(.signatureMissing) { return .broken }
    return found.isEmpty ? .valid : .stale
  }

  /// What stands behind the signature, nil where there is none.
  public var kind: Kind? {
    guard let slice = main?.executable?.slices.first(where: { $0.signature != nil }) else {
      return nil
    }
    return slice.signature?.isAdHoc == true ? .adHoc : .cms
  }

  /// The team, as the CodeDirectory has it, else as the certificate has.
  public var teamIdentifier: String? {
    directory?.codeDirectory.teamIdentifier ?? signer?.certificate?.teamIdentifier
  }

  /// The name of the certificate that signed.
  public var identity: String? { signer?.certificate?.commonName }

  /// Whether every CodeDirectory of the main executable seals the Info.plist that is there; nil without a
  /// signature.
  public var isInfoPlistSealed: Bool? { isSealed(.infoPlist) }

  /// Whether every CodeDirectory of the main executable seals the CodeResources that is there, and that the
  /// files; nil without a signature. Where files were left alone, the first half.
  public var areResourcesSealed: Bool? {
    isSealed(.resources).map { $0 && main?.resources?.isIntact != false }
  }

  private func isSealed(_ slot: CodeSignatureSlot) -> Bool? {
    guard let main, main.isSigned else { return nil }
    return main.executable?.slices.allSatisfy { slice in
      !slice.directories.isEmpty && slice.directories.allSatisfy { $0.state(of: slot) == .valid }
    }
  }
}
