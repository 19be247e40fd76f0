/// What a signature is over: the hashes of an executable's pages and of what belongs to it.
///
/// `CodeDirectory` of Security's `codedirectory.h`, `CS_CodeDirectory` of xnu's `cs_blobs.h`. Fields that a
/// version does not have yet are nil. Hashes, texts and tables lie inside the blob.
public struct CodeDirectory: Sendable {
  /// The slot of the SuperBlob in which it lies.
  public let slot: CodeSignatureSlot
  /// The whole blob.
  public let bytes: [UInt8]
  /// `version`: 0x20001 to 0x20600; later ones are read as 0x20600.
  public let version: UInt32
  /// `flags`.
  public let flags: CodeDirectoryFlags
  /// Where the hashes of code begin in the blob; those of special slots stand before.
  public let hashOffset: Int
  /// `nSpecialSlots`.
  public let specialSlotCount: Int
  /// `nCodeSlots`.
  public let codeSlotCount: Int
  /// How many bytes from the slice's start are hashed: `codeLimit64` where it is there and not 0, else
  /// `codeLimit`.
  public let codeLimit: UInt64
  /// `hashType`.
  public let hashAlgorithm: HashAlgorithm
  /// `platform`, a number of Apple's own programs; else 0.
  public let platform: UInt8
  /// Bytes of a page; nil where all bytes are one page.
  public let pageSize: Int?
  /// The identifier, as text. Bytes that are no UTF-8 are replaced.
  public let identifier: String
  /// The team's identifier (from 0x20200), nil where there is none.
  public let teamIdentifier: String?
  /// The runs of pages that are hashed (from 0x20100), nil where all from the first on are.
  public let scatter: [CodeDirectoryScatter]?
  /// What is known of the segment with the code (from 0x20400).
  public let execSegment: CodeDirectoryExecSegment?
  /// The version of the hardened runtime (from 0x20500), nil where it is 0.
  public let runtime: MachOVersion?
  /// Where the hashes of pages before encryption begin in the blob (from 0x20500), nil where it is 0.
  public let preEncryptHashOffset: Int?
  /// The library that it was linked with (from 0x20600), nil where there is none.
  public let linkage: CodeDirectoryLinkage?

  /// The hash of a special slot, nil where there are fewer.
  public func specialHash(_ slot: CodeSignatureSlot) -> ArraySlice<UInt8>? {
    guard slot.rawValue > 0, slot.rawValue <= specialSlotCount else { return nil }
    let start = hashOffset - Int(slot.rawValue) * hashAlgorithm.length
    return bytes[start..<start + hashAlgorithm.length]
  }

  /// The hash of a code slot, nil where there are fewer.
  public func codeHash(_ index: Int) -> ArraySlice<UInt8>? {
    guard index >= 0, index < codeSlotCount else { return nil }
    let start = hashOffset + index * hashAlgorithm.length
    return bytes[start..<start + hashAlgorithm.length]
  }

  /// The code slot that has a page's hash, nil where none has.
  ///
  /// - Complexity: O(log *n*) of the scatter table's runs.
  public func codeSlot(ofPage page: Int) -> Int? {
    guard page >= 0 else { return nil }
    guard let scatter else { return page < codeSlotCount ? page : nil }
    var range = scatter.indices
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      let run = scatter[middle]
      if page < run.firstPage {
        range = range.lowerBound..<middle
      } else if page - run.firstPage >= run.pageCount {
        range = middle + 1..<range.upperBound
      } else {
        return run.firstSlot + (page - run.firstPage)
      }
    }
    return nil
  }

  /// How many pages lie before the code limit, the last of which may be cut short.
  public var pageCount: Int {
    guard codeLimit > 0 else { return 0 }
    guard let pageSize else { return 1 }
    return Int(clamping: (codeLimit - 1) / UInt64(pageSize) + 1)
  }

  /// The CDHash: the blob's hash by its own algorithm, cut to 20 bytes (`CS_CDHASH_LEN`).
  /// - Throws: ``SigningError`` with code `crypto`.
  public func cdHash() throws(SigningError) -> [UInt8] { Array(try fullHash().prefix(20)) }

  /// The blob's hash by its own algorithm.
  /// - Throws: ``SigningError`` with code `crypto`.
  public func fullHash() throws(SigningError) -> [UInt8] { try hashAlgorithm.hash(bytes) }
}

/// `CS_…` and `kSecCodeSignature…` bits of a CodeDirectory.
public struct CodeDirectoryFlags: OptionSet, Sendable, Hashable {
  /// The bits.
  public let rawValue: UInt32

  /// Flags of these bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// `CS_ADHOC`
  public static let adHoc = CodeDirectoryFlags(rawValue: 0x2)
  /// `CS_GET_TASK_ALLOW`
  public static let getTaskAllow = CodeDirectoryFlags(rawValue: 0x4)
  /// `CS_HARD`
  public static let hard = CodeDirectoryFlags(rawValue: 0x100)
  /// `CS_KILL`
  public static let kill = CodeDirectoryFlags(rawValue: 0x200)
  /// `CS_RESTRICT`
  public static let restrict = CodeDirectoryFlags(rawValue: 0x800)
  /// `CS_REQUIRE_LV`
  public static let libraryValidation = CodeDirectoryFlags(rawValue: 0x2000)
  /// `CS_RUNTIME`
  public static let runtime = CodeDirectoryFlags(rawValue: 0x1_0000)
  /// `CS_LINKER_SIGNED`
  public static let linkerSigned = CodeDirectoryFlags(rawValue: 0x2_0000)
}

/// A run of pages whose hashes follow one another: `SC_Scatter`.
public struct CodeDirectoryScatter: Sendable, Equatable {
  /// `base`, the number of the first page.
  public let firstPage: Int
  /// `count`.
  public let pageCount: Int
  /// The code slot of the first page: as many as the runs before have pages.
  public let firstSlot: Int
  /// `targetOffset`.
  public let targetOffset: UInt64
}

/// `execSegBase`, `execSegLimit`, `execSegFlags`.
public struct CodeDirectoryExecSegment: Sendable, Equatable {
  /// Where the segment with the code begins in the slice.
  public let base: UInt64
  /// How many bytes it has.
  public let limit: UInt64
  /// `CS_EXECSEG_…` bits: 1 main binary, 0x10 unsigned code is allowed.
  public let flags: UInt64
}

/// `linkageHashType`, `linkageApplicationType`, `linkageApplicationSubType`, `linkageOffset`, `linkageSize`.
public struct CodeDirectoryLinkage: Sendable, Equatable {
  /// The algorithm's number.
  public let hashType: UInt8
  /// The application's type.
  public let applicationType: UInt8
  /// The application's subtype.
  public let applicationSubtype: UInt16
  /// Where the hash lies in the blob.
  public let range: Range<Int>
}
