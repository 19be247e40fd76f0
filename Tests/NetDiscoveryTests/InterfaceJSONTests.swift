import Testing

@testable import NetDiscovery

struct BadJSONRow: NamedRow {
  let name: String
  let json: String
  let code: DiscoveryError.Code
  /// What the message must name.
  let mention: String

  init(_ name: String, _ json: String, _ code: DiscoveryError.Code = .json, mention: String = "") {
    self.name = name
    self.json = json
    self.code = code
    self.mention = mention
  }
}

@Suite("Interfaces from JSON")
struct InterfaceJSONTests {
  static let bad: [BadJSONRow] = [
    .init("nothing", "", mention: "empty"),
    .init("blanks", "  \n"),
    .init("text", "no interfaces here"),
    .init("an open list", "[{\"name\": \"en0\""),
    .init("text after the end", "[] []"),
    .init("two documents of NUL", "\0\0"),
    .init("null", "null", mention: "the document"),
    .init("a number", "1", mention: "the document"),
    .init("an object", "{\"name\": \"en0\"}", mention: "the document"),
    .init("a list of texts", "[\"en0\"]", mention: "[0]"),
    .init("a null item", "[null]", mention: "[0]"),
    .init("no name", item("\"flags\": [], \"addresses\": []"), mention: "[1] lacks 'name'"),
    .init("no flags", item("\"name\": \"en0\", \"addresses\": []"), mention: "[1] lacks 'flags'"),
    .init(
      "no addresses", item("\"name\": \"en0\", \"flags\": []"), mention: "[1] lacks 'addresses'"),
    .init(
      "a null name", item("\"name\": null, \"flags\": [], \"addresses\": []"), mention: "[1].name"),
    .init(
      "an empty name", item("\"name\": \"\", \"flags\": [], \"addresses\": []"), mention: "[1].name"
    ),
    .init(
      "a line end in the name", item("\"name\": \"e\\nn\", \"flags\": [], \"addresses\": []"),
      mention: "[1].name"),
    .init(
      "an escape character in the name",
      item("\"name\": \"e\\u001bn\", \"flags\": [], \"addresses\": []"), mention: "[1].name"),
    .init(
      "a blank in the name", item("\"name\": \"e n\", \"flags\": [], \"addresses\": []"),
      mention: "[1].name"),
    .init(
      "a turn of the writing direction in the name",
      item("\"name\": \"e\\u202en\", \"flags\": [], \"addresses\": []"), mention: "[1].name"),
    .init(
      "a number for a name", item("\"name\": 0, \"flags\": [], \"addresses\": []"),
      mention: "[1].name"),
    .init(
      "text for flags", item("\"name\": \"en0\", \"flags\": \"UP\", \"addresses\": []"),
      mention: "[1].flags"),
    .init(
      "a number among flags", item("\"name\": \"en0\", \"flags\": [1], \"addresses\": []"),
      mention: "[1].flags[0]"),
    .init(
      "text for addresses", item("\"name\": \"en0\", \"flags\": [], \"addresses\": \"10.0.0.1\""),
      mention: "[1].addresses"),
    .init("a number for an address", address("7"), mention: "[1].addresses[0]"),
    .init("null for an address", address("null"), mention: "[1].addresses[0]"),
    .init("a list for an address", address("[]"), mention: "[1].addresses[0]"),
    .init("an object without address", address("{}"), mention: "[1].addresses[0] lacks 'address'"),
    .init("an empty address", address("\"\""), mention: "[1].addresses[0]"),
    .init("a name for an address", address("\"my-mac.local\""), mention: "'my-mac.local'"),
    .init("a prefix length", address("\"10.0.0.1/8\""), mention: "'10.0.0.1/8'"),
    .init("an odd IPv4 address", address("\"192.168.001.010\""), mention: "'192.168.001.010'"),
    .init("brackets", address("\"[fd00::10]\""), mention: "'[fd00::10]'"),
    .init("an empty zone", address("\"fe80::1%\""), mention: "'fe80::1%'"),
    .init("a zone with a line end", address("\"fe80::1%a\\n\""), mention: "[1].addresses[0]"),
    .init("100000 open lists", String(repeating: "[", count: 100_000)),
    .init("100000 open objects", String(repeating: "{\"a\":", count: 100_000)),
    .init(
      "1000 levels where nobody looks",
      item(
        "\"x\": \(String(repeating: "[", count: 1000))\(String(repeating: "]", count: 1000)), "
          + "\"name\": \"en0\", \"flags\": [], \"addresses\": []"
      )),
  ]

  static let good = "{\"name\": \"lo0\", \"flags\": [], \"addresses\": []}"

