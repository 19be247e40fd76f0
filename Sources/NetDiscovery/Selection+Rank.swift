/// The place of an offer in the order of all.
struct Rank: Comparable {
  /// The classes, in their order.
  enum Place: Int {
    case localName, boundName, ipv4, uniqueLocal, ipv6
    case tailscaleName, tailscaleIPv4, tailscaleIPv6, other
  }

  let place: Place
  /// Behind a virtual bridge, or on an interface without carrier.
  var isLast = false
  /// Not on the interface of the default route.
  var isAside = false
  /// The interface's name, empty for a name.
  var interface = ""
  /// An IPv6 address's bits: the system lists the newest first, which changes. IPv4 addresses stay as
  /// the system has them, the primary one first.
  var address = IPv6Address(high: 0, low: 0)

  static func < (a: Rank, b: Rank) -> Bool {
    if a.isLast != b.isLast { return b.isLast }
    if a.place != b.place { return a.place.rawValue < b.place.rawValue }
    if a.isAside != b.isAside { return b.isAside }
    if a.interface != b.interface { return precedes(a.interface, b.interface) }
    return (a.address.high, a.address.low) < (b.address.high, b.address.low)
  }

  /// Byte by byte, but numbers by their value: `eth2` comes before `eth10`.
  private static func precedes(_ a: String, _ b: String) -> Bool {
    let (partsOfA, partsOfB) = (parts(of: a), parts(of: b))
    for (partOfA, partOfB) in zip(partsOfA, partsOfB) where partOfA != partOfB {
      return partOfA.lexicographicallyPrecedes(partOfB)
    }
    return partsOfA == partsOfB
      ? a.utf8.lexicographicallyPrecedes(b.utf8) : partsOfA.count < partsOfB.count
  }

  /// Each byte alone, and each number as its count of digits before its digits.
  private static func parts(of name: String) -> [[UInt8]] {
    var parts: [[UInt8]] = []
    var digits: [UInt8] = []
    func flush() {
      guard !digits.isEmpty else { return }
      let number = digits.drop { $0 == UInt8(ascii: "0") }
      parts.append([UInt8(ascii: "0"), UInt8(truncatingIfNeeded: number.count)] + number)
      digits = []
    }
    for byte in name.utf8 {
      if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
        digits.append(byte)
      } else {
        flush()
        parts.append([byte])
      }
    }
    flush()
    return parts
  }
}

extension Rank.Place {
  /// The class of an interface's address.
  init(of host: Host, on interface: Interface, isTailnet: Bool) {
    switch (host, host.addressClass) {
    case (.ipv4, _) where isTailnet: self = .tailscaleIPv4
    case _ where isTailnet: self = .tailscaleIPv6
    case (_, .shared), (_, .benchmarking): self = .other
    case _ where interface.isTunnel || Tailnet.owns(host): self = .other
    case (.ipv4, _): self = .ipv4
    case (_, .uniqueLocal): self = .uniqueLocal
    default: self = .ipv6
    }
  }
}

extension Interface {
  /// Whether what is behind it is a VPN's or one machine's, not the local network.
  var isTunnel: Bool { kind == .tunnel || flags.contains(.pointToPoint) }
}
