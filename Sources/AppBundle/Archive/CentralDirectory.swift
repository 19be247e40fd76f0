/// An archive's central directory: its bytes, and where in them each record stands.
struct CentralDirectory: Sendable {
  let records: CentralRecords
  /// The records' indices by their members' place in the file, nil where they stand in that order.
  private let fileOrder: [UInt32]?

  var bytes: [UInt8] { records.bytes }

  /// Walks a central directory.
  ///
  /// Checked: the records fill it exactly, there are as many as the end record declares, and no
  /// member's header and data reach into another member or past the directory's start. Local
  /// headers are not read, so their extra fields count as empty here.
  /// - Throws: ``BundleError`` with codes `inconsistent`, `overlapping`, `limit`.
  init(bytes: [UInt8], end: EndRecord, limits: ArchiveLimits) throws(BundleError) {
    // Places in it are kept in 32 bits.
    guard bytes.count <= UInt32.max else {
      throw BundleError(.limit, detail: "the central directory has \(bytes.count) bytes")
    }
    let span = bytes.span.bytes
    var starts: [UInt32] = []
    // A record is at least 46 bytes, so a false count cannot reserve more than the bytes explain.
    starts.reserveCapacity(min(Int(clamping: end.count), bytes.count / CentralRecord.length))
    var next = 0
    var isOrdered = true
    // Whether each member begins at or behind the end of the one before, as it mostly is.
    var isApart = true
    var (lastOffset, lastEnd) = (UInt64(0), UInt64(0))
    while next < bytes.count {
      guard starts.count < limits.entries else {
        throw BundleError(.limit, detail: "the archive has more than \(limits.entries) members")
      }
      let record = try CentralRecord(checking: span, at: next)
      isOrdered = isOrdered && record.offset >= lastOffset
      isApart = isApart && record.offset >= lastEnd
      lastOffset = record.offset
      lastEnd = record.leastEnd ?? .max
      starts.append(UInt32(truncatingIfNeeded: next))
      next = record.end
    }
    guard end.allows(count: starts.count) else {
      throw BundleError(
        .inconsistent,
        detail: "the end record counts \(end.count) members, the central directory holds "
          + "\(starts.count)")
    }
    records = CentralRecords(bytes, starts: starts)
    fileOrder = isOrdered ? nil : Self.fileOrder(of: records)
    guard isApart, lastEnd <= end.directory.lowerBound else {
      try checkPlaces(before: end.directory.lowerBound)
      return
    }
  }

  private static func fileOrder(of records: CentralRecords) -> [UInt32] {
    var places = records.enumerated().map { (offset: $1.offset, index: UInt32($0)) }
    places.sort { $0.offset < $1.offset }
    return places.map(\.index)
  }

  /// The index of the record at a place in the order of the members in the file, nil behind the last.
  func indexInFile(_ place: Int) -> Int? {
    place < records.count ? index(atPlace: place) : nil
  }

  /// The record at a place in the order of the members in the file.
  private func recordInFile(_ place: Int) -> CentralRecord { records[index(atPlace: place)] }

  private func index(atPlace place: Int) -> Int { fileOrder.map { Int($0[place]) } ?? place }

  private func checkPlaces(before directoryStart: UInt64) throws(BundleError) {
    for place in records.indices {
      let record = recordInFile(place)
      guard let end = record.leastEnd, end <= directoryStart else {
        throw BundleError(
          .inconsistent, member: display(record),
          detail: "\(record.compressedSize) bytes from byte \(record.offset) run past the "
            + "central directory's start at byte \(directoryStart)")
      }
      guard place + 1 < records.count else { return }
      let next = recordInFile(place + 1)
      guard end <= next.offset else {
        throw BundleError(
          .overlapping, member: display(record), detail: "it shares bytes with \(display(next))")
      }
    }
  }

  /// Where the next member after one begins, nil after the last.
  func nextOffset(after offset: UInt64) -> UInt64? {
    let place = placeInFile(from: offset.plus(1) ?? .max)
    return place < records.count ? recordInFile(place).offset : nil
  }

  /// The place of the first member that begins at an offset or behind it; their number where none does.
  private func placeInFile(from offset: UInt64) -> Int {
    var low = 0
    var high = records.count
    while low < high {
      let middle = low + (high - low) / 2
      if recordInFile(middle).offset < offset { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The names that a member's extra fields give it, for readers that heed them: some take the first, some
  /// the last.
  func otherNames(_ index: Int) -> [[UInt8]] { otherNames(index, in: bytes.span.bytes) }

  @inline(__always)
  private func otherNames(_ index: Int, in span: RawSpan) -> [[UInt8]] {
    var names: [[UInt8]] = []
    var rest = records.nameAndExtra(index, in: span).extra
    while let field = ExtraFields.next(in: span, &rest) {
      guard field.identifier == ExtraFields.unicodePath, field.data.count > 5 else { continue }
      names.append(Array(bytes[(field.data.lowerBound + 5)..<field.data.upperBound]))
    }
    return names
  }

  /// Gives each member that has another name in its extra fields, and that name.
  func forEachOtherName<Failure>(
    _ body: (Int, [UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    let span = bytes.span.bytes
    for index in records.indices {
      for other in otherNames(index, in: span)
      where !other.elementsEqual(bytes[records.nameAndExtra(index, in: span).name]) {
        try body(index, other)
      }
    }
  }

  /// The records of the members before a place in the file, the nearest first.
  func records(before offset: UInt64) -> some Sequence<CentralRecord> {
    (0..<placeInFile(from: offset)).reversed().lazy.map { recordInFile($0) }
  }

  func display(_ record: CentralRecord) -> String { MemberName.display(bytes[record.name]) }
}

extension CentralDirectory: MemberTable {
  var count: Int { records.count }
  /// What all members unpack to by their records, cut to 64 bits.
  var unpackedSize: UInt64 { records.reduce(0) { $0 &+ $1.size } }

  func name(_ index: Int) -> ArraySlice<UInt8> {
    let name = bytes[records.nameAndExtra(index, in: bytes.span.bytes).name]
    return name.last == MemberName.slash ? name.dropLast() : name
  }

  func kind(_ index: Int) -> Member.Kind {
    let record = records[index]
    if bytes[record.name].last == MemberName.slash { return .directory }
    return switch record.mode & 0o170000 {
    case 0: record.attributes & 0x10 != 0 && record.madeBy >> 8 == 0 ? .directory : .file
    case 0o100000: .file
    case 0o040000: .directory
    case 0o120000: .symbolicLink
    default: .other
    }
  }

  func forEachName<Failure>(
    _ body: (Int, Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    let bytes = bytes.span
    for index in records.indices {
      let name = bytes.extracting(records.nameAndExtra(index, in: bytes.bytes).name)
      let isFolder = !name.isEmpty && name[name.count - 1] == MemberName.slash
      try body(index, isFolder ? name.extracting(droppingLast: 1) : name)
    }
  }

  func member(_ index: Int) -> Member {
    let record = records[index]
    return Member(
      name: name(index), kind: kind(index), size: record.size,
      permissions: record.mode == 0 ? nil : record.mode & 0o7777, checksum: record.checksum)
  }
}
