import Testing

@testable import NetDiscovery

@Suite("NetworkSnapshot")
struct NetworkSnapshotTests {
  struct Source: LocalNameSource, TailscaleSource {
    var name: Result<String?, DiscoveryError> = .success(nil)
    var json: Result<String?, DiscoveryError> = .success(nil)

    func localName() throws(DiscoveryError) -> FoundLocalName? {
      try name.get().map(FoundLocalName.answered)
    }
    func statusJSON() throws(DiscoveryError) -> [UInt8]? { try json.get().map { Array($0.utf8) } }
  }

  @Test("this machine's interfaces, name and tailnet are put together")
  func current() throws {
    let source = Source(name: .success("my-mac"), json: .success(TailscaleStatusTests.full))
    let snapshot = try NetworkSnapshot.current(localName: source, tailscale: source)
    #expect(snapshot.interfaces == (try Interface.current()))
    #expect(snapshot.hostName == "my-mac")
    #expect(snapshot.tailscale?.isRunning == true)
    #expect(snapshot.warnings.isEmpty)
  }

  @Test("sources that know nothing leave no warning")
  func silent() throws {
    let snapshot = try NetworkSnapshot.current(localName: Source(), tailscale: Source())
    #expect(snapshot.hostName == nil)
    #expect(snapshot.tailscale == nil)
    #expect(snapshot.warnings.isEmpty)
  }

  @Test("sources that fail leave a warning")
  func failing() throws {
    let failure = DiscoveryError(.daemon, detail: "it does not answer", hint: "run it again")
    let source = Source(name: .failure(failure), json: .failure(failure))
    let snapshot = try NetworkSnapshot.current(localName: source, tailscale: source)
    #expect(
      snapshot.warnings == [
        "no .local name: it does not answer (run it again)",
        "nothing is known of Tailscale: it does not answer",
      ])
  }

  static let files: [TailscaleRow] = [
    .init(
      name: "running", json: TailscaleStatusTests.full,
      addresses: [TailscaleStatusTests.mac] + TailscaleStatusTests.both),
    .init(
      name: "MagicDNS off",
      json: TailscaleStatusTests.status(
        tailnet: "{\"MagicDNSSuffix\": \"\", \"MagicDNSEnabled\": false}", name: "\"\"",
        addresses: "[\"100.64.0.12\"]"),
      addresses: ["100.64.0.12"]),
    .init(name: "stopped", json: TailscaleStatusTests.status(state: "\"Stopped\""), warnings: 1),
    .init(name: "no JSON", json: "", warnings: 1),
  ]

  @Test("a list of interfaces and a status become destinations", arguments: files)
  func chain(_ row: TailscaleRow) throws {
    let list = """
      [{"name": "lo0", "flags": ["UP", "LOOPBACK", "RUNNING"], "addresses": ["127.0.0.1", "::1"]},
       {"name": "en0", "flags": ["UP", "BROADCAST", "RUNNING", "MULTICAST"],
        "addresses": ["192.168.1.10", "fe80::1234%en0"]}]
      """
    var snapshot = NetworkSnapshot(
      interfaces: try NetworkSnapshot.interfaces(fromJSON: Array(list.utf8)))
    snapshot.addTailscale(json: Array(row.json.utf8))
    let selection = try destinations(from: snapshot, listener: Listener())
    #expect(
      selection.destinations.map(\.host.description) == ["192.168.1.10"] + row.addresses)
    #expect(selection.warnings.count == row.warnings)
  }

  @Test("what Tailscale passes over becomes a warning of the selection")
  func partial() throws {
    var snapshot = NetworkSnapshot()
    snapshot.addTailscale(
      json: Array(TailscaleStatusTests.status(addresses: "[\"phone\", \"100.64.0.12\"]").utf8))
    let selection = try destinations(from: snapshot, listener: Listener())
    #expect(selection.warnings == ["Tailscale gives 'phone', which is no address"])
    #expect(
      selection.destinations.map(\.host.description) == [TailscaleStatusTests.mac, "100.64.0.12"])
  }

  @Test("a source of the system answers or says why not")
  func system() throws {
    switch try SystemLocalName().localName() {
    case .answered(let name), .unanswered(let name):
      #expect(!name.isEmpty && name.utf8.count < 256)
    case nil: break
    }
  }
}
