import PlistKit
import Testing

@testable import ATSMerge

@Suite struct PrepareTests {
  private func prepared(_ root: PlistValue, _ injection: Injection) throws -> PlistValue {
    try document(root).preparing(injection).document.root
  }

  private func entry(_ host: String, in root: PlistValue) -> PlistValue? {
    root[ATSKey.path(domain: host)]
  }

  @Test func fillsAnEmptyInfoPlist() throws {
    let root = try prepared([:], injection("my-mac.local", "[fd00::10]"))
    #expect(
      root == [
        "IPAHub": [
          "updateURL": [.string(urlText("my-mac.local")), .string(urlText("[fd00::10]"))],
          "source": "gh:example/demo", "release": "latest",
        ],
        "NSAppTransportSecurity": [
          "NSExceptionDomains": ["my-mac.local": allowed, "fd00::10": allowed]
        ],
        "NSLocalNetworkUsageDescription":
          "Connect to your Mac to check for and install updates through ipa-hub",
      ])
  }

  @Test func aSecondRunChangesNothing() throws {
    let injection = try injection("my-mac.local", "192.168.1.10")
    let once = try document(["CFBundleName": "Demo"]).preparing(injection)
    let twice = try once.document.preparing(injection)
    #expect(once.changes.count == 3)
    #expect(twice.changes.isEmpty)
    #expect(twice.document.root == once.document.root)
  }

  struct MergeCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let domains: PlistValue
    let hosts: [String]
    let expected: PlistValue

    init(_ name: String, _ domains: PlistValue, _ hosts: [String], _ expected: PlistValue) {
      testDescription = name
      self.domains = domains
      self.hosts = hosts
      self.expected = expected
    }
  }

  static let merges: [MergeCase] = [
    MergeCase("empty entry", ["h.local": [:]], ["h.local"], ["h.local": allowed]),
    MergeCase(
      "entry that says no, siblings kept",
      ["h.local": ["NSIncludesSubdomains": true, "NSExceptionAllowsInsecureHTTPLoads": false]],
      ["h.local"],
      ["h.local": ["NSIncludesSubdomains": true, "NSExceptionAllowsInsecureHTTPLoads": true]]),
    MergeCase(
      "integer flag becomes a boolean", ["h.local": ["NSExceptionAllowsInsecureHTTPLoads": 1]],
      ["h.local"], ["h.local": allowed]),
    MergeCase(
      "string flag becomes a boolean", ["h.local": ["NSExceptionAllowsInsecureHTTPLoads": "YES"]],
      ["h.local"], ["h.local": allowed]),
    MergeCase(
      "older name kept, modern one added",
      ["h.local": ["NSTemporaryExceptionAllowsInsecureHTTPLoads": true]], ["h.local"],
      [
        "h.local": [
          "NSTemporaryExceptionAllowsInsecureHTTPLoads": true,
          "NSExceptionAllowsInsecureHTTPLoads": true,
        ]
      ]),
    MergeCase(
      "range that covers the address stays beside it", ["192.168.0.0/16": allowed],
      ["192.168.1.10"], ["192.168.0.0/16": allowed, "192.168.1.10": allowed]),
    MergeCase(
      "range that refuses stays", ["fd00::/8": ["NSExceptionAllowsInsecureHTTPLoads": false]],
      ["[fd00::10]"],
      ["fd00::/8": ["NSExceptionAllowsInsecureHTTPLoads": false], "fd00::10": allowed]),
    MergeCase(
      "key with a port stays", ["192.168.1.10:19464": allowed], ["192.168.1.10"],
      ["192.168.1.10:19464": allowed, "192.168.1.10": allowed]),
    MergeCase(
      "upper-case key stays", ["My-Mac.local": allowed], ["my-mac.local"],
      ["My-Mac.local": allowed, "my-mac.local": allowed]),
    MergeCase(
      "several spellings are one host", [:],
      ["[fd00:0:0:0:0:0:0:10]", "[FD00::10]", "[fd00::0010]"], ["fd00::10": allowed]),
    MergeCase(
      "mapped IPv4 is the IPv4 address", [:], ["[::ffff:192.168.1.10]", "192.168.1.10"],
      ["192.168.1.10": allowed]),
    MergeCase(
      "wrong type on another host stays", ["other.example": true], ["h.local"],
      ["other.example": true, "h.local": allowed]),
  ]

  @Test(arguments: merges) func mergesIntoTheDomains(_ row: MergeCase) throws {
    let source = try UpdateSource(parsing: "gh:example/demo")
    let injection = Injection(urls: try row.hosts.map { try url($0) }, source: source)
    let root = try prepared(infoPlist(domains: row.domains), injection)
    #expect(root[ATSKey.domainsPath] == row.expected)
  }

  static let refusals: [Row<PlistValue, String>] = [
    Row("ATS is a boolean", infoPlist(ats: true), "/NSAppTransportSecurity"),
    Row(
      "domains are an array", infoPlist(domains: []), "/NSAppTransportSecurity/NSExceptionDomains"),
    Row(
      "domains are a string", infoPlist(domains: "x"), "/NSAppTransportSecurity/NSExceptionDomains"),
    Row(
      "entry is a boolean", infoPlist(domains: ["my-mac.local": true]),
      "/NSAppTransportSecurity/NSExceptionDomains/my-mac.local"),
    Row(
      "flag is a dictionary",
      infoPlist(domains: ["my-mac.local": ["NSExceptionAllowsInsecureHTTPLoads": [:]]]),
      "/NSAppTransportSecurity/NSExceptionDomains/my-mac.local/NSExceptionAllowsInsecureHTTPLoads"),
    Row("metadata is a string", ["IPAHub": "x"], "/IPAHub"),
    Row("URLs are a dictionary", ["IPAHub": ["updateURL": [:]]], "/IPAHub/updateURL"),
    Row("source is an integer", ["IPAHub": ["source": 1]], "/IPAHub/source"),
    Row("filter is data", ["IPAHub": ["filter": .data([1])]], "/IPAHub/filter"),
    Row(
      "text is an integer", ["NSLocalNetworkUsageDescription": 1], "/NSLocalNetworkUsageDescription"
    ),
    Row(
      "text is an array", ["NSLocalNetworkUsageDescription": []], "/NSLocalNetworkUsageDescription"),
    Row("root is an array", [], ""),
  ]

  @Test(arguments: refusals) func refusesAWrongTypeByItsPath(_ row: Row<PlistValue, String>) throws
  {
    let error = try #require(throws: MergeError.self) {
      try document(row.input).preparing(injection("my-mac.local"))
    }
    #expect(error.code == .wrongType)
    #expect(error.keyPath.description == row.expected)
  }

  @Test func appWideSettingsStay() throws {
    let settings: PlistValue = [
      "NSAllowsArbitraryLoads": true, "NSAllowsLocalNetworking": false,
      "NSPinnedDomains": ["example.com": [:]],
    ]
    let root = try prepared(infoPlist(ats: settings), injection("my-mac.local"))
    for key in ["NSAllowsArbitraryLoads", "NSAllowsLocalNetworking", "NSPinnedDomains"] {
      let path = ATSKey.path.appending(key: key)
      #expect(root[path] == infoPlist(ats: settings)[path])
    }
    #expect(root[ATSKey.path]?.dictionary?.count == 4)
  }

  @Test func aHostTakenOutOfAnAppWideExceptionIsNoted() throws {
    let app = document(infoPlist(ats: ["NSAllowsArbitraryLoads": true]))
    let first = try app.preparing(injection("my-mac.local"))
    #expect(
      first.notes.contains { $0.contains("NSAllowsArbitraryLoads") && $0.contains("my-mac.local") })
    #expect(try first.document.preparing(injection("my-mac.local")).notes.isEmpty)
  }

  @Test func arbitraryLoadsAndLocalNetworkingAreNeverAdded() throws {
    let root = try prepared([:], injection("my-mac.local", "192.168.1.10"))
    #expect(root[ATSKey.path]?.dictionary?.keys == ["NSExceptionDomains"])
    #expect(root.dictionary?["NSBonjourServices"] == nil)
  }

  @Test func secureDestinationsGetNoException() throws {
    let root = try prepared([:], injection("my-mac.example.net", scheme: "https"))
    #expect(root.dictionary?["NSAppTransportSecurity"] == nil)
    #expect(root.dictionary?["IPAHub"] != nil)
  }

  static let texts: [Row<String, Bool>] = [
    Row("empty", "", false), Row("line end", " \n", false), Row("tab", "\t", false),
    Row("no-break space", "\u{A0}", false), Row("ideographic space", "\u{3000}", false),
    Row("zero-width space", "\u{200B}", false), Row("word joiner", "\u{2060}", false),
    Row("byte-order mark", "\u{FEFF}", false), Row("letter", "x", true),
    Row("own text", " Mac ", true),
  ]

  @Test(arguments: texts) func keepsATextThatSaysSomething(_ row: Row<String, Bool>) throws {
    let root = try prepared(
      dictionary(LocalNetworkText.key, .string(row.input)), injection("my-mac.local"))
    #expect(
      root.dictionary?[LocalNetworkText.key]?.string
        == (row.expected ? row.input : LocalNetworkText.standard))
  }

  @Test func otherMetadataIsReplacedAndUnknownFieldsStay() throws {
    let old: PlistValue = [
      "note": "mine", "updateURL": [.string(urlText("old.local", id: otherID))],
      "source": "gh:old/old", "filter": "tv",
    ]
    let root = try prepared(["IPAHub": old], injection("my-mac.local"))
    #expect(
      root.dictionary?["IPAHub"] == [
        "note": "mine", "updateURL": [.string(urlText("my-mac.local"))],
        "source": "gh:example/demo", "release": "latest",
      ])
  }

  @Test func aSingleStringBecomesAnArray() throws {
    let old: PlistValue = ["IPAHub": ["updateURL": .string(urlText("my-mac.local"))]]
    let root = try prepared(old, injection("my-mac.local"))
    #expect(root[UpdateMetadata.updateURLPath] == [.string(urlText("my-mac.local"))])
  }

  @Test func staleExceptionsStayUnlessPruned() throws {
    let first = try document([:]).preparing(injection("old.local", "kept.local")).document
    var next = try injection("my-mac.local", "kept.local")
    let kept = try first.preparing(next)
    #expect(entry("old.local", in: kept.document.root) == allowed)
    #expect(kept.notes.contains { $0.contains("old.local") && $0.contains("--prune") })
    next.prunes = true
    let pruned = try first.preparing(next)
    #expect(entry("old.local", in: pruned.document.root) == nil)
    #expect(entry("kept.local", in: pruned.document.root) == allowed)
    #expect(entry("my-mac.local", in: pruned.document.root) == allowed)
  }

  @Test func anExceptionThatHoldsMoreIsNeverPruned() throws {
    let own: PlistValue = [
      "NSExceptionAllowsInsecureHTTPLoads": true, "NSIncludesSubdomains": true,
    ]
    let first = try document(infoPlist(domains: ["old.local": own]))
      .preparing(injection("old.local")).document
    var next = try injection("my-mac.local")
    next.prunes = true
    #expect(entry("old.local", in: try first.preparing(next).document.root) == own)
  }

  static let originals: [Row<PlistValue, Bool>] = [
    Row("nothing of its own", ["CFBundleName": "Demo"], true),
    Row(
      "settings of its own",
      infoPlist(domains: ["cdn.example.com": ["NSIncludesSubdomains": true]]), true),
    Row("a text of its own", ["NSLocalNetworkUsageDescription": "Mine"], true),
    Row("app-wide settings", infoPlist(ats: ["NSAllowsLocalNetworking": true]), true),
  ]

  @Test(arguments: originals) func strippingUndoesAnInjection(_ row: Row<PlistValue, Bool>) throws {
    let injected = try document(row.input).preparing(injection("my-mac.local", "192.168.1.10"))
    #expect(try injected.document.stripping().document.root == row.input)
  }

  @Test func strippingLeavesAnEntryThatHoldsMore() throws {
    let own: PlistValue = ["NSIncludesSubdomains": true]
    let injected = try document(infoPlist(domains: ["my-mac.local": own]))
      .preparing(injection("my-mac.local"))
    let stripped = try injected.document.stripping()
    #expect(
      entry("my-mac.local", in: stripped.document.root)?.dictionary?["NSIncludesSubdomains"] == true
    )
    #expect(stripped.notes.contains { $0.contains("my-mac.local") })
  }

  @Test func withoutURLsThereIsNothingToWrite() throws {
    let source = try UpdateSource(parsing: "gh:a/b")
    let error = #expect(throws: MergeError.self) {
      try document([:]).preparing(Injection(urls: [], source: source))
    }
    #expect(error?.code == .noDestination)
  }
}
