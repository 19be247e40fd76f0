import Testing

@testable import NetDiscovery

struct TailscaleRow: NamedRow {
  let name: String
  let json: String
  var dnsName: String?
  var addresses: [String] = []
  var isRunning = true
  var warnings = 0
}

@Suite("TailscaleStatus")
struct TailscaleStatusTests {
  static let full = status()

  /// What a machine with a peer prints, with some members replaced.
  static func status(
    state: String = "\"Running\"", tailnet: String = "{\"MagicDNSEnabled\": true}",
    name: String = "\"my-mac.tailnet-example.ts.net.\"",
    addresses: String = "[\"100.64.0.12\", \"fd7a:115c:a1e0::c\"]",
    top: String = "[\"100.64.0.13\"]"
  ) -> String {
    """
    {"Version": "1.80.0", "BackendState": \(state), "CurrentTailnet": \(tailnet),
     "TailscaleIPs": \(top), "Health": null,
     "Self": {"HostName": "My Mac", "DNSName": \(name), "TailscaleIPs": \(addresses)},
     "Peer": {"nodekey:0": {"HostName": "phone", "DNSName": "phone.tailnet-example.ts.net.",
       "TailscaleIPs": ["100.64.0.99"]}}}
    """
  }

  static let mac = "my-mac.tailnet-example.ts.net"
  static let both = ["100.64.0.12", "fd7a:115c:a1e0::c"]

  static let good: [TailscaleRow] = [
    .init(
      name: "own name without root dot, own addresses, no peer", json: full, dnsName: mac,
      addresses: both),
    .init(
      name: "MagicDNS off", json: status(tailnet: "{\"MagicDNSEnabled\": false}"), addresses: both),
    .init(name: "no word on MagicDNS", json: status(tailnet: "{}"), dnsName: mac, addresses: both),
    .init(name: "no tailnet", json: status(tailnet: "null"), dnsName: mac, addresses: both),
    .init(name: "an empty name", json: status(name: "\"\""), addresses: both),
    .init(name: "no name", json: status(name: "null"), addresses: both),
    .init(
      name: "a name that is none", json: status(name: "\"My Mac\""), addresses: both, warnings: 1),
    .init(name: "a root dot for a name", json: status(name: "\".\""), addresses: both, warnings: 1),
    .init(
      name: "no addresses of Self", json: status(addresses: "null"), dnsName: mac,
      addresses: ["100.64.0.13"]),
    .init(name: "an empty list of Self", json: status(addresses: "[]"), dnsName: mac),
    .init(name: "no addresses at all", json: status(addresses: "null", top: "null"), dnsName: mac),
    .init(
      name: "an address that is none",
      json: status(addresses: "[\"100.64.0.12\", \"phone\", \"\"]"), dnsName: mac,
      addresses: ["100.64.0.12"], warnings: 1),
    .init(
      name: "a mapped address", json: status(addresses: "[\"::ffff:100.64.0.12\"]"), dnsName: mac,
      addresses: ["100.64.0.12"]),
    .init(
      name: "stopped, the old addresses still there", json: status(state: "\"Stopped\""),
      dnsName: mac, addresses: both, isRunning: false),
    .init(
      name: "starting", json: status(state: "\"Starting\""), dnsName: mac, addresses: both,
      isRunning: false),
    .init(
      name: "an unknown state", json: status(state: "\"running\""), dnsName: mac, addresses: both,
      isRunning: false),
    .init(
      name: "before the first log-in",
      json:
        "{\"BackendState\": \"NeedsLogin\", \"TailscaleIPs\": null, \"CurrentTailnet\": null, "
        + "\"Self\": {\"DNSName\": \"\", \"TailscaleIPs\": null}, \"Peer\": null}",
      isRunning: false),
    .init(name: "state alone", json: "{\"BackendState\": \"NoState\"}", isRunning: false),
  ]

