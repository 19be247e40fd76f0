/// A member of an archive with new content, in the form of the old one: method, flags, name, extra
/// fields, and sizes in the header or behind the data, whichever it had.
struct NewMember: Sendable {
  private let place: ArchiveFile.Place
  /// The old header without the padding of an earlier edit.
  private let header: LocalHeader
  private let packed: ZipEncoder.Packed
  private let index: Int
  private let size: UInt64
  private let seconds: Int64?

  /// Packs the content; `seconds` is the new modification time, nil to keep the old one.
  /// - Throws: ``BundleError`` with codes `inconsistent`, `overlapping`, `io`.
  init(
    _ content: [UInt8], at index: Int, of archive: ArchiveFile, seconds: Int64?
  ) throws(BundleError) {
    self.index = index
    self.seconds = seconds
    place = try archive.place(index)
    header = place.header.withoutPadding()
    packed = try ZipEncoder.pack(content, method: place.record.method)
    size = UInt64(content.count)
  }

  /// The old member with its header and descriptor.
  var replaced: Range<UInt64> { place.all }

  /// The new one before it is padded.
  var unpadded: MemberPadding.Member {
    MemberPadding.Member(
      length: header.bytes.count + packed.data.count + (place.descriptor?.length ?? 0),
      method: place.record.method, extraRoom: 0xFFFF - header.extra.count)
  }

  /// What changes in the member's central record.
  func change(_ padding: MemberPadding) -> MemberChange {
    MemberChange(
      index: index, checksum: packed.checksum,
      compressedSize: UInt64(padding.blockBytes.count + packed.data.count), size: size,
      seconds: seconds)
  }

  /// The bytes of the new member with its header and descriptor.
  func bytes(_ padding: MemberPadding) -> [UInt8] {
    let change = change(padding)
    let descriptor = place.descriptor?.bytes(
      checksum: change.checksum, compressedSize: change.compressedSize, size: change.size)
    return headerBytes(padding, change) + padding.blockBytes + packed.data + (descriptor ?? [])
  }

  private func headerBytes(_ padding: MemberPadding, _ change: MemberChange) -> [UInt8] {
    let header = header.adding(padding.extraBytes)
    var bytes = header.bytes
    let zip64 = header.zip64 ?? .init()
    // Zero before a descriptor means "see there", and stays.
    let isDeferred = place.descriptor != nil
    if !isDeferred || header.checksum != 0 { bytes.set(change.checksum, at: 14) }
    if !isDeferred || header.compressedSize != 0 {
      bytes.set(change.compressedSize, wide: zip64.compressedSize, narrow: 18)
    }
    if !isDeferred || header.size != 0 {
      bytes.set(change.size, wide: zip64.size, narrow: 22)
    }
    if let seconds {
      let time = DOSTime(seconds: seconds)
      bytes.set(time.time, at: 10)
      bytes.set(time.date, at: 12)
      ExtraFields.setModificationTime(seconds, in: &bytes, header.extra)
    }
    return bytes
  }
}

/// What changes in a member's records.
struct MemberChange {
  var index: Int
  var checksum: UInt32
  var compressedSize: UInt64
  var size: UInt64
  /// The new modification time, nil where it stays.
  var seconds: Int64?
}

extension LocalHeader {
  /// The header without padding of this module's, which is zeros. That of others begins with what they
  /// align to, and stays.
  fileprivate func withoutPadding() -> LocalHeader {
    var bytes = bytes
    // From the end, so that the places of those before stay.
    for field in ExtraFields.fields(ExtraFields.padding, in: bytes, extra).reversed()
    where bytes[field].allSatisfy({ $0 == 0 }) {
      bytes.removeSubrange(field.lowerBound - 4..<field.upperBound)
    }
    bytes.set(UInt16(clamping: bytes.count - name.upperBound), at: 28)
    return LocalHeader(bytes: bytes)
  }

  /// The header with another extra field behind the others, and before bytes that are no field.
  fileprivate func adding(_ field: [UInt8]) -> LocalHeader {
    var bytes = bytes
    bytes.insert(contentsOf: field, at: ExtraFields.end(in: bytes, extra))
    bytes.set(UInt16(clamping: bytes.count - name.upperBound), at: 28)
    return LocalHeader(bytes: bytes)
  }
}

extension [UInt8] {
  /// Sets a value where it stands: in the zip64 field if it has a place there, else in 32 bits.
  mutating func set(_ value: UInt64, wide: Int?, narrow: Int) {
    if let wide { set(value, at: wide) } else { set(UInt32(clamping: value), at: narrow) }
  }
}
