import Foundation
import Testing

@testable import NetDiscovery

@Suite("Interface.Kind by Apple's names")
struct AppleInterfaceKindsTests {
  @Test(
    "the driver's name tells, its number does not count",
    arguments: [
      ("lo0", .loopback), ("en0", nil), ("en10", nil), ("bridge0", .bridge), ("bridge100", .bridge),
      ("utun0", .tunnel), ("utun12", .tunnel), ("ipsec0", .tunnel), ("ppp0", .tunnel),
      ("gif0", .tunnel), ("stf0", .tunnel), ("awdl0", .peerToPeer), ("llw0", .peerToPeer),
      ("anpi1", .other), ("ap1", .other), ("vlan0", .vlan), ("bond0", .bond), ("vmenet0", .other),
      ("feth2345", .veth), ("", nil), ("0", nil), ("lo", nil), ("utun", nil), ("xutun0", nil),
      ("utun0x", nil), ("UTUN0", nil), ("utun\u{0663}", nil),
    ] as [(String, Interface.Kind?)])
  func kind(name: String, kind: Interface.Kind?) {
    #expect(Interface.Kind(appleName: name) == kind)
  }
}

#if os(Linux)
  @Suite("Interface.Kind of a link")
  struct InterfaceKindsTests {
    @Test(
      "a virtual interface's driver tells",
      arguments: [
        ("bridge", .bridge), ("bond", .bond), ("team", .bond), ("vlan", .vlan), ("veth", .veth),
        ("tun", .tunnel), ("wireguard", .tunnel), ("ppp", .tunnel), ("sit", .tunnel),
        ("vxlan", .tunnel), ("dummy", .other), ("macvlan", .other), ("", .other),
        ("a driver of the future", .other),
      ] as [(String, Interface.Kind)])
    func driver(name: String, kind: Interface.Kind) throws {
      let link = try link(KernelMessage.link(4, "eth0", driver: name))
      #expect(Interface.Kind(link, sysfs: "/nowhere") == kind)
    }

    @Test(
      "without a driver the hardware's kind tells, but for Ethernet",
      arguments: [
        (772, .loopback), (512, .tunnel), (768, .tunnel), (769, .tunnel), (776, .tunnel),
        (778, .tunnel), (823, .tunnel), (65534, .tunnel), (802, .wireless), (32, .other),
        (0, .other), (1, nil),
      ] as [(UInt16, Interface.Kind?)])
    func hardware(number: UInt16, kind: Interface.Kind?) throws {
      let link = try link(KernelMessage.link(4, "eth0", hardware: number))
      #expect(Interface.Kind(link, sysfs: "/nowhere") == kind)
    }

    struct Folder: NamedRow {
      let name: String
      var index = "4\n"
      var address = "02:fc:00:00:00:01\n"
      var extra: String?
      var driver: String?
      let kind: Interface.Kind?
    }

    static let folders: [Folder] = [
      Folder(name: "Ethernet", kind: .ethernet),
      Folder(name: "Wi-Fi", extra: "phy80211", kind: .wireless),
      Folder(name: "Wi-Fi of older drivers", extra: "wireless", kind: .wireless),
      Folder(
        name: "Wi-Fi made up by a driver", extra: "phy80211", driver: "virt_wifi", kind: .wireless),
      Folder(name: "no line ends", index: "4", address: "02:fc:00:00:00:01", kind: .ethernet),
      Folder(name: "another's index", index: "5\n", extra: "phy80211", kind: nil),
      Folder(name: "another's address", address: "02:fc:00:00:00:02\n", kind: nil),
      Folder(name: "no index", index: "", kind: nil),
      Folder(name: "an address that is more", address: "02:fc:00:00:00:01:00\n", kind: nil),
    ]

    @Test("a network card's folder tells where it is the same card's", arguments: folders)
    func folder(_ row: Folder) throws {
      let sysfs = FileManager.default.temporaryDirectory
        .appendingPathComponent("kinds-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: sysfs) }
      let folder = sysfs.appendingPathComponent("eth0")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(row.index.utf8).write(to: folder.appendingPathComponent("ifindex"))
      try Data(row.address.utf8).write(to: folder.appendingPathComponent("address"))
      if let extra = row.extra {
        try FileManager.default.createDirectory(
          at: folder.appendingPathComponent(extra), withIntermediateDirectories: false)
      }
      let link = try link(KernelMessage.link(4, "eth0", driver: row.driver))
      #expect(Interface.Kind(link, sysfs: sysfs.path) == row.kind)
    }

    @Test("a name that leads elsewhere is not looked up", arguments: [".", "..", "../net/eth0"])
    func name(_ name: String) throws {
      let link = try link(KernelMessage.link(4, name))
      #expect(Interface.Kind(link, sysfs: "/sys/class/net") == nil)
    }

    @Test("the tables make interfaces; what belongs to none is passed over")
    func list() throws {
      let links = Link.parse(
        KernelMessage.link(1, "lo", hardware: 772, flags: 0x49)
          + KernelMessage.link(7, "eth0", driver: "veth")
          + KernelMessage.link(8, "eth1", driver: "veth", flags: 0x1002))
      let addresses = LinkAddress.parse(
        KernelMessage.address(7, family: 2, address: [10, 0, 0, 7])
          + KernelMessage.address(8, family: 2, address: [10, 0, 0, 8])
          + KernelMessage.address(9, family: 2, address: [10, 0, 0, 9])
          + KernelMessage.address(1, family: 2, address: [127, 0, 0, 1]))
      let routes = [(1, 5), (9, 6), (8, 30), (7, 20)].map { Route(interface: $0, metric: $1) }
      let found = Interface.list(
        of: links, addresses, [(.ipv4, routes), (.ipv6, [])], sysfs: "/nowhere")
      #expect(
        found == [
          Interface(
            name: "lo", flags: [.up, .running, .loopback],
            addresses: [InterfaceAddress(.of("127.0.0.1"))], kind: .loopback),
          Interface(
            name: "eth0", flags: [.up, .running, .broadcast, .multicast],
            addresses: [InterfaceAddress(.of("10.0.0.7"))], kind: .veth, defaultRoutes: .ipv4),
          Interface(
            name: "eth1", flags: [.broadcast, .multicast],
            addresses: [InterfaceAddress(.of("10.0.0.8"))], kind: .veth),
        ])
    }

    private func link(_ bytes: [UInt8]) throws -> Link {
      try #require(Link.parse(bytes).first)
    }
  }
#endif
