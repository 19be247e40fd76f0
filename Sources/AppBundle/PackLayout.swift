#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Which entries of a folder go into an archive, and what they are called there.
struct PackLayout {
  let tree: FolderTree
  /// The folder of the tree that is packed, empty for all of it.
  private let from: [UInt8]
  /// What it is called in the archive, empty for a folder that holds `Payload/` itself.
  private let to: [UInt8]

  /// The layout of an opened application's folder.
  /// - Throws: ``BundleError`` with codes `wrongOutputKind`, `io`.
  init(_ application: Application, _ tree: FolderTree) throws(BundleError) {
    try self.init(
      tree, kind: application.kind, bundle: application.bundle, path: application.path)
  }

  /// The layout of a folder that holds an application, whatever is wrong with that.
  /// - Throws: ``BundleError`` as ``Packing/pack(_:to:app:options:limits:)``.
  init(_ path: String, app: String?, limits: ArchiveLimits) throws(BundleError) {
    guard let status = FileStatus.following(path) else { throw .reading(errno, "cannot open it") }
    guard status.kind == .directory else {
      throw BundleError(
        .noPayload, detail: "it is no folder", hint: "an archive of an app is packed already")
    }
    let folder = try Directory(path)
    let name = try Application.realName(path)
    let isNamedApp = name[...].hasSuffix(".app")
    guard let kind = FolderKind.kind(of: folder, named: name) ?? (isNamedApp ? .app : nil) else {
      throw FolderKind.unknown(folder, named: name, path: path, limits: limits)
    }
    let tree = try FolderTree(folder, limits: limits)
    var bundle: [UInt8] = []
    switch kind {
    case .xcarchive: bundle = try AppLocator(table: tree, folder: "Products/Applications").find(app)
    case .payload, .app, .ipa, .plist:
      guard app == nil else {
        throw BundleError(
          .noApplication, detail: "it is packed whole, and an app is chosen only in an .xcarchive")
      }
      if kind == .payload { try AppLocator(table: tree, folder: "Payload").checkHoldsApplication() }
    }
    guard kind != .app || !tree.entries.isEmpty else {
      throw BundleError(.noApplication, detail: "\(MemberName.display(name)) is empty")
    }
    try self.init(tree, kind: kind, bundle: bundle, path: path)
  }

  private init(
    _ tree: FolderTree, kind: InputKind, bundle: [UInt8], path: String
  ) throws(BundleError) {
    self.tree = tree
    if kind == .payload {
      from = []
      to = []
      return
    }
    from = bundle
    let name =
      bundle.isEmpty
      ? try Self.applicationName(path)
      : Array(bundle.split(separator: MemberName.slash).last ?? [])
    to = Array("Payload/".utf8) + name
  }

  /// The folders above the tree's entries, outermost first.
  var folders: [(name: [UInt8], status: FileStatus)] {
    if to.isEmpty { return [] }
    let root = tree.entries.first { $0.path == from }?.status ?? tree.status
    return [(Array("Payload".utf8), root), (to, root)]
  }

  /// The entries by their index in the tree, sorted by path, with their names in the archive.
  var members: some Sequence<(index: Int, name: [UInt8])> {
    let prefix = from.isEmpty ? [] : from + [MemberName.slash]
    return tree.entries.indices.lazy.filter { tree.entries[$0].path.starts(with: prefix) }.map {
      let rest = tree.entries[$0].path.dropFirst(prefix.count)
      return ($0, to.isEmpty ? Array(rest) : to + [MemberName.slash] + rest)
    }
  }

  /// The bytes of all files.
  var byteCount: UInt64 {
    members.reduce(0) { sum, member in
      let status = tree.entries[member.index].status
      return status.kind == .file ? sum.plus(status.size) ?? .max : sum
    }
  }

  /// What is no error.
  var warnings: [String] {
    let names = NameCollisions(tree)
    var warnings = names.warnings()
    if !names.indices(named: Array("META-INF/com.apple.ZipMetadata.plist".utf8)).isEmpty {
      warnings.append(
        "META-INF/com.apple.ZipMetadata.plist goes as it is, and its counts are those of the "
          + "archive that it came from")
    }
    return warnings
  }

  /// The name of the application's folder from the input's real path, `.app` added where it is not
  /// there.
  private static func applicationName(_ path: String) throws(BundleError) -> [UInt8] {
    let name = try Application.realName(path)
    if name[...].hasSuffix(".app") { return name }
    guard BundleKind(folder: name.span) == nil, !name.isEmpty else {
      throw BundleError(
        .wrongOutputKind, detail: "\(MemberName.display(name)) is no application by itself")
    }
    return name + Array(".app".utf8)
  }
}

extension AppLocator {
  /// - Throws: ``BundleError`` with code `noApplication` where there is none at all.
  fileprivate func checkHoldsApplication() throws(BundleError) {
    do throws(BundleError) { _ = try find(nil) } catch {
      if error.code != .severalApplications { throw error }
    }
  }
}
