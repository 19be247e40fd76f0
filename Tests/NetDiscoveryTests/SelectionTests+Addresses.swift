@testable import NetDiscovery

extension SelectionTests {
  static let classRows: [SelectionRow] = [
    .init(name: "nothing at all"),
    .init(
      name: "loopback only", interfaces: [lo0],
      excluded: ["loopback 127.0.0.1 lo0", "loopback ::1 lo0", "link-local fe80::1%lo0 lo0"]),
    .init(
      name: "private IPv4", interfaces: [nic("a", "UR", "10.0.0.1", "172.16.0.1", "192.168.0.1")],
      destinations: ["ipv4 10.0.0.1 a", "ipv4 172.16.0.1 a", "ipv4 192.168.0.1 a"]),
    .init(
      name: "public IPv4 and IPv6", interfaces: [nic("a", "UR", "8.8.8.8", "2600::1")],
      destinations: ["ipv4 8.8.8.8 a", "ipv6 2600::1 a"]),
    .init(
      name: "shared range", interfaces: [nic("a", "UR", "100.64.0.1", "100.127.255.254")],
      destinations: ["ipv4 100.64.0.1 a", "ipv4 100.127.255.254 a"]),
    .init(
      name: "link-local IPv4", interfaces: [nic("a", "UR", "169.254.10.20")],
      excluded: ["link-local 169.254.10.20 a"]),
    .init(
      name: "link-local IPv6 without zone", interfaces: [nic("a", "UR", "fe80::1", "febf::1")],
      excluded: ["link-local fe80::1 a", "link-local febf::1 a"]),
    .init(
      name: "unspecified", interfaces: [nic("a", "UR", "0.0.0.0", "::")],
      excluded: ["unspecified 0.0.0.0 a", "unspecified :: a"]),
    .init(
      name: "multicast", interfaces: [nic("a", "UR", "224.0.0.251", "ff02::fb")],
      excluded: ["multicast 224.0.0.251 a", "multicast ff02::fb a"]),
    .init(
      name: "reserved IPv4",
      interfaces: [nic("a", "UR", "0.1.2.3", "192.0.0.2", "240.0.0.1", "255.255.255.255")],
      excluded: [
        "reserved 0.1.2.3 a", "reserved 192.0.0.2 a", "reserved 240.0.0.1 a",
        "reserved 255.255.255.255 a",
      ]),
    .init(
      name: "reserved IPv6", interfaces: [nic("a", "UR", "fec0::1", "::7f00:1", "100::1")],
      excluded: ["reserved fec0::1 a", "reserved ::7f00:1 a", "reserved 100::1 a"]),
    .init(
      name: "Tailscale's service addresses",
      interfaces: [nic("a", "UR", "100.100.100.100", "fd7a:115c:a1e0::53")],
      excluded: ["reserved 100.100.100.100 a", "reserved fd7a:115c:a1e0::53 a"]),
    .init(
      name: "documentation ranges are offered with a warning each",
      interfaces: [nic("a", "UR", "192.0.2.2", "2001:db8::5")],
      destinations: ["ipv4 192.0.2.2 a", "ipv6 2001:db8::5 a"],
      warnings: ["192.0.2.2", "2001:db8::5"]),
    .init(
      name: "benchmarking range is offered late with a warning",
      interfaces: [nic("a", "UR", "198.18.0.1", "10.0.0.1")],
      destinations: ["ipv4 10.0.0.1 a", "ipv4 198.18.0.1 a"], warnings: ["198.18.0.1"]),
    .init(
      name: "loopback on another interface", interfaces: [nic("a", "UR", "127.0.0.5")],
      excluded: ["loopback 127.0.0.5 a"]),
    .init(
      name: "mapped addresses are judged as IPv4",
      interfaces: [nic("a", "UR", "::ffff:10.0.0.1", "::ffff:127.0.0.1")],
      destinations: ["ipv4 10.0.0.1 a"], excluded: ["loopback 127.0.0.1 a"]),
  ]

