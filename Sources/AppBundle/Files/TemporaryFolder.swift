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
  /// What lies at the input's top: a folder with nothing else is an earlier output.
  private let topNames: Set<[UInt8]>
  private let hidden: [UInt8]

  /// Makes the folder; `kind` is what it becomes, and the only kind that it may replace.
  /// - Throws: ``BundleError`` with codes `outputNotWritable`, `outputOfOtherKind`.
  init(
    for place: OutputPlace, replacing kind: InputKind, topNames: Set<[UInt8]> = []
  ) throws(BundleError) {
    self.place = place
    self.topNames = topNames
    replacing = kind
    try Self.checkReplaceable(place, kind, topNames)
    hidden = try place.makeHiddenFolder()
    do throws(BundleError) {
      root = try place.folder.directory(hidden, path: place.path)
    } catch {
      place.folder.remove(hidden, isFolder: true)
      TemporaryFiles.remove(place.join(hidden))
      throw error
    }
  }

  /// Takes over a hidden folder that lies beside its destination and is among ``TemporaryFiles``.
  /// - Throws: ``BundleError`` with codes `unreadable`, `pathEscapes`.
  init(
    adopting hidden: [UInt8], for place: OutputPlace, replacing kind: InputKind,
    topNames: Set<[UInt8]>
  ) throws(BundleError) {
    self.place = place
    self.topNames = topNames
    self.hidden = hidden
    replacing = kind
    root = try place.folder.directory(hidden, path: place.path)
  }

  deinit {
    let path = place.join(hidden)
    if TemporaryFiles.contains(path) {
      FolderRemoval.remove(path)
      TemporaryFiles.remove(path)
    }
  }

  /// Replacing removes a folder with all in it, so only what is an application goes that way.
  static func checkReplaceable(
    _ place: OutputPlace, _ kind: InputKind, _ topNames: Set<[UInt8]>
  ) throws(BundleError) {
    guard let status = place.status else { return }
    guard status.kind == .directory else {
      throw BundleError(
        .outputOfOtherKind, detail: "\(place.path) is no folder, and the output is one",
        hint: "an archive's name ends in .ipa, .tipa or .zip")
    }
    let folder = try place.folder.directory(place.name, path: place.path)
    let isEmpty = try folder.names().isEmpty
    let isReplaceable =
      try isEmpty
      ? true
      : isOutput(
        folder, named: place.name, of: kind, topNames: topNames)
    guard isReplaceable else {
      throw BundleError(
        .outputOfOtherKind,
        detail: "\(place.path) holds more than an output of this kind does, so it is not replaced",
        hint: "remove it first")
    }
  }

  /// Whether a folder is what an earlier output may have left: of the kind, and with nothing at its top
  /// that does not belong there. A project that only holds an Info.plist is none.
  private static func isOutput(
    _ folder: Directory, named name: [UInt8], of kind: InputKind, topNames: Set<[UInt8]>
  ) throws(BundleError) -> Bool {
    guard FolderKind.kind(of: folder, named: name) == kind else { return false }
    switch kind {
    case .xcarchive: return true
    case .app where name[...].hasSuffix(".app"): return true
    case .app, .payload, .ipa, .plist:
      return try folder.names().allSatisfy {
        topNames.contains($0) || besidePayload.contains(MemberName.display($0))
      }
    }
  }

  /// What lies at the top of an unpacked IPA.
  private static let besidePayload: Set = [
    "Payload", "Symbols", "SwiftSupport", "WatchKitSupport", "WatchKitSupport2", "StoreKit",
    "OnDemandResources", "BCSymbolMaps", "MessagesApplicationExtensionSupport",
    "MessagesApplicationSupport", "META-INF", "__MACOSX", ".DS_Store", "iTunesMetadata.plist",
    "iTunesArtwork",
  ]

  /// Gives the folder its name.
  ///
  /// It is taken in one step.
  /// - Throws: ``BundleError`` with codes `outputExists`, `outputOfOtherKind`, `io`.
  /// `willName` is called last before that, and stops it by throwing.
  func publish(
    replace: Bool, synchronize: Bool, willName: () throws(BundleError) -> Void
  ) throws(BundleError) {
    try willName()
    if place.status == nil {
      try takeName()
    } else {
      guard replace else { throw place.exists() }
      try Self.checkReplaceable(place, replacing, topNames)
      try replaceName()
    }
    if synchronize { place.synchronize() }
  }

  /// In one step where the system can. Elsewhere an empty folder has the name for a moment: making it
  /// fails where the name is taken, and over such a folder, which is this call's own, the rename goes.
  private func takeName() throws(BundleError) {
    let number = try TemporaryFiles.step { paths in
      if place.folder.renameExclusively(hidden, to: place.name) != 0 {
        guard [EINVAL, ENOSYS, ENOTSUP].contains(errno) else { return errno }
        guard place.folder.makeFolder(place.name, mode: 0o700) == 0 else { return errno }
        guard rename(hidden, to: place.name) else {
          let number = errno
          place.folder.remove(place.name, isFolder: true)
          return number
        }
      }
      paths.remove(place.join(hidden))
      return 0
    }
    guard number == 0 else {
      throw number == EEXIST ? place.exists() : .writing(number, "cannot make \(place.path)")
    }
  }

  /// Exchanges the two folders in one step where the system can; elsewhere nothing has the name for a
  /// moment, and where the second rename fails the old folder gets it back.
  private func replaceName() throws(BundleError) {
    var old = hidden
    let number = try TemporaryFiles.step { paths in
      if place.folder.exchange(hidden, place.name) { return 0 }
      old = place.hiddenName()
      guard rename(place.name, to: old) else { return errno }
      guard rename(hidden, to: place.name) else {
        let number = errno
        _ = rename(old, to: place.name)
        return number
      }
      paths.remove(place.join(hidden))
      paths.insert(place.join(old))
      return 0
    }
    guard number == 0 else { throw .writing(number, "cannot replace \(place.path)") }
    FolderRemoval.remove(place.join(old))
    TemporaryFiles.remove(place.join(old))
  }

  private func rename(_ from: [UInt8], to name: [UInt8]) -> Bool {
    place.folder.rename(from, to: name) == 0
  }
}
