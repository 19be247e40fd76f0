/// A small file that goes beside an application's output, such as a record of it.
///
/// Its bytes are written before the output is, so that a place where it cannot go, or a full disk,
/// stops the work while nothing has been written; it gets its name when its last bytes are known.
public final class SideFile {
  private let file: TemporaryFile
  private let mayReplace: Bool
  private var isPublished = false

  /// A file that will stand at a path, in place of a regular file that is there only where `replace`
  /// is true, and never in place of what one of the other paths leads to.
  /// - Throws: ``BundleError`` with codes `outputExists`, `outputOfOtherKind`, `outputNotWritable`,
  ///   `isDirectory`, `io`.
  public init(
    _ path: String, replace: Bool, otherThan others: [String]
  ) throws(BundleError) {
    let place = try OutputPlace(path)
    mayReplace = replace
    for other in others where try Self.isSame(place, other) {
      throw BundleError(
        .outputOfOtherKind, detail: "\(path) is the app itself or lies in it",
        hint: "name another file")
    }
    switch place.status?.kind {
    case nil: break
    case .file?: if !replace { throw place.exists() }
    case .directory?: throw BundleError(.isDirectory, detail: "\(path) is a folder")
    case .symbolicLink?, .other?:
      throw BundleError(.outputOfOtherKind, detail: "\(path) is there and no regular file")
    }
    file = try TemporaryFile(for: place)
  }

  /// Writes bytes for the time being, as many as there will be in the end or more.
  /// - Throws: ``BundleError`` with code `io`.
  public func reserve(_ bytes: [UInt8]) throws(BundleError) {
    try file.write(bytes, at: 0)
    try file.synchronize()
  }

  /// Writes bytes behind those that were written before.
  /// - Throws: ``BundleError`` with code `io`.
  public func append(_ bytes: [UInt8]) throws(BundleError) { try file.write(bytes) }

  /// Writes the last bytes and gives the file its name and permissions.
  /// - Throws: ``BundleError`` with codes `outputExists`, `outputNotWritable`, `io`.
  public func publish(_ bytes: [UInt8], permissions: UInt16) throws(BundleError) {
    try file.write(bytes, at: 0)
    try file.truncate(to: bytes.count)
    try publish(permissions: permissions)
  }

  /// Gives the file, as it was written so far, its name and permissions.
  /// - Throws: ``BundleError`` with codes `outputExists`, `outputNotWritable`, `io`.
  public func publish(permissions: UInt16) throws(BundleError) {
    try file.publish(
      TemporaryFile.Finish(
        replace: mayReplace, permissions: permissions, synchronize: true)
    ) {}
    isPublished = true
  }

  /// Takes a published file away again, because what it goes beside could not be made.
  public func withdraw() {
    if isPublished { file.place.folder.remove(file.place.name, isFolder: false) }
  }

  /// Whether a path leads to what stands in the file's place now, or names that place.
  /// - Throws: ``BundleError`` with code `io`.
  public func replaces(_ path: String) throws(BundleError) -> Bool {
    try Self.isSame(file.place, path)
  }

  /// Whether a path leads to what stands at a place or will stand there, or to a folder around it.
  static func isSame(_ place: OutputPlace, _ other: String) throws(BundleError) -> Bool {
    if let theirs = FileStatus.following(other) {
      if place.status?.isSame(as: theirs) == true || theirs.holds(place.folderPath) { return true }
    }
    // A folder that is missing holds nothing that could be the same.
    guard let there = try? OutputPlace(other), there.name == place.name else { return false }
    return try place.folder.status().isSame(as: there.folder.status())
  }
}
