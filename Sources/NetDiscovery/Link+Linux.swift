#if os(Linux)
  /// An interface as the kernel's table of links has it.
  struct Link {
    let index: UInt32
    let name: String
    let flags: UInt32
    /// The hardware's kind (`ARPHRD_…` of `linux/if_arp.h`).
    let hardware: UInt16
    /// The driver of a virtual interface (`veth`, `bridge`, `wireguard`), nil for hardware.
    let driver: String?
    /// The hardware address.
    let address: [UInt8]

    /// The links of `RTM_NEWLINK` messages: `struct ifinfomsg` (16 bytes; the hardware's kind at 2, the
    /// index at 4, the flags at 8), then `IFLA_ADDRESS`, `IFLA_IFNAME` and `IFLA_LINKINFO` with
    /// `IFLA_INFO_KIND`. Others are passed over.
    static func parse(_ bytes: [UInt8]) -> [Link] {
      Netlink.messages(in: bytes[...]).compactMap { message in
        guard message.type == 16,
          let hardware: UInt16 = Netlink.number(in: message.body, at: 2),
          let index: UInt32 = Netlink.number(in: message.body, at: 4),
          let flags: UInt32 = Netlink.number(in: message.body, at: 8)
        else { return nil }
        let attributes = Netlink.attributes(in: message.body.dropFirst(16))
        guard let name = Netlink.text(attributes[3]) else { return nil }
        let details = Netlink.attributes(in: attributes[18] ?? [])
        return Link(
          index: index, name: name, flags: flags, hardware: hardware,
          driver: Netlink.text(details[1]), address: Array(attributes[1] ?? []))
      }
    }
  }

  /// An address as the kernel's table of addresses has it.
  struct LinkAddress {
    enum Value: Hashable {
      case ipv4(IPv4Address)
      case ipv6(IPv6Address, InterfaceAddress.State)
    }

    /// The interface's index.
    let interface: UInt32
    let value: Value

    /// The addresses of `RTM_NEWADDR` messages: `struct ifaddrmsg` (8 bytes; family at 0, flags at 2,
    /// index at 4), then `IFA_ADDRESS`, `IFA_LOCAL` and `IFA_FLAGS`. Others are passed over.
    ///
    /// Where the two differ, `IFA_ADDRESS` is the other end's of a point-to-point link. What the flags
    /// say of IPv4 addresses has another meaning (secondary, not temporary).
    static func parse(_ bytes: [UInt8]) -> [LinkAddress] {
      Netlink.messages(in: bytes[...]).compactMap { message in
        guard message.type == 20,
          let family: UInt8 = Netlink.number(in: message.body, at: 0),
          let flags: UInt8 = Netlink.number(in: message.body, at: 2),
          let index: UInt32 = Netlink.number(in: message.body, at: 4)
        else { return nil }
        let attributes = Netlink.attributes(in: message.body.dropFirst(8))
        let bytes = attributes[2] ?? attributes[1] ?? []
        let value: Value? =
          switch (family, bytes.count) {
          case (2, 4): .ipv4(IPv4Address(bits: bytes.reduce(0) { $0 << 8 | UInt32($1) }))
          case (10, 16):
            IPv6Address(bytes: bytes).map {
              let allFlags: UInt32? = Netlink.number(in: attributes[8] ?? [], at: 0)
              return .ipv6($0, InterfaceAddress.State(kernel: allFlags ?? UInt32(flags)))
            }
          default: nil
          }
        return value.map { LinkAddress(interface: index, value: $0) }
      }
    }

    /// The address on an interface of a name.
    func address(on name: String) -> InterfaceAddress? {
      switch value {
      case .ipv4(let address): InterfaceAddress(.ipv4(address))
      case .ipv6(let address, let state): InterfaceAddress(address, on: name, state: state)
      }
    }
  }

  extension InterfaceAddress.State {
    /// `IFA_F_TEMPORARY`, `IFA_F_DEPRECATED`, `IFA_F_TENTATIVE` and `IFA_F_DADFAILED` of
    /// `linux/if_addr.h`. An optimistic address is tentative as well until it was probed for.
    fileprivate init(kernel flags: UInt32) {
      self = []
      if flags & 0x01 != 0 { insert(.temporary) }
      if flags & 0x20 != 0 { insert(.deprecated) }
      if flags & (0x40 | 0x08) != 0 { insert(.tentative) }
    }
  }
#endif
