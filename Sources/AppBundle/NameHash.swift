/// A hash of the names' collision keys (``MemberName/collisionKey(_:)``): equal keys, equal hashes.
///
/// It is a polynomial in a random point of the field of 2^61 - 1 numbers, seven bytes a coefficient.
/// Two keys of up to *n* bytes that differ have one hash in *n*/7 of 2^61 cases, whoever chose them.
struct NameHash: Sendable {
  private static let modulus: UInt64 = 1 << 61 - 1
  private let point = UInt64.random(in: 1..<Self.modulus)
  private let spread = UInt64.random(in: 0 ... .max) | 1

  /// The hash of a name's key, without making the key of a name that is plain ASCII.
  func callAsFunction(_ name: Span<UInt8>) -> UInt64 {
    plain(name) ?? thorough(MemberName.collisionKey(Array(name)[...]))
  }

  /// Nil where the key is not just the name in lower case.
  @inline(__always)
  private func plain(_ name: Span<UInt8>) -> UInt64? {
    guard !name.isEmpty, name[0] != MemberName.slash, name[0] != MemberName.dot else { return nil }
    let bytes = name.bytes
    var state: UInt64 = 1
    var place = 0
    // Of eight bytes seven are taken; the last one tells what follows them.
    while name.count - place >= 8 {
      let word = ByteWord(bytes.uint64(at: place))
      guard word.isPlain else { return nil }
      add(word.folded & (1 << 56 - 1), to: &state)
      place += 7
    }
    var last = ByteWord.filler
    var count = 0
    while place < name.count {
      last = last >> 8 | UInt64(name[place]) << 56
      count += 1
      place += 1
    }
    guard count > 0 else { return finish(state) }
    let word = ByteWord(last)
    guard word.isPlain, name[place - 1] != MemberName.slash else { return nil }
    add(word.folded >> UInt64(64 - 8 * count), to: &state)
    return finish(state)
  }

  /// The hash of a key. Strings are equal where their characters are canonically equivalent, and so
  /// hashes the standard library; keys that are equal to plain ASCII are hashed as that.
  @inline(never)
  private func thorough(_ key: String) -> UInt64 {
    var state: UInt64 = 1
    var word: UInt64 = 0
    var shift: UInt64 = 0
    for scalar in key.unicodeScalars {
      guard let byte = Self.ascii(scalar) else {
        return finish(UInt64(bitPattern: Int64(key.hashValue)) & Self.modulus)
      }
      word |= UInt64(byte) << shift
      shift += 8
      if shift == 56 {
        add(word, to: &state)
        (word, shift) = (0, 0)
      }
    }
    if shift > 0 { add(word, to: &state) }
    return finish(state)
  }

  /// The ASCII character that a scalar is or is canonically equivalent to: the Greek question mark,
  /// the varia, and the kelvin sign are (UnicodeData.txt).
  static func ascii(_ scalar: Unicode.Scalar) -> UInt8? {
    switch scalar.value {
    case ..<0x80: UInt8(truncatingIfNeeded: scalar.value)
    case 0x037E: UInt8(ascii: ";")
    case 0x1FEF: UInt8(ascii: "`")
    case 0x212A: UInt8(ascii: "K")
    default: nil
    }
  }

  @inline(__always)
  private func add(_ word: UInt64, to state: inout UInt64) {
    let product = state.multipliedFullWidth(by: point)
    // Both factors are below 2^61, so the upper 61 bits of the product fit, and so do the sums.
    let sum = product.low & Self.modulus &+ (product.high << 3 | product.low >> 61) &+ word
    let once = sum & Self.modulus &+ sum >> 61
    state = once >= Self.modulus ? once &- Self.modulus : once
  }

  /// Spreads what differs over all bits.
  @inline(__always)
  private func finish(_ state: UInt64) -> UInt64 {
    let product = state.multipliedFullWidth(by: spread)
    return product.high ^ product.low
  }
}

/// Eight bytes of a name at once, the first one lowest.
private struct ByteWord {
  private let bits: UInt64

  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x80 * ones
  /// A byte that is nothing special, eight times.
  static let filler = 0x61 * ones

  @inline(__always)
  init(_ bits: UInt64) { self.bits = bits }

  /// The high bit of each byte that is the one given, where all of them are below 128.
  @inline(__always)
  private func places(of byte: UInt8) -> UInt64 {
    let difference = bits ^ UInt64(byte) &* Self.ones
    return ~(difference &+ 0x7F * Self.ones) & Self.highs
  }

  /// Whether nothing in it has a key other than itself in lower case: it is ASCII without zero bytes
  /// and backslashes, and no slash is followed by another one or a dot.
  @inline(__always)
  var isPlain: Bool {
    let slashes = places(of: MemberName.slash)
    let followed = (slashes | places(of: MemberName.dot)) >> 8
    return (bits & Self.highs) | places(of: 0) | places(of: MemberName.backslash)
      | (slashes & followed) == 0
  }

  /// The bytes with capital letters as small ones, where all of them are below 128.
  @inline(__always)
  var folded: UInt64 {
    let fromA = bits &+ (0x80 - 0x41) * Self.ones
    let beyondZ = bits &+ (0x80 - 0x5B) * Self.ones
    return bits | (fromA & ~beyondZ & Self.highs) >> 2
  }
}
