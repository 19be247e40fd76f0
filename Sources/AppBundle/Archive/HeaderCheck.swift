/// Compares all members' local headers with the central directory: in bytes that pass by anyway, or by
/// reading the headers alone.
///
/// Readers of streams take names, methods and sizes from there, so an archive in which the two differ is
/// two archives. Both ways come to the same verdict.
struct HeaderCheck {
  private let archive: ArchiveFile
  /// The next member, by its place in the file.
  private var next = 0
  private var scratch = [UInt8](repeating: 0, count: 256)

  init(_ archive: ArchiveFile) { self.archive = archive }

  /// Checks the headers in the buffer's first bytes, which stand in the file at an offset, and all headers
  /// before.
  /// - Throws: ``BundleError`` with codes `inconsistent`, `overlapping`, `io`.
  mutating func check(_ buffer: [UInt8], count: Int, at offset: UInt64) throws(BundleError) {
    let directory = archive.directory
    while next < directory.count {
      let index = directory.indexInFile(next)
      let start = directory.records[index].offset
      guard start < offset + UInt64(count) else { return }
      let bytes = start < offset ? nil : buffer[Int(start - offset)..<count]
      if let bytes, isPlain(bytes, index) {
        next += 1
      } else {
        try checkAlone()
      }
    }
  }

  /// Checks the headers of all members that are left.
  /// - Throws: ``BundleError`` with codes `inconsistent`, `overlapping`, `io`.
  mutating func finish() throws(BundleError) {
    while next < archive.directory.count { try checkAlone() }
  }

  /// Checks one header by reading it.
  private mutating func checkAlone() throws(BundleError) {
    let index = archive.directory.indexInFile(next)
    let record = archive.directory.records[index]
    let length = LocalHeader.length + Int(record.nameLength)
    if scratch.count < length { scratch = [UInt8](repeating: 0, count: length) }
    let count = try archive.file.fill(&scratch, at: record.offset)
    if !isPlain(scratch[..<count], index) { _ = try archive.header(index) }
    next += 1
  }

  /// Whether a header agrees at first sight. One that does not may still: with zip64 fields, or at a
  /// buffer's end.
  private func isPlain(_ header: ArraySlice<UInt8>, _ index: Int) -> Bool {
    let directory = archive.directory
    let record = directory.records[index]
    let nameLength = Int(record.nameLength)
    guard header.count >= LocalHeader.length + nameLength else { return false }
    let after = directory.offset(inFile: next + 1) ?? archive.end.directory.lowerBound
    return header.withUnsafeBytes { header -> Bool in
      func uint16(_ at: Int) -> UInt16 {
        UInt16(littleEndian: header.loadUnaligned(fromByteOffset: at, as: UInt16.self))
      }
      func uint32(_ at: Int) -> UInt32 {
        UInt32(littleEndian: header.loadUnaligned(fromByteOffset: at, as: UInt32.self))
      }
      func agrees(_ at: Int, _ value: UInt64) -> Bool {
        let local = uint32(at)
        return UInt64(local) == value && local != .max || (local == 0 && record.hasDescriptor)
      }
      guard uint32(0) == LocalHeader.signature, (uint16(6) ^ record.flags) & 0x2049 == 0,
        uint16(8) == record.method,
        uint32(14) == record.checksum || (uint32(14) == 0 && record.hasDescriptor),
        agrees(18, record.compressedSize), agrees(22, record.size),
        uint16(26) == record.nameLength
      else { return false }
      let length = UInt64(LocalHeader.length + nameLength) + UInt64(uint16(28))
      guard record.compressedSize <= after - record.offset,
        length <= after - record.offset - record.compressedSize
      else { return false }
      return directory.bytes[record.name].elementsEqual(
        header[LocalHeader.length..<LocalHeader.length + nameLength])
    }
  }
}
