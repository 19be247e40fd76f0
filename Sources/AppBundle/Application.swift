/// An application, wherever it lies, with its members at hand.
///
/// An opened application reads from what it opened, and notices where that is changed under it.
/// Nothing is written before ``commit(_:to:options:)``.
///
/// ```swift
/// let app = try Application.open("Demo.ipa")
/// let edited = edit(try app.infoPlist())
/// try app.commit(edited, to: .path("Prepared.ipa", replace: false))
/// ```
public struct Application: Sendable {
  /// What the members are read from.
  enum Source: Sendable {
    case archive(ArchiveFile)
    case folder(FolderTree)
    case file(InputFile)

    /// Keeps other runs from editing the input until this process ends. False where one is at it.
    func lock() -> Bool {
      switch self {
      case .archive(let archive): archive.file.lock()
      case .folder(let tree): tree.root.withDescriptor(isLockable)
      case .file(let file): file.lock()
      }
    }
  }

  /// The input as it was given.
  public let path: String
  /// What it is.
  public let kind: InputKind
  /// Bytes of the file, or of all files in the folder.
  public let byteCount: UInt64
  /// How many members it has.
  public var entryCount: Int { table?.count ?? 1 }
  /// The main application from the input's root: `Payload/Demo.app`; empty where the input is the
  /// application, nil for a property list by itself.
  public let bundlePath: String?
  /// How the main application is laid out.
  public let layout: BundleLayout
  /// The main application's Info.plist from the input's root, or what ``editing(_:)`` put in its place.
  public internal(set) var infoPlistPath: String
  /// Whether the main application holds `_CodeSignature/CodeResources`.
  public let isSealed: Bool
  /// The bundles and dynamic libraries inside the main application in the order in which they are
  /// signed: deepest first, then by path. The main application is not among them.
  public let nestedBundles: [NestedBundle]
  /// Things that are no error, one line each.
  public let warnings: [String]

  let source: Source
  /// The entries by name, nil for a property list by itself.
  let names: NameCollisions?
  let limits: ArchiveLimits
  /// The main application's folder as bytes.
  let bundle: [UInt8]
  /// Info.plist among the entries.
  var infoPlistIndex: Int
  let localized: [(language: String, path: String)]

  var table: (any MemberTable)? {
    switch source {
    case .archive(let archive): archive.directory
    case .folder(let tree): tree
    case .file: nil
    }
  }
}

extension Application {
  /// All members: of an archive in the order of its central directory, of a folder by path.
  ///
  /// - Complexity: O(*n*) each time.
  public var members: [Member] {
    if let table { return (0..<table.count).map { table.member($0) } }
    guard case .file(let file) = source else { return [] }
    return [
      Member(
        name: Array(infoPlistPath.utf8)[...], kind: .file, size: file.size,
        permissions: file.status.permissions, checksum: nil)
    ]
  }

  /// The bytes of a member that is a regular file.
  ///
  /// In an archive the local header must agree with the central directory, and the bytes' count
  /// and CRC-32 must be those declared.
  /// - Parameters:
  ///   - path: as ``Member/path`` shows it.
  ///   - limit: how many bytes the member may have at most.
  /// - Returns: the unpacked bytes.
  /// - Throws: ``BundleError`` with codes `noMember`, `notAFile`, `duplicateMember`, `encrypted`,
  ///   `unsupportedMethod`, `inconsistent`, `overlapping`, `checksum`, `limit`, `inputChanged`,
  ///   `io`.
  public func contents(of path: String, limit: Int = 16 << 20) throws(BundleError) -> [UInt8] {
    guard let table, let names else {
      guard path == infoPlistPath else {
        throw BundleError(.noMember, member: path, detail: "there is no such member")
      }
      return try contents(0, limit: limit)
    }
    let index = try names.index(of: path)
    guard table.kind(index) == .file else {
      throw BundleError(.notAFile, member: path, detail: "it is no regular file")
    }
    return try contents(index, limit: limit)
  }

  /// The member at a path, nil where there is none: that of exactly this name, else the first whose
  /// name differs in its Unicode form alone, as the file systems of Apple's systems see it.
  ///
  /// - Complexity: O(1), whatever the number of members.
  public func member(at path: String) -> Member? {
    guard let table, let names else { return nil }
    let name = Array(path.utf8)
    let alike = names.indices(name)
    let index =
      alike.first { table.name($0).elementsEqual(name) }
      ?? alike.first { String(decoding: table.name($0), as: UTF8.self) == path }
      ?? (try? names.index(of: MemberName.display(name)))
    return index.map { table.member($0) }
  }

  /// The target of a symbolic link, as ``Member/path`` would show it.
  /// - Throws: ``BundleError`` as ``contents(of:limit:)``, `notAFile` for what is no link.
  public func linkTarget(of path: String) throws(BundleError) -> String {
    guard let table, let names else {
      throw BundleError(.notAFile, member: path, detail: "it is no symbolic link")
    }
    let index = try names.index(of: path)
    guard table.kind(index) == .symbolicLink else {
      throw BundleError(.notAFile, member: path, detail: "it is no symbolic link")
    }
    return MemberName.display(try linkTarget(index))
  }

  /// How many other names the file has that an edit in place exchanges (hard links). They keep the
  /// old content: an edit puts a new file in the old one's place.
  public var otherNameCount: Int {
    let links =
      switch source {
      case .archive(let archive): archive.file.status.links
      case .folder(let tree): tree.entries[infoPlistIndex].status.links
      case .file(let file): file.status.links
      }
    return Int(clamping: links) - 1
  }

  /// The bytes of the main application's Info.plist.
  /// - Throws: ``BundleError`` as ``contents(of:limit:)``.
  public func infoPlist() throws(BundleError) -> [UInt8] {
    try contents(infoPlistIndex, limit: limits.infoPlistBytes)
  }

  /// The main application's `InfoPlist.strings` of each language, sorted by language.
  public func localizedInfoPlistStrings() -> [(language: String, path: String)] { localized }

  /// The bytes of an entry that is a file.
  func contents(_ index: Int, limit: Int) throws(BundleError) -> [UInt8] {
    switch source {
    case .archive(let archive): return try archive.contents(index, limit: limit)
    case .folder(let tree): return try Self.contents(of: tree.open(index), limit: limit)
    case .file(let file): return try Self.contents(of: file, limit: limit)
    }
  }

  func linkTarget(_ index: Int) throws(BundleError) -> [UInt8] {
    switch source {
    case .archive(let archive): return try archive.contents(index, limit: limits.linkBytes)
    case .folder(let tree): return try tree.linkTarget(index)
    case .file: throw BundleError(.notAFile, detail: "it is no symbolic link")
    }
  }

  private static func contents(of file: InputFile, limit: Int) throws(BundleError) -> [UInt8] {
    guard file.size <= UInt64(limit) else {
      throw BundleError(
        .limit, member: file.path,
        detail: "it has \(file.size) bytes, and at most \(limit) are read")
    }
    let bytes = try file.bytes(at: 0, count: Int(file.size))
    try file.checkUnchanged()
    return bytes
  }
}
