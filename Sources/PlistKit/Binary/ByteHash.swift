#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// A fast hash of bytes, seeded anew in each process.
///
/// It folds 128-bit products. Nothing proves that nobody can find inputs that collide, so what relies
/// on it counts its steps and falls back on the standard library's hash (``HashIndex``).
struct ByteHash {
  private let seed: UInt64
  private let factor: UInt64
  /// Whether the standard library's hash is used instead.
  private(set) var isStandard = false

  /// The seeds of this process.
  private static let process = (UInt64.random(in: 0 ... .max), UInt64.random(in: 0 ... .max) | 1)

  init() { (seed, factor) = Self.process }

  /// A hash of known seeds, for which contents that collide can be made.
  init(seed: UInt64, factor: UInt64) {
    self.seed = seed
    self.factor = factor
  }

  /// Changes to the standard library's hash.
  mutating func useStandard() { isStandard = true }

  /// The hash of some bytes; different salts keep kinds of content apart.
  @inline(__always)
  func callAsFunction(_ bytes: UnsafeRawBufferPointer, salt: UInt64) -> UInt64 {
    if isStandard { return standard(bytes, salt) }
    let count = bytes.count
    guard count > 0 else { return fold(seed ^ salt, factor) }
    var state = seed ^ salt
    var place = 0
    while count - place > 16 {
      state = fold(state ^ bytes.word(at: place), factor ^ bytes.word(at: place + 8))
      place += 16
    }
    let low: UInt64
    var high: UInt64 = 0
    if count >= 8 {
      // The last 16 bytes, some of them for the second time, or all of them twice.
      low = bytes.word(at: max(0, count - 16))
      high = bytes.word(at: count - 8)
    } else if count >= 4 {
      let first = bytes.loadUnaligned(as: UInt32.self)
      let last = bytes.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
      low = UInt64(first) << 32 | UInt64(last)
    } else {
      low = UInt64(bytes[0]) << 16 | UInt64(bytes[count / 2]) << 8 | UInt64(bytes[count - 1])
    }
    return fold(state ^ low, factor ^ high ^ UInt64(count) &* 0x9E37_79B9_7F4A_7C15)
  }

  /// The hash of a number.
  @inline(__always)
  func callAsFunction(_ number: UInt64, salt: UInt64) -> UInt64 {
    guard isStandard else { return fold(seed ^ salt ^ number, factor) }
    return withUnsafeBytes(of: number) { standard($0, salt) }
  }

  @inline(__always)
  private func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }

  @inline(never)
  private func standard(_ bytes: UnsafeRawBufferPointer, _ salt: UInt64) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(salt)
    hasher.combine(bytes: bytes)
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }
}

extension UnsafeRawBufferPointer {
  /// Eight bytes as they lie; the caller has checked that they are there.
  @inline(__always)
  func word(at place: Int) -> UInt64 { loadUnaligned(fromByteOffset: place, as: UInt64.self) }

  /// Whether both hold the same bytes.
  @inline(__always)
  func isIdentical(to other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard let a = baseAddress, let b = other.baseAddress else { return true }
    return memcmp(a, b, count) == 0
  }
}
