/// A document and, after a mark, the script of what is done to it.
///
/// A document that starts with a byte from 1 to 8, as no text does, is the objects of a binary file:
/// header, offset table and trailer are made for them, so that a fuzzer need not get those right.
package struct FuzzInput {
  /// What separates document and script.
  package static let mark: [UInt8] = [0x00, 0xFF, 0x00, 0xFF]

  package let document: [UInt8]
  package let script: Choices

  package init(_ bytes: [UInt8]) {
    var end = bytes.count
    var start = bytes.count
    if let place = bytes.lastRange(of: Self.mark) {
      end = place.lowerBound
      start = place.upperBound
    }
    let head = Array(bytes[..<end])
    document = (1...8).contains(head.first ?? 0) ? BinaryBody(head).file : head
    // A file without a script gets one that is always the same for it.
    script = Choices(Array(bytes[start...]), seed: start == end ? head.checksum : nil)
  }
}

extension [UInt8] {
  fileprivate func lastRange(of pattern: [UInt8]) -> Range<Int>? {
    guard count >= pattern.count else { return nil }
    for start in (0...(count - pattern.count)).reversed()
    where self[start..<(start + pattern.count)].elementsEqual(pattern) {
      return start..<(start + pattern.count)
    }
    return nil
  }

  /// FNV-1a.
  package var checksum: UInt64 {
    reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}

/// A row of choices: from given bytes, then from a seed (SplitMix64), then always the first.
package struct Choices: Sendable {
  private let bytes: [UInt8]
  private var position = 0
  private var state: UInt64?

  /// Choices from bytes and then, if it is not nil, from a seed.
  package init(_ bytes: [UInt8] = [], seed: UInt64?) {
    self.bytes = bytes
    state = seed
  }

  /// Whether all choices to come are the first.
  package var isExhausted: Bool { position >= bytes.count && state == nil }

  /// A number from 0 on.
  package mutating func number(below bound: Int) -> Int {
    guard bound > 1 else { return 0 }
    var bits = byte()
    if bound > 256 { bits = bits << 8 | byte() }
    if bound > 65_536 { bits = bits << 48 | self.bits() >> 16 }
    return Int(bits % UInt64(bound))
  }

  /// Whether something happens that does so once in so many times.
  package mutating func happens(onceIn times: Int) -> Bool { number(below: times) == times - 1 }

  /// One of several.
  package mutating func element<Element>(of elements: [Element]) -> Element {
    elements[number(below: elements.count)]
  }

  /// 64 bits.
  package mutating func bits() -> UInt64 {
    (0..<8).reduce(0) { bits, _ in bits << 8 | byte() }
  }

  private mutating func byte() -> UInt64 {
    if position < bytes.count {
      position += 1
      return UInt64(bytes[position - 1])
    }
    guard var next = state else { return 0 }
    next &+= 0x9E37_79B9_7F4A_7C15
    state = next
    var bits = next
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return (bits ^ bits >> 31) & 0xFF
  }
}
