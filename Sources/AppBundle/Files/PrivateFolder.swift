#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// A hidden folder beside an output, for its owner alone, in which that output is made by other programs.
///
/// It goes with this object, with all in it, and where the program is interrupted. What was made in it gets
/// the output's name by ``publish(_:permissions:synchronize:)``, in one step.
package final class PrivateFolder {
  /// Where it is.
  package var path: String { place.join(hidden) }
  private let place: OutputPlace
  private let hidden: [UInt8]
  private let replaces: Bool
  /// What the output becomes where it is a folder, nil where it is a file.
  private let kind: InputKind?
  private let topNames: Set<[UInt8]>

  /// Makes the folder.
  /// - Parameters:
  ///   - output: where the output goes: a file where the path ends in `.ipa`, `.tipa` or `.zip`, else a
  ///     folder of the application's kind.
  ///   - replace: whether it may replace what stands there: a file, or an earlier output of the kind.
  ///   - application: what the output is made from. It must not lie in the output, nor the output in it.
  /// - Throws: ``BundleError`` with codes `outputExists`, `outputInInput`, `outputNotWritable`,
  ///   `outputOfOtherKind`, `isDirectory`, `wrongOutputKind`.
  package init(
    beside output: String, replace: Bool, of application: Application
  ) throws(BundleError) {
    guard application.kind != .plist else {
      throw BundleError(
        .wrongOutputKind, detail: "it is a property list by itself, and no app to work on")
    }
    place = try OutputPlace(output)
    replaces = replace
    if case .folder = application.source { try place.checkOutside(of: application.path) }
    if !replace { try place.checkFree() }
    topNames = application.table?.topNames ?? []
    if CommitTarget.isArchiveName(output) {
      kind = nil
      try place.checkTakesFile()
    } else {
      let kind = application.kind == .ipa ? InputKind.payload : application.kind
      self.kind = kind
      try place.checkHoldsNot(application.path)
      try TemporaryFolder.checkReplaceable(place, kind, topNames)
    }
    hidden = try place.makeHiddenFolder()
  }

  deinit {
    guard TemporaryFiles.contains(path) else { return }
    FolderRemoval.remove(path)
    TemporaryFiles.remove(path)
  }

  /// Makes a folder in it, for its owner alone, and returns the path.
  /// - Throws: ``BundleError`` with codes `outputNotWritable`, `io`.
  package func makeFolder(_ name: String) throws(BundleError) -> String {
    let made = "\(path)/\(name)"
    let number = try TemporaryFiles.step { _ in mkdir(made, 0o700) == 0 ? 0 : errno }
    guard number == 0 else { throw .writing(number, "cannot make a folder in \(path)") }
    return made
  }

  /// Writes a new file in it, which its owner alone can read, and returns the path.
  /// - Throws: ``BundleError`` with codes `outputNotWritable`, `io`.
  package func write(_ bytes: [UInt8], to name: String) throws(BundleError) -> String {
    let made = "\(path)/\(name)"
    var descriptor: Int32 = -1
    let number = try TemporaryFiles.step { _ in
      descriptor = retrying { open(made, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
      return descriptor >= 0 ? 0 : errno
    }
    guard number == 0 else { throw .writing(number, "cannot make a file in \(path)") }
    let file = TemporaryFile(place, descriptor: descriptor, end: 0, name: nil)
    try file.write(bytes)
    return made
  }

  /// Gives what lies at a path in it the output's name.
  /// - Parameters:
  ///   - made: the path in this folder: a file or a folder, as the output's name says.
  ///   - permissions: those of an output that is a file.
  ///   - synchronize: whether all of it is flushed to the disk before.
  /// - Throws: ``BundleError`` with codes `outputExists`, `outputOfOtherKind`, `isDirectory`, `io`.
  package func publish(
    _ made: String, permissions: UInt16 = 0o644, synchronize: Bool
  ) throws(BundleError) {
    // Beside the output it can get the name as any other output does.
    let sibling = place.hiddenName()
    let (from, to) = ("\(path)/\(made)", place.join(sibling))
    let number = try TemporaryFiles.step { paths in
      guard rename(from, to) == 0 else { return errno }
      paths.insert(to)
      return 0
    }
    guard number == 0 else { throw .writing(number, "cannot make \(place.path)") }
    guard let kind else {
      let descriptor = retrying { open(to, O_RDWR | O_CLOEXEC | O_NOFOLLOW) }
      let failure = errno
      let file = TemporaryFile(place, descriptor: descriptor, end: 0, name: sibling)
      guard descriptor >= 0 else { throw .writing(failure, "cannot open \(to)") }
      try file.publish(
        .init(replace: replaces, permissions: permissions, synchronize: synchronize)
      ) {}
      return
    }
    let folder = try TemporaryFolder(
      adopting: sibling, for: place, replacing: kind, topNames: topNames)
    // Another program has written it, so only the whole file system can be flushed.
    if synchronize { _ = folder.root.synchronizeFileSystem() }
    try folder.publish(replace: replaces, synchronize: synchronize) {}
  }
}
