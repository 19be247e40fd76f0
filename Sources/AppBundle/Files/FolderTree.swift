#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// All entries of a folder and below it, as they were found, sorted by path.
final class FolderTree: Sendable {
  struct Entry: Sendable {
    let path: [UInt8]
    let status: FileStatus

    var parent: ArraySlice<UInt8> {
      path.lastIndex(of: MemberName.slash).map { path[..<$0] } ?? []
    }
    var name: ArraySlice<UInt8> {
      path.lastIndex(of: MemberName.slash).map { path[($0 + 1)...] } ?? path[...]
    }
  }

  let root: Directory
  let status: FileStatus
  let entries: [Entry]
  let limits: ArchiveLimits

  /// Lists a folder. Links are entries, they are never followed.
  /// - Throws: ``BundleError`` with codes `limit`, `unreadable`, `io`.
  init(_ root: Directory, limits: ArchiveLimits) throws(BundleError) {
    self.root = root
    self.limits = limits
    var entries: [Entry] = []
    var pending: [[UInt8]] = [[]]
    while let path = pending.popLast() {
      let folder = try root.directory(at: path)
      for name in try folder.names() {
        let whole = path.isEmpty ? name : path + [MemberName.slash] + name
        let entry = Entry(path: whole, status: try folder.status(of: name, path: whole))
        guard entries.count < limits.entries else {
          throw BundleError(.limit, detail: "the folder holds more than \(limits.entries) entries")
        }
        entries.append(entry)
        guard entry.status.kind == .directory else { continue }
        guard entry.path.count(where: { $0 == MemberName.slash }) < limits.depth else {
          throw BundleError(
            .limit, member: MemberName.display(entry.path),
            detail: "folders lie deeper than \(limits.depth) levels")
        }
        pending.append(entry.path)
      }
    }
    self.entries = entries.sorted { $0.path.lexicographicallyPrecedes($1.path) }
    status = try root.status()
  }

  func directory(of entry: Entry) throws(BundleError) -> Directory {
    try root.directory(at: entry.parent)
  }

  /// Opens a file of the tree, which must be the one that was listed.
  func open(_ index: Int) throws(BundleError) -> InputFile {
    let entry = entries[index]
    let path = MemberName.display(entry.path)
    let file = try directory(of: entry).file(entry.name, path: path)
    guard file.status.identity == entry.status.identity else {
      throw BundleError(
        .inputChanged, member: path, detail: "it was changed after the folder was opened")
    }
    return file
  }

  func linkTarget(_ index: Int) throws(BundleError) -> [UInt8] {
    let entry = entries[index]
    return try directory(of: entry).linkTarget(
      entry.name, limit: limits.linkBytes, path: MemberName.display(entry.path))
  }
}

extension FolderTree: MemberTable {
  var count: Int { entries.count }
  func name(_ index: Int) -> ArraySlice<UInt8> { entries[index].path[...] }
  func kind(_ index: Int) -> Member.Kind { entries[index].status.kind }

  func forEachName<Failure>(
    _ body: (Int, Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    for index in entries.indices {
      let path = entries[index].path
      try body(index, path.span)
    }
  }

  func member(_ index: Int) -> Member {
    let entry = entries[index]
    return Member(
      name: entry.path[...], kind: entry.status.kind,
      size: entry.status.kind == .directory ? 0 : entry.status.size,
      permissions: entry.status.permissions, checksum: nil)
  }
}
