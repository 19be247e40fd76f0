/// What kind of object a marker byte announces.
enum BinaryKind: UInt8, Sendable {
  case null, boolean, integer, real, date, data, ascii, utf16, uid, array, set, dictionary

  var isContainer: Bool { self == .array || self == .set || self == .dictionary }

  /// What messages call it.
  var name: String {
    switch self {
    case .null: "null"
    case .boolean: "boolean"
    case .integer: "integer"
    case .real: "real"
    case .date: "date"
    case .data: "data"
    case .ascii: "ASCII string"
    case .utf16: "UTF-16 string"
    case .uid: "UID"
    case .array: "array"
    case .set: "set"
    case .dictionary: "dictionary"
    }
  }
}

/// An object whose bytes are known to lie among the objects of the file.
struct BinaryObject {
  let kind: BinaryKind
  /// Where the marker stands.
  let offset: Int
  /// Where what follows marker and length starts.
  let payload: Int
  /// Bytes of data, ASCII and numbers, units of UTF-16, items, or pairs of a dictionary.
  let count: Int
  /// Where the object ends.
  let end: Int

  /// References that a container holds: twice its pairs for a dictionary.
  var referenceCount: Int { kind == .dictionary ? 2 * count : kind.isContainer ? count : 0 }
}

/// The objects of a binary property list whose trailer was checked. It lives no longer than the
/// closure that lends the bytes.
struct BinaryObjects {
  let bytes: UnsafeRawBufferPointer
  let trailer: BinaryTrailer
  private let offsetWidth: NumberWidth
  let referenceWidth: NumberWidth

  init(bytes: UnsafeRawBufferPointer, trailer: BinaryTrailer) {
    self.bytes = bytes
    self.trailer = trailer
    offsetWidth = NumberWidth(trailer.offsetSize)
    referenceWidth = NumberWidth(trailer.referenceSize)
  }

  @inline(__always)
  var count: Int { trailer.objectCount }

  /// Where the table has an object; the trailer's check has it before the table.
  @inline(__always)
  func offset(of index: Int) -> Int {
    // The table's extent was checked: no product of an index overflows.
    let place = trailer.tableOffset &+ index &* offsetWidth.size
    return Int(truncatingIfNeeded: bytes.bigEndian(at: place, offsetWidth))
  }

  /// A reference of a container, as an index below `count`.
  /// - Throws: ``PlistError`` with code `badReference`.
  @inline(__always)
  func reference(_ position: Int, of object: BinaryObject) throws(PlistError) -> Int {
    let place = object.payload &+ position &* referenceWidth.size
    let index = bytes.bigEndian(at: place, referenceWidth)
    guard index < UInt64(count) else { throw noObject(index, at: place, in: object.kind) }
    return Int(truncatingIfNeeded: index)
  }

  /// The same without an error: a number of `count` or more where there is no such object.
  @inline(__always)
  func uncheckedReference(_ position: Int, from payload: Int) -> UInt64 {
    bytes.bigEndian(at: payload &+ position &* referenceWidth.size, referenceWidth)
  }

  /// The references of a container.
  func references(of object: BinaryObject) throws(PlistError) -> [Int] {
    var all: [Int] = []
    all.reserveCapacity(object.referenceCount)
    for position in 0..<object.referenceCount { all.append(try reference(position, of: object)) }
    return all
  }

  /// An object's kind and extent.
  /// - Throws: ``PlistError`` with code `badReference` for one inside the header, `malformed` for a
  ///   marker that version 0 does not have, `truncated` for one that runs into the table.
  @inline(__always)
  func object(at index: Int) throws(PlistError) -> BinaryObject {
    let offset = offset(of: index)
    guard offset >= BinaryTrailer.headerSize else { throw insideHeader(index, at: offset) }
    let marker = bytes[offset]
    let low = Int(marker & 0x0F)
    switch marker >> 4 {
    case 0x5: return try counted(.ascii, at: offset, unit: 1)
    case 0x6: return try counted(.utf16, at: offset, unit: 2)
    case 0x4: return try counted(.data, at: offset, unit: 1)
    case 0xD: return try counted(.dictionary, at: offset, unit: 2 * trailer.referenceSize)
    case 0xA: return try counted(.array, at: offset, unit: trailer.referenceSize)
    case 0xC: return try counted(.set, at: offset, unit: trailer.referenceSize)
    case 0x0 where low == 0: return try fixed(.null, at: offset, bytes: 0)
    case 0x0 where low == 8 || low == 9: return try fixed(.boolean, at: offset, bytes: 0)
    case 0x1 where low <= 4: return try fixed(.integer, at: offset, bytes: 1 << low)
    case 0x2 where low == 2 || low == 3: return try fixed(.real, at: offset, bytes: 1 << low)
    case 0x3 where low == 3: return try fixed(.date, at: offset, bytes: 8)
    case 0x8: return try fixed(.uid, at: offset, bytes: low + 1)
    default: throw unknownMarker(marker, of: index, at: offset)
    }
  }

