/// Whether the signatures in an executable fit its code and what belongs to it.
///
/// Each slice is looked at, and in it each CodeDirectory, whatever a system would take: a signer that
/// renews one of them leaves the others stale. The CMS is not looked at here.
public struct ExecutableSeal: Sendable {
  /// What a special slot of a CodeDirectory says of the file or blob that it is for.
  public enum SlotState: String, Sendable, CaseIterable {
    /// It is the hash of what is there.
    case valid
    /// It is the hash of something else.
    case mismatch
    /// It is empty, and there is something to be sealed.
    case zero
    /// The CodeDirectory has fewer slots, and there is something to be sealed.
    case absent
    /// It is a hash, and nothing is there.
    case missingFile = "missing-file"
  }

  /// A special slot that is set, or for which something is there.
  public struct Slot: Sendable, Equatable {
    /// Which one.
    public let slot: CodeSignatureSlot
    /// What it says.
    public let state: SlotState
  }

  /// How the pages of code compare with their hashes.
  public struct Pages: Sendable, Equatable {
    /// How many were compared.
    public internal(set) var checked = 0
    /// How many have another hash.
    public internal(set) var wrongCount = 0
    /// The numbers of the first ten of those.
    public internal(set) var firstWrong: [Int] = []
    /// How many before the code limit have no hash.
    public internal(set) var unhashed = 0
    /// Bytes of a page, the last of which may be shorter; nil where all bytes are one page.
    public internal(set) var pageSize: Int?
  }

  /// A CodeDirectory and what was found of it.
  public struct Directory: Sendable {
    /// The CodeDirectory.
    public let codeDirectory: CodeDirectory
    /// Its CDHash, of 20 bytes.
    public let cdHash: [UInt8]
    /// The special slots by number.
    public let slots: [Slot]
    /// The code.
    public internal(set) var pages: Pages
    /// What does not fit, but slots and pages, each as a line without a full stop.
    public let problems: [String]

    /// What a slot says, nil where it is empty and nothing is there to be sealed.
    public func state(of slot: CodeSignatureSlot) -> SlotState? {
      slots.first { $0.slot == slot }?.state
    }

    /// Whether it seals all that is there.
    public var isIntact: Bool {
      problems.isEmpty && pages.wrongCount == 0 && pages.unhashed == 0
        && slots.allSatisfy { $0.state == .valid }
    }
  }

  /// A slice and what was found of it.
  public struct Slice: Sendable {
    /// The slice.
    public let slice: MachOSlice
    /// Its signature, nil where it has none or it cannot be read.
    public let signature: CodeSignature?
    /// Why the signature cannot be read, nil where it can or there is none.
    public let error: SigningError?
    /// The CodeDirectories as in ``CodeSignature/codeDirectories``.
    public internal(set) var directories: [Directory]
    /// What does not fit in the slice, each as a line without a full stop.
    public let problems: [String]

    /// Whether there is a signature, be it one that cannot be read.
    public var isSigned: Bool { signature != nil || error != nil }

    /// Whether there is a signature and all of its CodeDirectories seal all that is there.
    public var isIntact: Bool {
      signature != nil && problems.isEmpty && directories.allSatisfy(\.isIntact)
    }
  }

  /// The file's headers.
  public let file: MachOFile
  /// The slices in the file's order.
  public internal(set) var slices: [Slice]

  /// Whether any slice has a signature.
  public var isSigned: Bool { slices.contains(where: \.isSigned) }
  /// Whether every slice has a signature and seals all that is there.
  public var isIntact: Bool { slices.allSatisfy(\.isIntact) }

  /// Checks an executable against its signatures.
  ///
  /// The file is read once, in parts, whatever the number of CodeDirectories and hashes.
  /// - Parameters:
  ///   - source: the whole file.
  ///   - infoPlist: the bytes of the bundle's Info.plist. Where there are none, the section
  ///     `__TEXT,__info_plist` stands for them.
  ///   - codeResources: the bytes of the bundle's `_CodeSignature/CodeResources`, nil where there is none.
  ///   - checksPages: whether pages of code are hashed.
  ///   - workers: how many threads hash, with the caller's.
  ///   - limits: what is read at most.
  /// - Throws: ``SigningError`` as ``MachOFile/init(_:limits:)``, `crypto`. A signature that cannot be
  ///   read is no error, but ``Slice/error``.
  public init(
    of source: any ByteSource, infoPlist: [UInt8]? = nil, codeResources: [UInt8]? = nil,
    checksPages: Bool = true, workers: Int = 1, limits: SigningLimits = .standard
  ) throws(SigningError) {
    file = try MachOFile(source, limits: limits)
    let check = SliceCheck(
      source: source, infoPlist: infoPlist, codeResources: codeResources, limits: limits)
    slices = try file.slices.map { slice throws(SigningError) in try check.result(slice) }
    guard checksPages else { return }
    let pages = try PageHashing(source, slices).run(workers: workers)
    for (place, found) in pages {
      slices[place.slice].directories[place.directory].pages = found
    }
  }
}
