/// Writes an archive into a file without a name, sharing blocks with the input where that can be done.
///
/// All local headers are checked on the way, or beside it.
struct ArchiveWriter {
  private let archive: ArchiveFile
  private let place: OutputPlace
  private let reflink: CommitOptions.Reflink
  private let synchronizes: Bool
  private let observer: (any CommitObserver)?

  /// What was written, and how.
  struct Output {
    let file: TemporaryFile
    let result: CommitResult
    /// What stands behind the members, nil where that is as it was.
    var trailer: ArchiveSplice.Trailer?
    /// The check of all local headers that is still under way; its value is the failure.
    var headers: SideTask<BundleError?>?
  }

  /// Sharing fewer bytes saves no time.
  static let leastShared: UInt64 = 1 << 16

  init(
    _ archive: ArchiveFile, for place: OutputPlace, _ options: CommitOptions,
    _ observer: (any CommitObserver)?
  ) {
    self.archive = archive
    self.place = place
    reflink = options.reflink
    synchronizes = options.synchronize
    self.observer = observer
  }

  /// Writes the archive as it is.
  func writeUnchanged() throws(BundleError) -> Output {
    try write { () throws(BundleError) in
      guard let file = try TemporaryFile.sharing(archive.file, for: place) else { return nil }
      return Output(file: file, result: .shared, headers: HeaderCheck.begin(archive))
    } orCopy: { file throws(BundleError) in
      let all = 0..<archive.file.size
      let copier = Copier(archive, [all], to: file, synchronizes, observer)
      try copier.copy(all)
      try copier.finish()
      return nil
    }
  }

  /// Writes the archive with another member.
  func write(_ splice: ArchiveSplice) throws(BundleError) -> Output {
    try write { () throws(BundleError) in
      if let output = try shareWithRoom(splice) { return output }
      return try shareAround(splice)
    } orCopy: { file throws(BundleError) in
      let member = splice.bytes(.none)
      let trailer = SideTask { () -> Result<ArchiveSplice.Trailer, BundleError> in
        Result { () throws(BundleError) in try splice.trailer(.none, length: member.count) }
      }
      let before = 0..<splice.replaced.lowerBound
      let copier = Copier(archive, [before, splice.following], to: file, synchronizes, observer)
      try copier.copy(before)
      try copier.write(member)
      try copier.copy(splice.following)
      let result = try trailer.value().get()
      try copier.write(result.directory.bytes)
      try copier.write(result.end)
      try copier.finish()
      return result
    }
  }

  /// Tries to share blocks, else copies into a new file.
  private func write(
    sharing share: () throws(BundleError) -> Output?,
    orCopy copy: (TemporaryFile) throws(BundleError) -> ArchiveSplice.Trailer?
  ) throws(BundleError) -> Output {
    let reason: String
    if reflink == .never {
      reason = "blocks are not to be shared"
    } else if archive.file.size < Self.leastShared {
      reason = "so small a file is copied sooner than shared"
    } else {
      if let output = try share() {
        try output.file.readBack(to: observer)
        return output
      }
      reason = "blocks cannot be shared here"
    }
    let file = try TemporaryFile(for: place)
    let trailer = try copy(file)
    return Output(file: file, result: .copied(because: reason), trailer: trailer)
  }

  /// Shares all blocks and overwrites the old member and its record; nil where it needs more or much less
  /// room, or blocks cannot be shared.
  private func shareWithRoom(_ splice: ArchiveSplice) throws(BundleError) -> Output? {
    guard let padding = MemberPadding.filling(splice.room, with: splice.unpadded),
      let file = try TemporaryFile.sharing(archive.file, for: place)
    else { return nil }
    let headers = HeaderCheck.begin(archive)
    let member = splice.bytes(padding)
    let trailer = try splice.trailer(padding, length: member.count)
    try file.write(member, at: splice.replaced.lowerBound)
    // Nothing moves, so of the directory one record changes.
    let record = splice.record
    try file.write(
      trailer.directory.bytes[record], at: trailer.start + UInt64(record.lowerBound))
    return Output(
      file: file, result: .sharedWithRoom(padding: padding.count), trailer: trailer,
      headers: headers)
  }

