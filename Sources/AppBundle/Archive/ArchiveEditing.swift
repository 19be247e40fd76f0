// What an edit changes in the central directory and the end records.

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
      // A field that stands for none of the three has no values that count, but there must be one alone.
      let field = ExtraFields.fields(ExtraFields.zip64, in: source, record.extra).first
      let added = field == nil ? 12 : 8
      guard Int(record.extraLength) + added <= 0xFFFF else {
        throw BundleError(
          .limit, member: display(record), detail: "its record has no room for a zip64 field")
      }
      let insertion = last.map { $0 + 8 } ?? field?.lowerBound ?? record.extra.lowerBound
      let recordStart = result.count + record.start - copied
      result += source[copied..<insertion]
      result.set(UInt32.max, at: recordStart + 42)
      result.set(UInt16(Int(record.extraLength) + added), at: recordStart + 30)
      result.set(Swift.max(45, source.uint16(at: record.start + 6)), at: recordStart + 6)
      if let field {
        result.set(UInt16(field.count + 8), at: recordStart + field.lowerBound - 2 - record.start)
      } else {
        result.append(integer: ExtraFields.zip64)
        result.append(integer: UInt16(8))
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
