/// An IPv4 address.
public struct IPv4Address: Sendable, Hashable, CustomStringConvertible {
  /// The address as one number, the first octet in the highest bits.
  public let bits: UInt32

  /// The address of these 32 bits.
  public init(bits: UInt32) { self.bits = bits }

  /// An address from its dotted quad: four decimal numbers of 0 to 255 without leading zeros.
  ///
  /// The other forms that some libraries read (`0x7f.1`, `3232235786`, `192.168.001.010`) are
  /// refused, because readers do not agree on what they mean.
  /// - Throws: ``HostError`` with code `address`.
  public init(parsing text: String) throws(HostError) {
    guard let bits = Self.parse(text[...]) else {
      throw HostError(
        .address, detail: "\(quoted(text)) is no IPv4 address of four numbers from 0 to 255")
    }
    self.bits = bits
  }

  /// The dotted quad.
  public var description: String {
    "\(bits >> 24).\(bits >> 16 & 0xff).\(bits >> 8 & 0xff).\(bits & 0xff)"
  }

  static func parse(_ text: Substring) -> UInt32? {
    guard text.utf8.count <= 15 else { return nil }
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var bits: UInt32 = 0
    for part in parts {
      guard let octet = decimal(part, atMost: 255) else { return nil }
      bits = bits << 8 | UInt32(octet)
    }
    return bits
  }

  /// Whether the address starts with the same bits as another.
  func isIn(_ prefix: UInt32, length: Int) -> Bool {
    (bits ^ prefix) >> (32 - length) == 0
  }
}

/// A decimal number without sign and leading zeros.
func decimal(_ digits: some Collection<UInt8>, atMost limit: Int) -> Int? {
  guard let first = digits.first, digits.count <= 5, first != UInt8(ascii: "0") || digits.count == 1
  else { return nil }
  var value = 0
  for digit in digits {
    guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
    value = value * 10 + Int(digit - UInt8(ascii: "0"))
  }
  return value <= limit ? value : nil
}
