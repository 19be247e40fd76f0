/// An archive with one member's content exchanged: what of the old file stays, and what is new.
///
/// All bytes before and after the member stay as they are, so no other header, extra field,
/// descriptor or gap changes. In the central directory the offsets behind it move and its own record
/// changes.
struct ArchiveSplice: Sendable {
  let archive: ArchiveFile
  private let index: Int
  private let member: NewMember

  /// Packs the new content; `seconds` is the new modification time, nil to keep the old one.
  /// - Throws: ``BundleError`` with codes `inconsistent`, `overlapping`, `io`.
  init(
    _ archive: ArchiveFile, index: Int, content: [UInt8], seconds: Int64?
  ) throws(BundleError) {
    self.archive = archive
    self.index = index
    member = try NewMember(content, at: index, of: archive, seconds: seconds)
  }

  /// The old member with its header and descriptor.
  var replaced: Range<UInt64> { member.replaced }

  /// How many bytes the old member takes.
  var room: Int { Int(clamping: replaced.upperBound - replaced.lowerBound) }

  /// The member's record in the central directory.
  var record: Range<Int> {
    let record = archive.directory.records[index]
    return record.start..<record.end
  }

  /// The new member before it is padded.
  var unpadded: MemberPadding.Member { member.unpadded }

  /// The old bytes behind the member, which move.
  var following: Range<UInt64> { replaced.upperBound..<archive.end.directory.lowerBound }

  /// The new member with its header and descriptor.
  func bytes(_ padding: MemberPadding) -> [UInt8] { member.bytes(padding) }

  /// What is new behind the members.
  struct Trailer: Sendable {
    /// The new central directory.
    let directory: CentralDirectory
    /// Where it begins.
    let start: UInt64
    /// The end records, the comment, and what stood behind them.
    let end: [UInt8]
  }

  /// The new central directory and what follows it, for a member that takes so many bytes.
  ///
  /// Checked: what any reader of the new archive checks of the directory.
  /// - Throws: ``BundleError`` with codes `limit` where the archive would be larger than any file, `io`.
  func trailer(_ padding: MemberPadding, length: Int) throws(BundleError) -> Trailer {
    let distance = Int64(length) - Int64(room)
    let bytes = try archive.directory.changed(member.change(padding), moving: distance)
    guard let start = archive.end.directory.lowerBound.moved(by: distance),
      let directoryEnd = start.plus(UInt64(bytes.count)),
      let end = archive.end.moved(
        to: start, directoryCount: bytes.count, members: archive.directory.count)
    else { throw BundleError(.limit, detail: "the archive would be larger than any file") }
    let record = EndRecord(
      position: directoryEnd, bytes: end, zip64: archive.end.zip64, directory: start..<directoryEnd,
      count: archive.end.count)
    do throws(BundleError) {
      let directory = try CentralDirectory(bytes: bytes, end: record, limits: archive.limits)
      return Trailer(directory: directory, start: start, end: end)
    } catch { throw BundleError(.io, detail: "the new central directory is wrong: \(error)") }
  }
}
