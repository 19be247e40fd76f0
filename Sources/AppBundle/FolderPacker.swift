/// Packs a folder into a new archive, with another Info.plist where there is one.
///
/// Members are sorted by path, with links as links. Where attributes are kept, each has its mode and
/// its time: the DOS time of a header is local and counts in steps of two seconds, so an extended
/// timestamp field says the exact one.
struct FolderPacker {
  private let layout: PackLayout
  private let options: PackingOptions
  private let replacement: NewContent?
  /// Hears how many bytes of about as many as the second number are packed, block by block.
  var progress: Packing.Progress?

  init(_ layout: PackLayout, _ options: PackingOptions, replacing: NewContent? = nil) {
    self.layout = layout
    self.options = options
    replacement = replacing
  }

  /// Writes the archive, and tells how many members it has.
  /// - Throws: ``BundleError`` with codes `notAFile`, `limit`, `inputChanged`, `io`.
  func write(to file: TemporaryFile) throws(BundleError) -> Int {
    let packer = try ZipPacker(file, level: options.level)
    packer.progress = progress.map { progress in
      let total = layout.byteCount
      return { progress($0, total) }
    }
    var count = 0
    for folder in layout.folders {
      var mode = folder.status.mode
      // Nobody made this folder, so it has no mode that could be kept.
      if count == 0 { mode = 0o040755 }
      try packer.addFolder(folder.name, attributes(mode, folder.status.identity.seconds))
      count += 1
    }
    for member in layout.members {
      try add(member.index, as: member.name, to: packer)
      count += 1
    }
    try packer.close()
    try check(file, count: count)
    return count
  }

  private func add(_ index: Int, as name: [UInt8], to packer: ZipPacker) throws(BundleError) {
    let tree = layout.tree
    let status = tree.entries[index].status
    let seconds = status.identity.seconds
    let kept = attributes(status.mode, seconds)
    switch status.kind {
    case .directory: try packer.addFolder(name, kept)
    case .symbolicLink:
      let target = try tree.linkTarget(index)
      try packer.add(name, .bytes(target), size: UInt64(target.count), kept)
    case .file:
      if let replacement, replacement.index == index {
        let bytes = replacement.bytes
        try packer.add(
          name, .bytes(bytes), size: UInt64(bytes.count),
          attributes(status.mode, replacement.seconds ?? seconds))
      } else {
        try packer.add(name, .file(tree, index), size: status.size, kept)
      }
    case .other:
      throw BundleError(
        .notAFile, member: MemberName.display(name), detail: "a special file is not packed")
    }
  }

  private func attributes(_ mode: UInt16, _ seconds: Int64) -> ZipPacker.Attributes {
    guard case .reproducible(let fixed) = options.attributes else {
      return .init(mode: mode, time: .exact(seconds))
    }
    let kind = mode & 0o170000
    let isPlainFile = kind == 0o100000 && mode & 0o111 == 0
    return .init(
      mode: kind | (isPlainFile ? 0o644 : 0o755), time: .dos(DOSTime(utcSeconds: fixed)))
  }

  /// Reads the directory of the new archive, and mends times that libzip moved: it takes a DOS time
  /// for one of the local zone, where an hour a year does not exist.
  private func check(_ file: TemporaryFile, count: Int) throws(BundleError) {
    var limits = layout.tree.limits
    limits.directoryBytes = .max
    limits.entries = .max
    guard let archive = try ArchiveFile(file.reopened(), limits: limits),
      archive.directory.count == count
    else { throw BundleError(.io, detail: "the new archive does not read back as it was written") }
    guard case .reproducible(let seconds) = options.attributes else { return }
    let time = DOSTime(utcSeconds: seconds)
    var wanted: [UInt8] = []
    wanted.append(integer: time.time)
    wanted.append(integer: time.date)
    let bytes = archive.directory.bytes
    for record in archive.directory.records
    where bytes[(record.start + 12)..<(record.start + 16)] != wanted[...] {
      try file.write(wanted, at: record.offset + 10)
      try file.write(
        wanted, at: archive.end.directory.lowerBound + UInt64(record.start) + 12)
    }
  }
}
