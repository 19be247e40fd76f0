/// Changes to bytes at places, for inputs that are a good one with one thing wrong.
extension [UInt8] {
  func setting(_ value: UInt32, at place: Int, isBigEndian: Bool = false) -> [UInt8] {
    setting(value.bytes(isBigEndian: isBigEndian), at: place)
  }

  func setting(_ value: UInt64, at place: Int, isBigEndian: Bool = false) -> [UInt8] {
    setting(value.bytes(isBigEndian: isBigEndian), at: place)
  }

  func setting(_ bytes: [UInt8], at place: Int) -> [UInt8] {
    var copy = self
    copy.replaceSubrange(place..<place + bytes.count, with: bytes)
    return copy
  }

  func flippingBit(at place: Int) -> [UInt8] {
    var copy = self
    copy[place] ^= 1
    return copy
  }
}

extension FixedWidthInteger {
  func bytes(isBigEndian: Bool) -> [UInt8] {
    withUnsafeBytes(of: isBigEndian ? bigEndian : littleEndian) { Array($0) }
  }
}
