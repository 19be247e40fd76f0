#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Packs a folder into a new archive, with another Info.plist.
///
/// An application goes under `Payload/`, of an archive of Xcode's only its application; a folder
/// with `Payload/` goes as it is. Members are sorted by path, with modes, times and links as links.
struct FolderPacker {
  private let application: Application
  private let tree: FolderTree
  private let infoPlist: [UInt8]
  private let options: CommitOptions

  init(
    _ application: Application, _ tree: FolderTree, infoPlist: [UInt8], _ options: CommitOptions
  ) {
    self.application = application
    self.tree = tree
    self.infoPlist = infoPlist
    self.options = options
  }

  /// - Throws: ``BundleError`` with codes `wrongOutputKind`, `notAFile`, `inputChanged`, `io`.
  func write(to file: TemporaryFile) throws(BundleError) {
    let packer = try ZipPacker(file)
    var from: [UInt8] = []
    var to: [UInt8] = []
    if application.kind != .payload {
      let name = try applicationName()
      from = application.bundle
      to = Array("Payload/".utf8) + name
      let root =
        tree.entries.first { $0.path == from }?.status ?? tree.status
      let attributes = ZipPacker.Attributes(
        mode: root.mode, seconds: root.identity.seconds)
      try packer.addFolder(
        Array("Payload".utf8), .init(mode: 0o040755, seconds: root.identity.seconds))
      try packer.addFolder(to, attributes)
    }
    let prefix = from.isEmpty ? [] : from + [MemberName.slash]
    for index in tree.entries.indices where tree.entries[index].path.starts(with: prefix) {
      let rest = tree.entries[index].path.dropFirst(prefix.count)
      try add(index, as: to.isEmpty ? Array(rest) : to + [MemberName.slash] + rest, to: packer)
    }
    try packer.close()
  }

  private func add(_ index: Int, as name: [UInt8], to packer: ZipPacker) throws(BundleError) {
    let status = tree.entries[index].status
    var attributes = ZipPacker.Attributes(mode: status.mode, seconds: status.identity.seconds)
    switch status.kind {
    case .directory: try packer.addFolder(name, attributes)
    case .symbolicLink:
      let target = try tree.linkTarget(index)
      try packer.add(name, .bytes(target), size: UInt64(target.count), attributes)
    case .file where index == application.infoPlistIndex:
      attributes.seconds = options.seconds ?? attributes.seconds
      try packer.add(name, .bytes(infoPlist), size: UInt64(infoPlist.count), attributes)
    case .file: try packer.add(name, .file(tree, index), size: status.size, attributes)
    case .other:
      throw BundleError(
        .notAFile, member: MemberName.display(name), detail: "a special file is not packed")
    }
  }

  /// The name of the application's folder, from the input's real path where that is the folder.
  private func applicationName() throws(BundleError) -> [UInt8] {
    if !application.bundle.isEmpty {
      return Array(application.bundle.split(separator: MemberName.slash).last ?? [])
    }
    guard let resolved = realpath(application.path, nil) else {
      throw .reading(errno, "cannot find \(application.path)")
    }
    defer { free(resolved) }
    let path = UnsafeBufferPointer(start: resolved, count: strlen(resolved))
    let bytes = path.map { UInt8(bitPattern: $0) }
    let name = Array(bytes.split(separator: MemberName.slash).last ?? [])
    if name[...].hasSuffix(".app") { return name }
    guard BundleKind(folder: name.span) == nil, !name.isEmpty else {
      throw BundleError(
        .wrongOutputKind, detail: "\(MemberName.display(name)) is no application by itself")
    }
    return name + Array(".app".utf8)
  }
}
