internal import PlistKit

/// Writes the CodeDirectory of an ad hoc signature: version 0x20400, SHA-256, pages of 4 KiB.
///
/// The layout is that of `CS_CodeDirectory` in xnu's `osfmk/kern/cs_blobs.h`. There is no team: no
/// certificate stands for one.
struct CodeDirectoryBuilder {
  /// Bytes of a page. What Xcode signs for iOS has pages of 4 KiB, whatever those of the processor are.
  static let pageSize = 4096
  private static let pageSizePower: UInt8 = 12
  private static let version: UInt32 = 0x20400
  private static let headerSize = 88
  private static let algorithm = HashAlgorithm.sha256

  /// How many bytes from the slice's start are hashed.
  let codeLimit: UInt32
  /// The segment with the code.
  let execSegment: CodeDirectoryExecSegment
  private let identifier: [UInt8]
  /// The hashes of the special slots from the first on, of which unused ones are zeros.
  private let specialHashes: [[UInt8]]

  /// What is sealed beside the code.
  struct Seal {
    var identifier: String
    var infoPlist: [UInt8]?
    var codeResources: [UInt8]?
    var blobs: SignatureBlobs

    init(
      identifier: String, infoPlist: [UInt8]?, codeResources: [UInt8]?, blobs: SignatureBlobs
    ) {
      self.identifier = identifier
      self.infoPlist = infoPlist
      self.codeResources = codeResources
      self.blobs = blobs
    }
  }

  /// - Throws: ``SigningError`` with codes `malformed` for an identifier that cannot be written, `crypto`.
  init(
    _ seal: Seal, codeLimit: UInt32, execSegment: CodeDirectoryExecSegment
  ) throws(SigningError) {
    guard !seal.identifier.isEmpty, !seal.identifier.utf8.contains(0) else {
      throw SigningError(.malformed, detail: "the identifier is empty, or has a NUL in it")
    }
    identifier = Array(seal.identifier.utf8)
    self.codeLimit = codeLimit
    self.execSegment = execSegment
    var hashes: [CodeSignatureSlot: [UInt8]] = [:]
    if let bytes = seal.infoPlist { hashes[.infoPlist] = try Self.algorithm.hash(bytes) }
    if let bytes = seal.codeResources { hashes[.resources] = try Self.algorithm.hash(bytes) }
    for blob in seal.blobs.blobs where blob.slot != .cms {
      hashes[blob.slot] = try Self.algorithm.hash(blob.bytes)
    }
    let last = hashes.keys.map(\.rawValue).max() ?? 0
    let empty = [UInt8](repeating: 0, count: Self.algorithm.length)
    specialHashes = (1..<last + 1).map { hashes[CodeSignatureSlot(rawValue: $0)] ?? empty }
  }

  /// How many pages have hashes.
  var codeSlotCount: Int { (Int(codeLimit) + Self.pageSize - 1) / Self.pageSize }

  /// How many bytes it will have.
  var size: Int { hashOffset + codeSlotCount * Self.algorithm.length }

  private var hashOffset: Int {
    Self.headerSize + identifier.count + 1 + specialHashes.count * Self.algorithm.length
  }

  /// The blob, with the hashes of all pages one after another.
  func bytes(codeHashes: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    bytes.append(word: CodeSignatureMagic.codeDirectory)
    bytes.append(word: UInt32(size))
    bytes.append(word: Self.version)
    bytes.append(word: CodeDirectoryFlags.adHoc.rawValue)
    bytes.append(word: UInt32(hashOffset))
    bytes.append(word: UInt32(Self.headerSize))
    bytes.append(word: UInt32(specialHashes.count))
    bytes.append(word: UInt32(codeSlotCount))
    bytes.append(word: codeLimit)
    bytes += [
      UInt8(Self.algorithm.length), Self.algorithm.rawValue, 0, Self.pageSizePower,
    ]
    // spare2, scatterOffset, teamOffset, spare3, codeLimit64.
    bytes += [UInt8](repeating: 0, count: 24)
    bytes.append(long: execSegment.base)
    bytes.append(long: execSegment.limit)
    bytes.append(long: execSegment.flags)
    bytes += identifier + [0]
    for hash in specialHashes.reversed() { bytes += hash }
    return bytes + codeHashes
  }
}

extension CodeDirectoryExecSegment {
  /// What a slice's CodeDirectory says of its code.
  ///
  /// Flags as `CS_EXECSEG_…` in xnu's `osfmk/kern/cs_blobs.h`; those that an entitlement sets are so set
  /// by `codesign` too.
  init(of slice: MachOSlice, entitlements: Entitlements?) {
    let text = slice.segment("__TEXT")
    var flags: UInt64 = 0
    if slice.fileType == .executable {
      flags = 0x1
      for (key, flag) in Self.entitlementFlags where entitlements?[key]?.boolean == true {
        flags |= flag
      }
    }
    self.init(base: text?.fileOffset ?? 0, limit: text?.fileSize ?? 0, flags: flags)
  }

  private static let entitlementFlags: [(String, UInt64)] = [
    ("get-task-allow", 0x10), ("run-unsigned-code", 0x10),
    ("com.apple.private.cs.debugger", 0x20), ("dynamic-codesigning", 0x40),
    ("com.apple.private.skip-library-validation", 0x80),
    ("com.apple.private.amfi.can-load-cdhash", 0x100),
    ("com.apple.private.amfi.can-execute-cdhash", 0x200),
  ]
}
