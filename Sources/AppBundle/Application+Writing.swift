#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

extension Application {
  /// What a written file is to the input.
  enum Role: Equatable {
    /// A file of its own, which may replace another.
    case copy(replace: Bool)
    /// The input's successor, with its owner and attributes.
    case successor

    var replaces: Bool { self != .copy(replace: false) }
  }

  func commitInPlace(
    _ infoPlist: [UInt8], _ options: CommitOptions, _ observer: (any CommitObserver)?
  ) throws(BundleError) -> CommitResult {
    if try self.infoPlist() == infoPlist { return .unchanged }
    guard source.lock() else {
      throw BundleError(
        .inputChanged, detail: "another run is editing it", hint: "let that end, then try again")
    }
    switch source {
    case .archive(let archive):
      return try write(archive, infoPlist, target(), .successor, options, observer)
    case .file(let file):
      return try write(file, infoPlist, target(), .successor, options, observer)
    case .folder(let tree):
      try exchangeInfoPlist(tree, infoPlist, options, observer)
      return .copied(because: nil)
    }
  }

  /// Where the input's path leads to in the end.
  private func target() throws(BundleError) -> OutputPlace {
    guard let resolved = realPath(path) else { throw .reading(errno, "cannot find \(path)") }
    return try OutputPlace(resolved)
  }

  private func exchangeInfoPlist(
    _ tree: FolderTree, _ infoPlist: [UInt8], _ options: CommitOptions,
    _ observer: (any CommitObserver)?
  ) throws(BundleError) {
    let file = try tree.open(infoPlistIndex)
    let entry = tree.entries[infoPlistIndex]
    let folder = try tree.directory(of: entry)
    let parent = MemberName.display(entry.parent)
    let place = OutputPlace(
      folder: folder, folderPath: parent.isEmpty ? path : "\(path)/\(parent)",
      name: Array(entry.name))
    let output = try TemporaryFile(for: place)
    try output.write(infoPlist)
    try output.setTime(options.seconds ?? entry.status.identity.seconds)
    try publish(output, from: file, .successor, options, observer)
  }

  /// Writes a property list by itself.
  func write(
    _ file: InputFile, _ infoPlist: [UInt8], _ place: OutputPlace, _ role: Role,
    _ options: CommitOptions, _ observer: (any CommitObserver)?
  ) throws(BundleError) -> CommitResult {
    let output = try TemporaryFile(for: place)
    try output.write(infoPlist)
    try output.setTime(options.seconds ?? file.status.identity.seconds)
    try output.readBack(to: observer)
    try publish(output, from: file, role, options, observer)
    return .copied(because: nil)
  }

  /// Writes an archive with another Info.plist, or as it is where there is none.
  func write(
    _ archive: ArchiveFile, _ infoPlist: [UInt8]?, _ place: OutputPlace, _ role: Role,
    _ options: CommitOptions, _ observer: (any CommitObserver)?
  ) throws(BundleError) -> CommitResult {
    let writer = ArchiveWriter(archive, for: place, options, observer)
    let output: ArchiveWriter.Output
    if let infoPlist {
      let splice = try ArchiveSplice(
        archive, index: infoPlistIndex, content: infoPlist, seconds: options.seconds)
      output = try writer.write(splice)
      try check(output, of: archive, holds: infoPlist)
    } else {
      output = try writer.writeUnchanged()
    }
    try publish(
      output.file, from: archive.file, role, options, observer, headers: output.headers)
    return output.result
  }

  /// Reads the new archive back before it gets a name: the end records as any reader finds them, the
  /// directory, of which a reader's checks were made before it was written, and the member.
  private func check(
    _ output: ArchiveWriter.Output, of archive: ArchiveFile, holds infoPlist: [UInt8]
  ) throws(BundleError) {
    let file = try output.file.reopened()
    guard let trailer = output.trailer, let end = try EndRecord.find(in: file, limits: limits),
      end.directory.lowerBound == trailer.start, end.allows(count: archive.directory.count),
      end.directory.count == trailer.directory.bytes.count,
      try file.holds(trailer.directory.bytes, at: trailer.start),
      try ArchiveFile(file, end: end, directory: trailer.directory, limits: limits)
        .contents(infoPlistIndex, limit: limits.infoPlistBytes) == infoPlist
    else {
      throw BundleError(.io, detail: "the new archive does not read back as it was written")
    }
  }

  private func publish(
    _ output: TemporaryFile, from file: InputFile, _ role: Role, _ options: CommitOptions,
    _ observer: (any CommitObserver)?, headers: SideTask<BundleError?>? = nil
  ) throws(BundleError) {
    try output.publish(
      .init(
        replace: role.replaces, permissions: file.status.permissions,
        successorOf: role == .successor ? file : nil, synchronize: options.synchronize),
      check: { () throws(BundleError) in
        if let failure = headers?.value() { throw failure }
        try file.checkUnchanged()
        if role == .successor, output.place.status?.identity != file.status.identity {
          throw BundleError(
            .inputChanged, detail: "another file has taken the place of \(file.path)",
            hint: "let the other program end, then try again")
        }
        try observer?.willName()
      })
  }
}
