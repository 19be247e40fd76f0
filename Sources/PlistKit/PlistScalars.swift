/// An integer from -2^63 to 2^64 - 1, the range that both formats can hold.
public struct PlistInteger: Sendable, Hashable, CustomStringConvertible {
  /// The two's complement bits for a negative number, else the number.
  let bits: UInt64
  /// Whether the number is below zero.
  public let isNegative: Bool

  /// A signed number.
  public init(_ value: Int64) {
    bits = UInt64(bitPattern: value)
    isNegative = value < 0
  }

  /// An unsigned number.
  public init(_ value: UInt64) {
    bits = value
    isNegative = false
  }

  /// The number, where it fits.
  public var int64: Int64? {
    isNegative ? Int64(bitPattern: bits) : Int64(exactly: bits)
  }

  /// The number, where it is not negative.
  public var uint64: UInt64? { isNegative ? nil : bits }

  public var description: String {
    isNegative ? String(Int64(bitPattern: bits)) : String(bits)
  }
}

/// A floating-point number with the width it was stored in. Equality is of the bits, so that NaN
/// equals itself and -0.0 is not 0.0.
public struct PlistReal: Sendable, Hashable {
  /// The bits as stored: of a 32-bit number the low half.
  let bits: UInt64
  /// Whether it is stored as a 32-bit `float`.
  public let isSinglePrecision: Bool

  /// A 64-bit number.
  public init(_ value: Double) {
    bits = value.bitPattern
    isSinglePrecision = false
  }

  /// A 32-bit number.
  public init(_ value: Float) { self.init(singleBits: value.bitPattern) }

  /// A 32-bit number from its bits; arithmetic would make a signalling NaN a quiet one.
  init(singleBits: UInt32) {
    bits = UInt64(singleBits)
    isSinglePrecision = true
  }

  /// The number; a single-precision one is exact in it.
  public var value: Double {
    isSinglePrecision
      ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits)
  }
}

/// A moment, in seconds since 2001-01-01T00:00:00Z (Core Foundation's absolute time) as stored.
public struct PlistDate: Sendable, Hashable {
  /// Seconds since the start of 2001, with a fraction where the format keeps one.
  public let secondsSince2001: Double

  /// A moment so many seconds after the start of 2001.
  public init(secondsSince2001: Double) { self.secondsSince2001 = secondsSince2001 }

  public static func == (a: PlistDate, b: PlistDate) -> Bool {
    a.secondsSince2001.bitPattern == b.secondsSince2001.bitPattern
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(secondsSince2001.bitPattern) }
}
