#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// A small file of settings in two folders of its own, which is edited together with an application's
/// output, or not at all.
///
/// Where its path is a symbolic link, what that leads to is edited. Readers see the old file or the
/// new one; of several writers at once the last one wins.
public final class SettingsFile {
  /// The path as it was given.
  public let path: String
  private let limit: Int
  private var published: Published?
  /// The folders that were made, the outer one first.
  private var madeFolders: [String] = []

  /// What to put back.
  private struct Published {
    let place: OutputPlace
    let status: FileStatus?
    /// The file as it was, nil where there was none.
    let old: (file: InputFile, copy: TemporaryFile)?
  }

  /// The file at a path, which may have so many bytes. Nothing is looked at yet.
  public init(_ path: String, limit: Int) {
    self.path = path
    self.limit = limit
  }

  /// What the file holds, nil where there is none.
  /// - Throws: ``BundleError`` with codes `unreadable`, `notAFile`, `limit`, `io`.
  public func contents() throws(BundleError) -> [UInt8]? {
    try openFile().map { file throws(BundleError) in try contents(of: file) }
  }

  /// Sees to it that the file can be edited or made, as far as that can be told without trying.
  /// - Throws: ``BundleError`` with codes `outputNotWritable`, `isDirectory`, `outputOfOtherKind`.
  public func checkWritable() throws(BundleError) {
    let target = try target()
    if FileStatus.following(target) != nil { try Self.check(target, W_OK) }
    let folder = missingFolders(above: target).first.map(Self.parent) ?? Self.parent(of: target)
    guard FileStatus.following(folder)?.kind == .directory else {
      throw BundleError(.outputNotWritable, detail: "there is no folder \(folder)")
    }
    try Self.check(folder, W_OK | X_OK)
  }

  /// Sees to it that the file is none of these, nor would lie in one of them that is a folder.
  /// - Throws: ``BundleError`` with code `outputOfOtherKind`.
  public func checkIsNone(of others: [String]) throws(BundleError) {
    let target = try target()
    let first = missingFolders(above: target).first ?? target
    guard let place = try? OutputPlace(first) else { return }
    for other in others where try SideFile.isSame(place, other) {
      throw BundleError(
        .outputOfOtherKind, detail: "\(path) is \(other) or lies in it",
        hint: "name another file or data folder")
    }
  }

  /// Gives the file another content, worked out from the present one, which is nil where there is no
  /// file. The file keeps its mode, owner and extended attributes; a new one can be read by its owner
  /// alone, and so can the folders that are made for it, two at most. Nothing is written where the
  /// content stays the same.
  /// - Returns: whether anything was written.
  /// - Throws: ``BundleError`` with codes `outputNotWritable`, `isDirectory`, `outputOfOtherKind`,
  ///   `io`, those of ``contents()``, and what `edit` throws. Nothing is changed then.
  public func publish(
    _ edit: ([UInt8]?) throws(BundleError) -> [UInt8]
  ) throws(BundleError) -> Bool {
    do throws(BundleError) { return try write(edit) } catch {
      withdraw()
      throw error
    }
  }

  /// Puts back what was there before, because what goes with it could not be made. Where another
  /// program has written the file since, it stays as that one left it.
  public func withdraw() {
    if let published, let status = published.status,
      published.place.status?.identity == status.identity
    {
      if let old = published.old {
        try? old.copy.publish(
          TemporaryFile.Finish(
            replace: true, permissions: old.file.status.permissions, successorOf: old.file,
            synchronize: true)
        ) {}
      } else {
        published.place.folder.remove(published.place.name, isFolder: false)
      }
    }
    published = nil
    for folder in madeFolders.reversed() { rmdir(folder) }
    madeFolders = []
  }

  private func write(
    _ edit: ([UInt8]?) throws(BundleError) -> [UInt8]
  ) throws(BundleError) -> Bool {
    let target = try target()
    let file = try openFile()
    let before = try file.map { file throws(BundleError) in try contents(of: file) }
    let after = try edit(before)
    guard after != before else { return false }
    try makeFolders(missingFolders(above: target))
    let place = try OutputPlace(target)
    let new = try TemporaryFile(for: place)
    try new.write(after)
    var old: (file: InputFile, copy: TemporaryFile)?
    if let file, let before {
      // Made now, since a full disk must not keep it from being put back.
      let copy = try TemporaryFile(for: place)
      try copy.write(before)
      old = (file, copy)
    }
    try new.publish(
      TemporaryFile.Finish(
        replace: true, permissions: file?.status.permissions ?? 0o600, successorOf: file,
        synchronize: true)
    ) { () throws(BundleError) in try place.checkTakesFile() }
    published = Published(place: place, status: new.withDescriptor(FileStatus.of), old: old)
    return true
  }

  /// Where the path leads to in the end.
  private func target() throws(BundleError) -> String {
    var status = stat()
    guard lstat(path, &status) == 0, FileStatus(status).kind == .symbolicLink else { return path }
    guard let target = realPath(path) else {
      throw BundleError(
        .outputOfOtherKind, detail: "\(path) is a symbolic link that leads nowhere",
        hint: "make the file that it is to lead to, or remove it")
    }
    return target
  }

  private func openFile() throws(BundleError) -> InputFile? {
    let opened = retrying { open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
    guard opened >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw .reading(errno, "cannot open \(path)")
    }
    return try InputFile(descriptor: opened, path: path)
  }

  private func contents(of file: InputFile) throws(BundleError) -> [UInt8] {
    guard file.size <= UInt64(limit) else {
      throw BundleError(.limit, detail: "\(path) has \(file.size) bytes, more than \(limit)")
    }
    return try file.bytes(at: 0, count: Int(file.size))
  }

  /// Those of the two folders around the file that are missing, the outer one first.
  private func missingFolders(above target: String) -> [String] {
    let inner = Self.parent(of: target)
    return [Self.parent(of: inner), inner].filter { FileStatus.following($0) == nil }
  }

  private func makeFolders(_ folders: [String]) throws(BundleError) {
    for folder in folders {
      if mkdir(folder, 0o700) == 0 {
        madeFolders.append(folder)
      } else if errno != EEXIST {
        throw .writing(errno, "cannot make the folder \(folder)")
      }
    }
  }

  private static func check(_ path: String, _ mode: Int32) throws(BundleError) {
    guard access(path, mode) == 0 else { throw .writing(errno, "cannot write to \(path)") }
  }

  /// The folder of a path, without slashes at its end.
  private static func parent(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: MemberName.slash) else { return "." }
    var folder = path[..<slash]
    while folder.utf8.last == MemberName.slash { folder.removeLast() }
    return folder.isEmpty ? "/" : String(folder)
  }
}
