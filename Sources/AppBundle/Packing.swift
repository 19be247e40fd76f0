/// How a folder is packed into an archive.
public struct PackingOptions: Sendable, Equatable {
  /// The modes and times that members get.
  public enum Attributes: Sendable, Equatable {
    /// Those of the files: times to the second, in an extended timestamp field beside the DOS time.
    case kept
    /// One time for all, in seconds since 1970 and written as UTC; mode 755 for folders, links and
    /// what anyone may execute, 644 for the rest. The same content then gives the same bytes whoever
    /// packs it, wherever and whenever.
    case reproducible(seconds: Int64)
  }

  /// How hard members are deflated: 1 to 9 as zlib counts, 0 for not at all. Other numbers are
  /// moved into this range.
  public var level = 6
  /// The modes and times that members get.
  public var attributes = Attributes.kept

  /// Level 6, and modes and times as they are.
  public init() {}

  /// 1980-01-01, the first time that an archive can tell.
  public static let earliestSeconds: Int64 = 315_532_800
}

/// Packs folders into archives and unpacks archives into folders, with no member changed.
public enum Packing {
  /// How an output is made.
  public struct Output: Sendable, Equatable {
    /// Where it goes.
    public var path: String
    /// Whether it may replace what stands there.
    public var replace = false
    /// Whether it is flushed to the disk before it gets its name.
    public var synchronize = true

    /// An output that replaces nothing and is flushed.
    public init(_ path: String) { self.path = path }
  }

  /// Hears from the thread that writes, block by block, how many bytes of about how many are done.
  public typealias Progress = (_ done: UInt64, _ total: UInt64) -> Void

  /// What was packed or unpacked.
  public struct Summary: Sendable, Equatable {
    /// Members of the archive.
    public var entries: Int
    /// Bytes of the new archive, or of all files that were unpacked.
    public var bytes: UInt64
    /// Things that are no error, one line each.
    public var warnings: [String]
  }

  /// Packs a folder that holds an application: one with `Payload/`, which goes with all that stands
  /// beside it, an `.app` flat or with `Contents/`, which goes under `Payload/`, or an `.xcarchive`,
  /// of which the application goes there.
  ///
  /// No member is looked into, so that the application may be broken. Members are sorted by the bytes
  /// of their paths, a folder before what it holds. Links stay links; hard links become files of
  /// their own.
  /// - Parameters:
  ///   - folder: the folder; a symbolic link is followed.
  ///   - output: a file, whatever its name ends in.
  ///   - app: the application of an `.xcarchive` that holds several.
  ///   - options: what members get.
  ///   - limits: the bounds to keep.
  ///   - progress: hears of the bytes that are packed.
  /// - Returns: what was packed.
  /// - Throws: ``BundleError`` with codes `notFound`, `unreadable`, `noPayload`, `noApplication`,
  ///   `noInfoPlist`, `severalApplications`, `notAFile`, `limit`, `outputExists`, `outputInInput`,
  ///   `outputNotWritable`, `outputOfOtherKind`, `isDirectory`, `inputChanged`, `io`.
  public static func pack(
    _ folder: String, to output: Output, app: String? = nil,
    options: PackingOptions = PackingOptions(), limits: ArchiveLimits = .standard,
    progress: Progress? = nil
  ) throws(BundleError) -> Summary {
    let place = try OutputPlace(output.path)
    let layout = try PackLayout(folder, app: app, limits: limits)
    try place.checkOutside(of: folder)
    if !output.replace { try place.checkFree() }
    try place.checkTakesFile()
    let file = try TemporaryFile(for: place)
    var packer = FolderPacker(layout, options)
    packer.progress = progress
    let count = try packer.write(to: file)
    try file.publish(
      .init(replace: output.replace, permissions: 0o644, synchronize: output.synchronize)
    ) {}
    return Summary(entries: count, bytes: file.end, warnings: layout.warnings)
  }

  /// Unpacks an archive, whether it holds an application or not.
  ///
  /// Members keep their names' bytes, modes, times and order of making; special permission bits are
  /// left out, and a folder can always be entered and listed by its owner. Names and links that lead
  /// out of the folder are refused, and so is what another file system would take for one name:
  /// nothing is left behind then.
  /// - Parameters:
  ///   - path: the archive.
  ///   - output: a folder. Only an earlier output of such an archive, or an empty folder, is replaced.
  ///   - limits: the bounds to keep.
  ///   - progress: hears of the bytes that are written.
  /// - Returns: what was unpacked.
  /// - Throws: ``BundleError`` with codes `notFound`, `unreadable`, `notAnArchive`, `truncated`,
  ///   `pathEscapes`, `duplicateMember`, `notAFile`, `encrypted`, `unsupportedMethod`, `inconsistent`,
  ///   `overlapping`, `checksum`, `limit`, `outputExists`, `outputOfOtherKind`, `outputNotWritable`,
  ///   `inputChanged`, `io`.
  public static func unpack(
    _ path: String, to output: Output, limits: ArchiveLimits = .standard,
    progress: Progress? = nil
  ) throws(BundleError) -> Summary {
    let place = try OutputPlace(output.path)
    let archive = try Self.archive(path, limits: limits)
    if !output.replace { try place.checkFree() }
    try place.checkHoldsNot(path)
    let unpacker = ArchiveUnpacker(archive)
    try unpacker.check()
    let table = archive.directory
    let folder = try TemporaryFolder(for: place, replacing: .payload, topNames: table.topNames)
    let writer = FolderWriter(folder.root, synchronizes: output.synchronize)
    writer.progress = progress.map { progress in
      let total = table.unpackedSize
      return { progress($0, total) }
    }
    let bytes = try unpacker.write(to: writer)
    try folder.publish(replace: output.replace, synchronize: output.synchronize) {}
    return Summary(entries: table.count, bytes: bytes, warnings: unpacker.warnings)
  }

  private static func archive(
    _ path: String, limits: ArchiveLimits
  ) throws(BundleError) -> ArchiveFile {
    guard FileStatus.following(path)?.kind != .directory else {
      throw BundleError(.notAnArchive, detail: "it is a folder, and unpacked already")
    }
    let file = try Application.inputFile(path)
    if let archive = try ArchiveFile(file, limits: limits) { return archive }
    let count = Int(min(file.size, UInt64(InputContent.prefixLength)))
    switch InputContent(prefix: try file.bytes(at: 0, count: count), size: file.size) {
    case .zip:
      throw .cutShort
    case .propertyList:
      throw BundleError(.notAnArchive, detail: "it is no archive but a property list")
    case .other(let what):
      throw BundleError(.notAnArchive, detail: "it is no archive but \(what)")
    }
  }
}
