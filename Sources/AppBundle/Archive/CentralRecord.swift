/// One record of the central directory (APPNOTE.TXT 4.3.12), with zip64 values in place.
struct CentralRecord: Sendable {
  /// Where it begins in the directory.
  let start: Int
  let nameLength: UInt16
  let extraLength: UInt16
  let commentLength: UInt16
  let madeBy: UInt16
  let flags: UInt16
  let method: UInt16
  let checksum: UInt32
  let attributes: UInt32
  let compressedSize: UInt64
  let size: UInt64
  /// Where the member's local header begins in the file.
  let offset: UInt64

  static let signature: UInt32 = 0x0201_4B50
  static let length = 46

  var name: Range<Int> { start + Self.length..<start + Self.length + Int(nameLength) }
  var extra: Range<Int> { name.upperBound..<name.upperBound + Int(extraLength) }
  var end: Int { extra.upperBound + Int(commentLength) }
  var isEncrypted: Bool { flags & 0x2041 != 0 }
  var hasDescriptor: Bool { flags & 8 != 0 }

  /// The file mode, zero where the record has none: it stands in the upper half of the attributes
  /// whatever system the record claims, and some readers look at it whatever it is.
  var mode: UInt16 { UInt16(truncatingIfNeeded: attributes >> 16) }

  /// Reads the record that begins at a place.
  /// - Throws: ``BundleError`` with code `inconsistent`.
  init(in bytes: [UInt8], at start: Int) throws(BundleError) {
    guard bytes.count - start >= Self.length, bytes.uint32(at: start) == Self.signature else {
      throw BundleError(
        .inconsistent, detail: "no member's record at byte \(start) of the central directory")
    }
    self.start = start
    madeBy = bytes.uint16(at: start + 4)
    flags = bytes.uint16(at: start + 8)
    method = bytes.uint16(at: start + 10)
    checksum = bytes.uint32(at: start + 16)
    nameLength = bytes.uint16(at: start + 28)
    extraLength = bytes.uint16(at: start + 30)
    commentLength = bytes.uint16(at: start + 32)
    attributes = bytes.uint32(at: start + 38)
    let extraStart = start + Self.length + Int(nameLength)
    let extra = extraStart..<extraStart + Int(extraLength)
    guard extra.upperBound + Int(commentLength) <= bytes.count else {
      throw BundleError(
        .inconsistent,
        detail: "the record at byte \(start) runs past the central directory's end")
    }
    let narrow = (
      compressed: bytes.uint32(at: start + 20), size: bytes.uint32(at: start + 24),
      offset: bytes.uint32(at: start + 42)
    )
    guard
      let places = ExtraFields.zip64Places(
        size: narrow.size == .max, compressedSize: narrow.compressed == .max,
        offset: narrow.offset == .max, in: bytes, extra)
    else {
      throw BundleError(
        .inconsistent, member: MemberName.display(bytes[start + Self.length..<extraStart]),
        detail: "its zip64 field is cut short or there twice")
    }
    compressedSize =
      places.compressedSize.map { bytes.uint64(at: $0) } ?? UInt64(narrow.compressed)
    size = places.size.map { bytes.uint64(at: $0) } ?? UInt64(narrow.size)
    offset = places.offset.map { bytes.uint64(at: $0) } ?? UInt64(narrow.offset)
    let disk = bytes.uint16(at: start + 34)
    guard disk == 0 || disk == 0xFFFF else {
      throw BundleError(.inconsistent, detail: "the archive is one part of several")
    }
  }

  /// The places of the 64-bit values in the extra field.
  func zip64Places(in bytes: [UInt8]) -> ExtraFields.Zip64Places {
    ExtraFields.zip64Places(
      size: bytes.uint32(at: start + 24) == .max,
      compressedSize: bytes.uint32(at: start + 20) == .max,
      offset: bytes.uint32(at: start + 42) == .max, in: bytes, extra) ?? .init()
  }
}
