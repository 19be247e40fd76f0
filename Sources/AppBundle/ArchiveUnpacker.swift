#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Unpacks an archive into a folder, with another Info.plist.
struct ArchiveUnpacker {
  private let archive: ArchiveFile
  private let infoPlistIndex: Int
  private let infoPlist: [UInt8]
  private let options: CommitOptions

  init(
    _ archive: ArchiveFile, _ infoPlistIndex: Int, _ infoPlist: [UInt8], _ options: CommitOptions
  ) {
    self.archive = archive
    self.infoPlistIndex = infoPlistIndex
    self.infoPlist = infoPlist
    self.options = options
  }

  /// Writes all members; links last, so that no file can be written through one.
  /// - Throws: ``BundleError`` with codes `pathEscapes`, `duplicateMember`, `notAFile`, `limit`, and
  ///   those of reading a member.
  func write(to writer: FolderWriter) throws(BundleError) {
    try check()
    try writer.makeFolder([], permissions: 0o755, time: nil)
    let directory = archive.directory
    for index in 0..<directory.count where directory.kind(index) != .symbolicLink {
      let name = directory.name(index)
      let record = directory.records[index]
      let mode = record.mode
      try writer.makeFolders(above: name)
      switch directory.kind(index) {
      case .directory:
        try writer.makeFolder(
          name, permissions: Self.permissions(mode, isFolder: true), time: time(record))
      case .file:
        let isNew = index == infoPlistIndex
        let reader =
          isNew
          ? MemberReader(infoPlist, member: directory.display(index)) : try archive.reader(index)
        let seconds = isNew ? options.seconds : nil
        try writer.makeFile(
          name, permissions: Self.permissions(mode, isFolder: false),
          time: seconds.map { timespec(seconds: $0) } ?? time(record), from: reader)
      case .symbolicLink, .other:
        throw BundleError(
          .notAFile, member: directory.display(index), detail: "a special file is not unpacked")
      }
    }
    for index in 0..<directory.count where directory.kind(index) == .symbolicLink {
      let name = directory.name(index)
      let target = try archive.contents(index, limit: archive.limits.linkBytes)
      guard Self.staysInside(target, at: name) else {
        throw BundleError(
          .pathEscapes, member: directory.display(index),
          detail: "the link leads to \(MemberName.display(target)), out of the archive or in a way "
            + "that cannot be told")
      }
      try writer.makeFolders(above: name)
      try writer.makeLink(name, target: target, time: time(directory.records[index]))
    }
    try writer.finish()
    try archive.file.checkUnchanged()
  }

  /// The permissions that a member gets: no special bits, folders that their owner can enter and fill,
  /// and the usual ones where the archive tells none.
  static func permissions(_ mode: UInt16, isFolder: Bool) -> UInt16 {
    let bits = mode & 0o777
    return isFolder ? (bits == 0 ? 0o755 : bits | 0o700) : (bits == 0 ? 0o644 : bits)
  }

  /// Checks all names and the sum of sizes, before anything is written.
  private func check() throws(BundleError) {
    let directory = archive.directory
    var sum: UInt64 = 0
    for index in 0..<directory.count {
      let name = directory.name(index)
      guard Self.isPlain(name) else {
        throw BundleError(
          .pathEscapes, member: directory.display(index), detail: "it is no plain relative path")
      }
      guard name.count(where: { $0 == MemberName.slash }) < archive.limits.depth else {
        throw BundleError(
          .limit, member: directory.display(index),
          detail: "it lies deeper than \(archive.limits.depth) levels")
      }
      guard let next = sum.plus(directory.records[index].size), next <= archive.limits.unpackedBytes
      else {
        throw BundleError(
          .limit, detail: "unpacked it has more than \(archive.limits.unpackedBytes) bytes")
      }
      sum = next
    }
  }

  static func isPlain(_ name: ArraySlice<UInt8>) -> Bool {
    !name.contains(0)
      && MemberName.components(name).allSatisfy {
        !$0.isEmpty && $0.count <= 255 && !$0.elementsEqual([MemberName.dot])
          && !$0.elementsEqual([MemberName.dot, MemberName.dot])
      }
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

  private func time(_ record: CentralRecord) -> timespec {
    let bytes = archive.directory.bytes
    for field in ExtraFields.fields(ExtraFields.extendedTimestamp, in: bytes, record.extra)
    where field.count >= 5 && bytes[field.lowerBound] & 1 != 0 {
      return timespec(seconds: Int64(Int32(bitPattern: bytes.uint32(at: field.lowerBound + 1))))
    }
    let time = DOSTime(
      time: bytes.uint16(at: record.start + 12), date: bytes.uint16(at: record.start + 14))
    return timespec(seconds: time.seconds)
  }
}
