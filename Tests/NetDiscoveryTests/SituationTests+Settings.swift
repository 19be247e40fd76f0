@testable import NetDiscovery

extension SituationTests {
  private static let home = """
    eth0 ethernet UBRM 46 192.168.1.10 fd00::10
    tailscale0 tunnel UPRM - 100.64.0.12
    """
  private static let tailnet = "Running my-mac.tail1.ts.net. 100.64.0.12"

  /// The machine at home with settings of its server.
  private static func row(
    _ name: String, port: String? = nil, bind: String? = nil, publicURL: String? = nil,
    environment: String? = nil, saved: String? = nil, offered: [String] = [],
    leftOut: Set<String> = [], warnings: [String] = [], refusal: DiscoveryError.Code? = nil
  ) -> Situation {
    Situation(
      name: name, machine: home, answered: "my-mac", tailscale: tailnet, port: port, bind: bind,
      publicURL: publicURL, environment: environment, saved: saved, offered: offered,
      leftOut: leftOut, warnings: warnings, refusal: refusal)
  }

  private static func all(at port: Int = 19464) -> [String] {
    ["my-mac.local", "192.168.1.10", "[fd00::10]", "my-mac.tail1.ts.net", "100.64.0.12"].map {
      port == 19464 || port == 80 ? $0 : "\($0):\(port)"
    }
  }

  private static let ipv4 = ["my-mac.local", "192.168.1.10", "my-mac.tail1.ts.net", "100.64.0.12"]
  private static let lan = ["my-mac.local", "192.168.1.10"]
  private static let lanLeftOut: Set<String> = [
    "not-bound fd00::10", "not-bound my-mac.tail1.ts.net", "not-bound 100.64.0.12",
  ]

  static let settings: [Situation] = [
    row("no setting at all", offered: all()),
    row("a port by option", port: "8080", offered: all(at: 8080)),
    row(
      "a port by option before all others", port: "1", publicURL: "http://example.com:2",
      environment: "3", saved: #"{"port": 4}"#, offered: all(at: 1)),
    row(
      "the public URL's port before the environment's", publicURL: "https://example.com:2/x",
      environment: "3", saved: #"{"port": 4}"#, offered: all(at: 2)),
    row(
      "a public URL without a port leaves it to the environment",
      publicURL: "https://example.com", environment: "3", saved: #"{"port": 4}"#,
      offered: all(at: 3)),
    row(
      "the environment's port before the saved one", environment: "3", saved: #"{"port": 4}"#,
      offered: all(at: 3)),
    row("the saved port before 19464", saved: #"{"port": 4, "x": null}"#, offered: all(at: 4)),
    row("a saved file without either", saved: #"{"port": null}"#, offered: all()),
    row("port 80 is left out of the URLs", port: "80", offered: all(at: 80)),
    row("a wrong port does not fall back", environment: "abc", refusal: .port),
    row("an empty port does not fall back", environment: "", refusal: .port),
    row("port 0", port: "0", refusal: .port),
    row("port 65536", port: "65536", refusal: .port),
    row("a saved port that is none", saved: #"{"port": 70000}"#, refusal: .saved),
    row("a public URL that is none", publicURL: "example.com:80", refusal: .publicURL),
    row("bound to *", bind: "*", offered: all()),
    row("bound to ::", bind: "::", offered: all()),
    row("bound to :: written out", bind: "0:0:0:0:0:0:0:0", offered: all()),
    row("bound to 0.0.0.0", bind: "0.0.0.0", offered: ipv4, leftOut: ["not-bound fd00::10"]),
    row(
      "bound to 0.0.0.0 mapped into IPv6", bind: "::ffff:0.0.0.0", offered: ipv4,
      leftOut: ["not-bound fd00::10"]),
    row(
      "bound by a saved 0.0.0.0", saved: #"{"host": "0.0.0.0"}"#, offered: ipv4,
      leftOut: ["not-bound fd00::10"]),
    row(
      "an option before the saved address", bind: "192.168.1.10", saved: #"{"host": "127.0.0.1"}"#,
      offered: lan, leftOut: lanLeftOut),
    row(
      "bound to a LAN address", bind: "192.168.1.10", offered: lan, leftOut: lanLeftOut),
    row(
      "bound to a LAN address, mapped", bind: "::ffff:192.168.1.10", offered: lan,
      leftOut: lanLeftOut),
    row(
      "bound to an IPv6 address in brackets", bind: "[FD00::0010]",
      offered: ["my-mac.local", "[fd00::10]"],
      leftOut: [
        "not-bound 192.168.1.10", "not-bound my-mac.tail1.ts.net", "not-bound 100.64.0.12",
      ]),
    row(
      "bound to the Tailscale address", bind: "100.64.0.12",
      offered: ["my-mac.tail1.ts.net", "100.64.0.12"],
      leftOut: ["not-bound my-mac.local", "not-bound 192.168.1.10", "not-bound fd00::10"]),
    row(
      "bound to the MagicDNS name", bind: "my-mac.tail1.ts.net",
      offered: ["my-mac.tail1.ts.net", "100.64.0.12"],
      leftOut: ["not-bound my-mac.local", "not-bound 192.168.1.10", "not-bound fd00::10"]),
    row(
      "bound to a name that is not known here", bind: "hub.example.com",
      offered: ["hub.example.com"],
      leftOut: lanLeftOut.union(["not-bound my-mac.local", "not-bound 192.168.1.10"]),
      warnings: ["hub.example.com"]),
    row("bound to 127.0.0.1", bind: "127.0.0.1", refusal: .boundToLoopback),
    row("bound to ::1", bind: "::1", refusal: .boundToLoopback),
    row("bound to localhost", bind: "localhost", refusal: .boundToLoopback),
    row("bound to a saved ::1", saved: #"{"host": "::1"}"#, refusal: .boundToLoopback),
    row("bound to a link-local address", bind: "169.254.1.1", refusal: .boundToUnusable),
    row("bound to an address with a zone", bind: "fe80::1%eth0", refusal: .boundToUnusable),
    row("bound to a group", bind: "ff02::fb", refusal: .boundToUnusable),
    row("bound to an address of no interface", bind: "10.99.0.1", refusal: .boundToAbsent),
    row(
      "bound to a saved address of no interface", saved: #"{"host": "10.99.0.1"}"#,
      refusal: .boundToAbsent),
    row("bound to what is no host", bind: "my mac", refusal: .bind),
    row("bound to a saved text that is no host", saved: #"{"host": "my mac"}"#, refusal: .saved),
  ]
}
