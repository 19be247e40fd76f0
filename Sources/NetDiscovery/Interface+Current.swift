import Processes

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

extension Interface {
  /// This machine's interfaces with their IPv4 and IPv6 addresses in the system's order, with what it
  /// says of their kinds and of its default routes.
  ///
  /// Those that are down are listed too, with what addresses they have. The address of a
  /// point-to-point link's other end is not listed, nor is an IPv4-mapped address: as IPv4 it would be
  /// another's.
  /// - Throws: ``DiscoveryError`` with code `interfaces`, with the system's reason.
  public static func current() throws(DiscoveryError) -> [Interface] { try ofThisSystem() }
}

extension DiscoveryError {
  /// The system does not tell its interfaces, for the reason of an error number.
  static func interfaces(_ number: Int32) -> DiscoveryError {
    DiscoveryError(
      .interfaces, detail: "cannot list the interfaces: \(SystemError(number: number).reason)")
  }
}

extension IPv6Address {
  /// The address without the interface number that BSD kernels keep in the second group of a
  /// link-local address, whose bits 10 to 63 are zero (RFC 4291, 2.5.6).
  var withoutEmbeddedZone: IPv6Address {
    AddressClass(of: self) == .linkLocal
      ? IPv6Address(high: high & 0xffc0_0000_0000_0000, low: low) : self
  }
}

extension InterfaceAddress {
  /// An IPv6 address as a system gives it; nil for an IPv4-mapped one.
  init?(_ address: IPv6Address, on interface: String, state: State) {
    let address = address.withoutEmbeddedZone
    guard address.mappedIPv4 == nil else { return nil }
    let isScoped = AddressClass(of: address) == .linkLocal
    self.init(.ipv6(address), zone: isScoped ? interface : nil, state: state)
  }
}

extension Interface.Flags {
  init(system flags: UInt32) {
    let table: [(UInt32, Self)] = [
      (UInt32(IFF_UP), .up), (UInt32(IFF_RUNNING), .running), (UInt32(IFF_LOOPBACK), .loopback),
      (UInt32(IFF_BROADCAST), .broadcast), (UInt32(IFF_MULTICAST), .multicast),
      (UInt32(IFF_POINTOPOINT), .pointToPoint),
    ]
    self.init(table.filter { flags & $0.0 != 0 }.map(\.1))
  }
}
