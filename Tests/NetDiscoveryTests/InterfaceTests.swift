import Foundation
import Testing

@testable import NetDiscovery

@Suite("Interface")
struct InterfaceTests {
  @Test(
    "bridges of containers and virtual machines are known by name",
    arguments: [
      "docker0", "docker_gwbridge", "br-1a2b3c4d5e6f", "virbr0", "vmnet8", "vmenet0", "bridge100",
      "bridge101", "lxcbr0", "lxdbr0", "incusbr0", "podman0", "cni0", "cni-podman0", "vboxnet0",
      "vnic0",
    ])
  func virtual(_ name: String) {
    #expect(Interface(name: name, flags: [.up], addresses: []).isVirtualBridge)
  }

  @Test(
    "other interfaces are no such bridges",
    arguments: [
      "en0", "eth0", "lo", "lo0", "wlan0", "wlp3s0", "veth12ab", "br0", "bridge0", "bridge99",
      "bridge", "bridge99999999999999999999", "bridged100", "utun3", "tailscale0", "tun0", "vlan10",
      "",
    ])
  func real(_ name: String) {
    #expect(!Interface(name: name, flags: [.up], addresses: []).isVirtualBridge)
  }

  @Test("this machine's list has the loopback interface and no doubled names")
  func current() throws {
    let interfaces = try Interface.current()
    #expect(Set(interfaces.map(\.name)).count == interfaces.count)
    let loopback = try #require(interfaces.first { $0.flags.contains(.loopback) })
    #expect(loopback.name.hasPrefix("lo"))
    for address in interfaces.flatMap(\.addresses) {
      #expect(
        (address.zone != nil) == (address.host.addressClass == .linkLocal && !isIPv4(address.host)))
    }
  }

  @Test(
    "this machine's list is the one that ip prints", .enabled(if: Tool.ip != nil, "ip is missing"))
  func currentAgainstIP() throws {
    let output = try #require(Tool.ip).output(["-j", "addr"])
    let expected = try JSONDecoder().decode([IPInterface].self, from: output)
    let interfaces = try Interface.current()
    #expect(interfaces.map(\.name).sorted() == expected.map(\.ifname).sorted())
    for item in expected {
      let interface = try #require(interfaces.first { $0.name == item.ifname })
      #expect(
        interface.addresses.map(\.host.description).sorted()
          == item.addresses.compactMap(\.local).sorted())
      let flags: [(String, Interface.Flags)] = [
        ("UP", .up), ("LOOPBACK", .loopback), ("BROADCAST", .broadcast), ("MULTICAST", .multicast),
        ("POINTOPOINT", .pointToPoint),
      ]
      for (name, flag) in flags {
        #expect(
          interface.flags.contains(flag) == item.flags.contains(name), "\(item.ifname) \(name)")
      }
      for address in interface.addresses {
        let entry = item.addresses.first { $0.local == address.host.description }
        #expect(address.state.contains(.deprecated) == (entry?.deprecated ?? false))
        #expect(address.state.contains(.temporary) == (entry?.temporary ?? false))
        #expect(
          address.state.contains(.tentative) == (entry?.tentative ?? entry?.dadfailed ?? false))
      }
    }
  }

  #if os(Linux)
    @Test(
      "this machine's kinds and default routes are those that ip prints",
      .enabled(if: Tool.ip != nil, "ip is missing"))
    func kindsAgainstIP() throws {
      let ip = try #require(Tool.ip)
      let links = try JSONDecoder().decode([IPLink].self, from: ip.output(["-j", "-d", "link"]))
      let interfaces = try Interface.current()
      let drivers: [String: Interface.Kind] = [
        "veth": .veth, "bridge": .bridge, "tun": .tunnel, "wireguard": .tunnel, "vlan": .vlan,
        "bond": .bond, "dummy": .other,
      ]
      for link in links {
        let interface = try #require(interfaces.first { $0.name == link.ifname })
        if let kind = drivers[link.linkinfo?.kind ?? ""] {
          #expect(interface.kind == kind, "\(link.ifname)")
        }
        #expect((interface.kind == .loopback) == (link.type == "loopback"), "\(link.ifname)")
      }
      for (option, family) in [("-4", Interface.DefaultRoutes.ipv4), ("-6", .ipv6)] {
        let output = try ip.output(["-j", option, "route", "show", "default"])
        let routes = try JSONDecoder().decode([IPRoute].self, from: output)
          .filter { $0.type ?? "unicast" == "unicast" && $0.dev != "lo" && $0.flags == [] }
        let best = routes.min { $0.metric ?? 0 < $1.metric ?? 0 }
        #expect(
          interfaces.filter { $0.defaultRoutes.contains(family) }.map(\.name)
            == [best?.dev].compactMap { $0 })
      }
    }

    private struct IPLink: Decodable {
      var ifname: String
      var type: String
      var linkinfo: Info?

      enum CodingKeys: String, CodingKey {
        case ifname, linkinfo
        case type = "link_type"
      }

      struct Info: Decodable {
        var kind: String?

        enum CodingKeys: String, CodingKey { case kind = "info_kind" }
      }
    }

    private struct IPRoute: Decodable {
      var dev: String?
      var type: String?
      var metric: UInt32?
      var flags: [String]?
    }
  #endif

  private func isIPv4(_ host: Host) -> Bool {
    if case .ipv4 = host { true } else { false }
  }

  private struct IPInterface: Decodable {
    var ifname: String
    var flags: [String]
    var addresses: [Address]

    enum CodingKeys: String, CodingKey {
      case ifname, flags
      case addresses = "addr_info"
    }

    struct Address: Decodable {
      var local: String?
      var deprecated: Bool?
      var temporary: Bool?
      var tentative: Bool?
      var dadfailed: Bool?
    }
  }
}

@Suite("IPv6Address from the system")
struct SystemIPv6AddressTests {
  @Test("a link-local address loses the interface number in it, others keep their groups")
  func embeddedZone() throws {
    #expect(try IPv6Address(parsing: "fe80:4::1").withoutEmbeddedZone.description == "fe80::1")
    #expect(try IPv6Address(parsing: "fd00:4::1").withoutEmbeddedZone.description == "fd00:4::1")
  }

  @Test("an IPv4-mapped address is passed over, a link-local one gets its interface as zone")
  func address() throws {
    let mapped = try IPv6Address(parsing: "::ffff:10.0.0.1")
    #expect(InterfaceAddress(mapped, on: "eth0", state: []) == nil)
    let linkLocal = try IPv6Address(parsing: "fe80::1")
    #expect(
      InterfaceAddress(linkLocal, on: "eth0", state: .tentative)
        == InterfaceAddress(.of("fe80::1"), zone: "eth0", state: .tentative))
    let unique = try IPv6Address(parsing: "fd00::1")
    #expect(
      InterfaceAddress(unique, on: "eth0", state: .temporary)
        == InterfaceAddress(.of("fd00::1"), state: .temporary))
  }
}
