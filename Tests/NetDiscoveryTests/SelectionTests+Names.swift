@testable import NetDiscovery

extension SelectionTests {
  static let tailscaleRows: [SelectionRow] = [
    .init(
      name: "without its interface", tailscale: mac,
      destinations: [
        "tailscale-name my-mac.tail1.ts.net", "tailscale-ipv4 100.64.0.12",
        "tailscale-ipv6 fd7a:115c:a1e0::c",
      ]),
    .init(
      name: "with its interface", interfaces: [utun3], tailscale: mac,
      destinations: [
        "tailscale-name my-mac.tail1.ts.net", "tailscale-ipv4 100.64.0.12 utun3",
        "tailscale-ipv6 fd7a:115c:a1e0::c utun3",
      ]),
    .init(
      name: "with its interface, which tells of no carrier",
      interfaces: [nic("docker0", "UBRM", "172.17.0.1"), nic("utun3", "UPM", "100.64.0.12")],
      tailscale: tailnet("a.ts.net", "100.64.0.12"),
      destinations: [
        "tailscale-name a.ts.net", "tailscale-ipv4 100.64.0.12 utun3", "ipv4 172.17.0.1 docker0",
      ]),
    .init(
      name: "without a name", tailscale: tailnet(nil, "100.64.0.12"),
      destinations: ["tailscale-ipv4 100.64.0.12"]),
    .init(
      name: "IPv6 listed first", tailscale: tailnet("a.ts.net", "fd7a:115c:a1e0::c", "100.64.0.12"),
      destinations: [
        "tailscale-name a.ts.net", "tailscale-ipv4 100.64.0.12", "tailscale-ipv6 fd7a:115c:a1e0::c",
      ]),
    .init(
      name: "an address twice", tailscale: tailnet(nil, "100.64.0.12", "100.64.0.12"),
      destinations: ["tailscale-ipv4 100.64.0.12"], excluded: ["duplicate 100.64.0.12"]),
    .init(
      name: "addresses that nobody can reach",
      tailscale: tailnet(nil, "127.0.0.1", "fe80::1", "100.100.100.100", "100.64.0.12"),
      destinations: ["tailscale-ipv4 100.64.0.12"],
      excluded: ["loopback 127.0.0.1", "link-local fe80::1", "reserved 100.100.100.100"]),
    .init(
      name: "a public address of its own", interfaces: [en1], tailscale: tailnet(nil, "8.8.8.8"),
      destinations: ["ipv4 10.0.0.5 en1", "ipv6 fd01::5 en1", "tailscale-ipv4 8.8.8.8"]),
    .init(
      name: "stopped", tailscale: tailnet("a.ts.net", "100.64.0.12", state: "Stopped"),
      excluded: ["not-running a.ts.net", "not-running 100.64.0.12"], warnings: ["'Stopped'"]),
    .init(
      name: "stopped, the interface still up", interfaces: [utun3],
      tailscale: tailnet("a.ts.net", "100.64.0.12", state: "Stopped"),
      destinations: ["ipv4 100.64.0.12 utun3", "ipv6 fd7a:115c:a1e0::c utun3"],
      excluded: ["not-running a.ts.net"], warnings: ["'Stopped'"]),
    .init(
      name: "before the first log-in", tailscale: tailnet(nil, state: "NeedsLogin"),
      warnings: ["'NeedsLogin'"]),
    .init(
      name: "an unknown state", tailscale: tailnet(nil, "100.64.0.12", state: "Paused\n"),
      excluded: ["not-running 100.64.0.12"], warnings: ["'Paused\\u{a}'"]),
    .init(
      name: "not asked, its interface up", interfaces: [en1, utun3],
      destinations: [
        "ipv4 10.0.0.5 en1", "ipv6 fd01::5 en1", "ipv4 100.64.0.12 utun3",
        "ipv6 fd7a:115c:a1e0::c utun3",
      ]),
    .init(
      name: "an address of the shared range that is not its own",
      interfaces: [nic("en0", "UBRM", "100.64.9.9"), utun3], tailscale: mac,
      destinations: [
        "tailscale-name my-mac.tail1.ts.net", "tailscale-ipv4 100.64.0.12 utun3",
        "tailscale-ipv6 fd7a:115c:a1e0::c utun3", "ipv4 100.64.9.9 en0",
      ]),
    .init(
      name: "its interface down", interfaces: [nic("utun3", "PM", "100.64.0.12")], tailscale: mac,
      destinations: ["tailscale-name my-mac.tail1.ts.net", "tailscale-ipv6 fd7a:115c:a1e0::c"],
      excluded: ["interface-down 100.64.0.12 utun3"]),
    .init(
      name: "switched off", interfaces: [en1, utun3], tailscale: mac,
      options: .init(includeTailscale: false),
      destinations: ["ipv4 10.0.0.5 en1", "ipv6 fd01::5 en1"],
      excluded: [
        "switched-off 100.64.0.12 utun3", "switched-off fd7a:115c:a1e0::c utun3",
        "switched-off my-mac.tail1.ts.net",
      ]),
    .init(
      name: "switched off and not asked",
      interfaces: [nic("tailscale0", "UPRM", "100.64.0.12"), utun3],
      options: .init(includeTailscale: false),
      excluded: [
        "switched-off 100.64.0.12 tailscale0", "switched-off 100.64.0.12 utun3",
        "switched-off fd7a:115c:a1e0::c utun3",
      ]),
    .init(
      name: "switched off and stopped",
      tailscale: tailnet("a.ts.net", "100.64.0.12", state: "Stopped"),
      options: .init(includeTailscale: false),
      excluded: ["switched-off a.ts.net", "switched-off 100.64.0.12"]),
    .init(
      name: "switched off and bound to it", interfaces: [utun3], tailscale: mac,
      bind: "100.64.0.12", options: .init(includeTailscale: false), code: .boundToAbsent),
    .init(
      name: "stopped and bound to it",
      tailscale: tailnet("a.ts.net", "100.64.0.12", state: "Stopped"), bind: "100.64.0.12",
      code: .boundToAbsent),
  ]

