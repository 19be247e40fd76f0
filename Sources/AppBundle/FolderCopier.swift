#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Copies a folder with another Info.plist.
struct FolderCopier {
  private let tree: FolderTree
  private let infoPlistIndex: Int
  private let infoPlist: [UInt8]
  private let options: CommitOptions

  init(_ tree: FolderTree, _ infoPlistIndex: Int, _ infoPlist: [UInt8], _ options: CommitOptions) {
    self.tree = tree
    self.infoPlistIndex = infoPlistIndex
    self.infoPlist = infoPlist
    self.options = options
  }

  /// - Throws: ``BundleError`` with codes `notAFile` for a special file, `inputChanged`, `io`.
  func write(to writer: FolderWriter) throws(BundleError) {
    try writer.makeFolder(
      [], permissions: tree.status.permissions, time: tree.status.identity.time)
    for index in tree.entries.indices {
      let entry = tree.entries[index]
      let path = entry.path[...]
      let shown = MemberName.display(path)
      let time = entry.status.identity.time
      switch entry.status.kind {
      case .directory:
        try writer.makeFolder(path, permissions: entry.status.permissions, time: time)
      case .symbolicLink:
        try writer.makeLink(path, target: try tree.linkTarget(index), time: time)
      case .file:
        let file = try tree.open(index)
        let reader =
          index == infoPlistIndex
          ? MemberReader(infoPlist, member: shown)
          : MemberReader(file: file, range: 0..<file.size, member: shown)
        let isNew = index == infoPlistIndex
        try writer.makeFile(
          path, permissions: entry.status.permissions,
          time: isNew ? options.seconds.map { timespec(seconds: $0) } ?? time : time, from: reader)
        try file.checkUnchanged()
      case .other:
        throw BundleError(.notAFile, member: shown, detail: "a special file is not copied")
      }
    }
    try writer.finish()
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
