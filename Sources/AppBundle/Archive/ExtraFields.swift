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

  /// The data of each field with an identifier, as ranges of `bytes`. Bytes that are no field end
  /// the search: many readers pass over them, and no one needs to understand them here.
  static func fields(_ identifier: UInt16, in bytes: [UInt8], _ range: Range<Int>) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var index = range.lowerBound
    while range.upperBound - index >= 4 {
      let data = index + 4
      let length = Int(bytes.uint16(at: index + 2))
      guard length <= range.upperBound - data else { break }
      if bytes.uint16(at: index) == identifier { found.append(data..<data + length) }
      index = data + length
    }
    return found
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
  static func zip64Places(
    size: Bool, compressedSize: Bool, offset: Bool, in bytes: [UInt8], _ range: Range<Int>
  ) -> Zip64Places? {
    var places = Zip64Places()
    guard size || compressedSize || offset else { return places }
    let all = fields(zip64, in: bytes, range)
    guard let field = all.first else { return places }
    var next = field.lowerBound
    func take() -> Int? {
      guard field.upperBound - next >= 8 else { return nil }
      defer { next += 8 }
      return next
    }
    if size { places.size = take() }
    if compressedSize { places.compressedSize = take() }
    if offset { places.offset = take() }
    let whole =
      (!size || places.size != nil) && (!compressedSize || places.compressedSize != nil)
      && (!offset || places.offset != nil)
    return whole && all.count == 1 ? places : nil
  }
}
