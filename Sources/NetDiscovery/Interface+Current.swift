#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

extension Interface {
  /// This machine's interfaces with their IPv4 and IPv6 addresses, in the order of `getifaddrs(3)`.
  ///
  /// Those that are down are listed too, with what addresses they have.
  /// - Throws: ``DiscoveryError`` with code `interfaces`, with the system's reason.
  public static func current() throws(DiscoveryError) -> [Interface] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else {
      throw DiscoveryError(
        .interfaces, detail: "cannot list the interfaces: " + String(cString: strerror(errno)))
    }
    defer { freeifaddrs(first) }

    var order: [String] = []
    var flags: [String: Flags] = [:]
    var addresses: [String: [InterfaceAddress]] = [:]
    let states = AddressStates()
    var next = first
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard let label = entry.ifa_name else { continue }
      // An IPv4 address with a label of its own comes as `eth0:label`.
      let name = String(String(cString: label).prefix { $0 != ":" })
      if flags.updateValue(Flags(system: entry.ifa_flags), forKey: name) == nil {
        order.append(name)
      }
      // A tunnel without address has no `ifa_addr`.
      if let address = entry.ifa_addr, let found = read(address, on: name, states) {
        addresses[name, default: []].append(found)
      }
    }
    return order.map {
      Interface(name: $0, flags: flags[$0] ?? [], addresses: addresses[$0] ?? [])
    }
  }

  private static func read(
    _ address: UnsafeMutablePointer<sockaddr>, on name: String, _ states: borrowing AddressStates
  ) -> InterfaceAddress? {
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      let bits = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        UInt32(bigEndian: $0.pointee.sin_addr.s_addr)
      }
      return InterfaceAddress(.ipv4(IPv4Address(bits: bits)))
    case AF_INET6:
      let socketAddress = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
        $0.pointee
      }
      let bytes = withUnsafeBytes(of: socketAddress.sin6_addr) { Array($0) }
      guard let ipv6 = IPv6Address(bytes: bytes)?.withoutEmbeddedZone else { return nil }
      let isScoped = AddressClass(of: ipv6) == .linkLocal
      return InterfaceAddress(
        Host(ipv6), zone: isScoped ? name : nil, state: states.state(of: ipv6, on: name))
    default:
      return nil
    }
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

extension Interface.Flags {
  fileprivate init(system flags: UInt32) {
    let table: [(UInt32, Self)] = [
      (UInt32(IFF_UP), .up), (UInt32(IFF_RUNNING), .running), (UInt32(IFF_LOOPBACK), .loopback),
      (UInt32(IFF_BROADCAST), .broadcast), (UInt32(IFF_MULTICAST), .multicast),
      (UInt32(IFF_POINTOPOINT), .pointToPoint),
    ]
    self.init(table.filter { flags & $0.0 != 0 }.map(\.1))
  }
}
