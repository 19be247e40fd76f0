/// An archive with one member's content exchanged: what of the old file stays, and what is new.
///
/// All bytes before and after the member stay as they are, so no other header, extra field,
/// descriptor or gap changes. The member keeps its header's form: method, flags, name, extra fields,
/// and sizes in the header or behind the data, whichever it had. In the central directory the
/// offsets behind it move and its own record changes.
struct ArchiveSplice {
  let archive: ArchiveFile
  /// The old member with its header and descriptor.
  let replaced: Range<UInt64>
  /// The new one.
  let entry: [UInt8]
  /// The central directory, the end records, the comment, and what stood behind them.
  let trailer: [UInt8]

  /// Plans the exchange; `seconds` is the new modification time, nil to keep the old one.
  /// - Throws: ``BundleError`` with codes `inconsistent`, `overlapping`, `limit`, `io`.
  init(
    _ archive: ArchiveFile, index: Int, content: [UInt8], seconds: Int64?
  ) throws(BundleError) {
    self.archive = archive
    let place = try archive.place(index)
    replaced = place.all
    let packed = try ZipEncoder.pack(content, method: place.record.method)
    let change = MemberChange(
      index: index, checksum: packed.checksum, compressedSize: UInt64(packed.data.count),
      size: UInt64(content.count), seconds: seconds)
    entry = Self.entry(place, packed.data, change)
    let distance = Int64(entry.count) - Int64(replaced.upperBound - replaced.lowerBound)
    let directory = try archive.directory.changed(change, moving: distance)
    guard let start = archive.end.directory.lowerBound.moved(by: distance),
      let end = archive.end.moved(
        to: start, directoryCount: directory.count, members: archive.directory.count)
    else { throw BundleError(.limit, detail: "the archive would be larger than any file") }
    trailer = directory + end
  }

  /// Writes the new archive.
  func write(to file: TemporaryFile) throws(BundleError) {
    try file.copy(0..<replaced.lowerBound, of: archive.file)
    try file.write(entry)
    try file.copy(replaced.upperBound..<archive.end.directory.lowerBound, of: archive.file)
    try file.write(trailer)
  }

