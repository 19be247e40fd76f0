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
  /// The flags that say a member is encrypted (APPNOTE.TXT 4.4.4).
  private static let encryption: UInt16 = 0x2041
  /// The flag that says a data descriptor follows it.
  private static let descriptor: UInt16 = 8

  var isEncrypted: Bool { flags & Self.encryption != 0 }
  var hasDescriptor: Bool { flags & Self.descriptor != 0 }

  /// Whether a local header's flags say the same where they change what the member is.
  func agrees(withFlags local: UInt16) -> Bool {
    (flags ^ local) & (Self.encryption | Self.descriptor) == 0
  }

  /// The file mode, zero where the record has none: it stands in the upper half of the attributes
  /// whatever system the record claims, and some readers look at it whatever it is.
  var mode: UInt16 { UInt16(truncatingIfNeeded: attributes >> 16) }

  /// The member's last byte and one, had it a local header without extra field; nil beyond what the
  /// type holds.
  var leastEnd: UInt64? {
    offset.plus(UInt64(LocalHeader.length) + UInt64(nameLength))?.plus(compressedSize)
  }

  /// Reads the record that begins at a place.
  /// - Throws: ``BundleError`` with code `inconsistent`.
  @inline(__always)
  init(checking bytes: RawSpan, at start: Int) throws(BundleError) {
    guard bytes.byteCount - start >= Self.length, bytes.uint32(at: start) == Self.signature else {
      throw BundleError(
        .inconsistent, detail: "no member's record at byte \(start) of the central directory")
    }
    let lengths = (
      name: bytes.uint16(at: start + 28), extra: bytes.uint16(at: start + 30),
      comment: bytes.uint16(at: start + 32)
    )
    let end = Self.length + Int(lengths.name) + Int(lengths.extra) + Int(lengths.comment)
    guard end <= bytes.byteCount - start else {
      throw BundleError(
        .inconsistent,
        detail: "the record at byte \(start) runs past the central directory's end")
    }
    self.init(bytes, at: start)
    guard Self.zip64Places(in: bytes, at: start, extra) != nil else {
      throw BundleError(
        .inconsistent, member: bytes.display(name),
        detail: "its zip64 field is cut short or there twice")
    }
    let disk = bytes.uint16(at: start + 34)
    guard disk == 0 || disk == 0xFFFF else {
      throw BundleError(.inconsistent, detail: "the archive is one part of several")
    }
  }

  /// Reads again a record that was checked.
  @inline(__always)
  init(_ bytes: RawSpan, at start: Int) {
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
    let places = Self.zip64Places(
      in: bytes, at: start, extraStart..<extraStart + Int(extraLength))
    compressedSize =
      places?.compressedSize.map { bytes.uint64(at: $0) } ?? UInt64(bytes.uint32(at: start + 20))
    size = places?.size.map { bytes.uint64(at: $0) } ?? UInt64(bytes.uint32(at: start + 24))
    offset = places?.offset.map { bytes.uint64(at: $0) } ?? UInt64(bytes.uint32(at: start + 42))
  }

  @inline(__always)
  private static func zip64Places(
    in bytes: RawSpan, at start: Int, _ extra: Range<Int>
  ) -> ExtraFields.Zip64Places? {
    ExtraFields.zip64Places(
      size: bytes.uint32(at: start + 24) == .max,
      compressedSize: bytes.uint32(at: start + 20) == .max,
      offset: bytes.uint32(at: start + 42) == .max, in: bytes, extra)
  }

  /// The places of the 64-bit values in the extra field.
  func zip64Places(in bytes: RawSpan) -> ExtraFields.Zip64Places {
    Self.zip64Places(in: bytes, at: start, extra) ?? .init()
  }

  func zip64Places(in bytes: [UInt8]) -> ExtraFields.Zip64Places {
    zip64Places(in: bytes.span.bytes)
  }
}

/// The records of a central directory that was checked.
///
/// They are read from its bytes at each look, so that a member takes four bytes beside them.
struct CentralRecords: RandomAccessCollection, Sendable {
  /// The whole directory.
  let bytes: [UInt8]
  private let starts: [UInt32]

  /// Takes the places at which checked records begin.
  init(_ bytes: [UInt8], starts: [UInt32]) {
    self.bytes = bytes
    self.starts = starts
  }

  var startIndex: Int { 0 }
  var endIndex: Int { starts.count }

  subscript(index: Int) -> CentralRecord {
    @inline(__always) get { CentralRecord(bytes.span.bytes, at: Int(starts[index])) }
  }

  /// Where a member's name and its extra field stand in the bytes, which the caller has at hand.
  @inline(__always)
  func nameAndExtra(_ index: Int, in bytes: RawSpan) -> (name: Range<Int>, extra: Range<Int>) {
    let start = Int(starts[index])
    let nameStart = start + CentralRecord.length
    let nameEnd = nameStart + Int(bytes.uint16(at: start + 28))
    return (nameStart..<nameEnd, nameEnd..<nameEnd + Int(bytes.uint16(at: start + 30)))
  }
}

extension RawSpan {
  /// A name for messages.
  func display(_ name: Range<Int>) -> String {
    MemberName.display(name.map { unsafeLoad(fromByteOffset: $0, as: UInt8.self) })
  }
}
