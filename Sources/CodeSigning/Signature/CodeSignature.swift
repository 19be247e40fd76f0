/// An embedded code signature: a SuperBlob (`CSMAGIC_EMBEDDED_SIGNATURE`) and its blobs.
///
/// Structures and numbers are those of xnu's `osfmk/kern/cs_blobs.h` and of Security's `CSCommon.h` and
/// `codedirectory.h`; all integers are big-endian. Blobs lie behind the index and inside the SuperBlob,
/// none overlaps another, and each slot is there once.
public struct CodeSignature: Sendable {
  /// One blob with the slot that the index gives it.
  public struct Blob: Sendable, Equatable {
    /// The index type.
    public let slot: CodeSignatureSlot
    /// The blob's first four bytes.
    public let magic: UInt32
    /// Where it lies in the SuperBlob.
    public let range: Range<Int>
    /// All of its bytes, of which 8 are its head.
    public let bytes: [UInt8]

    /// What stands behind the head.
    public var payload: ArraySlice<UInt8> { bytes.dropFirst(8) }

    /// What a CodeDirectory has the hash of: all bytes, of a `CSMAGIC_BLOBWRAPPER` those that it wraps, as
    /// `EmbeddedSignatureBlob::component` in Security has it.
    public var sealedBytes: [UInt8] {
      magic == CodeSignatureMagic.blobWrapper ? Array(payload) : bytes
    }
  }

  /// Bytes of the SuperBlob. Where it lies, more may be set aside.
  public let length: Int
  /// All blobs in the order of the index.
  public let blobs: [Blob]
  /// The CodeDirectory, then the alternates by slot; never empty.
  public let codeDirectories: [CodeDirectory]

  /// Reads a SuperBlob, behind which zeros or anything else may follow.
  /// - Throws: ``SigningError`` with codes `wrongKind` where no SuperBlob is there, `truncated`,
  ///   `malformed`, `limit`, `unsupported`.
  public init(
    parsing bytes: [UInt8], limits: SigningLimits = .standard
  ) throws(SigningError) {
    guard bytes.count <= limits.signatureBytes else {
      throw SigningError(
        .limit,
        detail:
          "the signature has \(bytes.count) bytes, and at most \(limits.signatureBytes) are read")
    }
    let index = try SuperBlobIndex(
      bytes, magic: CodeSignatureMagic.embeddedSignature, name: "the signature",
      limit: limits.blobs)
    length = index.length
    let blobs = index.entries.map {
      Blob(
        slot: CodeSignatureSlot(rawValue: $0.type), magic: $0.magic, range: $0.range,
        bytes: Array(bytes[$0.range]))
    }
    self.blobs = blobs
    let directories = blobs.filter { $0.slot.isCodeDirectory }
      .sorted { $0.slot.rawValue < $1.slot.rawValue }
    guard directories.first?.slot == .codeDirectory else {
      throw SigningError(.malformed, detail: "the signature has no CodeDirectory")
    }
    codeDirectories = try directories.map { blob throws(SigningError) in
      try CodeDirectory(parsing: blob.bytes, slot: blob.slot)
    }
  }

  /// The blob of a slot, nil where there is none.
  public func blob(_ slot: CodeSignatureSlot) -> Blob? { blobs.first { $0.slot == slot } }

  /// The entitlements as a property list, nil where there are none.
  public var entitlements: [UInt8]? { payload(.entitlements, CodeSignatureMagic.entitlements) }

  /// The entitlements in DER, nil where there are none.
  public var derEntitlements: [UInt8]? {
    payload(.derEntitlements, CodeSignatureMagic.derEntitlements)
  }

  /// The CMS over the CodeDirectory, nil where there is none or an empty one, as ad hoc signatures have.
  public var cms: [UInt8]? {
    let bytes = payload(.cms, CodeSignatureMagic.blobWrapper)
    return bytes?.isEmpty == true ? nil : bytes
  }

  /// Whether no certificate stands behind it: the CodeDirectory's ad hoc flag is set, or there is no CMS.
  public var isAdHoc: Bool {
    cms == nil || codeDirectories.first?.flags.contains(.adHoc) == true
  }

  /// The CodeDirectory that a system takes: the one with the best hash, by the order SHA-384, SHA-256,
  /// SHA-256 truncated, SHA-1, as `hash_rank` in xnu's `ubc_subr.c` has it.
  public var bestCodeDirectory: CodeDirectory? {
    let order: [HashAlgorithm] = [.sha1, .sha256Truncated, .sha256, .sha384]
    return codeDirectories.max {
      (order.firstIndex(of: $0.hashAlgorithm) ?? 0) < (order.firstIndex(of: $1.hashAlgorithm) ?? 0)
    }
  }

  /// What a signature asks of code, nil where it has no such blob.
  /// - Throws: ``SigningError`` with codes `wrongKind`, `truncated`, `malformed`, `limit`.
  public func requirements(
    limits: SigningLimits = .standard
  ) throws(SigningError) -> [CodeRequirement]? {
    guard let blob = blob(.requirements) else { return nil }
    return try CodeRequirement.set(parsing: blob.bytes, limits: limits)
  }

  private func payload(_ slot: CodeSignatureSlot, _ magic: UInt32) -> [UInt8]? {
    guard let blob = blob(slot), blob.magic == magic else { return nil }
    return Array(blob.payload)
  }
}

