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
}

#if os(Linux)
  @Suite("AddressStates")
  struct AddressStatesTests {
    @Test("the lines of if_inet6 are read, others passed over")
    func parse() throws {
      let table = AddressStates.parse(
        Array(
          """
          fd000000000000000000000000000001 02 40 00 80     eth0
          fd000000000000000000000000000002 02 40 00 01     eth0
          fd000000000000000000000000000003 02 40 00 21     eth0
          fd000000000000000000000000000004 02 40 00 c0     eth0
          fd000000000000000000000000000005 02 40 00 08 veth12ab34
          fd00000000000000000000000000006 02 40 00 20 eth0
          fd000000000000000000000000000007 02 40 00 zz eth0
          fd000000000000000000000000000008 02 40 00

          fd000000000000000000000000000009 02 40 00 20     eth0
          """.utf8))
      let states: [(String, String, InterfaceAddress.State?)] = [
        ("fd00::1", "eth0", []), ("fd00::2", "eth0", .temporary),
        ("fd00::3", "eth0", [.temporary, .deprecated]), ("fd00::4", "eth0", .tentative),
        ("fd00::5", "veth12ab34", .tentative), ("fd00::5", "eth0", nil), ("fd00::7", "eth0", nil),
        ("fd00::8", "eth0", nil), ("fd00::9", "eth0", .deprecated),
      ]
      for (address, interface, state) in states {
        let key = AddressStates.Key(
          address: try IPv6Address(parsing: address), interface: interface)
        #expect(table[key] == state, "\(address) on \(interface)")
      }
      #expect(table.count == 6)
    }

    @Test("bytes that are no table give an empty one")
    func garbage() {
      #expect(AddressStates.parse([]).isEmpty)
      #expect(AddressStates.parse([0xff, 0x20, 0x0a, 0x00, 0x20, 0x0a]).isEmpty)
    }
  }
#endif
