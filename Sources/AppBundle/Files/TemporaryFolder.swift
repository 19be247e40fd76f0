#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// A folder in the making: hidden beside its destination, and gone with this object unless it was
/// published.
final class TemporaryFolder {
  let root: Directory
  private let place: OutputPlace
  private let replacing: InputKind
  private let hidden: [UInt8]

  /// Makes the folder; `kind` is what it becomes, and the only kind that it may replace.
  /// - Throws: ``BundleError`` with codes `outputNotWritable`, `wrongOutputKind`.
  init(for place: OutputPlace, replacing kind: InputKind) throws(BundleError) {
    self.place = place
    replacing = kind
    try Self.checkReplaceable(place, kind)
    let name = place.hiddenName()
    hidden = name
    TemporaryFiles.insert(place.join(name))
    let made = place.folder.makeFolder(name, mode: 0o700)
    guard made == 0 else {
      let number = errno
      TemporaryFiles.remove(place.join(name))
      throw .writing(number, "cannot make a folder in \(place.folderPath)")
    }
    do throws(BundleError) {
      root = try place.folder.directory(name, path: place.path)
    } catch {
      place.folder.remove(name, isFolder: true)
      TemporaryFiles.remove(place.join(name))
      throw error
    }
  }

  deinit {
    let path = place.join(hidden)
    if TemporaryFiles.contains(path) {
      FolderRemoval.remove(path)
      TemporaryFiles.remove(path)
    }
  }

  /// Replacing removes a folder with all in it, so only what is an application goes that way.
  private static func checkReplaceable(
    _ place: OutputPlace, _ kind: InputKind
  ) throws(BundleError) {
    guard let status = place.status else { return }
    guard status.kind == .directory else {
      throw BundleError(
        .wrongOutputKind, detail: "\(place.path) is no folder, and the output is one",
        hint: "an archive's name ends in .ipa, .tipa or .zip")
    }
    let folder = try place.folder.directory(place.name, path: place.path)
    let isEmpty = try folder.names().isEmpty
    guard isEmpty || FolderKind.kind(of: folder) == kind else {
      throw BundleError(
        .wrongOutputKind, detail: "\(place.path) is a folder of another kind, it is not replaced",
        hint: "remove it first")
    }
  }

  /// Gives the folder its name.
  ///
  /// A new name is taken in one step. A folder that is replaced first leaves its name, so for a
  /// moment nothing has it; where the second step fails, the old folder gets it back.
  /// - Throws: ``BundleError`` with codes `outputExists`, `wrongOutputKind`, `io`.
  func publish(replace: Bool, synchronize: Bool) throws(BundleError) {
    if synchronize { try self.synchronize() }
    if place.status == nil {
      try takeName()
    } else {
      guard replace else { throw place.exists() }
      try Self.checkReplaceable(place, replacing)
      try replaceName()
    }
    TemporaryFiles.remove(place.join(hidden))
    if synchronize { try place.synchronize() }
  }

  /// Making an empty folder fails where the name is taken; only over such a folder, which is this
  /// call's own, the rename goes.
  private func takeName() throws(BundleError) {
    let made = place.folder.makeFolder(place.name, mode: 0o700)
    guard made == 0 else {
      throw errno == EEXIST ? place.exists() : .writing(errno, "cannot make \(place.path)")
    }
    guard rename(hidden, to: place.name) else {
      let failure = BundleError.writing(errno, "cannot make \(place.path)")
      place.folder.remove(place.name, isFolder: true)
      throw failure
    }
  }

  private func replaceName() throws(BundleError) {
    let old = place.hiddenName()
    guard rename(place.name, to: old) else {
      throw .writing(errno, "cannot replace \(place.path)")
    }
    guard rename(hidden, to: place.name) else {
      let failure = BundleError.writing(errno, "cannot make \(place.path)")
      _ = rename(old, to: place.name)
      throw failure
    }
    TemporaryFiles.insert(place.join(old))
    FolderRemoval.remove(place.join(old))
    TemporaryFiles.remove(place.join(old))
  }

  private func rename(_ from: [UInt8], to name: [UInt8]) -> Bool {
    place.folder.rename(from, to: name) == 0
  }

  private func synchronize() throws(BundleError) {
    let tree = try FolderTree(root, limits: .unbounded)
    for (index, entry) in tree.entries.enumerated() {
      let result: Int32
      switch entry.status.kind {
      case .file: result = try tree.open(index).synchronize()
      case .directory: result = try root.directory(at: entry.path).synchronize()
      case .symbolicLink, .other: result = 0
      }
      guard result == 0 else { throw .writing(errno, "cannot flush \(place.path)") }
    }
    guard root.synchronize() == 0 else {
      throw .writing(errno, "cannot flush \(place.path)")
    }
  }
}