extension MachOSlice {
  /// The code signature, nil without LC_CODE_SIGNATURE.
  /// - Throws: ``SigningError`` as ``CodeSignature/init(parsing:limits:)``, `unreadable`, `io`.
  public func codeSignature(
    of file: any ByteSource, limits: SigningLimits = .standard
  ) throws(SigningError) -> CodeSignature? {
    guard let signature else { return nil }
    let size = signature.range.upperBound - signature.range.lowerBound
    guard size <= limits.signatureBytes else {
      throw SigningError(
        .limit, offset: range.lowerBound + signature.range.lowerBound,
        detail: "the signature has \(size) bytes, and at most \(limits.signatureBytes) are read")
    }
    let bytes = try bytes(of: file).bytes(at: signature.range.lowerBound, count: Int(size))
    return try CodeSignature(parsing: bytes, limits: limits)
  }
}

/// Magic numbers of blobs.
enum CodeSignatureMagic {
  static let requirement: UInt32 = 0xFADE_0C00
  static let requirements: UInt32 = 0xFADE_0C01
  static let codeDirectory: UInt32 = 0xFADE_0C02
  static let embeddedSignature: UInt32 = 0xFADE_0CC0
  static let blobWrapper: UInt32 = 0xFADE_0B01
  static let entitlements: UInt32 = 0xFADE_7171
  static let derEntitlements: UInt32 = 0xFADE_7172
}

/// The index type of a blob in a SuperBlob. Those up to 11 are also the numbers of the CodeDirectory's special
/// slots.
public struct CodeSignatureSlot: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// A `CSSLOT_…` number.
  public let rawValue: UInt32

  /// A slot of this number.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// `CSSLOT_CODEDIRECTORY`
  public static let codeDirectory = CodeSignatureSlot(rawValue: 0)
  /// `CSSLOT_INFOSLOT`: Info.plist, which is a file and no blob.
  public static let infoPlist = CodeSignatureSlot(rawValue: 1)
  /// `CSSLOT_REQUIREMENTS`
  public static let requirements = CodeSignatureSlot(rawValue: 2)
  /// `CSSLOT_RESOURCEDIR`: `_CodeSignature/CodeResources`, which is a file and no blob.
  public static let resources = CodeSignatureSlot(rawValue: 3)
  /// `CSSLOT_APPLICATION`: what an application keeps there itself.
  public static let application = CodeSignatureSlot(rawValue: 4)
  /// `CSSLOT_ENTITLEMENTS`: as a property list.
  public static let entitlements = CodeSignatureSlot(rawValue: 5)
  /// `cdRepSpecificSlot`: of a disk image.
  public static let diskImage = CodeSignatureSlot(rawValue: 6)
  /// `CSSLOT_DER_ENTITLEMENTS`
  public static let derEntitlements = CodeSignatureSlot(rawValue: 7)
  /// `CSSLOT_LAUNCH_CONSTRAINT_SELF`
  public static let launchConstraintSelf = CodeSignatureSlot(rawValue: 8)
  /// `CSSLOT_LAUNCH_CONSTRAINT_PARENT`
  public static let launchConstraintParent = CodeSignatureSlot(rawValue: 9)
  /// `CSSLOT_LAUNCH_CONSTRAINT_RESPONSIBLE`
  public static let launchConstraintResponsible = CodeSignatureSlot(rawValue: 10)
  /// `CSSLOT_LIBRARY_CONSTRAINT`
  public static let libraryConstraint = CodeSignatureSlot(rawValue: 11)
  /// `CSSLOT_ALTERNATE_CODEDIRECTORIES`, the first of five.
  public static let alternateCodeDirectory = CodeSignatureSlot(rawValue: 0x1000)
  /// `CSSLOT_SIGNATURESLOT`
  public static let cms = CodeSignatureSlot(rawValue: 0x1_0000)
  /// `CSSLOT_IDENTIFICATIONSLOT`
  public static let identification = CodeSignatureSlot(rawValue: 0x1_0001)
  /// `CSSLOT_TICKETSLOT`: of a notarization.
  public static let ticket = CodeSignatureSlot(rawValue: 0x1_0002)

  /// Whether it holds the CodeDirectory, or one of at most five alternates
  /// (`CSSLOT_ALTERNATE_CODEDIRECTORY_MAX`).
  public var isCodeDirectory: Bool { rawValue == 0 || (0x1000..<0x1005).contains(rawValue) }

  /// What is in it, as words.
  public var description: String {
    switch self {
    case .codeDirectory: "CodeDirectory"
    case .infoPlist: "Info.plist"
    case .requirements: "requirements"
    case .resources: "CodeResources"
    case .application: "application-specific data"
    case .entitlements: "entitlements"
    case .diskImage: "disk image data"
    case .derEntitlements: "DER entitlements"
    case .launchConstraintSelf: "launch constraint of itself"
    case .launchConstraintParent: "launch constraint of the parent"
    case .launchConstraintResponsible: "launch constraint of the responsible process"
    case .libraryConstraint: "library constraint"
    case .cms: "CMS"
    case .identification: "identification"
    case .ticket: "notarization ticket"
    default: isCodeDirectory ? "alternate CodeDirectory \(rawValue - 0x1000)" : "slot \(rawValue)"
    }
  }
}
