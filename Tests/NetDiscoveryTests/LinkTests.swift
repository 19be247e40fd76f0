#if os(Linux)
  import Testing

  @testable import NetDiscovery

  @Suite("Link and LinkAddress")
  struct LinkTests {
    @Test("a link's parts are read, with and without a driver")
    func link() throws {
      let links = Link.parse(
        KernelMessage.link(4, "eth0") + KernelMessage.link(7, "v0", driver: "veth", flags: 1)
          + KernelMessage.done)
      #expect(links.map(\.name) == ["eth0", "v0"])
      #expect(links.map(\.index) == [4, 7])
      #expect(links.map(\.driver) == [nil, "veth"])
      #expect(links.map(\.flags) == [0x1043, 1])
      #expect(links.map(\.hardware) == [1, 1])
      #expect(links.first?.address == [2, 0xfc, 0, 0, 0, 1])
    }

    @Test("a cut link is passed over or lacks what was cut, at every length")
    func cutLink() {
      let whole = KernelMessage.link(4, "eth0", driver: "bridge")
      for length in 0..<whole.count {
        // The length in front says what is there.
        let cut =
          length < 4
          ? Array(whole.prefix(length))
          : KernelMessage.bytes(UInt32(length)) + whole[4..<length]
        let links = Link.parse(cut)
        #expect(links.allSatisfy { $0.name == "eth0" }, "\(length)")
        #expect(links.isEmpty == (length < 16 + 16 + 12 - 3), "\(length)")
      }
    }

    struct AddressRow: NamedRow {
      let name: String
      let bytes: [UInt8]
      let value: LinkAddress.Value?
    }

    static let unique: [UInt8] = [0xfd] + [UInt8](repeating: 0, count: 14) + [5]

    static func state(_ flags: UInt32?, short: UInt8 = 0) -> [UInt8] {
      KernelMessage.address(3, family: 10, address: unique, flags: flags, shortFlags: short)
    }

    static let rows: [AddressRow] = {
      let ipv4 = LinkAddress.Value.ipv4(IPv4Address(bits: 0x0a00_0001))
      let ipv6 = { (state: InterfaceAddress.State) in
        LinkAddress.Value.ipv6(IPv6Address(high: 0xfd00_0000_0000_0000, low: 5), state)
      }
      return [
        AddressRow(
          name: "IPv4",
          bytes: KernelMessage.address(
            3, family: 2, address: [10, 0, 0, 1], local: [10, 0, 0, 1]),
          value: ipv4),
        AddressRow(
          name: "IPv4 with a peer",
          bytes: KernelMessage.address(
            3, family: 2, address: [10, 9, 9, 9], local: [10, 0, 0, 1]),
          value: ipv4),
        AddressRow(
          name: "IPv6 with a peer",
          bytes: KernelMessage.address(
            3, family: 10, address: [0xfd] + [UInt8](repeating: 9, count: 15), local: unique),
          value: ipv6([])),
        AddressRow(
          name: "IPv4 that is secondary",
          bytes: KernelMessage.address(3, family: 2, address: [10, 0, 0, 1], flags: 0x81),
          value: ipv4),
        AddressRow(name: "permanent", bytes: state(0x80), value: ipv6([])),
        AddressRow(name: "temporary", bytes: state(0x101), value: ipv6(.temporary)),
        AddressRow(name: "deprecated", bytes: state(0x20), value: ipv6(.deprecated)),
        AddressRow(name: "tentative", bytes: state(0xc0), value: ipv6(.tentative)),
        AddressRow(name: "optimistic, not yet probed", bytes: state(0x44), value: ipv6(.tentative)),
        AddressRow(name: "optimistic, probed", bytes: state(0x04), value: ipv6([])),
        AddressRow(name: "another host's", bytes: state(0x88), value: ipv6(.tentative)),
        AddressRow(
          name: "temporary and deprecated", bytes: state(0x21),
          value: ipv6([.temporary, .deprecated])),
        AddressRow(
          name: "flags of old kernels", bytes: state(nil, short: 0x20), value: ipv6(.deprecated)),
        AddressRow(
          name: "another family",
          bytes: KernelMessage.address(3, family: 17, address: [2, 0, 0, 1]), value: nil),
        AddressRow(
          name: "an IPv4 address of 16 bytes",
          bytes: KernelMessage.address(3, family: 2, address: unique), value: nil),
        AddressRow(
          name: "an IPv6 address of 4 bytes",
          bytes: KernelMessage.address(3, family: 10, address: [10, 0, 0, 1]), value: nil),
        AddressRow(
          name: "no address", bytes: KernelMessage.message(20, [2, 24, 0, 0, 3, 0, 0, 0]),
          value: nil),
        AddressRow(name: "a cut head", bytes: KernelMessage.message(20, [2, 24]), value: nil),
        AddressRow(name: "another message", bytes: KernelMessage.link(3, "eth0"), value: nil),
      ]
    }()

    @Test("an address is the interface's own, with its state", arguments: rows)
    func address(_ row: AddressRow) {
      let found = LinkAddress.parse(row.bytes + KernelMessage.done)
      #expect(found.map(\.value) == [row.value].compactMap { $0 })
      #expect(found.allSatisfy { $0.interface == 3 })
    }
  }
#endif
