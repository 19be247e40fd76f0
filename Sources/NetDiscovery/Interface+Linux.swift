#if os(Linux)
  extension Interface {
    /// The interfaces as the kernel's tables have them at one moment.
    ///
    /// `getifaddrs(3)` reads the same tables, but gives an IPv4 address with a label of its own
    /// (`ip addr add … label NAME`) under that name, which may be another interface's.
    static func ofThisSystem() throws(DiscoveryError) -> [Interface] {
      let links = Link.parse(try NetlinkSocket.dump(.links))
      let addresses = LinkAddress.parse(try NetlinkSocket.dump(.addresses))
      // Without the routes all is told but the order.
      let routes = [DefaultRoutes.ipv4, .ipv6].map { family in
        (family, (try? NetlinkSocket.dump(.routes(family))).map(Route.parseDefaults) ?? [])
      }
      return list(of: links, addresses, routes)
    }

    /// The interfaces that the kernel's tables make; an address of an interface that is not in the
    /// table of links is passed over.
    static func list(
      of links: [Link], _ addresses: [LinkAddress], _ routes: [(DefaultRoutes, [Route])],
      sysfs: String = "/sys/class/net"
    ) -> [Interface] {
      let byLink = Dictionary(grouping: addresses, by: \.interface)
      let kinds = links.map { Kind($0, sysfs: sysfs) }
      let candidates = Set(zip(links, kinds).filter { $0.1 != .loopback }.map(\.0.index))
      let best = routes.map { ($0.0, $0.1.best(of: candidates)) }
      return zip(links, kinds).map { link, kind in
        Interface(
          name: link.name, flags: Flags(system: link.flags),
          addresses: (byLink[link.index] ?? []).compactMap { $0.address(on: link.name) },
          kind: kind,
          defaultRoutes: DefaultRoutes(best.filter { $0.1 == link.index }.map(\.0)))
      }
    }
  }
#endif