  /// Shares the blocks before the member and, moved by whole blocks, those behind it; nil where that
  /// cannot be done.
  private func shareAround(_ splice: ArchiveSplice) throws(BundleError) -> Output? {
    guard FileCloning.clonesRanges else { return nil }
    let file = try TemporaryFile(for: place)
    guard let blockSize = file.blockSize,
      let padding = MemberPadding.moving(by: blockSize, from: splice.room, with: splice.unpadded)
    else { return nil }
    let pieces = SharedPieces(
      before: splice.replaced.lowerBound, behind: splice.following, blockSize: UInt64(blockSize))
    let distance = Int64(splice.unpadded.length + padding.count) - Int64(splice.room)
    guard pieces.count >= Self.leastShared,
      let behindStart = pieces.behind.lowerBound.moved(by: distance),
      try file.share(pieces.before, of: archive.file, at: 0),
      try file.share(pieces.behind, of: archive.file, at: behindStart)
    else { return nil }
    let headers = HeaderCheck.begin(archive)
    let member = splice.bytes(padding)
    let trailer = try splice.trailer(padding, length: member.count)
    var buffer = [UInt8](repeating: 0, count: blockSize)
    try file.copy(pieces.beforeRest, of: archive.file, to: pieces.beforeRest.lowerBound, &buffer)
    try file.write(member, at: splice.replaced.lowerBound)
    for rest in pieces.behindRests {
      guard let target = rest.lowerBound.moved(by: distance) else { return nil }
      try file.copy(rest, of: archive.file, to: target, &buffer)
    }
    try file.write(trailer.directory.bytes, at: trailer.start)
    try file.write(trailer.end)
    return Output(
      file: file, result: .sharedAround(padding: padding.count), trailer: trailer,
      headers: headers)
  }
}

/// What of an archive can be shared around a member that is exchanged, in whole blocks.
struct SharedPieces: Equatable {
  /// From the file's start.
  let before: Range<UInt64>
  /// Behind the member, as it stands in the old file.
  let behind: Range<UInt64>
  /// The bytes between what is shared and the member.
  let beforeRest: Range<UInt64>
  /// The bytes behind the member that fill no block.
  let behindRests: [Range<UInt64>]

  var count: UInt64 { UInt64(before.count) + UInt64(behind.count) }

  /// Splits the bytes before a place and those of a range; the blocks' size is a power of two.
  init(before end: UInt64, behind: Range<UInt64>, blockSize: UInt64) {
    let mask = blockSize - 1
    before = 0..<end & ~mask
    beforeRest = before.upperBound..<end
    let first = (behind.lowerBound.plus(mask) ?? behind.upperBound) & ~mask
    let last = behind.upperBound & ~mask
    if first < last {
      self.behind = first..<last
      behindRests = [behind.lowerBound..<first, last..<behind.upperBound]
    } else {
      self.behind = behind.lowerBound..<behind.lowerBound
      behindRests = [behind]
    }
  }
}

/// Writes a file from start to end: ranges of an archive, whose local headers are checked as they are
/// read, and new bytes. The observer hears of all of them.
private final class Copier {
  private let reader: CheckedReader
  private let size: UInt64
  private let file: TemporaryFile
  private let synchronizes: Bool
  private let observer: (any CommitObserver)?
  private let wantsBytes: Bool
  /// Up to where the system was told to write to the disk.
  private var flushed: UInt64 = 0

  /// After so many bytes the disk begins to write while the next ones are copied.
  private static let flushStep: UInt64 = 32 << 20

  /// Begins to read the ranges, which are then copied one after the other.
  init(
    _ archive: ArchiveFile, _ ranges: [Range<UInt64>], to file: TemporaryFile,
    _ synchronizes: Bool, _ observer: (any CommitObserver)?
  ) {
    reader = CheckedReader(archive, ranges)
    size = archive.file.size
    self.file = file
    self.synchronizes = synchronizes
    self.observer = observer
    wantsBytes = observer?.wantsBytes == true
  }

  func copy(_ range: Range<UInt64>) throws(BundleError) {
    var left = range.upperBound - range.lowerBound
    while left > 0, var block = try reader.next() {
      left -= UInt64(block.count)
      try file.write(block.bytes[..<block.count], at: file.end)
      if wantsBytes { observer?.read(block.bytes[..<block.count]) }
      reader.takeBack(&block.bytes)
      observer?.progress(done: file.end, of: size)
      if synchronizes, file.end - flushed >= Self.flushStep {
        file.beginFlush(flushed..<file.end)
        flushed = file.end
      }
    }
  }

  func write(_ bytes: [UInt8]) throws(BundleError) {
    try file.write(bytes)
    if wantsBytes { observer?.read(bytes[...]) }
  }

  /// Waits for the check of headers that did not pass by, such as one that the archive's last byte ends.
  func finish() throws(BundleError) { _ = try reader.next() }
}