  static let nameRows: [SelectionRow] = [
    .init(name: "a label", hostName: "my-mac", destinations: ["local-name my-mac.local"]),
    .init(
      name: "under .local", hostName: "my-mac.local", destinations: ["local-name my-mac.local"]),
    .init(
      name: "a root dot", hostName: "my-mac.local.", destinations: ["local-name my-mac.local"]),
    .init(name: "upper case", hostName: "My-Mac.local", destinations: ["local-name my-mac.local"]),
    .init(name: "localhost", hostName: "localhost"),
    .init(name: "empty", hostName: ""),
    .init(name: "a computer's name", hostName: "Sam’s Mac", warnings: ["no .local name"]),
    .init(
      name: "under a domain", hostName: "host.example.com", destinations: ["local-name host.local"],
      warnings: ["host.local"]),
    .init(
      name: "switched off", interfaces: [en1], hostName: "my-mac",
      options: .init(includeLocalName: false),
      destinations: ["ipv4 10.0.0.5 en1", "ipv6 fd01::5 en1"],
      excluded: ["switched-off my-mac.local"]),
    .init(
      name: "switched off and no name", hostName: "Sam’s Mac",
      options: .init(includeLocalName: false)),
    .init(
      name: "everything switched off", hostName: "my-mac", tailscale: mac,
      options: .init(includeTailscale: false, includeLocalName: false),
      excluded: [
        "switched-off my-mac.local", "switched-off my-mac.tail1.ts.net", "switched-off 100.64.0.12",
        "switched-off fd7a:115c:a1e0::c",
      ]),
    .init(
      name: "the bound name twice", hostName: "my-mac", bind: "my-mac.local.",
      destinations: ["local-name my-mac.local"], warnings: ["my-mac.local"]),
  ]
}
