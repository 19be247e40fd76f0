import Testing

@testable import NetDiscovery

extension SelectionTests {
  @Test("a name that leads to loopback is told with its address")
  func loopbackName() throws {
    let snapshot = NetworkSnapshot(interfaces: [en1], boundAddresses: [.of("127.0.1.1")])
    let listener = Listener(bind: try Listener.Bind(parsing: "MyHost"))
    let error = #expect(throws: DiscoveryError.self) {
      try destinations(from: snapshot, listener: listener)
    }
    #expect(
      error?.detail == "the listener is bound to myhost (127.0.1.1 in the hosts file), which only "
        + "this machine itself can reach")
  }

  private static func row(
    _ name: String, bind: String, on interfaces: [Interface] = [en1, lo0],
    boundAddresses: [String]? = nil, isOnOwnMachine: Bool = true, _ destinations: [String] = [],
    excluded: [String] = [], warnings: [String] = [], code: DiscoveryError.Code? = nil
  ) -> SelectionRow {
    SelectionRow(
      name: name, interfaces: interfaces, bind: bind, boundAddresses: boundAddresses,
      options: SelectionOptions(isOnOwnMachine: isOnOwnMachine), destinations: destinations,
      excluded: excluded, warnings: warnings, code: code)
  }

  private static let loopback = [
    "loopback 127.0.0.1 lo0", "loopback ::1 lo0", "link-local fe80::1%lo0 lo0",
  ]

  /// Apps that run on the listener's own machine, as in a simulator.
  static let loopbackRows: [SelectionRow] = [
    row("127.0.0.1", bind: "127.0.0.1", ["given localhost"]),
    row("127.0.0.1 mapped", bind: "::ffff:127.0.0.1", ["given localhost"]),
    row("::1", bind: "::1", ["given localhost"]),
    row("localhost", bind: "localhost", ["given localhost"]),
    row("a name under localhost", bind: "hub.localhost", ["given localhost"]),
    row("another of 127/8", bind: "127.0.1.1", ["given 127.0.1.1"]),
    row(
      "a name of loopback alone", bind: "hub", boundAddresses: ["127.0.1.1"], ["given 127.0.1.1"]),
    row(
      "a name of both loopback addresses", bind: "hub", boundAddresses: ["::1", "127.0.0.1"],
      ["given localhost"]),
    row(
      "an ordinary address of the loopback interface", bind: "10.66.66.66",
      on: [nic("lo", "ULR", "10.66.66.66")], ["given 10.66.66.66"]),
    row("no interface at all", bind: "127.0.0.1", on: [], ["given localhost"]),
    row(
      "all addresses: as for another device", bind: "::",
      ["ipv4 10.0.0.5 en1", "ipv6 fd01::5 en1"],
      excluded: loopback),
    row("all addresses, no network", bind: "::", on: [], ["given localhost"]),
    row("all of IPv4, no network", bind: "0.0.0.0", on: [], ["given localhost"]),
    row("all addresses, no network, another device", bind: "::", on: [], isOnOwnMachine: false),
    row(
      "loopback, another device", bind: "127.0.0.1", isOnOwnMachine: false, code: .boundToLoopback),
    row("link-local stays useless", bind: "169.254.1.1", code: .boundToUnusable),
    row("an absent address stays absent", bind: "10.9.9.9", code: .boundToAbsent),
  ]
}
