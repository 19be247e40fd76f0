// Eight bytes at a time.
extension XMLBytes {
  /// Eight bytes from a place on, the first as the lowest; 0 where there are none.
  @inline(__always) func word(at index: Int) -> UInt64 {
    if let base, index >= 0, index <= count - 8 {
      return UInt64(
        littleEndian: UnsafeRawPointer(base).loadUnaligned(fromByteOffset: index, as: UInt64.self))
    }
    return lastWord(at: index)
  }

  @inline(never) private func lastWord(at index: Int) -> UInt64 {
    if let base, count >= 8, index >= 0, index < count {
      let last = UnsafeRawPointer(base).loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
      return UInt64(littleEndian: last) >> UInt64(8 * (index - (count - 8)))
    }
    var word: UInt64 = 0
    for offset in 0..<8 { word |= UInt64(self[index &+ offset]) << UInt64(8 * offset) }
    return word
  }

  /// Where the first byte from a place on stands that is `<`, `&` or `]`, a control character, or no
  /// ASCII.
  @inline(__always) func endOfOrdinaryText(from start: Int) -> Int {
    var index = start
    while true {
      let word = word(at: index)
      let isControl = ~((word | Lanes.high) &- Lanes.all(0x20))
      let found =
        (word | isControl | Lanes.equal(word, .less) | Lanes.equal(word, .ampersand)
          | Lanes.equal(word, UInt8(ascii: "]"))) & Lanes.high
      if found != 0 { return index + found.trailingZeroBitCount >> 3 }
      index += 8
    }
  }

  /// Where the first byte from a place on stands that may not be written as it is: `&`, `<`, `>`, a
  /// control character, or the first byte of U+F000 to U+FFFF. The count, if there is none.
  @inline(__always) func endOfWritableText(from start: Int) -> Int {
    var index = start
    while true {
      let word = word(at: index)
      let isControl = ~((word | Lanes.high) &- Lanes.all(0x20)) & ~word
      let found =
        (isControl | Lanes.equal(word, .less) | Lanes.equal(word, .greater)
          | Lanes.equal(word, .ampersand) | Lanes.equal(word, 0xEF)) & Lanes.high
      if found != 0 { return index + found.trailingZeroBitCount >> 3 }
      index += 8
    }
  }

  /// Where the first byte from a place on stands that is no white space.
  @inline(__always) func endOfSpace(from start: Int) -> Int {
    var index = start
    while true {
      let word = word(at: index)
      let other =
        Lanes.differ(word, .tab) & Lanes.differ(word, .lineFeed)
        & Lanes.differ(word, .carriageReturn) & Lanes.differ(word, .space) & Lanes.high
      if other != 0 { return index + other.trailingZeroBitCount >> 3 }
      index += 8
    }
  }
}

/// Arithmetic on the eight bytes of a word. A result stands in the highest bit of each byte; the other
/// bits mean nothing.
enum Lanes {
  static let high: UInt64 = 0x8080_8080_8080_8080

  /// A byte in every place.
  @inline(__always) static func all(_ byte: UInt8) -> UInt64 {
    UInt64(byte) &* 0x0101_0101_0101_0101
  }

  /// Where a byte stands first. Above that place the result may be wrong.
  @inline(__always) static func equal(_ word: UInt64, _ byte: UInt8) -> UInt64 {
    let difference = word ^ all(byte)
    return (difference &- all(1)) & ~difference
  }

  /// Where other bytes stand than this one.
  @inline(__always) static func differ(_ word: UInt64, _ byte: UInt8) -> UInt64 {
    let difference = word ^ all(byte)
    return ((difference & all(0x7F)) &+ all(0x7F)) | difference
  }
}