  static let bad: [BadJSONRow] = [
    .init("nothing", "", mention: "empty"),
    .init("what the GUI's command prints", "The Tailscale GUI failed to start: error 3.)\n"),
    .init("a web page", "<html></html>"),
    .init("a list", "[]", mention: "the document"),
    .init("null", "null", mention: "the document"),
    .init("no state", "{}", mention: "'BackendState'"),
    .init("a null state", status(state: "null"), mention: "'BackendState'"),
    .init("a number for the state", status(state: "1"), mention: "BackendState"),
    .init(
      "text for MagicDNS", status(tailnet: "{\"MagicDNSEnabled\": \"yes\"}"),
      mention: "CurrentTailnet.MagicDNSEnabled"),
    .init("text for the tailnet", status(tailnet: "\"example.com\""), mention: "CurrentTailnet"),
    .init("a number for the name", status(name: "7"), mention: "Self.DNSName"),
    .init(
      "text for the addresses", status(addresses: "\"100.64.0.12\""), mention: "Self.TailscaleIPs"),
    .init(
      "a number among the addresses", status(addresses: "[1]"), mention: "Self.TailscaleIPs[0]"),
    .init("cut short", String(full.dropLast(20))),
    .init("100000 open objects", String(repeating: "{\"Self\":", count: 100_000)),
  ]

  @Test("is read", arguments: good)
  func read(_ row: TailscaleRow) throws {
    let status = try TailscaleStatus(parsing: Array(row.json.utf8))
    #expect(status.dnsName?.text == row.dnsName)
    #expect(status.addresses.map(\.description) == row.addresses)
    #expect(status.isRunning == row.isRunning)
    #expect(status.warnings.count == row.warnings)
  }

  @Test("one warning tells of all that are no addresses", arguments: [1, 2, 65536])
  func noAddresses(_ count: Int) throws {
    let list = "[" + Array(repeating: "\"x\"", count: count).joined(separator: ",") + "]"
    let status = try TailscaleStatus(parsing: Array(Self.status(addresses: list).utf8))
    let more = count == 1 ? "" : ", and \(count - 1) more"
    #expect(status.warnings == ["Tailscale gives 'x', which is no address\(more)"])
  }

  @Test("is refused", arguments: bad)
  func refused(_ row: BadJSONRow) throws {
    let error = #expect(throws: DiscoveryError.self) {
      try TailscaleStatus(parsing: Array(row.json.utf8))
    }
    #expect(error?.code == row.code)
    #expect(try #require(error?.detail).contains(row.mention))
  }

  @Test("a reduced status reads the same", arguments: good)
  func reduced(_ row: TailscaleRow) throws {
    let bytes = Array(row.json.utf8)
    let reduced = try TailscaleStatus.reduced(bytes)
    #expect(try TailscaleStatus(parsing: reduced) == TailscaleStatus(parsing: bytes))
  }

  @Test("a reduced status has the keys that are read and no other")
  func reducedKeys() throws {
    let text = String(decoding: try TailscaleStatus.reduced(Array(Self.full.utf8)), as: UTF8.self)
    let names = text.split(separator: "\"").filter { $0.first?.isUppercase == true }
    #expect(
      names == [
        "BackendState", "Running", "CurrentTailnet", "MagicDNSEnabled", "Self", "DNSName",
        "TailscaleIPs", "TailscaleIPs",
      ])
  }

  @Test("each bound holds at its number and not beyond")
  func limits() throws {
    let json = Array(Self.full.utf8)
    var limits = DiscoveryLimits()
    limits.maxBytes = json.count
    limits.maxAddresses = 2
    #expect(try TailscaleStatus(parsing: json, limits: limits).addresses.count == 2)
    for bound in [\DiscoveryLimits.maxBytes, \.maxAddresses] {
      var less = limits
      less[keyPath: bound] -= 1
      #expect(throws: DiscoveryError(.limit, detail: "")) {
        try TailscaleStatus(parsing: json, limits: less)
      }
    }
  }
}
