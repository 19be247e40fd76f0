/// A zip archive whose structure was checked.
final class ArchiveFile: Sendable {
  let file: InputFile
  let end: EndRecord
  let directory: CentralDirectory
  let limits: ArchiveLimits

  /// Reads the end records and the central directory, nil where the file has no end record.
  /// - Throws: ``BundleError`` with codes `inconsistent`, `overlapping`, `truncated`, `limit`, `io`.
  init?(_ file: InputFile, limits: ArchiveLimits) throws(BundleError) {
    guard let end = try EndRecord.find(in: file, limits: limits) else { return nil }
    let range = end.directory
    let bytes = try file.bytes(
      at: range.lowerBound, count: Int(range.upperBound - range.lowerBound))
    self.file = file
    self.end = end
    self.limits = limits
    directory = try CentralDirectory(bytes: bytes, end: end, limits: limits)
  }

  /// An archive whose end record and directory were read.
  init(
    _ file: InputFile, end: EndRecord, directory: CentralDirectory, limits: ArchiveLimits
  ) {
    self.file = file
    self.end = end
    self.directory = directory
    self.limits = limits
  }

  /// Where a member lies, once its local header is known to agree with the central directory.
  struct Place: Sendable {
    let record: CentralRecord
    let header: LocalHeader
    /// The compressed bytes.
    let data: Range<UInt64>
    let descriptor: DataDescriptor?

    /// The member with its header and descriptor.
    var all: Range<UInt64> {
      record.offset..<data.upperBound + UInt64(descriptor?.length ?? 0)
    }
  }

  /// Reads a member's local header and checks it against the central directory.
  /// - Throws: ``BundleError`` with codes `inconsistent`, `overlapping`, `io`.
  func place(_ index: Int) throws(BundleError) -> Place {
    let record = directory.records[index]
    let member = directory.display(index)
    let (header, data) = try header(index)
    var descriptor: DataDescriptor?
    if record.hasDescriptor {
      let bound = directory.nextOffset(after: record.offset) ?? end.directory.lowerBound
      let following = try file.bytes(
        at: data.upperBound, count: Int(min(24, bound - data.upperBound)))
      descriptor = DataDescriptor.find(in: following, record: record)
      guard descriptor != nil else {
        throw BundleError(
          .inconsistent, member: member,
          detail: "its data descriptor does not agree with the central directory")
      }
    }
    return Place(record: record, header: header, data: data, descriptor: descriptor)
  }

  /// A member's local header, checked against the central directory, and where its packed bytes lie.
  /// - Throws: ``BundleError`` with codes `inconsistent`, `overlapping`, `io`.
  func header(
    _ index: Int
  ) throws(BundleError) -> (header: LocalHeader, data: Range<UInt64>) {
    let found = try packed(index)
    let record = directory.records[index]
    let difference = found.header.difference(
      from: record, name: directory.bytes[record.name], otherNames: directory.otherNames(index))
    if let difference {
      throw BundleError(.inconsistent, member: directory.display(index), detail: difference)
    }
    return found
  }

  /// Sees to it that no member before another reaches into it with its local extra field, which the
  /// central directory does not tell.
  /// - Throws: ``BundleError`` with codes `overlapping`, `io`.
  func checkReach(over index: Int) throws(BundleError) {
    let offset = directory.records[index].offset
    for earlier in directory.records(before: offset) {
      let least =
        earlier.offset + UInt64(LocalHeader.length) + UInt64(earlier.nameLength)
        + earlier.compressedSize
      guard least + 0xFFFF > offset else { return }
      let fixed = try file.bytes(at: earlier.offset, count: LocalHeader.length)
      guard let length = LocalHeader.fullLength(fixed) else { continue }
      guard earlier.offset + UInt64(length) + earlier.compressedSize <= offset else {
        throw BundleError(
          .overlapping, member: directory.display(index),
          detail: "it shares bytes with \(directory.display(earlier))")
      }
    }
  }

