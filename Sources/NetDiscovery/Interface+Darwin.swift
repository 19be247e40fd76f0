#if canImport(Darwin)
  import Darwin

  extension Interface {
    /// The interfaces in the order of `getifaddrs(3)`, their kinds by their names, the default routes
    /// from the system configuration.
    static func ofThisSystem() throws(DiscoveryError) -> [Interface] {
      var first: UnsafeMutablePointer<ifaddrs>?
      guard getifaddrs(&first) == 0 else { throw DiscoveryError.interfaces(errno) }
      defer { freeifaddrs(first) }

      var order: [String] = []
      var flags: [String: Flags] = [:]
      var addresses: [String: [InterfaceAddress]] = [:]
      let states = AddressStates()
      var next = first
      while let entry = next?.pointee {
        next = entry.ifa_next
        guard let cName = entry.ifa_name else { continue }
        let name = String(cString: cName)
        if flags.updateValue(Flags(system: entry.ifa_flags), forKey: name) == nil {
          order.append(name)
        }
        // A tunnel without address has no `ifa_addr`.
        if let address = entry.ifa_addr, let found = read(address, on: name, states) {
          addresses[name, default: []].append(found)
        }
      }
      let routes = DefaultRoutes.interfacesOfThisSystem()
      return order.map { name in
        Interface(
          name: name, flags: flags[name] ?? [], addresses: addresses[name] ?? [],
          kind: Kind(appleName: name),
          defaultRoutes: DefaultRoutes(routes.filter { $0.interface == name }.map(\.family)))
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
        return IPv6Address(bytes: bytes).flatMap {
          InterfaceAddress(
            $0, on: name, state: states.state(of: $0.withoutEmbeddedZone, on: name))
        }
      default:
        return nil
      }
    }
  }
#endif