  @inline(__always)
  private func fixed(
    _ kind: BinaryKind, at offset: Int, bytes size: Int
  ) throws(PlistError) -> BinaryObject {
    guard size < trailer.tableOffset - offset else { throw tooShort(kind, size, at: offset) }
    return BinaryObject(
      kind: kind, offset: offset, payload: offset + 1, count: size, end: offset + 1 + size)
  }

  @inline(__always)
  private func counted(
    _ kind: BinaryKind, at offset: Int, unit: Int
  ) throws(PlistError) -> BinaryObject {
    var payload = offset + 1
    var count = UInt64(bytes[offset] & 0x0F)
    if count == 0x0F { (count, payload) = try length(of: kind, at: payload) }
    // A reference is at most 255 bytes wide, so that the product of a small count is in range.
    let remaining = trailer.tableOffset - payload
    guard count <= UInt64(remaining), Int(count) <= Int.max / 512,
      Int(count) * unit <= remaining
    else { throw tooShort(kind, count, unit, at: offset, remaining) }
    return BinaryObject(
      kind: kind, offset: offset, payload: payload, count: Int(count),
      end: payload + Int(count) * unit)
  }

  /// A length of 15 or more: an integer object of any width after the marker.
  @inline(never)
  private func length(
    of kind: BinaryKind, at place: Int
  ) throws(PlistError) -> (count: UInt64, payload: Int) {
    guard place < trailer.tableOffset else {
      throw PlistError(
        .truncated, at: .offset(place), detail: "\(kind.name) ends before its length")
    }
    let marker = bytes[place]
    guard marker >> 4 == 1, marker & 0x0F <= 4 else {
      throw PlistError(
        .malformed, at: .offset(place),
        detail: "length of \(kind.name) starts with 0x\(hex(marker)), which is no integer")
    }
    let size = 1 << Int(marker & 0x0F)
    guard size <= trailer.tableOffset - place - 1 else {
      throw PlistError(
        .truncated, at: .offset(place), detail: "\(kind.name) ends inside its length")
    }
    guard size <= 8 || bytes.bigEndian(at: place + 1, size: size - 8) == 0 else {
      throw PlistError(
        .truncated, at: .offset(place), detail: "length of \(kind.name) is beyond 64 bits")
    }
    return (bytes.bigEndian(at: place + 1, size: size), place + 1 + size)
  }
}

// MARK: - Errors, apart from what runs each time

extension BinaryObjects {
  @inline(never)
  private func insideHeader(_ index: Int, at offset: Int) -> PlistError {
    PlistError(.badReference, at: .offset(offset), detail: "object \(index) lies inside the header")
  }

  @inline(never)
  private func unknownMarker(_ marker: UInt8, of index: Int, at offset: Int) -> PlistError {
    PlistError(
      .malformed, at: .offset(offset),
      detail: "object \(index) starts with 0x\(hex(marker)), which is no type of version 0")
  }

  @inline(never)
  private func tooShort(_ kind: BinaryKind, _ size: Int, at offset: Int) -> PlistError {
    PlistError(
      .truncated, at: .offset(offset),
      detail: "\(kind.name) takes \(size) bytes, only \(trailer.tableOffset - offset - 1) remain")
  }

  @inline(never)
  private func tooShort(
    _ kind: BinaryKind, _ count: UInt64, _ unit: Int, at offset: Int, _ remaining: Int
  ) -> PlistError {
    let units =
      switch kind {
      case .utf16: "UTF-16 units"
      case .array, .set: "references"
      case .dictionary: "pairs"
      default: "bytes"
      }
    return PlistError(
      .truncated, at: .offset(offset),
      detail: "\(kind.name) holds \(count) \(units), only \(remaining) bytes remain")
  }

  @inline(never)
  private func noObject(_ index: UInt64, at place: Int, in kind: BinaryKind) -> PlistError {
    PlistError(
      .badReference, at: .offset(place),
      detail: "\(kind.name) refers to object \(index), and there are \(count)")
  }
}

/// A byte as two hexadecimal digits.
private func hex(_ byte: UInt8) -> String {
  let digits = String(byte, radix: 16, uppercase: true)
  return digits.count == 1 ? "0" + digits : digits
}
