#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Unpacks an archive into a folder, with another Info.plist where there is one.
struct ArchiveUnpacker {
  private let archive: ArchiveFile
  private let replacement: NewContent?

  init(_ archive: ArchiveFile, replacing: NewContent? = nil) {
    self.archive = archive
    replacement = replacing
  }

  /// Checks all that can be told before anything is written: names, kinds, methods and the sum of sizes.
  /// - Throws: ``BundleError`` with codes `pathEscapes`, `duplicateMember`, `notAFile`, `encrypted`,
  ///   `unsupportedMethod`, `limit`.
  func check() throws(BundleError) {
    let directory = archive.directory
    var paths = UnpackedPaths(directory, folderPathBytes: archive.limits.folderPathBytes)
    var sum: UInt64 = 0
    for index in 0..<directory.count {
      let name = directory.name(index)
      try UnpackedPaths.checkPlain(name)
      guard name.count(where: { $0 == MemberName.slash }) < archive.limits.depth else {
        throw BundleError(
          .limit, member: MemberName.brief(name),
          detail: "it lies deeper than \(archive.limits.depth) levels")
      }
      try paths.add(index)
      switch directory.kind(index) {
      case .directory: continue
      case .other:
        throw BundleError(
          .notAFile, member: directory.display(index),
          detail: "it is a device, a pipe or a socket, and such are not unpacked")
      case .file, .symbolicLink:
        if index != replacement?.index { try archive.checkMethod(index) }
      }
      guard let next = sum.plus(directory.records[index].size), next <= archive.limits.unpackedBytes
      else {
        throw BundleError(
          .limit, member: directory.display(index),
          detail: "with it the archive unpacks to more than \(archive.limits.unpackedBytes) bytes")
      }
      sum = next
    }
  }

  /// Writes all members; links last, so that no file can be written through one. Call ``check()`` first.
  /// - Returns: the bytes of all files.
  /// - Throws: ``BundleError`` with codes `pathEscapes`, `duplicateMember`, and those of reading a
  ///   member.
  func write(to writer: FolderWriter) throws(BundleError) -> UInt64 {
    try writer.makeFolder([], permissions: 0o755, time: nil)
    let directory = archive.directory
    var bytes: UInt64 = 0
    for index in 0..<directory.count where directory.kind(index) != .symbolicLink {
      let name = directory.name(index)
      let record = directory.records[index]
      let isFolder = directory.kind(index) == .directory
      let permissions = Self.permissions(record.mode, isFolder: isFolder)
      try writer.makeFolders(above: name)
      if isFolder {
        try writer.makeFolder(name, permissions: permissions, time: time(record))
      } else if let replacement, replacement.index == index {
        try writer.makeFile(
          name, permissions: permissions,
          time: replacement.seconds.map { timespec(seconds: $0) } ?? time(record),
          from: MemberReader(replacement.bytes, member: directory.display(index)))
        bytes += UInt64(replacement.bytes.count)
      } else {
        try writer.makeFile(
          name, permissions: permissions, time: time(record), from: archive.reader(index))
        bytes += record.size
      }
    }
    for index in 0..<directory.count where directory.kind(index) == .symbolicLink {
      try writeLink(index, to: writer)
    }
    try writer.finish()
    try archive.file.checkUnchanged()
    return bytes
  }

  private func writeLink(_ index: Int, to writer: FolderWriter) throws(BundleError) {
    let directory = archive.directory
    let name = directory.name(index)
    let target = try archive.contents(index, limit: archive.limits.linkBytes)
    guard Self.staysInside(target, at: name) else {
      throw BundleError(
        .pathEscapes, member: directory.display(index),
        detail: target.isEmpty
          ? "the link leads nowhere"
          : "the link leads to \(MemberName.brief(target)), out of the archive or in a way that "
            + "cannot be told")
    }
    try writer.makeFolders(above: name)
    try writer.makeLink(name, target: target, time: time(directory.records[index]))
  }

  /// What is no error: what unpacking does not keep.
  var warnings: [String] {
    let directory = archive.directory
    let special = (0..<directory.count).filter {
      directory.kind($0) != .symbolicLink && directory.records[$0].mode & 0o7000 != 0
    }
    guard let first = special.first else { return [] }
    let more = special.count > 1 ? " and \(special.count - 1) more members" : ""
    return ["\(directory.display(first))\(more) lost set-user-ID, set-group-ID or sticky bits"]
  }

  /// The permissions that a member gets: no special bits, folders that their owner can enter and list,
  /// and the usual ones where the archive tells none.
  static func permissions(_ mode: UInt16, isFolder: Bool) -> UInt16 {
    let bits = mode & 0o777
    return isFolder ? (bits == 0 ? 0o755 : bits | 0o500) : (bits == 0 ? 0o644 : bits)
  }

  /// Whether a link's target lies in the tree whatever other links are in it.
  ///
  /// `..` may only lead the target: there it counts from the link's own folder, which is a real one.
  /// Behind a name it would count from wherever that name leads.
  static func staysInside(_ target: [UInt8], at name: ArraySlice<UInt8>) -> Bool {
    guard !target.isEmpty, target.first != MemberName.slash, !target.contains(0) else {
      return false
    }
    let depth = name.count { $0 == MemberName.slash }
    let parts = target.split(separator: MemberName.slash).filter {
      !$0.elementsEqual([MemberName.dot])
    }
    let dots = parts.prefix { $0.elementsEqual([MemberName.dot, MemberName.dot]) }.count
    return dots <= depth
      && !parts.dropFirst(dots).contains { $0.elementsEqual([MemberName.dot, MemberName.dot]) }
  }

  /// The exact time where a field tells it, else the DOS time.
  private func time(_ record: CentralRecord) -> timespec {
    let bytes = archive.directory.bytes
    func seconds(_ place: Int) -> timespec {
      timespec(seconds: Int64(Int32(bitPattern: bytes.uint32(at: place))))
    }
    for field in ExtraFields.fields(ExtraFields.extendedTimestamp, in: bytes, record.extra)
    where field.count >= 5 && bytes[field.lowerBound] & 1 != 0 {
      return seconds(field.lowerBound + 1)
    }
    for field in ExtraFields.fields(ExtraFields.unixTimes, in: bytes, record.extra)
    where field.count >= 8 {
      return seconds(field.lowerBound + 4)
    }
    let time = DOSTime(
      time: bytes.uint16(at: record.start + 12), date: bytes.uint16(at: record.start + 14))
    return timespec(seconds: time.seconds)
  }
}
