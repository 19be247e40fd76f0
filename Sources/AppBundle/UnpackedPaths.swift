/// The paths that the members of an archive take in a folder.
///
/// No two may fall on one file, on this file system or on one that ignores case and Unicode forms: one
/// member would silently take the place of the other.
struct UnpackedPaths {
  private struct Place {
    let index: Int
    /// How much of the member's name the path is.
    let length: Int
    let isFolder: Bool
  }

  private let table: any MemberTable
  /// The paths by a hash of their collision key. Its seed is random, so no file can be made to collide.
  private var places: [Int: Place] = [:]
  /// The folder that was added last: most members lie beside their neighbour.
  private var lastFolder: [UInt8] = []
  /// How many bytes the folders' paths may still have.
  private var pathBytes: Int

  /// Begins with no paths; those of all folders may have so many bytes.
  init(_ table: any MemberTable, folderPathBytes: Int = ArchiveLimits.standard.folderPathBytes) {
    self.table = table
    pathBytes = folderPathBytes
  }

  /// Adds a member's path, and the folders above it.
  /// - Throws: ``BundleError`` with codes `duplicateMember`, `limit`.
  mutating func add(_ index: Int) throws(BundleError) {
    let name = table.name(index)
    let parent = name.lastIndex(of: MemberName.slash).map { name[..<$0] } ?? []
    if !parent.elementsEqual(lastFolder) {
      // What it has in common with the folder that was added last is there already.
      let common = zip(parent, lastFolder).prefix { $0 == $1 }.count
      for end in parent.indices.dropFirst(common) where parent[end] == MemberName.slash {
        try add(name[..<end], of: index, isFolder: true)
      }
      if !parent.isEmpty { try add(parent, of: index, isFolder: true) }
      lastFolder = Array(parent)
    }
    try add(name, of: index, isFolder: table.kind(index) == .directory)
  }

  private mutating func add(
    _ path: ArraySlice<UInt8>, of index: Int, isFolder: Bool
  ) throws(BundleError) {
    if isFolder {
      pathBytes -= path.count
      guard pathBytes >= 0 else {
        throw BundleError(
          .limit, member: MemberName.brief(path),
          detail: "with it the paths of all folders come to more bytes than are read")
      }
    }
    let key = MemberName.collisionKey(path)
    let place = Place(index: index, length: path.count, isFolder: isFolder)
    guard let earlier = places.updateValue(place, forKey: key.hashValue) else { return }
    let other = table.name(earlier.index).prefix(earlier.length)
    if other.elementsEqual(path) {
      if isFolder && earlier.isFolder { return }
      throw BundleError(
        .duplicateMember, member: MemberName.brief(path),
        detail: isFolder || earlier.isFolder
          ? "it is a file or a link, and there are members below it"
          : "two members have this name")
    }
    guard MemberName.collisionKey(other) != key else {
      throw BundleError(
        .duplicateMember, member: MemberName.brief(path),
        detail: "it falls on \(MemberName.brief(other)) where case and Unicode forms do not count")
    }
  }
}

extension UnpackedPaths {
  /// Sees to it that a name is a path below the folder that is filled, for every system: one may read
  /// a backslash as a slash and a letter with a colon as a drive.
  /// - Throws: ``BundleError`` with codes `pathEscapes`, `limit`.
  static func checkPlain(_ name: ArraySlice<UInt8>) throws(BundleError) {
    func escapes(_ detail: String) -> BundleError {
      BundleError(.pathEscapes, member: MemberName.brief(name), detail: detail)
    }
    guard let first = name.first else { throw escapes("a member has no name") }
    guard !name.contains(0) else { throw escapes("its name holds a zero byte") }
    guard first != MemberName.slash, first != MemberName.backslash else {
      throw escapes("its path is absolute")
    }
    let isLetter = (0x41...0x5A).contains(first & 0xDF)
    guard !isLetter || name.dropFirst().first != UInt8(ascii: ":") else {
      throw escapes("its path begins with a drive letter")
    }
    for part in name.split(
      omittingEmptySubsequences: false,
      whereSeparator: { $0 == MemberName.slash || $0 == MemberName.backslash })
    where part.elementsEqual([MemberName.dot, MemberName.dot]) {
      throw escapes("its path leads upwards with '..'")
    }
    for part in MemberName.components(name) {
      guard !part.isEmpty, !part.elementsEqual([MemberName.dot]) else {
        throw escapes("a part of its path is empty or '.'")
      }
      // NAME_MAX of every file system that matters here.
      guard part.count <= 255 else {
        throw BundleError(
          .limit, member: MemberName.brief(name),
          detail: "a part of its path has \(part.count) bytes, and file systems take at most 255")
      }
    }
  }
}

extension MemberName {
  /// A name for a message that should stay short: 65,535 bytes are possible.
  static func brief(_ name: some Collection<UInt8>) -> String {
    name.count > 200 ? display(name.prefix(200)) + "…" : display(name)
  }
}
