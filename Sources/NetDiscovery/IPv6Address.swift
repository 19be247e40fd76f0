/// An IPv6 address, without zone.
public struct IPv6Address: Sendable, Hashable, CustomStringConvertible {
  /// The first 64 bits.
  public let high: UInt64
  /// The last 64 bits.
  public let low: UInt64

  /// The address of these 128 bits.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The address of 16 bytes in network order, nil where there are more or fewer.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    low = bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// An address from any of the forms of RFC 4291, 2.2: eight groups, `::` for one or more groups
  /// of zeros, an IPv4 address in place of the last two groups. No brackets.
  /// - Throws: ``HostError`` with code `zone` where a `%` follows an address, else `address`.
  public init(parsing text: String) throws(HostError) {
    if let percent = text.firstIndex(of: "%"), Self.parse(text[..<percent]) != nil {
      throw .zoned(text[..<percent])
    }
    guard let address = Self.parse(text[...]) else {
      throw HostError(.address, detail: "\(quoted(text)) is no IPv6 address")
    }
    self = address
  }

  /// The IPv4 address inside an IPv4-mapped one (`::ffff:0:0/96`; RFC 4291, 2.5.5.2).
  public var mappedIPv4: IPv4Address? {
    high == 0 && low >> 32 == 0xffff ? IPv4Address(bits: UInt32(truncatingIfNeeded: low)) : nil
  }

  /// The eight groups of 16 bits.
  var groups: [UInt16] {
    (0..<8).map { index in
      UInt16(truncatingIfNeeded: (index < 4 ? high : low) >> (48 - 16 * UInt64(index % 4)))
    }
  }

  /// The canonical form of RFC 5952: lower case, no leading zeros, `::` for the first of the
  /// longest runs of two or more zero groups.
  public var description: String {
    let groups = groups
    var run = 0..<0
    var start = 0
    while start < groups.count {
      let end = groups[start...].firstIndex { $0 != 0 } ?? groups.count
      if end - start > max(run.count, 1) { run = start..<end }
      start = end + 1
    }
    let text = { (part: ArraySlice<UInt16>) in
      part.map { String($0, radix: 16) }.joined(separator: ":")
    }
    guard !run.isEmpty else { return text(groups[...]) }
    return text(groups[..<run.lowerBound]) + "::" + text(groups[run.upperBound...])
  }

  /// Whether the address starts with the same bits as another, whose last 64 bits do not count.
  func isIn(_ prefix: UInt64, length: Int) -> Bool {
    (high ^ prefix) >> (64 - length) == 0
  }

  static func parse(_ text: Substring) -> IPv6Address? {
    guard text.utf8.count <= 45 else { return nil }
    var parts = text.split(separator: ":", omittingEmptySubsequences: false)
    // `::` at an end makes one empty part too many; a lone colon there is an error.
    guard parts.count >= 3 else { return nil }
    if parts[0].isEmpty {
      guard parts[1].isEmpty else { return nil }
      parts.removeFirst()
    }
    if parts[parts.count - 1].isEmpty, parts.count > 1 {
      guard parts[parts.count - 2].isEmpty else { return nil }
      parts.removeLast()
    }
    var groups: [UInt16] = []
    var gap: Int?
    for (index, part) in parts.enumerated() {
      if part.isEmpty {
        guard gap == nil else { return nil }
        gap = groups.count
      } else if index == parts.count - 1, let bits = IPv4Address.parse(part) {
        groups += [UInt16(bits >> 16), UInt16(bits & 0xffff)]
      } else {
        guard part.utf8.count <= 4, part.utf8.allSatisfy(isHexDigit),
          let group = UInt16(part, radix: 16)
        else { return nil }
        groups.append(group)
      }
    }
    guard gap == nil ? groups.count == 8 : groups.count < 8 else { return nil }
    if let gap {
      groups.insert(contentsOf: repeatElement(0, count: 8 - groups.count), at: gap)
    }
    return IPv6Address(
      high: groups[..<4].reduce(0) { $0 << 16 | UInt64($1) },
      low: groups[4...].reduce(0) { $0 << 16 | UInt64($1) })
  }
}

extension HostError {
  static func zoned(_ address: Substring) -> HostError {
    HostError(
      .zone, detail: "\(quoted(address)) has a zone, which means nothing on another machine")
  }
}

func isHexDigit(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
    UInt8(ascii: "A")...UInt8(ascii: "F"):
    true
  default: false
  }
}
