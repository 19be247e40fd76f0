/// An archive with one member's content exchanged: what of the old file stays, and what is new.
///
/// All bytes before and after the member stay as they are, so no other header, extra field,
/// descriptor or gap changes. In the central directory the offsets behind it move and its own record
/// changes.
struct ArchiveSplice {
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

  /// What is new in the archive.
  struct Parts {
    /// The member with its header and descriptor.
    let member: [UInt8]
    /// The central directory, the end records, the comment, and what stood behind them.
    let trailer: [UInt8]
    /// Where the new central directory begins.
    let trailerStart: UInt64
  }

  /// What is new with a padding.
  /// - Throws: ``BundleError`` with code `limit` where the archive would be larger than any file.
  func parts(_ padding: MemberPadding) throws(BundleError) -> Parts {
    let bytes = member.bytes(padding)
    let distance = Int64(bytes.count) - Int64(room)
    var trailer = try archive.directory.changed(
      member.change(padding), moving: distance, spare: archive.end.greatestCount)
    guard let start = archive.end.directory.lowerBound.moved(by: distance),
      let end = archive.end.moved(
        to: start, directoryCount: trailer.count, members: archive.directory.count)
    else { throw BundleError(.limit, detail: "the archive would be larger than any file") }
    trailer += end
    return Parts(member: bytes, trailer: trailer, trailerStart: start)
  }
}