  static func item(_ members: String) -> String { "[\(good), {\(members)}]" }

  static func address(_ address: String) -> String {
    item("\"name\": \"en0\", \"flags\": [], \"addresses\": [\(address)]")
  }

  @Test("what is no such list is refused with the place", arguments: bad)
  func refused(_ row: BadJSONRow) throws {
    let error = #expect(throws: DiscoveryError.self) {
      try NetworkSnapshot.interfaces(fromJSON: Array(row.json.utf8))
    }
    #expect(error?.code == row.code)
    let detail = try #require(error?.detail)
    #expect(detail.contains(row.mention), "\(detail)")
    #expect(detail.utf8.count < 300 && !detail.contains("\n"))
  }

  @Test("names, flags, addresses and zones are read")
  func read() throws {
    let interfaces = try NetworkSnapshot.interfaces(
      fromJSON: Array(
        """
        [{"name": "en0", "flags": ["UP", "BROADCAST", "SMART", "RUNNING", "MULTICAST"], "mtu": 1500,
          "addresses": ["192.168.1.10", "fe80::1234%en0", "FD00:0::10", "::ffff:10.0.0.1",
                        {"address": "fd00::11", "flags": ["TEMPORARY", "DEPRECATED", "SECURED"]}]},
         {"name": "utun3", "flags": ["UP", "POINTOPOINT", "LOWER_UP"], "addresses": []},
         {"name": "lo0", "flags": ["LOOPBACK", "up"], "addresses": [{"address": "::1"}]}]
        """.utf8))
    #expect(
      interfaces == [
        Interface(
          name: "en0", flags: [.up, .broadcast, .running, .multicast],
          addresses: [
            .init(.of("192.168.1.10")), .init(.of("fe80::1234"), zone: "en0"),
            .init(.of("fd00::10")),
            .init(.of("10.0.0.1")), .init(.of("fd00::11"), state: [.temporary, .deprecated]),
          ]),
        Interface(name: "utun3", flags: [.up, .pointToPoint, .running], addresses: []),
        Interface(name: "lo0", flags: [.loopback], addresses: [.init(.of("::1"))]),
      ])
  }

  @Test("an empty list is one")
  func empty() throws {
    #expect(try NetworkSnapshot.interfaces(fromJSON: Array("[]".utf8)).isEmpty)
  }

  @Test("what is written is read again")
  func roundTrip() throws {
    let flags: [Interface.Flags] = [
      [], .up, .running, .loopback, .broadcast, .multicast, .pointToPoint, [.up, .running],
    ]
    let interfaces = flags.enumerated().map { index, flags in
      Interface(
        name: "en\(index)", flags: flags,
        addresses: [
          .init(.of("10.0.0.\(index)")), .init(.of("fe80::\(index)"), zone: "en\(index)"),
          .init(.of("fd00::1"), state: .temporary),
          .init(.of("fd00::2"), state: [.deprecated, .tentative]),
        ])
    }
    let json = NetworkSnapshot.json(of: interfaces)
    #expect(try NetworkSnapshot.interfaces(fromJSON: json) == interfaces)
  }

  @Test("a name need not be ASCII: Linux takes any bytes but blanks, colons and slashes")
  func nameBeyondASCII() throws {
    let interfaces = [Interface(name: "wän0", flags: [.up], addresses: [])]
    let json = NetworkSnapshot.json(of: interfaces)
    #expect(try NetworkSnapshot.interfaces(fromJSON: json) == interfaces)
  }

  @Test("this machine's interfaces are written and read again")
  func roundTripCurrent() throws {
    let interfaces = try Interface.current()
    #expect(
      try NetworkSnapshot.interfaces(fromJSON: NetworkSnapshot.json(of: interfaces)) == interfaces)
  }

  @Test("each bound holds at its number and not beyond")
  func limits() throws {
    let json = Array(Self.address("\"10.0.0.1\", \"10.0.0.2\"").utf8)
    var limits = DiscoveryLimits()
    limits.maxBytes = json.count
    limits.maxInterfaces = 2
    limits.maxAddresses = 2
    #expect(try NetworkSnapshot.interfaces(fromJSON: json, limits: limits).count == 2)
    let tighter: [WritableKeyPath<DiscoveryLimits, Int>] = [
      \.maxBytes, \.maxInterfaces, \.maxAddresses,
    ]
    for bound in tighter {
      var less = limits
      less[keyPath: bound] -= 1
      #expect(throws: DiscoveryError(.limit, detail: "")) {
        try NetworkSnapshot.interfaces(fromJSON: json, limits: less)
      }
    }
  }
}
