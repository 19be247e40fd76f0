@testable import NetDiscovery

extension SelectionTests {
  private static let all = [
    "local-name my-mac.local", "ipv4 10.0.0.5 en1", "ipv6 fd01::5 en1",
    "tailscale-name my-mac.tail1.ts.net", "tailscale-ipv4 100.64.0.12 utun3",
    "tailscale-ipv6 fd7a:115c:a1e0::c utun3",
  ]

  private static func row(
    _ name: String, bind: String, boundAddresses: [String]? = nil, _ destinations: [String] = [],
    excluded: [String] = [], warnings: [String] = [], code: DiscoveryError.Code? = nil
  ) -> SelectionRow {
    SelectionRow(
      name: name, interfaces: [en1, utun3], hostName: "my-mac", tailscale: mac, bind: bind,
      boundAddresses: boundAddresses, destinations: destinations, excluded: excluded,
      warnings: warnings, code: code)
  }

  static let bindRows: [SelectionRow] = [
    row("nothing", bind: "", all), row("*", bind: "*", all), row("::", bind: "::", all),
    row(":: written out", bind: "0:0:0:0:0:0:0:0", all), row(":: in brackets", bind: "[::]", all),
    row(
      "0.0.0.0", bind: "0.0.0.0",
      [
        "local-name my-mac.local", "ipv4 10.0.0.5 en1", "tailscale-name my-mac.tail1.ts.net",
        "tailscale-ipv4 100.64.0.12 utun3",
      ], excluded: ["not-bound fd01::5 en1", "not-bound fd7a:115c:a1e0::c utun3"]),
    row(
      "0.0.0.0 mapped", bind: "::ffff:0.0.0.0",
      [
        "local-name my-mac.local", "ipv4 10.0.0.5 en1", "tailscale-name my-mac.tail1.ts.net",
        "tailscale-ipv4 100.64.0.12 utun3",
      ], excluded: ["not-bound fd01::5 en1", "not-bound fd7a:115c:a1e0::c utun3"]),
    row("127.0.0.1", bind: "127.0.0.1", code: .boundToLoopback),
    row("another of 127/8", bind: "127.1.2.3", code: .boundToLoopback),
    row("::1", bind: "::1", code: .boundToLoopback),
    row("::1 written out", bind: "0:0:0:0:0:0:0:1", code: .boundToLoopback),
    row("127.0.0.1 mapped", bind: "::ffff:127.0.0.1", code: .boundToLoopback),
    row("localhost", bind: "LocalHost.", code: .boundToLoopback),
    row("a name under localhost", bind: "hub.localhost", code: .boundToLoopback),
    row("link-local IPv4", bind: "169.254.1.1", code: .boundToUnusable),
    row("link-local IPv6", bind: "fe80::1", code: .boundToUnusable),
    row("multicast", bind: "224.0.0.1", code: .boundToUnusable),
    row("broadcast", bind: "255.255.255.255", code: .boundToUnusable),
    row("Tailscale's service address", bind: "100.100.100.100", code: .boundToUnusable),
    row("an address of no interface", bind: "192.168.9.9", code: .boundToAbsent),
    row(
      "a LAN address", bind: "10.0.0.5", ["local-name my-mac.local", "ipv4 10.0.0.5 en1"],
      excluded: [
        "not-bound fd01::5 en1", "not-bound 100.64.0.12 utun3",
        "not-bound fd7a:115c:a1e0::c utun3", "not-bound my-mac.tail1.ts.net",
      ]),
    row(
      "a LAN address, mapped", bind: "::ffff:10.0.0.5",
      ["local-name my-mac.local", "ipv4 10.0.0.5 en1"],
      excluded: [
        "not-bound fd01::5 en1", "not-bound 100.64.0.12 utun3",
        "not-bound fd7a:115c:a1e0::c utun3", "not-bound my-mac.tail1.ts.net",
      ]),
    row(
      "an IPv6 address in another spelling", bind: "FD01:0::5",
      ["local-name my-mac.local", "ipv6 fd01::5 en1"],
      excluded: [
        "not-bound 10.0.0.5 en1", "not-bound 100.64.0.12 utun3",
        "not-bound fd7a:115c:a1e0::c utun3", "not-bound my-mac.tail1.ts.net",
      ]),
    row(
      "a Tailscale address", bind: "100.64.0.12",
      ["tailscale-name my-mac.tail1.ts.net", "tailscale-ipv4 100.64.0.12 utun3"],
      excluded: [
        "not-bound my-mac.local", "not-bound 10.0.0.5 en1", "not-bound fd01::5 en1",
        "not-bound fd7a:115c:a1e0::c utun3",
      ]),
    row(
      "a name that is not resolved", bind: "hub.example.com", ["given hub.example.com"],
      excluded: [
        "not-bound my-mac.local", "not-bound 10.0.0.5 en1", "not-bound fd01::5 en1",
        "not-bound 100.64.0.12 utun3", "not-bound fd7a:115c:a1e0::c utun3",
        "not-bound my-mac.tail1.ts.net",
      ], warnings: ["hosts file alone"]),
    row(
      "the machine's own .local name", bind: "My-Mac.local",
      ["local-name my-mac.local", "ipv4 10.0.0.5 en1", "ipv6 fd01::5 en1"],
      excluded: [
        "not-bound 100.64.0.12 utun3", "not-bound fd7a:115c:a1e0::c utun3",
        "not-bound my-mac.tail1.ts.net",
      ]),
    row(
      "the .local name, as the hosts file has it", bind: "My-Mac.local",
      boundAddresses: ["10.0.0.5"], ["local-name my-mac.local", "ipv4 10.0.0.5 en1"],
      excluded: [
        "not-bound fd01::5 en1", "not-bound 100.64.0.12 utun3",
        "not-bound fd7a:115c:a1e0::c utun3", "not-bound my-mac.tail1.ts.net",
      ]),
    .init(
      name: "the .local name with an address that does not last",
      interfaces: [nic("en0", "UBRM", "fd00::1+t", "fd00::2+d", "fd00::3")], hostName: "my-mac",
      bind: "my-mac.local", destinations: ["local-name my-mac.local", "ipv6 fd00::3 en0"],
      excluded: ["not-bound fd00::1 en0", "not-bound fd00::2 en0"]),
    .init(
      name: "the .local name without an address", interfaces: [nic("wg0", "UPRM", "10.8.0.2")],
      hostName: "my-mac", bind: "my-mac.local", destinations: ["local-name my-mac.local"],
      excluded: ["not-bound 10.8.0.2 wg0"], warnings: ["hosts file"]),
    row(
      "a name of a LAN address", bind: "hub.example.com", boundAddresses: ["10.0.0.5"],
      ["local-name my-mac.local", "given hub.example.com", "ipv4 10.0.0.5 en1"],
      excluded: [
        "not-bound fd01::5 en1", "not-bound 100.64.0.12 utun3",
        "not-bound fd7a:115c:a1e0::c utun3", "not-bound my-mac.tail1.ts.net",
      ]),
    row(
      "a name of loopback and a LAN address", bind: "hub",
      boundAddresses: ["127.0.1.1", "fd01::5"],
      ["local-name my-mac.local", "given hub", "ipv6 fd01::5 en1"],
      excluded: [
        "not-bound 10.0.0.5 en1", "not-bound 100.64.0.12 utun3",
        "not-bound fd7a:115c:a1e0::c utun3", "not-bound my-mac.tail1.ts.net",
      ]),
    row(
      "the Tailscale name", bind: "my-mac.tail1.ts.net",
      [
        "tailscale-name my-mac.tail1.ts.net", "tailscale-ipv4 100.64.0.12 utun3",
        "tailscale-ipv6 fd7a:115c:a1e0::c utun3",
      ], excluded: ["not-bound my-mac.local", "not-bound 10.0.0.5 en1", "not-bound fd01::5 en1"]),
    row(
      "a name of loopback alone", bind: "hub", boundAddresses: ["127.0.1.1", "::1"],
      code: .boundToLoopback),
    row(
      "a name of a link-local address", bind: "hub", boundAddresses: ["fe80::1"],
      code: .boundToUnusable),
    row(
      "a name of another machine", bind: "hub.example.com", boundAddresses: ["10.7.7.7"],
      code: .boundToAbsent),
    .init(
      name: "an address on a link without multicast loses the .local name",
      interfaces: [nic("en0", "UBR", "10.0.0.1")], hostName: "my-mac", bind: "10.0.0.1",
      destinations: ["ipv4 10.0.0.1 en0"], excluded: ["not-bound my-mac.local"]),
    .init(
      name: "an address of a VPN loses the .local name",
      interfaces: [nic("wg0", "UPRM", "10.8.0.2")],
      hostName: "my-mac", bind: "10.8.0.2", destinations: ["ipv4 10.8.0.2 wg0"],
      excluded: ["not-bound my-mac.local"]),
    .init(
      name: "an address of Tailscale's loses the .local name on an interface like any other",
      interfaces: [nic("en5", "UBRM", "100.64.0.12")], hostName: "my-mac",
      tailscale: tailnet("my-mac.tail1.ts.net", "100.64.0.12"), bind: "100.64.0.12",
      destinations: ["tailscale-name my-mac.tail1.ts.net", "tailscale-ipv4 100.64.0.12 en5"],
      excluded: ["not-bound my-mac.local"]),
    .init(
      name: "an address of an interface that is down", interfaces: [nic("en0", "BM", "10.0.0.1")],
      hostName: "my-mac", bind: "10.0.0.1", code: .boundToAbsent),
    .init(
      name: "an ordinary address of the loopback interface",
      interfaces: [nic("lo", "ULR", "10.66.66.66")], bind: "10.66.66.66", code: .boundToLoopback),
    .init(
      name: "a deprecated address", interfaces: [nic("en0", "UR", "fd00::1+d", "fd00::2")],
      bind: "fd00::1", destinations: ["ipv6 fd00::1 en0"], excluded: ["not-bound fd00::2 en0"],
      warnings: ["fd00::1 is deprecated"]),
    .init(
      name: "a temporary address", interfaces: [nic("en0", "UR", "fd00::1+t", "fd00::2")],
      bind: "fd00::1", destinations: ["ipv6 fd00::1 en0"], excluded: ["not-bound fd00::2 en0"],
      warnings: ["fd00::1 is a privacy address"]),
    .init(
      name: "0.0.0.0 with IPv6 alone leaves the name", interfaces: [nic("en0", "UR", "fd00::1")],
      hostName: "my-mac", bind: "0.0.0.0", destinations: ["local-name my-mac.local"],
      excluded: ["not-bound fd00::1 en0"]),
    .init(
      name: "an address of a container bridge",
      interfaces: [nic("docker0", "URM", "172.17.0.1"), en1], hostName: "my-mac",
      bind: "172.17.0.1", destinations: ["ipv4 172.17.0.1 docker0"],
      excluded: ["not-bound my-mac.local", "not-bound 10.0.0.5 en1", "not-bound fd01::5 en1"]),
  ]
}
