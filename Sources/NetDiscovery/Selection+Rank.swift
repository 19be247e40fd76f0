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
  /// The interface, nothing for a name.
  var interface: [UInt8] = []
  /// An IPv6 address's bits: the system lists the newest first, which changes. IPv4 addresses stay as
  /// the system has them, the primary one first.
  var address = IPv6Address(high: 0, low: 0)

  static func < (a: Rank, b: Rank) -> Bool {
    if a.isLast != b.isLast { return b.isLast }
    if a.place != b.place { return a.place.rawValue < b.place.rawValue }
    if a.isAside != b.isAside { return b.isAside }
    if a.interface != b.interface {
      return a.interface.lexicographicallyPrecedes(b.interface)
    }
    return (a.address.high, a.address.low) < (b.address.high, b.address.low)
  }
}

extension Interface {
  /// Bytes in whose order interfaces stand: that of their names, numbers in these by their value, so
  /// that `eth2` comes before `eth10`. A number is written with its count of digits before them.
  var sortKey: [UInt8] {
    var key: [UInt8] = []
    var rest = name.utf8[...]
    while let byte = rest.first {
      let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      if digits.isEmpty {
        key.append(byte)
        rest.removeFirst()
      } else {
        let number = digits.drop { $0 == UInt8(ascii: "0") }
        key += [UInt8(ascii: "0"), UInt8(truncatingIfNeeded: number.count)]
        key += number
        rest = rest[digits.endIndex...]
      }
    }
    return key + [0] + name.utf8
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
