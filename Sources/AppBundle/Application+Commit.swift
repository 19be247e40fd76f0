/// Hears of what ``Application/commit(_:to:options:observer:)`` is about to finish.
public protocol CommitObserver: AnyObject {
  /// The bytes of an output that is a file, block by block.
  func read(_ block: ArraySlice<UInt8>)
  /// The output is complete and gets its name next; throwing stops that.
  func willName() throws(BundleError)
  /// Whether ``read(_:)`` is to be called, for which the output may be read once more. True by default.
  var wantsBytes: Bool { get }
  /// So many bytes of about as many as `total` are written. It comes once for each block, from the thread
  /// that writes. Does nothing by default.
  func progress(done: UInt64, of total: UInt64)
}

extension CommitObserver {
  public var wantsBytes: Bool { true }
  public func progress(done: UInt64, of total: UInt64) {}

  /// What a writer calls with the number of bytes it has written.
  func counting(to total: UInt64) -> (UInt64) -> Void {
    { self.progress(done: $0, of: total) }
  }
}

extension Application {
  /// Writes the application with another Info.plist, and nothing else changed.
  ///
  /// The output is made beside its destination under a hidden name or none, readable by its owner
  /// alone, then gets the input's mode, is flushed, and takes its name in one step. Before that step
  /// the input must be as it was when it was opened. Where anything fails, the input and an existing
  /// output stay as they were.
  ///
  /// - An archive to an archive: all bytes outside the member, its record and the offsets behind it
  ///   are copied. With the same Info.plist the output is a copy, and in place nothing is written.
  /// - An archive to a folder: it is unpacked. Names and links that leave the folder are refused.
  /// - A folder to a folder: it is copied with modes, times and links as links.
  /// - A folder to an archive: it is packed. An application goes under `Payload/`.
  /// - A folder in place: only Info.plist is exchanged.
  ///
  /// Where an archive is written as an archive, all local headers must agree with the central
  /// directory: readers of streams see those alone.
  ///
  /// The observer hears of the output's bytes and of the moment before it gets its name; of nothing
  /// where nothing is written.
  /// - Returns: how the output was written.
  /// - Throws: ``BundleError`` with codes `outputExists`, `outputNotWritable`, `isDirectory`,
  ///   `wrongOutputKind`, `outputOfOtherKind`, `outputInInput`, `inputChanged`, `inconsistent`,
  ///   `overlapping`, `io`, `limit`; where an archive is unpacked also `pathEscapes`,
  ///   `duplicateMember`, `notAFile` and those of ``contents(of:limit:)``.
  @discardableResult
  public func commit(
    _ infoPlist: [UInt8], to target: CommitTarget, options: CommitOptions = CommitOptions(),
    observer: (any CommitObserver)? = nil
  ) throws(BundleError) -> CommitResult {
    guard infoPlist.count <= limits.infoPlistBytes else {
      throw BundleError(
        .limit, member: infoPlistPath,
        detail: "\(infoPlist.count) bytes, and at most \(limits.infoPlistBytes) are written")
    }
    switch target {
    case .inPlace: return try commitInPlace(infoPlist, options, observer)
    case .path(let path, let replace):
      let place = try OutputPlace(path)
      if case .folder = source { try place.checkOutside(of: self.path) }
      if !replace { try place.checkFree() }
      guard CommitTarget.isArchiveName(path) || kind == .plist else {
        try commitFolder(infoPlist, place, replace: replace, options, observer)
        return .copied(because: nil)
      }
      try place.checkTakesFile()
      return try commitFile(infoPlist, place, replace: replace, options, observer)
    }
  }

  private func commitFile(
    _ infoPlist: [UInt8], _ place: OutputPlace, replace: Bool, _ options: CommitOptions,
    _ observer: (any CommitObserver)?
  ) throws(BundleError) -> CommitResult {
    switch source {
    case .archive(let archive):
      let isSame = try self.infoPlist() == infoPlist
      return try write(
        archive, isSame ? nil : infoPlist, place, .copy(replace: replace), options, observer)
    case .file(let file):
      guard !CommitTarget.isArchiveName(place.path) else {
        throw BundleError(
          .wrongOutputKind, detail: "a property list does not go into an archive",
          hint: "name the output .plist")
      }
      return try write(file, infoPlist, place, .copy(replace: replace), options, observer)
    case .folder(let tree):
      let output = try TemporaryFile(for: place)
      var packer = FolderPacker(
        try PackLayout(self, tree), options.packing, replacing: new(infoPlist, options))
      packer.progress = observer.map { observer in { observer.progress(done: $0, of: $1) } }
      _ = try packer.write(to: output)
      try output.readBack(to: observer)
      try output.publish(
        .init(replace: replace, permissions: 0o644, synchronize: options.synchronize),
        check: { () throws(BundleError) in try observer?.willName() })
      return .copied(because: nil)
    }
  }

  private func commitFolder(
    _ infoPlist: [UInt8], _ place: OutputPlace, replace: Bool, _ options: CommitOptions,
    _ observer: (any CommitObserver)?
  ) throws(BundleError) {
    try place.checkHoldsNot(path)
    let folder = try TemporaryFolder(
      for: place, replacing: kind == .ipa ? .payload : kind, topNames: table?.topNames ?? [])
    let writer = FolderWriter(folder.root, synchronizes: options.synchronize)
    switch source {
    case .archive(let archive):
      writer.progress = observer?.counting(to: archive.directory.unpackedSize)
      let unpacker = ArchiveUnpacker(archive, replacing: new(infoPlist, options))
      try unpacker.check()
      _ = try unpacker.write(to: writer)
    case .folder(let tree):
      writer.progress = observer?.counting(to: byteCount)
      try FolderCopier(tree, replacing: new(infoPlist, options), options.reflink).write(to: writer)
    case .file:
      throw BundleError(.wrongOutputKind, detail: "a property list does not go into a folder")
    }
    try folder.publish(replace: replace, synchronize: options.synchronize) {
      () throws(BundleError) in try observer?.willName()
    }
  }

  private func new(_ infoPlist: [UInt8], _ options: CommitOptions) -> NewContent {
    NewContent(index: infoPlistIndex, bytes: infoPlist, seconds: options.seconds)
  }
}
