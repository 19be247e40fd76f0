/// From the UTF-8 of a string to UTF-16, high byte first.
enum UTF16Encoder {
  /// The units that text takes.
  static func count(utf8 bytes: UnsafeRawBufferPointer) -> Int {
    // Each first byte of a character is a unit, that of four bytes two.
    var units = 0
    for byte in bytes { units += (byte & 0xC0 == 0x80 ? 0 : 1) + (byte >= 0xF0 ? 1 : 0) }
    return units
  }

  /// Writes the valid UTF-8 of a string as UTF-16.
  /// - Returns: the bytes written, at most 2 a byte.
  static func encode(
    utf8 bytes: UnsafeRawBufferPointer, into buffer: UnsafeMutableRawBufferPointer
  ) -> Int {
    var count = 0
    var place = 0
    func next() -> UInt32 {
      guard place < bytes.count else { return 0 }
      place += 1
      return UInt32(bytes[place - 1])
    }
    func put(_ unit: UInt32) {
      guard count + 2 <= buffer.count else { return }
      let unit = UInt16(truncatingIfNeeded: unit)
      buffer.storeBytes(of: unit.bigEndian, toByteOffset: count, as: UInt16.self)
      count += 2
    }
    while place < bytes.count {
      let first = next()
      switch first {
      case ..<0x80: put(first)
      case ..<0xE0: put((first & 0x1F) << 6 | next() & 0x3F)
      case ..<0xF0: put((first & 0x0F) << 12 | (next() & 0x3F) << 6 | next() & 0x3F)
      default:
        let high = (first & 0x07) << 18 | (next() & 0x3F) << 12
        let scalar = high | (next() & 0x3F) << 6 | next() & 0x3F
        put(0xD800 | (scalar &- 0x10000) >> 10 & 0x3FF)
        put(0xDC00 | scalar & 0x3FF)
      }
    }
    return count
  }
}
