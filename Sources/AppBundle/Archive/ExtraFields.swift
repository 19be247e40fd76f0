/// The extra fields of a header (APPNOTE.TXT 4.5): an identifier, a length, and that many bytes.
enum ExtraFields {
  static let zip64: UInt16 = 0x0001
  /// Info-ZIP's "extended timestamp": flags, then the modification time.
  static let extendedTimestamp: UInt16 = 0x5455
  /// Info-ZIP's older field, which Apple's archivers write: access time, modification time.
  static let unixTimes: UInt16 = 0x5855

  /// Info-ZIP's "Unicode path": a version, the CRC of the header's name, and the name that counts
  /// instead (APPNOTE.TXT 4.6.9).
  static let unicodePath: UInt16 = 0x7075

  /// Bytes that align or fill, as Android's `zipalign` writes them.
  static let padding: UInt16 = 0xD935

  /// Where the last field ends: behind it stand bytes that are none, or nothing.
  static func end(in bytes: [UInt8], _ range: Range<Int>) -> Int {
    var index = range.lowerBound
    while range.upperBound - index >= 4 {
      let length = Int(bytes.uint16(at: index + 2))
      guard length <= range.upperBound - index - 4 else { break }
      index += 4 + length
    }
    return index
  }

  /// The data of each field with an identifier, as ranges of `bytes`. Bytes that are no field end
  /// the search: many readers pass over them, and no one needs to understand them here.
  static func fields(_ identifier: UInt16, in bytes: [UInt8], _ range: Range<Int>) -> [Range<Int>] {
    let bytes = bytes.span.bytes
    var found: [Range<Int>] = []
    var rest = range
    while let field = next(in: bytes, &rest) {
      if field.identifier == identifier { found.append(field.data) }
    }
    return found
  }

  /// Takes the next field off what is left of an extra field, nil where the rest is none.
  @inline(__always)
  static func next(
    in bytes: RawSpan, _ rest: inout Range<Int>
  ) -> (identifier: UInt16, data: Range<Int>)? {
    guard rest.count >= 4 else { return nil }
    let data = rest.lowerBound + 4
    let length = Int(bytes.uint16(at: data - 2))
    guard length <= rest.upperBound - data else { return nil }
    rest = data + length..<rest.upperBound
    return (bytes.uint16(at: data - 4), data..<data + length)
  }

  /// Sets the modification time in the fields that hold one.
  static func setModificationTime(_ seconds: Int64, in bytes: inout [UInt8], _ range: Range<Int>) {
    let stamp = UInt32(clamping: seconds)
    for field in fields(extendedTimestamp, in: bytes, range)
    where field.count >= 5 && bytes[field.lowerBound] & 1 != 0 {
      bytes.set(stamp, at: field.lowerBound + 1)
    }
    for field in fields(unixTimes, in: bytes, range) where field.count >= 8 {
      bytes.set(stamp, at: field.lowerBound + 4)
    }
  }

  /// The places of 64-bit values that stand in for saturated 32-bit ones.
  struct Zip64Places {
    var size: Int?
    var compressedSize: Int?
    var offset: Int?
  }

  /// Finds the zip64 field's values; only fields whose 32-bit form is saturated are in it, in this
  /// order (APPNOTE.TXT 4.5.3). Nil where the field is cut short or there twice.
  @inline(__always)
  static func zip64Places(
    size: Bool, compressedSize: Bool, offset: Bool, in bytes: RawSpan, _ range: Range<Int>
  ) -> Zip64Places? {
    guard size || compressedSize || offset else { return Zip64Places() }
    return saturatedPlaces(
      size: size, compressedSize: compressedSize, offset: offset, in: bytes, range)
  }

  static func zip64Places(
    size: Bool, compressedSize: Bool, offset: Bool, in bytes: [UInt8], _ range: Range<Int>
  ) -> Zip64Places? {
    zip64Places(
      size: size, compressedSize: compressedSize, offset: offset, in: bytes.span.bytes, range)
  }

  @inline(never)
  private static func saturatedPlaces(
    size: Bool, compressedSize: Bool, offset: Bool, in bytes: RawSpan, _ range: Range<Int>
  ) -> Zip64Places? {
    var places = Zip64Places()
    var rest = range
    var found: Range<Int>?
    while let field = next(in: bytes, &rest) {
      guard field.identifier == zip64 else { continue }
      if found != nil { return nil }
      found = field.data
    }
    guard var field = found else { return places }
    func take() -> Int? {
      guard field.count >= 8 else { return nil }
      defer { field = field.lowerBound + 8..<field.upperBound }
      return field.lowerBound
    }
    if size { places.size = take() }
    if compressedSize { places.compressedSize = take() }
    if offset { places.offset = take() }
    let isWhole =
      (!size || places.size != nil) && (!compressedSize || places.compressedSize != nil)
      && (!offset || places.offset != nil)
    return isWhole ? places : nil
  }
}