  static let interfaceRows: [SelectionRow] = [
    .init(
      name: "down", interfaces: [nic("en1", "BM", "192.168.7.7", "fd00::7")],
      excluded: ["interface-down 192.168.7.7 en1", "interface-down fd00::7 en1"]),
    .init(
      name: "down, with a running flag", interfaces: [nic("en1", "BRM", "192.168.7.7")],
      excluded: ["interface-down 192.168.7.7 en1"]),
    .init(
      name: "an ordinary address on the loopback interface",
      interfaces: [nic("lo", "ULR", "10.66.66.66")], excluded: ["loopback 10.66.66.66 lo"]),
    .init(name: "no addresses", interfaces: [nic("en0")]),
    .init(
      name: "a zone on an address that needs none",
      interfaces: [nic("en0", "UR", "fd00::1%en0", "10.0.0.1%en0")],
      excluded: ["zone fd00::1%en0 en0", "zone 10.0.0.1%en0 en0"]),
    .init(
      name: "tentative", interfaces: [nic("en0", "UR", "fd00::1+n", "fd00::2")],
      destinations: ["ipv6 fd00::2 en0"], excluded: ["tentative fd00::1 en0"]),
    .init(
      name: "deprecated", interfaces: [nic("en0", "UR", "fd00::1+d", "fd00::2")],
      destinations: ["ipv6 fd00::2 en0"], excluded: ["deprecated fd00::1 en0"]),
    .init(
      name: "temporary beside a lasting one of its network",
      interfaces: [nic("en0", "UR", "fd00::1+t", "fd00::2")], destinations: ["ipv6 fd00::2 en0"],
      excluded: ["temporary fd00::1 en0"]),
    .init(
      name: "temporary beside a lasting one of another network",
      interfaces: [nic("en0", "UR", "fd00:1::1+t", "fd00:2::2")],
      destinations: ["ipv6 fd00:2::2 en0"], excluded: ["temporary fd00:1::1 en0"]),
    .init(
      name: "temporary alone", interfaces: [nic("en0", "UR", "fd00::1+t")],
      excluded: ["temporary fd00::1 en0"]),
    .init(
      name: "temporary and deprecated", interfaces: [nic("en0", "UR", "fd00::1+td")],
      excluded: ["deprecated fd00::1 en0"]),
    .init(
      name: "the same address on two interfaces",
      interfaces: [nic("en0", "UR", "10.0.0.1"), nic("odd0", "UR", "10.0.0.1")],
      destinations: ["ipv4 10.0.0.1 en0"], excluded: ["duplicate 10.0.0.1 odd0"]),
    .init(
      name: "the same address in three spellings",
      interfaces: [nic("en0", "UR", "fd00::10", "FD00:0:0::0010", "fd00:0:0:0:0:0:0:10")],
      destinations: ["ipv6 fd00::10 en0"],
      excluded: ["duplicate fd00::10 en0", "duplicate fd00::10 en0"]),
    .init(
      name: "the same address mapped and plain",
      interfaces: [nic("en0", "UR", "::ffff:10.0.0.1", "10.0.0.1")],
      destinations: ["ipv4 10.0.0.1 en0"], excluded: ["duplicate 10.0.0.1 en0"]),
    .init(
      name: "of two, the one on a real interface counts",
      interfaces: [nic("docker0", "URM", "10.0.0.1"), nic("en0", "UR", "10.0.0.1")],
      destinations: ["ipv4 10.0.0.1 en0"], excluded: ["duplicate 10.0.0.1 docker0"]),
    .init(
      name: "down here and up there",
      interfaces: [nic("en1", "B", "10.0.0.1"), nic("en0", "UR", "10.0.0.1")],
      destinations: ["ipv4 10.0.0.1 en0"], excluded: ["interface-down 10.0.0.1 en1"]),
    .init(
      name: "a laptop with all kinds of noise",
      interfaces: [
        lo0, nic("en5", "UBR", "169.254.10.20", "fe80::aaaa%en5"),
        nic("en0", "UBRM", "192.168.1.10", "fe80::1234%en0", "fd00::10", "2001:db8::5"),
        nic("en1", "B", "192.168.7.7"), utun3,
        nic("odd0", "UR", "0.0.0.0", "::", "224.0.0.251", "ff02::fb", "192.168.1.10"),
      ],
      destinations: [
        "ipv4 192.168.1.10 en0", "ipv6 fd00::10 en0", "ipv6 2001:db8::5 en0",
        "ipv4 100.64.0.12 utun3", "ipv6 fd7a:115c:a1e0::c utun3",
      ],
      excluded: [
        "loopback 127.0.0.1 lo0", "loopback ::1 lo0", "link-local fe80::1%lo0 lo0",
        "link-local 169.254.10.20 en5", "link-local fe80::aaaa%en5 en5",
        "link-local fe80::1234%en0 en0",
        "interface-down 192.168.7.7 en1", "unspecified 0.0.0.0 odd0", "unspecified :: odd0",
        "multicast 224.0.0.251 odd0", "multicast ff02::fb odd0", "duplicate 192.168.1.10 odd0",
      ], warnings: ["2001:db8::5"]),
  ]

