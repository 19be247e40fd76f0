/// Compares all members' local headers with the central directory: in bytes that pass by anyway, or by
/// reading the headers alone.
///
/// Readers of streams take names, methods and sizes from there, so an archive in which the two differ is
/// two archives. Both ways come to the same verdict.
struct HeaderCheck {
  private let archive: ArchiveFile
  /// A member that was not checked yet: its place among the members in the file, its index, its record.
  private typealias Member = (place: Int, index: Int, record: CentralRecord)
  private var next: Member?
  /// The place behind the last member that is checked.
  private let end: Int
  private var scratch = [UInt8](repeating: 0, count: 256)

  // Where headers stand close together, reading all between them is faster than reading each.
  private static let windowSize = 1 << 16
  private static let neighbours = 16

  init(_ archive: ArchiveFile) { self.init(archive, 0..<archive.directory.count) }

  /// A check of some members, by their places in the file.
  private init(_ archive: ArchiveFile, _ places: Range<Int>) {
    self.archive = archive
    end = places.upperBound
    next = places.isEmpty ? nil : member(at: places.lowerBound)
  }

  /// Checks all headers of an archive by reading them, on two threads where there are so many that a
  /// thread costs less than it spares.
  /// - Returns: the failure with code `inconsistent`, `overlapping` or `io`, of several that of the member
  ///   that comes first in the file.
  static func failure(in archive: ArchiveFile, many: Int = 1000) -> BundleError? {
    let count = archive.directory.count
    guard count >= many else { return failure(archive, 0..<count) }
    let half = count / 2
    let second = SideTask { failure(archive, half..<count) }
    let first = failure(archive, 0..<half)
    let last = second.value()
    return first ?? last
  }

  /// Begins to check all headers of an archive beside the caller, whose result is the failure.
  static func begin(_ archive: ArchiveFile) -> SideTask<BundleError?> {
    SideTask { failure(in: archive) }
  }

  private static func failure(_ archive: ArchiveFile, _ places: Range<Int>) -> BundleError? {
    var check = HeaderCheck(archive, places)
    do throws(BundleError) { try check.finish() } catch { return error }
    return nil
  }

  private func member(at place: Int) -> Member? {
    archive.directory.indexInFile(place).map { (place, $0, archive.directory.records[$0]) }
  }

  /// Checks the headers in the buffer's first bytes, which stand in the file at an offset, and all headers
  /// before.
  /// - Throws: ``BundleError`` with codes `inconsistent`, `overlapping`, `io`.
  mutating func check(_ buffer: [UInt8], count: Int, at offset: UInt64) throws(BundleError) {
    while let member = next, member.record.offset < offset + UInt64(count) {
      let start = member.record.offset
      let bytes = start < offset ? [] : buffer[Int(start - offset)..<count]
      try check(member, bytes)
    }
  }

  /// Checks the headers of all members that are left.
  /// - Throws: ``BundleError`` with codes `inconsistent`, `overlapping`, `io`.
  mutating func finish() throws(BundleError) {
    let directoryStart = archive.end.directory.lowerBound
    var window: [UInt8] = []
    while let member = next {
      let start = member.record.offset
      let following = self.member(at: member.place + Self.neighbours)?.record.offset
      guard let following, following - start <= UInt64(Self.windowSize) else {
        try check(member, [])
        continue
      }
      if window.isEmpty { window = [UInt8](repeating: 0, count: Self.windowSize) }
      let count = Int(min(UInt64(window.count), directoryStart - start))
      let found = try archive.file.fill(&window, count: count, at: start)
      // A file that became shorter is noticed by reading the header itself.
      if found == 0 { try check(member, []) }
      try check(window, count: found, at: start)
    }
  }

  /// Checks one header, of which some bytes or none are at hand.
  private mutating func check(
    _ member: Member, _ bytes: ArraySlice<UInt8>
  ) throws(BundleError) {
    let following = self.member(at: member.place + 1)
    let bound = following?.record.offset ?? archive.end.directory.lowerBound
    if !isPlain(bytes, member.record, before: bound) {
      // Extra fields are short; a header with longer ones is read again.
      let count = LocalHeader.length + Int(member.record.nameLength) + 64
      if scratch.count < count { scratch = [UInt8](repeating: 0, count: count) }
      let found = try archive.file.fill(&scratch, count: count, at: member.record.offset)
      if !isPlain(scratch[..<found], member.record, before: bound) {
        _ = try archive.header(member.index)
      }
    }
    next = member.place + 1 < end ? following : nil
  }

  /// Whether a header agrees at first sight. One that does not may still: with zip64 fields, or at a
  /// buffer's end.
  private func isPlain(
    _ header: ArraySlice<UInt8>, _ record: CentralRecord, before bound: UInt64
  ) -> Bool {
    let nameLength = Int(record.nameLength)
    guard header.count >= LocalHeader.length + nameLength else { return false }
    let name = archive.directory.bytes[record.name]
    return header.withUnsafeBytes { header -> Bool in
      func uint16(_ at: Int) -> UInt16 {
        UInt16(littleEndian: header.loadUnaligned(fromByteOffset: at, as: UInt16.self))
      }
      func uint32(_ at: Int) -> UInt32 {
        UInt32(littleEndian: header.loadUnaligned(fromByteOffset: at, as: UInt32.self))
      }
      func agrees(_ at: Int, _ value: UInt64) -> Bool {
        let local = uint32(at)
        return local == 0 && record.hasDescriptor || UInt64(local) == value && local != .max
      }
      guard uint32(0) == LocalHeader.signature, record.agrees(withFlags: uint16(6)),
        uint16(8) == record.method,
        uint32(14) == record.checksum || (uint32(14) == 0 && record.hasDescriptor),
        agrees(18, record.compressedSize), agrees(22, record.size),
        uint16(26) == record.nameLength
      else { return false }
      let length = UInt64(LocalHeader.length + nameLength) + UInt64(uint16(28))
      let room = bound - record.offset
      guard record.compressedSize <= room, length <= room - record.compressedSize,
        length <= header.count
      else { return false }
      var field = LocalHeader.length + nameLength
      while Int(length) - field >= 4 {
        if uint16(field) == ExtraFields.unicodePath { return false }
        field += 4 + Int(uint16(field + 2))
      }
      return name.elementsEqual(header[LocalHeader.length..<LocalHeader.length + nameLength])
    }
  }
}
