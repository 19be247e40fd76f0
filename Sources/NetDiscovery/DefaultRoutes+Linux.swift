#if os(Linux)
  /// A default route of the kernel's main table.
  struct Route {
    /// The interface's index.
    let interface: UInt32
    let metric: UInt32

    static let mainTable: UInt32 = 254
    static let tableAttribute: UInt16 = 15

    /// The default routes of `RTM_NEWROUTE` messages, in their order: `struct rtmsg` (12 bytes: family,
    /// lengths of destination and source, type of service, table, protocol, scope, type, flags), then
    /// `RTA_OIF`, `RTA_PRIORITY`, `RTA_MULTIPATH` and `RTA_TABLE`.
    ///
    /// Others are passed over, and so are those that lead nowhere (unreachable, blackhole, prohibit)
    /// and those whose interface has no carrier. Of several ways of one route the first that is up
    /// counts.
    static func parseDefaults(_ bytes: [UInt8]) -> [Route] {
      Netlink.messages(in: bytes[...]).compactMap { message in
        guard message.type == 24,
          let lengths: UInt16 = Netlink.number(in: message.body, at: 1), lengths == 0,
          let service: UInt8 = Netlink.number(in: message.body, at: 3), service == 0,
          let table: UInt8 = Netlink.number(in: message.body, at: 4),
          let type: UInt8 = Netlink.number(in: message.body, at: 7), type == unicast,
          let flags: UInt32 = Netlink.number(in: message.body, at: 8), flags & cloned == 0
        else { return nil }
        let attributes = Netlink.attributes(in: message.body.dropFirst(12))
        func number(_ type: UInt16) -> UInt32? {
          Netlink.number(in: attributes[type] ?? [], at: 0)
        }
        guard number(tableAttribute) ?? UInt32(table) == mainTable else { return nil }
        let ways = attributes[9].map(ways) ?? []
        let interface = flags & isDown == 0 ? number(4) ?? ways.first : nil
        return interface.map { Route(interface: $0, metric: number(6) ?? 0) }
      }
    }

    /// The interfaces of the ways that are up: `struct rtnexthop` (8 bytes: length, flags, hops, index)
    /// and attributes, which its length counts.
    private static func ways(_ bytes: ArraySlice<UInt8>) -> [UInt32] {
      var ways: [UInt32] = []
      var rest = bytes
      while let length: UInt16 = Netlink.number(in: rest, at: 0),
        let flags: UInt8 = Netlink.number(in: rest, at: 2),
        let interface: UInt32 = Netlink.number(in: rest, at: 4),
        length >= 8, length <= rest.count
      {
        if UInt32(flags) & isDown == 0 { ways.append(interface) }
        rest = rest.dropFirst(Netlink.padded(Int(length)))
      }
      return ways
    }

    /// `RTN_UNICAST`
    private static let unicast: UInt8 = 1
    /// `RTM_F_CLONED`
    private static let cloned: UInt32 = 0x200
    /// `RTNH_F_DEAD`, `RTNH_F_LINKDOWN`
    private static let isDown: UInt32 = 0x11
  }

  extension [Route] {
    /// Of these interfaces the one whose route has the lowest metric; of equal ones the kernel's first.
    func best(of interfaces: Set<UInt32>) -> UInt32? {
      filter { interfaces.contains($0.interface) }.min { $0.metric < $1.metric }?.interface
    }
  }
#endif