  /// Sees to it that Info.plist has one name for all readers: some heed another one in the extra
  /// fields.
  /// - Throws: ``BundleError`` with code `duplicateMember`.
  func checkOtherNames(of infoPlist: Int) throws(BundleError) {
    let key = MemberName.collisionKey(directory.name(infoPlist))
    try directory.forEachOtherName { (index, other) throws(BundleError) in
      guard index != infoPlist, MemberName.collisionKey(other[...]) != key else {
        throw BundleError(
          .duplicateMember, member: directory.display(index),
          detail:
            "its extra field names it \(MemberName.display(other)), and readers differ in which "
            + "name they take")
      }
    }
  }

  /// A member's local header and where its packed bytes lie, with no more checked than that they
  /// reach into no other member.
  /// - Throws: ``BundleError`` with codes `inconsistent`, `overlapping`, `io`.
  func packed(
    _ index: Int
  ) throws(BundleError) -> (header: LocalHeader, data: Range<UInt64>) {
    let record = directory.records[index]
    let member = directory.display(index)
    let bound = directory.nextOffset(after: record.offset) ?? end.directory.lowerBound
    let fixed = try file.bytes(at: record.offset, count: LocalHeader.length)
    guard let length = LocalHeader.fullLength(fixed) else {
      throw BundleError(
        .inconsistent, member: member, detail: "no local header at byte \(record.offset)")
    }
    guard let dataStart = record.offset.plus(UInt64(length)),
      let dataEnd = dataStart.plus(record.compressedSize), dataEnd <= bound
    else {
      throw BundleError(
        .overlapping, member: member, detail: "it reaches past byte \(bound), where another begins")
    }
    let header = LocalHeader(bytes: try file.bytes(at: record.offset, count: length))
    return (header, dataStart..<dataEnd)
  }

  /// A reader of a member's unpacked bytes; it checks their count and checksum at the end.
  /// - Throws: ``BundleError`` with codes `encrypted`, `unsupportedMethod`, `inconsistent`, `io`.
  func reader(_ index: Int) throws(BundleError) -> MemberReader {
    let record = directory.records[index]
    let member = directory.display(index)
    try checkMethod(index)
    guard record.method == 8 || record.compressedSize == record.size else {
      throw BundleError(
        .inconsistent, member: member,
        detail: "it is stored in \(record.compressedSize) bytes and declares \(record.size)")
    }
    return try MemberReader(file: file, place: try place(index), member: member)
  }

  /// Sees to it that a member is packed in a way that can be unpacked here.
  /// - Throws: ``BundleError`` with codes `encrypted`, `unsupportedMethod`.
  func checkMethod(_ index: Int) throws(BundleError) {
    let record = directory.records[index]
    guard !record.isEncrypted else {
      throw BundleError(
        .encrypted, member: directory.display(index), detail: "it is encrypted",
        hint: "pack the app anew without a password")
    }
    guard CompressionMethod.isRead(record.method) else {
      throw BundleError(
        .unsupportedMethod, member: directory.display(index),
        detail: "it is packed with \(CompressionMethod.name(record.method)), and only stored and "
          + "deflated members are read", hint: CompressionMethod.remedy(record.method))
    }
  }

  /// The unpacked bytes of a member of at most so many.
  /// - Throws: ``BundleError``, with code `limit` where there are more.
  func contents(_ index: Int, limit: Int) throws(BundleError) -> [UInt8] {
    let record = directory.records[index]
    // What does not shrink grows a little when it is packed and padded; more than that is no use.
    let packedLimit = UInt64(limit) + (1 << 16) + UInt64(MemberPadding.limit)
    guard record.size <= UInt64(limit), record.compressedSize <= packedLimit else {
      throw BundleError(
        .limit, member: directory.display(index),
        detail: "it declares \(record.size) bytes packed to \(record.compressedSize), and at most "
          + "\(limit) are read")
    }
    return try reader(index).all(expecting: Int(record.size))
  }
}