  private static func entry(
    _ place: ArchiveFile.Place, _ data: [UInt8], _ change: MemberChange
  ) -> [UInt8] {
    let header = place.header
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
    if let seconds = change.seconds {
      let time = DOSTime(seconds: seconds)
      bytes.set(time.time, at: 10)
      bytes.set(time.date, at: 12)
      ExtraFields.setModificationTime(seconds, in: &bytes, header.extra)
    }
    let descriptor = place.descriptor?.bytes(
      checksum: change.checksum, compressedSize: change.compressedSize, size: change.size)
    return bytes + data + (descriptor ?? [])
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

extension [UInt8] {
  /// Sets a value where it stands: in the zip64 field if it has a place there, else in 32 bits.
  fileprivate mutating func set(_ value: UInt64, wide: Int?, narrow: Int) {
    if let wide { set(value, at: wide) } else { set(UInt32(clamping: value), at: narrow) }
  }
}

extension CentralDirectory {
  /// The directory's bytes with one record changed, and the offsets of all members behind it moved.
  ///
  /// An offset that grows beyond 32 bits gets a zip64 field (APPNOTE.TXT 4.5.3).
  /// - Throws: ``BundleError`` with code `limit` where a record has no room for that field.
  func changed(_ change: MemberChange, moving distance: Int64) throws(BundleError) -> [UInt8] {
    var result = bytes
    apply(change, to: &result)
    let from = records[change.index].offset
    var widened: [(record: Int, offset: UInt64)] = []
    for (index, record) in records.enumerated() where record.offset > from {
      guard let offset = record.offset.moved(by: distance) else {
        throw BundleError(.limit, detail: "the archive would be larger than any file")
      }
      if let place = record.zip64Places(in: bytes).offset {
        result.set(offset, at: place)
      } else if offset < 0xFFFF_FFFF {
        result.set(UInt32(offset), at: record.start + 42)
      } else {
        widened.append((index, offset))
      }
    }
    return widened.isEmpty ? result : try widen(widened, in: result)
  }

  private func apply(_ change: MemberChange, to result: inout [UInt8]) {
    let record = records[change.index]
    let zip64 = record.zip64Places(in: bytes)
    result.set(change.checksum, at: record.start + 16)
    result.set(change.compressedSize, wide: zip64.compressedSize, narrow: record.start + 20)
    result.set(change.size, wide: zip64.size, narrow: record.start + 24)
    if let seconds = change.seconds {
      let time = DOSTime(seconds: seconds)
      result.set(time.time, at: record.start + 12)
      result.set(time.date, at: record.start + 14)
      ExtraFields.setModificationTime(seconds, in: &result, record.extra)
    }
  }

  /// Inserts 64-bit offsets into records, which makes them longer.
  private func widen(
    _ widened: [(record: Int, offset: UInt64)], in source: [UInt8]
  ) throws(BundleError) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(source.count + 12 * widened.count)
    var copied = 0
    for (index, offset) in widened {
      let record = records[index]
      let places = record.zip64Places(in: source)
      // The field holds size, compressed size, offset in this order.
      let last = [places.size, places.compressedSize].compactMap { $0 }.max()
      let added = last == nil ? 12 : 8
      guard Int(record.extraLength) + added <= 0xFFFF else {
        throw BundleError(
          .limit, member: display(record), detail: "its record has no room for a zip64 field")
      }
      let insertion = last.map { $0 + 8 } ?? record.extra.lowerBound
      let recordStart = result.count + record.start - copied
      result += source[copied..<insertion]
      result.set(UInt32.max, at: recordStart + 42)
      result.set(UInt16(Int(record.extraLength) + added), at: recordStart + 30)
      result.set(Swift.max(45, source.uint16(at: record.start + 6)), at: recordStart + 6)
      if last == nil {
        result.append(integer: ExtraFields.zip64)
        result.append(integer: UInt16(8))
      } else if let field = ExtraFields.fields(ExtraFields.zip64, in: source, record.extra).first {
        result.set(UInt16(field.count + 8), at: recordStart + field.lowerBound - 2 - record.start)
      }
      result.append(integer: offset)
      copied = insertion
    }
    return result + source[copied...]
  }
}

extension EndRecord {
  /// The end records, the comment and what stood behind it for a central directory in another place.
  ///
  /// Zip64 records stay where there are some, and are added where a value grows beyond 32 bits.
  func moved(to start: UInt64, directoryCount: Int, members: Int) -> [UInt8]? {
    let size = UInt64(directoryCount)
    guard let directoryEnd = start.plus(size) else { return nil }
    var plain = bytes
    let needsZip64 = start >= 0xFFFF_FFFF || size >= 0xFFFF_FFFF
    var wide = zip64?.bytes ?? []
    if zip64 == nil, needsZip64 {
      wide = Self.emptyZip64(members: UInt64(members))
      plain.set(UInt16.max, at: 8)
      plain.set(UInt16.max, at: 10)
    }
    if !wide.isEmpty {
      wide.set(size, at: 40)
      wide.set(start, at: 48)
      wide.set(directoryEnd, at: wide.count - Zip64.locatorLength + 8)
    }
    // A saturated field stands for the wide one and stays.
    if needsZip64 || zip64 == nil || plain.uint32(at: 12) != .max {
      plain.set(UInt32(clamping: size), at: 12)
    }
    if needsZip64 || zip64 == nil || plain.uint32(at: 16) != .max {
      plain.set(UInt32(clamping: start), at: 16)
    }
    return wide + plain
  }

  private static func emptyZip64(members: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(integer: zip64Signature)
    bytes.append(integer: UInt64(44))
    bytes.append(integer: UInt32(0x002D_002D))
    bytes.append(integer: UInt64(0))
    bytes.append(integer: members)
    bytes.append(integer: members)
    bytes.append(integer: UInt64(0))
    bytes.append(integer: UInt64(0))
    bytes.append(integer: locatorSignature)
    bytes.append(integer: UInt32(0))
    bytes.append(integer: UInt64(0))
    bytes.append(integer: UInt32(1))
    return bytes
  }
}