  static let orderRows: [SelectionRow] = [
    .init(
      name: "everything",
      interfaces: [
        nic("docker0", "UBRM", "172.17.0.1"), nic("wg0", "UPR", "10.8.0.2", "fd99::2"), utun3, en0,
        en1,
      ], hostName: "my-mac", tailscale: mac,
      destinations: [
        "local-name my-mac.local", "ipv4 192.168.1.10 en0", "ipv4 10.0.0.5 en1",
        "ipv6 fd00::10 en0", "ipv6 fd01::5 en1", "ipv6 2001:db9::5 en0",
        "tailscale-name my-mac.tail1.ts.net", "tailscale-ipv4 100.64.0.12 utun3",
        "tailscale-ipv6 fd7a:115c:a1e0::c utun3", "ipv4 10.8.0.2 wg0", "ipv6 fd99::2 wg0",
        "ipv4 172.17.0.1 docker0",
      ], excluded: ["link-local fe80::1234%en0 en0"]),
    .init(
      name: "IPv4 first, whatever the interface says",
      interfaces: [nic("en0", "UR", "2600::1", "fd00::1", "10.0.0.1")],
      destinations: ["ipv4 10.0.0.1 en0", "ipv6 fd00::1 en0", "ipv6 2600::1 en0"]),
    .init(
      name: "public and private IPv4 keep the interfaces' order",
      interfaces: [nic("en0", "UR", "8.8.8.8"), nic("en1", "UR", "10.0.0.1")],
      destinations: ["ipv4 8.8.8.8 en0", "ipv4 10.0.0.1 en1"]),
    .init(
      name: "IPv6 of one interface by its bits, unique-local before global",
      interfaces: [nic("en0", "UR", "2601::1", "2600::1", "fd01::1", "fd00::2")],
      destinations: [
        "ipv6 fd00::2 en0", "ipv6 fd01::1 en0", "ipv6 2600::1 en0", "ipv6 2601::1 en0",
      ]),
    .init(
      name: "containers and machines last, in their own order of kinds",
      interfaces: [
        nic("br-1a2b3c4d5e6f", "UR", "fd02::1", "172.18.0.1"), nic("virbr0", "UR", "192.168.122.1"),
        nic("en0", "UR", "10.0.0.1"),
      ],
      destinations: [
        "ipv4 10.0.0.1 en0", "ipv4 172.18.0.1 br-1a2b3c4d5e6f", "ipv4 192.168.122.1 virbr0",
        "ipv6 fd02::1 br-1a2b3c4d5e6f",
      ]),
    .init(
      name: "only containers", interfaces: [nic("docker0", "UR", "172.17.0.1")],
      destinations: ["ipv4 172.17.0.1 docker0"]),
    .init(
      name: "a VPN after the local network", interfaces: [nic("utun4", "UPRM", "10.8.0.2"), en1],
      destinations: ["ipv4 10.0.0.5 en1", "ipv6 fd01::5 en1", "ipv4 10.8.0.2 utun4"]),
    .init(
      name: "an unplugged cable after all that has a carrier",
      interfaces: [nic("eth0", "UBM", "10.0.0.1"), nic("wlan0", "UBRM", "fd00::1")],
      destinations: ["ipv6 fd00::1 wlan0", "ipv4 10.0.0.1 eth0"]),
    .init(
      name: "flags without a word on carriers",
      interfaces: [nic("lo", "ULR", "::1"), nic("eth0", "U", "fd00::1", "10.0.0.1")],
      tailscale: tailnet(nil, "100.64.0.12"),
      destinations: ["ipv4 10.0.0.1 eth0", "ipv6 fd00::1 eth0", "tailscale-ipv4 100.64.0.12"],
      excluded: ["loopback ::1 lo"]),
    .init(
      name: "only IPv6", interfaces: [nic("en0", "URM", "fe80::1%en0", "2600::1", "fd00::1")],
      hostName: "my-mac",
      destinations: ["local-name my-mac.local", "ipv6 fd00::1 en0", "ipv6 2600::1 en0"],
      excluded: ["link-local fe80::1%en0 en0"]),
  ]
}
