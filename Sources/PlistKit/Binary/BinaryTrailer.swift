/// The sizes and places that the last 32 bytes of a binary property list give, checked.
///
/// The layout is that of `CFBinaryPlistTrailer` in Core Foundation's ForFoundationOnly.h: 5 unused
/// bytes, the sort version, offset size, reference size, then object count, top object and offset of
/// the table as 64-bit big-endian numbers. The rules are those of `__CFBinaryPlistGetTopLevelInfo`
/// in CFBinaryPList.c, so what passes here passes there.
struct BinaryTrailer: Sendable {
  /// Bytes of `bplist00`.
  static let headerSize = 8
  /// Bytes of the trailer.
  static let size = 32

  /// Bytes of an entry of the offset table, 1 to 255.
  let offsetSize: Int
  /// Bytes of a reference to an object, 1 to 255.
  let referenceSize: Int
  /// How many objects there are, at least 1.
  let objectCount: Int
  /// The index of the root.
  let topObject: Int
  /// Where the table starts, and the objects end.
  let tableOffset: Int
  /// Where the table ends.
  let tableEnd: Int

  /// Reads and checks header, trailer and offset table.
  /// - Throws: ``PlistError`` with code `unknownFormat`, `truncated`, `malformed`, `badReference`,
  ///   `trailingBytes` or `limit`.
  init(
    reading bytes: UnsafeRawBufferPointer, limits: ParseLimits, strictness: ParseStrictness
  ) throws(PlistError) {
    try Self.checkHeader(bytes)
    let start = bytes.count - Self.size
    offsetSize = Int(bytes[start + 6])
    referenceSize = Int(bytes[start + 7])
    let count = bytes.bigEndian(at: start + 8, size: 8)
    let top = bytes.bigEndian(at: start + 16, size: 8)
    let table = bytes.bigEndian(at: start + 24, size: 8)

    // A file that lost its end ends in other bytes, which say anything.
    let hint = ": the trailer is damaged, or the file is cut off"
    func fail(_ code: PlistError.Code, _ field: Int, _ detail: String) -> PlistError {
      PlistError(code, at: .offset(start + field), detail: detail)
    }
    guard offsetSize > 0 else { throw fail(.malformed, 6, "the size of an offset is 0" + hint) }
    guard referenceSize > 0 else {
      throw fail(.malformed, 7, "the size of a reference is 0" + hint)
    }
    guard count > 0 else { throw fail(.malformed, 8, "the file holds 0 objects" + hint) }
    guard count <= UInt64(start / offsetSize) else {
      throw fail(.truncated, 8, "\(count) objects, too many for \(bytes.count) bytes" + hint)
    }
    guard count <= limits.objects, let objectCount = Int32(exactly: count) else {
      throw fail(.limit, 8, "\(count) objects, and at most \(limits.objects) are read")
    }
    guard top < count else {
      throw fail(.badReference, 16, "the top object is \(top) of \(count)")
    }
    guard table > Self.headerSize else {
      throw fail(.malformed, 24, "the offset table starts at byte \(table), inside the header")
    }
    let (tableBytes, overflow) = Int(objectCount).multipliedReportingOverflow(by: offsetSize)
    guard table <= start, !overflow, tableBytes <= start - Int(table) else {
      throw fail(
        .truncated, 24,
        "\(count) offsets of \(offsetSize) bytes from byte \(table) on do not fit before the trailer"
      )
    }
    let highest = strictness.allowsNarrowReferences ? count - 1 : count
    guard Self.width(referenceSize, exceeds: highest) else {
      throw fail(
        .malformed, 7, "references of \(referenceSize) bytes are too small for \(count) objects")
    }
    guard Self.width(offsetSize, exceeds: table) else {
      throw fail(
        .malformed, 6,
        "offsets of \(offsetSize) bytes are too small for a table at byte \(table)")
    }
    self.objectCount = Int(objectCount)
    topObject = Int(top)
    tableOffset = Int(table)
    tableEnd = tableOffset + tableBytes
    guard tableEnd == start || strictness.allowsBytesBeforeTrailer else {
      throw PlistError(
        .trailingBytes, at: .offset(tableEnd),
        detail: "\(start - tableEnd) bytes between the offset table and the trailer")
    }
    try checkOffsets(bytes)
  }

  /// Whether every number up to and with `number` fits in so many bytes: 2^(8 * width) > number.
  static func width(_ width: Int, exceeds number: UInt64) -> Bool {
    width >= 8 || number >> (8 * UInt64(width)) == 0
  }

  /// The width of 1, 2, 4 or 8 bytes that Core Foundation writes for numbers up to this one.
  static func width(for number: Int) -> Int {
    [1, 2, 4].first { width($0, exceeds: UInt64(number)) } ?? 8
  }

  private static func checkHeader(_ bytes: UnsafeRawBufferPointer) throws(PlistError) {
    let magic = Array("bplist".utf8)
    guard bytes.starts(with: magic) else {
      throw PlistError(.unknownFormat, at: .offset(0), detail: "no 'bplist' at the start")
    }
    guard bytes.count > magic.count + 1 else {
      throw PlistError(.truncated, at: .offset(bytes.count), detail: "the file ends in its header")
    }
    guard bytes[magic.count] == UInt8(ascii: "0") else {
      let version = String(decoding: bytes[magic.count..<(magic.count + 2)], as: UTF8.self)
      throw PlistError(
        .unknownFormat, at: .offset(magic.count),
        detail: "version \(version.quoted) of the binary form, and only '00' is read")
    }
    guard bytes.count > headerSize + size else {
      throw PlistError(
        .truncated, at: .offset(bytes.count),
        detail: "\(bytes.count) bytes hold no header, object and trailer")
    }
  }

  private func checkOffsets(_ bytes: UnsafeRawBufferPointer) throws(PlistError) {
    let end = UInt64(tableOffset)
    let size = offsetSize
    let width = NumberWidth(size)
    var furthest: UInt64 = 0
    for place in stride(from: tableOffset, to: tableEnd, by: size) {
      furthest = max(furthest, bytes.bigEndian(at: place, width))
    }
    guard furthest >= end else { return }
    for (index, place) in stride(from: tableOffset, to: tableEnd, by: size).enumerated() {
      let offset = bytes.bigEndian(at: place, size: size)
      guard offset < end else {
        throw PlistError(
          .badReference, at: .offset(place),
          detail: "object \(index) is said to be at byte \(offset), beyond the objects' end \(end)")
      }
    }
  }
}

/// The bytes of a number that is read often.
struct NumberWidth: Sendable {
  let size: Int
  private let mask: UInt64

  init(_ size: Int) {
    self.size = size
    mask = size >= 8 ? .max : (1 << (8 * UInt64(size))) - 1
  }

  /// The number that ends eight bytes.
  @inline(__always)
  func last(of word: UInt64) -> UInt64 { word & mask }
}

extension UnsafeRawBufferPointer {
  /// The unsigned number in so many bytes, of more than 8 the last 8. The caller has checked that
  /// they are there, and that the 8 bytes of the header lie before them: read are the 8 bytes that
  /// end with the number.
  @inline(__always)
  func bigEndian(at place: Int, _ width: NumberWidth) -> UInt64 {
    let start = place &+ width.size &- 8
    return width.last(
      of: UInt64(bigEndian: loadUnaligned(fromByteOffset: start, as: UInt64.self)))
  }

  /// The same for a width that is used once.
  @inline(__always)
  func bigEndian(at place: Int, size: Int) -> UInt64 { bigEndian(at: place, NumberWidth(size)) }
}
