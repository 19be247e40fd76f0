/// Between the UTF-16 of a file, high byte first, and UTF-8.
enum UTF8Encoder {
  /// Writes UTF-16 as UTF-8, half a pair as U+FFFD.
  /// - Returns: the bytes written, at most 3 a unit.
  static func encode(
    utf16 units: UnsafeRawBufferPointer, into buffer: UnsafeMutableBufferPointer<UInt8>,
    isUnpaired: inout Bool
  ) -> Int {
    var count = 0
    var place = 0
    while place < units.count {
      var scalar = UInt32(units.unit(at: place))
      place += 2
      if scalar & 0xF800 == 0xD800 {
        let isPair = scalar < 0xDC00 && place < units.count && units.unit(at: place) >> 10 == 0x37
        if isPair {
          scalar = 0x10000 + (scalar & 0x3FF) << 10 + UInt32(units.unit(at: place) & 0x3FF)
          place += 2
        } else {
          scalar = 0xFFFD
          isUnpaired = true
        }
      }
      count += put(scalar, at: count, in: buffer)
    }
    return count
  }

  @inline(__always)
  private static func put(
    _ scalar: UInt32, at place: Int, in buffer: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    func byte(_ lead: UInt32, _ shift: UInt32, _ mask: UInt32) -> UInt8 {
      UInt8(truncatingIfNeeded: lead | scalar &>> shift & mask)
    }
    switch scalar {
    case ..<0x80:
      buffer[place] = UInt8(truncatingIfNeeded: scalar)
      return 1
    case ..<0x800:
      buffer[place] = byte(0xC0, 6, 0x1F)
      buffer[place + 1] = byte(0x80, 0, 0x3F)
      return 2
    case ..<0x10000:
      buffer[place] = byte(0xE0, 12, 0x0F)
      buffer[place + 1] = byte(0x80, 6, 0x3F)
      buffer[place + 2] = byte(0x80, 0, 0x3F)
      return 3
    default:
      buffer[place] = byte(0xF0, 18, 0x07)
      buffer[place + 1] = byte(0x80, 12, 0x3F)
      buffer[place + 2] = byte(0x80, 6, 0x3F)
      buffer[place + 3] = byte(0x80, 0, 0x3F)
      return 4
    }
  }
}

extension UnsafeRawBufferPointer {
  @inline(__always)
  fileprivate func unit(at place: Int) -> UInt16 {
    UInt16(bigEndian: loadUnaligned(fromByteOffset: place, as: UInt16.self))
  }
}
