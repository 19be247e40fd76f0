#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Copies a folder with another Info.plist.
///
/// Modes, times, extended attributes and holes stay, links stay links, and files share blocks with the
/// originals where the file system can do that. Hard links become files of their own.
struct FolderCopier {
  private let tree: FolderTree
  private let replacement: NewContent
  private let reflink: CommitOptions.Reflink

  init(_ tree: FolderTree, replacing: NewContent, _ reflink: CommitOptions.Reflink) {
    self.tree = tree
    replacement = replacing
    self.reflink = reflink
  }

  /// - Throws: ``BundleError`` with codes `notAFile` for a special file, `inputChanged`, `io`.
  func write(to writer: FolderWriter) throws(BundleError) {
    writer.sharesBlocks = reflink == .auto
    try writer.makeFolder(
      [], permissions: tree.status.permissions, time: tree.status.identity.time)
    for index in tree.entries.indices {
      let entry = tree.entries[index]
      let path = entry.path[...]
      let time = entry.status.identity.time
      switch entry.status.kind {
      case .directory:
        try writer.makeFolder(path, permissions: entry.status.permissions, time: time)
      case .symbolicLink:
        try writer.makeLink(path, target: try tree.linkTarget(index), time: time)
      case .file:
        let file = try tree.open(index)
        if index == replacement.index {
          try writer.makeFile(
            path, permissions: entry.status.permissions,
            time: replacement.seconds.map { timespec(seconds: $0) } ?? time,
            from: MemberReader(replacement.bytes, member: MemberName.display(path)), like: file)
        } else {
          try writer.makeCopy(path, of: file, permissions: entry.status.permissions, time: time)
        }
        try file.checkUnchanged()
      case .other:
        throw BundleError(
          .notAFile, member: MemberName.display(path), detail: "a special file is not copied")
      }
    }
    try writer.finish(attributesFrom: tree.root)
  }
}

extension FileStatus.Identity {
  /// The modification time.
  var time: timespec {
    var time = timespec()
    time.tv_sec = time_t(seconds)
    time.tv_nsec = Int(nanoseconds)
    return time
  }
}

extension timespec {
  init(seconds: Int64) {
    self.init()
    tv_sec = time_t(seconds)
  }
}
