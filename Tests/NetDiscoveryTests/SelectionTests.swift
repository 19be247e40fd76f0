import Testing

@testable import NetDiscovery

/// One call of the pure step. Destinations read `kind host interface`, exclusions
/// `reason address interface`, without interface where there is none.
struct SelectionRow: NamedRow {
  let name: String
  var interfaces: [Interface] = []
  var hostName: String?
  var tailscale: TailscaleStatus?
  var bind = "*"
  var boundAddresses: [String]?
  var options = SelectionOptions()
  var destinations: [String] = []
  var excluded: [String] = []
  /// Texts that the warnings hold, one for each.
  var warnings: [String] = []
  var code: DiscoveryError.Code?
}

/// An interface from flags and addresses as `ifconfig` shows them. An address can end in `%zone`,
/// or in `+t`, `+d`, `+n` for temporary, deprecated and tentative.
func nic(_ name: String, _ flags: String = "UBRM", _ addresses: String...) -> Interface {
  let letters: [Character: Interface.Flags] = [
    "U": .up, "B": .broadcast, "R": .running, "M": .multicast, "L": .loopback, "P": .pointToPoint,
  ]
  let states: [Character: InterfaceAddress.State] = [
    "t": .temporary, "d": .deprecated, "n": .tentative,
  ]
  return Interface(
    name: name, flags: Interface.Flags(flags.compactMap { letters[$0] }),
    addresses: addresses.map { text in
      let parts = text.split(separator: "+")
      let address = parts[0].split(separator: "%")
      return InterfaceAddress(
        .of(String(address[0])), zone: address.count > 1 ? String(address[1]) : nil,
        state: InterfaceAddress.State(parts.dropFirst().joined().compactMap { states[$0] }))
    })
}

func tailnet(
  _ name: String?, _ addresses: String..., state: String = "Running"
) -> TailscaleStatus {
  TailscaleStatus(
    state: state, dnsName: name.flatMap { try? DNSName(parsing: $0) },
    addresses: addresses.map(Host.of))
}

let en0 = nic("en0", "UBRM", "192.168.1.10", "fe80::1234%en0", "fd00::10", "2001:db9::5")
let en1 = nic("en1", "UBRM", "10.0.0.5", "fd01::5")
let lo0 = nic("lo0", "ULRM", "127.0.0.1", "::1", "fe80::1%lo0")
let utun3 = nic("utun3", "UPRM", "100.64.0.12", "fd7a:115c:a1e0::c")
let mac = tailnet("my-mac.tail1.ts.net", "100.64.0.12", "fd7a:115c:a1e0::c")

@Suite("Selection")
struct SelectionTests {
  @Test("addresses by class", arguments: classRows)
  func classes(_ row: SelectionRow) throws { try check(row) }

  @Test("interfaces and states", arguments: interfaceRows)
  func interfaces(_ row: SelectionRow) throws { try check(row) }

  @Test("order", arguments: orderRows)
  func order(_ row: SelectionRow) throws { try check(row) }

  @Test("bind addresses", arguments: bindRows)
  func bind(_ row: SelectionRow) throws { try check(row) }

  @Test("apps on this very machine", arguments: loopbackRows)
  func loopback(_ row: SelectionRow) throws { try check(row) }

  @Test("Tailscale", arguments: tailscaleRows)
  func tailscale(_ row: SelectionRow) throws { try check(row) }

  @Test("names", arguments: nameRows)
  func names(_ row: SelectionRow) throws { try check(row) }

  private func check(_ row: SelectionRow) throws {
    let snapshot = NetworkSnapshot(
      interfaces: row.interfaces, hostName: row.hostName, tailscale: row.tailscale,
      boundAddresses: row.boundAddresses?.map(Host.of))
    let listener = try Listener.resolve(bind: row.bind)
    let result = Result { () throws(DiscoveryError) in
      try destinations(from: snapshot, listener: listener, options: row.options)
    }
    switch result {
    case .failure(let error):
      #expect(error.code == row.code, "\(error)")
      #expect(error.hint != nil && !error.detail.contains("\n"))
    case .success(let selection):
      #expect(row.code == nil)
      #expect(
        selection.destinations.map {
          "\($0.kind.rawValue) \($0.host)" + ($0.interface.map { " " + $0 } ?? "")
        } == row.destinations)
      #expect(
        selection.excluded.map {
          "\($0.reason.rawValue) \($0.address)" + ($0.interface.map { " " + $0 } ?? "")
        } == row.excluded)
      #expect(selection.destinations.allSatisfy { $0.scheme == .http && $0.port == 19464 })
      #expect(Set(selection.destinations.map(\.host)).count == selection.destinations.count)
      #expect(selection.warnings.count == row.warnings.count, "\(selection.warnings)")
      for text in row.warnings {
        #expect(selection.warnings.contains { $0.contains(text) }, "\(selection.warnings)")
      }
    }
  }

  @Test("the port and the snapshot's warnings go through")
  func passedThrough() throws {
    var snapshot = NetworkSnapshot(interfaces: [en0], warnings: ["first"])
    snapshot.addTailscale(json: Array("no JSON".utf8))
    let selection = try destinations(
      from: snapshot, listener: Listener(bind: .allIPv4, port: 80))
    #expect(selection.destinations.map(\.origin) == ["http://192.168.1.10"])
    #expect(selection.warnings.count == 2)
    #expect(selection.warnings.first == "first")
    #expect(selection.warnings.last?.hasPrefix("nothing is known of Tailscale: ") == true)
  }

  @Test("errors say what to change")
  func messages() {
    let snapshot = NetworkSnapshot(interfaces: [en0, nic("en2", "BM", "10.9.9.9")])
    for (bind, detail) in [
      ("::1", "the listener is bound to ::1, which only this machine itself can reach"),
      (
        "169.254.1.1",
        "the listener is bound to 169.254.1.1 (link-local), which no other machine can reach"
      ),
      (
        "10.1.1.1",
        "the listener is bound to 10.1.1.1, an address that no interface of this machine has now"
      ),
      (
        "10.9.9.9",
        "the listener is bound to 10.9.9.9, but 10.9.9.9 on en2 is left out (interface-down)"
      ),
    ] {
      let error = #expect(throws: DiscoveryError.self) {
        try destinations(from: snapshot, listener: Listener(bind: Listener.Bind(parsing: bind)))
      }
      #expect(error?.detail == detail)
      #expect(error?.hint == DiscoveryError.bindHint)
    }
  }

  @Test("many addresses take little time", .timeLimit(.minutes(1)))
  func many() throws {
    let interfaces = (0..<500).map { index in
      Interface(
        name: "en\(index)", flags: [.up, .running],
        addresses: (0..<64).map { InterfaceAddress(.ipv4(IPv4Address(bits: 0x0a00_0000 + $0))) })
    }
    let selection = try destinations(
      from: NetworkSnapshot(interfaces: interfaces), listener: Listener())
    #expect(selection.destinations.count == 64)
    #expect(selection.excluded.count == 64 * 499)
  }
}
