import NetDiscovery
import PlistKit
import Testing

@testable import ATSMerge

@Suite struct RuleTests {
  /// An input of a rule, wrong or right.
  struct Example: Sendable, CustomTestStringConvertible {
    let rule: String
    let name: String
    let subject: VerificationSubject
    /// What each finding must mention; empty where there must be none.
    let mentions: [String]

    var testDescription: String { "\(rule): \(name)" }

    init(
      _ rule: String, _ name: String, _ root: PlistValue, _ mentions: [String] = [],
      _ adjust: (inout VerificationSubject) -> Void = { _ in }
    ) {
      self.rule = rule
      self.name = name
      self.mentions = mentions
      var subject = VerificationSubject(
        infoPlist: root, infoPlistPath: "Payload/Demo.app/Info.plist")
      adjust(&subject)
      self.subject = subject
    }
  }

  /// Metadata of these URL texts.
  private static func metadata(_ urls: PlistValue, _ more: PlistDictionary = PlistDictionary())
    -> PlistValue
  {
    var hub = PlistDictionary([("updateURL", urls), ("source", "gh:example/demo")])
    for entry in more.entries { hub[entry.key] = entry.value }
    return dictionary("IPAHub", .dictionary(hub))
  }

  private static func metadata(_ hosts: String...) -> PlistValue {
    metadata(.array(hosts.map { .string(urlText($0)) }))
  }

  /// Metadata of a host beside these settings.
  private static func app(
    _ host: String, _ settings: PlistValue, _ more: [(String, PlistValue)] = []
  ) -> PlistValue {
    var root = metadata(host).dictionary ?? PlistDictionary()
    root["NSAppTransportSecurity"] = settings
    for (key, value) in more { root[key] = value }
    return .dictionary(root)
  }

  private static func app(_ host: String, domains: PlistValue) -> PlistValue {
    app(host, dictionary("NSExceptionDomains", domains))
  }

  private static let ready = app(
    "my-mac.local", dictionary("NSExceptionDomains", ["my-mac.local": allowed]),
    [("NSLocalNetworkUsageDescription", "Finds your Mac")])

  static let examples: [Example] =
    metadataExamples + exceptionExamples + transportExamples + otherExamples

  static let metadataExamples: [Example] = [
    Example("metadata.absent", "none", ["CFBundleName": "Demo"], ["inject"]),
    Example("metadata.absent", "there", ready),
    Example("metadata.type", "a string", ["IPAHub": "x"], ["a string"]),
    Example(
      "metadata.type", "URLs are a dictionary", ["IPAHub": ["updateURL": [:], "source": "a"]],
      ["updateURL"]),
    Example(
      "metadata.type", "an integer among the URLs", metadata([.string(urlText("h")), 1]), ["item 1"]
    ),
    Example("metadata.type", "source is an integer", ["IPAHub": ["source": 1]], ["source"]),
    Example("metadata.type", "right", ready),
    Example("metadata.update-url.empty", "empty", metadata([]), ["no destination"]),
    Example(
      "metadata.update-url.empty", "missing", ["IPAHub": ["source": "a"]], ["no destination"]),
    Example(
      "metadata.update-url.empty", "beside another problem",
      ["IPAHub": ["updateURL": [], "source": 1]], ["no destination"]),
    Example("metadata.update-url.empty", "one", ready),
    Example(
      "metadata.update-url.invalid", "port 0",
      metadata([.string("http://h:0/api/app/\(id)/update")]), ["port"]),
    Example(
      "metadata.update-url.invalid", "an ID of 49 digits",
      metadata([.string(urlText("h", id: id + "0"))]), ["49"]),
    Example("metadata.update-url.invalid", "right", ready),
    Example(
      "metadata.update-url.mixed", "two",
      metadata([.string(urlText("a")), .string(urlText("b", id: otherID))]), ["0123…, fedc…"]),
    Example("metadata.update-url.mixed", "one", metadata("a", "b")),
    Example(
      "metadata.update-url.duplicate", "another spelling", metadata("[fd00::10]", "[fd00:0::10]"),
      ["fd00::10"]),
    Example("metadata.update-url.duplicate", "different hosts", metadata("a", "b")),
    Example(
      "metadata.update-url.release", "item",
      metadata([.string(urlText("h", query: "?release=latest"))]), ["release"]),
    Example("metadata.update-url.release", "none", ready),
    Example("metadata.update-url.unreachable", "loopback", metadata("127.0.0.1"), ["loopback"]),
    Example(
      "metadata.update-url.unreachable", "link-local", metadata("169.254.1.1"), ["link-local"]),
    Example("metadata.update-url.unreachable", "unspecified", metadata("0.0.0.0"), ["unspecified"]),
    Example("metadata.update-url.unreachable", "multicast", metadata("[ff02::fb]"), ["multicast"]),
    Example("metadata.update-url.unreachable", "localhost", metadata("localhost"), ["loopback"]),
    Example(
      "metadata.update-url.unreachable", "with a zone", metadata("[fe80::1%25en0]"), ["zone"]),
    Example("metadata.update-url.unreachable", "private", metadata("10.0.0.1")),
    Example(
      "metadata.update-url.query", "another source",
      metadata([.string(urlText("h", query: "?source=gh%3Aother%2Fone"))]), ["gh:other/one"]),
    Example(
      "metadata.update-url.query", "another source behind the right one",
      metadata([.string(urlText("h", query: "?source=gh%3Aexample%2Fdemo&source=gh%3Aevil%2Fone"))]
      ), ["gh:evil/one"]),
    Example(
      "metadata.update-url.query", "a filter that the dictionary lacks",
      metadata([.string(urlText("h", query: "?filter=tv"))]), ["filter"]),
    Example(
      "metadata.update-url.query", "the same source",
      metadata([.string(urlText("h", query: "?source=gh%3Aexample%2Fdemo"))])),
    Example(
      "metadata.update-url.legacy", "older path", metadata([.string("http://h/update/\(id)")]),
      ["older path"]),
    Example(
      "metadata.update-url.legacy", "one string", metadata(.string(urlText("h"))), ["one string"]),
    Example("metadata.update-url.legacy", "present form", ready),
    Example(
      "metadata.source.missing", "missing", ["IPAHub": ["updateURL": [.string(urlText("h"))]]],
      ["source"]),
    Example("metadata.source.missing", "there", ready),
    Example(
      "metadata.release", "a tag",
      metadata([.string(urlText("h"))], PlistDictionary([("release", "v1.0")])), ["v1.0"]),
    Example(
      "metadata.release", "for a file",
      metadata(
        [.string(urlText("h"))], PlistDictionary([("source", "/a.ipa"), ("release", "latest")])),
      ["/a.ipa"]),
    Example(
      "metadata.release", "right",
      metadata([.string(urlText("h"))], PlistDictionary([("release", "pre-release")]))),
    Example("metadata.nested", "in an extension", ready, ["Share.appex"]) { subject in
      subject.nested = [nested(["IPAHub": [:]])]
    },
    Example("metadata.nested", "nowhere else", ready) { $0.nested = [nested([:])] },
    Example(
      "metadata.unknown-key", "one",
      metadata([.string(urlText("h"))], PlistDictionary([("channel", "x")])), ["channel"]),
    Example("metadata.unknown-key", "none", ready),
  ]

  static let exceptionExamples: [Example] = [
    Example(
      "ats.exception.missing", "only NSAllowsLocalNetworking",
      app("100.64.0.12", ["NSAllowsLocalNetworking": true]), ["100.64.0.12"]),
    Example(
      "ats.exception.missing", "only the app-wide flag",
      app("my-mac.local", ["NSAllowsArbitraryLoads": true]), ["my-mac.local"]),
    Example(
      "ats.exception.missing", "only a covering range",
      app("10.0.0.1", domains: ["10.0.0.0/8": allowed]), ["10.0.0.1"]),
    Example("ats.exception.missing", "there", ready),
    Example(
      "ats.exception.denied", "says no",
      app("h.local", domains: ["h.local": ["NSExceptionAllowsInsecureHTTPLoads": false]]),
      ["h.local"]),
    Example(
      "ats.exception.denied", "empty", app("h.local", domains: ["h.local": [:]]), ["h.local"]),
    Example(
      "ats.exception.denied", "an integer",
      app("h.local", domains: ["h.local": ["NSExceptionAllowsInsecureHTTPLoads": 1]]),
      ["an integer"]),
    Example(
      "ats.exception.denied", "no dictionary", app("h.local", domains: ["h.local": true]),
      ["a boolean"]),
    Example("ats.exception.denied", "right", ready),
    Example(
      "ats.destination.denied", "an address without exception", app("192.168.1.10", [:]),
      ["192.168.1.10"]),
    Example("ats.destination.denied", "the same before iOS 17", app("192.168.1.10", [:])) {
      $0.os = .os10
    },
    Example("ats.destination.denied", "a given destination", ready, ["example.com"]) { subject in
      subject.destinations = [destination("http://example.com")]
    },
    Example("ats.destination.denied", "a given secure destination", ready) { subject in
      subject.destinations = [destination("https://example.com")]
    },
    Example(
      "ats.exception.https", "needless",
      metadata([.string(urlText("h.example", scheme: "https"))]).with(
        "NSAppTransportSecurity", dictionary("NSExceptionDomains", ["h.example": allowed])),
      ["h.example"]),
    Example("ats.exception.https", "needed", ready),
    Example(
      "ats.exception.https", "an entry that refuses HTTP is no exception",
      metadata([.string(urlText("h.example", scheme: "https"))]).with(
        "NSAppTransportSecurity",
        dictionary(
          "NSExceptionDomains", ["h.example": ["NSExceptionAllowsInsecureHTTPLoads": false]]))),
    Example(
      "ats.address.old-os", "iOS 15",
      app("10.0.0.1", domains: ["10.0.0.1": allowed]).with("MinimumOSVersion", "15.0"), ["10.0.0.1"]
    ),
    Example(
      "ats.address.old-os", "iOS 17",
      app("10.0.0.1", domains: ["10.0.0.1": allowed]).with("MinimumOSVersion", "17.0")),
    Example(
      "ats.address.old-os", "visionOS 1",
      app("10.0.0.1", domains: ["10.0.0.1": allowed]).with("MinimumOSVersion", "1.0").with(
        "CFBundleSupportedPlatforms", ["XROS"])),
    Example(
      "ats.address.old-os", "watchOS 10",
      app("10.0.0.1", domains: ["10.0.0.1": allowed]).with("MinimumOSVersion", "10.0").with(
        "CFBundleSupportedPlatforms", ["WatchOS"])),
    Example(
      "ats.address.old-os", "watchOS 9",
      app("10.0.0.1", domains: ["10.0.0.1": allowed]).with("MinimumOSVersion", "9.0").with(
        "CFBundleSupportedPlatforms", ["WatchOS"]), ["watchOS 9.0"]),
  ]

  static let transportExamples: [Example] = [
    Example(
      "ats.key.form", "a port", app("h.local", domains: ["other.example:80": allowed]), ["port"]),
    Example(
      "ats.key.form", "right",
      app(
        "h.local",
        domains: ["h.local": allowed, "10.0.0.0/8": [:], "fd00::1": [:], "2001:db8::/32": [:]])),
    Example(
      "ats.key.form", "a misplaced key is no domain",
      infoPlist(domains: ["NSAllowsArbitraryLoads": true, "NSPinnedCAIdentities": []])),
    Example(
      "ats.key.form", "a range in upper case", app("h.local", domains: ["FD00::/8": allowed]),
      ["upper case"]),
    Example(
      "ats.value.type", "YES", infoPlist(ats: ["NSAllowsArbitraryLoads": "YES"]),
      ["NSAllowsArbitraryLoads"]),
    Example(
      "ats.value.type", "1 in an entry", infoPlist(domains: ["a": ["NSIncludesSubdomains": 1]]),
      ["NSIncludesSubdomains"]),
    Example("ats.value.type", "entry is a boolean", infoPlist(domains: ["a": true]), ["a boolean"]),
    Example("ats.value.type", "domains are an array", infoPlist(domains: []), ["an array"]),
    Example(
      "ats.value.type", "pins are a string",
      infoPlist(ats: ["NSPinnedDomains": ["a": ["NSPinnedLeafIdentities": "x"]]]),
      ["NSPinnedLeafIdentities"]),
    Example(
      "ats.value.type", "the NIAP key is an integer",
      infoPlist(ats: ["NSRequiresNIAPTLSPackageVersion": 1]), ["NSRequiresNIAPTLSPackageVersion"]),
    Example(
      "ats.value.type", "a misplaced key is no domain",
      infoPlist(domains: ["NSExceptionAllowsInsecureHTTPLoads": true])),
    Example(
      "ats.value.type", "all of it is a boolean", infoPlist(ats: true), ["NSAppTransportSecurity"]),
    Example(
      "ats.value.type", "TLS version is a real",
      infoPlist(domains: ["a": ["NSExceptionMinimumTLSVersion": .real(PlistReal(1.2))]]),
      ["NSExceptionMinimumTLSVersion"]),
    Example("ats.value.type", "right", ready),
    Example(
      "ats.misplaced", "domains at the top", ["NSExceptionDomains": [:]], ["NSExceptionDomains"]),
    Example(
      "ats.misplaced", "a domain's flag at the top", ["NSExceptionAllowsInsecureHTTPLoads": true],
      ["NSExceptionAllowsInsecureHTTPLoads"]),
    Example(
      "ats.misplaced", "app-wide flag among the domains",
      infoPlist(domains: ["NSAllowsArbitraryLoads": true]), ["NSAllowsArbitraryLoads"]),
    Example(
      "ats.misplaced", "app-wide flag in an entry",
      infoPlist(domains: ["a": ["NSAllowsLocalNetworking": true]]), ["NSAllowsLocalNetworking"]),
    Example(
      "ats.misplaced", "a domain's flag beside the app-wide ones",
      infoPlist(ats: ["NSIncludesSubdomains": true]), ["NSIncludesSubdomains"]),
    Example("ats.misplaced", "right", ready),
    Example(
      "ats.unknown-key", "misspelt app-wide key", infoPlist(ats: ["NSAllowsArbitaryLoads": true]),
      ["NSAllowsArbitraryLoads"]),
    Example(
      "ats.unknown-key", "misspelt flag",
      infoPlist(domains: ["a": ["NSExceptionAllowInsecureHTTPLoads": true]]),
      ["NSExceptionAllowsInsecureHTTPLoads"]),
    Example(
      "ats.unknown-key", "misspelt pins",
      infoPlist(ats: ["NSPinnedDomains": ["a": ["NSPinedLeafIdentities": []]]]),
      ["NSPinnedLeafIdentities"]),
    Example(
      "ats.unknown-key", "a misplaced key is known",
      infoPlist(domains: ["NSPinnedDomains": ["example.com": [:]]])),
    Example("ats.unknown-key", "right", ready),
    Example(
      "ats.legacy-key", "temporary",
      infoPlist(domains: ["a": ["NSTemporaryExceptionMinimumTLSVersion": "TLSv1.0"]]),
      ["NSExceptionMinimumTLSVersion"]),
    Example("ats.legacy-key", "right", ready),
    Example(
      "ats.arbitrary-loads", "in force",
      infoPlist(ats: ["NSAllowsArbitraryLoads": true, "NSExceptionDomains": ["a.example": [:]]]),
      ["a.example"]),
    Example(
      "ats.arbitrary-loads", "switched off",
      infoPlist(ats: ["NSAllowsArbitraryLoads": true, "NSAllowsLocalNetworking": false])),
    Example("ats.arbitrary-loads", "right", ready),
    Example(
      "ats.arbitrary-loads.ignored", "by local networking",
      infoPlist(ats: ["NSAllowsArbitraryLoads": true, "NSAllowsLocalNetworking": false]),
      ["NSAllowsLocalNetworking"]),
    Example(
      "ats.arbitrary-loads.ignored", "in force", infoPlist(ats: ["NSAllowsArbitraryLoads": true])),
    Example(
      "ats.arbitrary-loads.narrowed", "by the update host",
      app("h.local", ["NSAllowsArbitraryLoads": true, "NSExceptionDomains": ["h.local": allowed]]),
      ["h.local"]),
    Example("ats.arbitrary-loads.narrowed", "no app-wide flag", ready),
    Example(
      "ats.arbitrary-loads.narrowed", "an address before iOS 17",
      app(
        "10.0.0.1", ["NSAllowsArbitraryLoads": true, "NSExceptionDomains": ["10.0.0.1": allowed]])
    ) { $0.os = .os10 },
    Example(
      "ats.pinned.misplaced", "in an entry",
      infoPlist(domains: ["a": ["NSPinnedCAIdentities": []]]), ["NSPinnedDomains"]),
    Example(
      "ats.pinned.misplaced", "among the domains",
      infoPlist(domains: ["NSPinnedLeafIdentities": []]), ["NSPinnedDomains"]),
    Example("ats.pinned.misplaced", "right", ready),
  ]

  static let otherExamples: [Example] = [
    Example("local-network.description", "missing", app("my-mac.local", [:]), ["my-mac.local"]),
    Example(
      "local-network.description", "blank",
      app("192.168.1.10", [:], [("NSLocalNetworkUsageDescription", " \n")]), ["blank"]),
    Example(
      "local-network.description", "an integer",
      app("fd00::10".bracketed, [:], [("NSLocalNetworkUsageDescription", 1)]), ["an integer"]),
    Example("local-network.description", "there", ready),
    Example("local-network.description", "only Tailscale", app("100.64.0.12", [:])),
    Example("local-network.description", "Tailscale's IPv6", app("[fd7a:115c:a1e0::c]", [:])),
    Example(
      "local-network.description", "tvOS has no such permission",
      app("my-mac.local", [:], [("CFBundleSupportedPlatforms", ["AppleTVOS"])])),
    Example("local-network.localized", "blank", ready, ["de"]) { subject in
      subject.localizedTexts = [
        .init(language: "de", path: "de.lproj/InfoPlist.strings", text: " ")
      ]
    },
    Example("local-network.localized", "there", ready) { subject in
      subject.localizedTexts = [
        .init(language: "de", path: "de.lproj/InfoPlist.strings", text: "Findet")
      ]
    },
    Example("local-network.nested", "text in an extension", ready, ["Share.appex"]) { subject in
      subject.nested = [nested(["NSLocalNetworkUsageDescription": "x"])]
    },
    Example("local-network.nested", "an App Clip", ["NSAppClip": [:]], ["App Clip"]),
    Example("local-network.nested", "right", ready) { $0.nested = [nested([:])] },
    Example("change.unexpected", "another key", ready, ["/CFBundleName"]) {
      $0.compare(["CFBundleName": "Demo"])
    },
    Example(
      "change.unexpected", "an exception for another host", ready.adding(domain: "evil.example"),
      ["evil.example"]
    ) { $0.compare([:]) },
    Example(
      "change.unexpected", "an app-wide flag",
      app(
        "my-mac.local",
        ["NSAllowsArbitraryLoads": true, "NSExceptionDomains": ["my-mac.local": allowed]]),
      ["/NSAppTransportSecurity/NSAllowsArbitraryLoads"]
    ) { $0.compare([:]) },
    Example(
      "change.unexpected", "an entry that holds more",
      app(
        "h.local",
        domains: [
          "h.local": ["NSExceptionAllowsInsecureHTTPLoads": true, "NSIncludesSubdomains": true]
        ]), ["h.local"]
    ) { $0.compare([:]) },
    Example(
      "change.unexpected", "a text that was replaced", ready, ["/NSLocalNetworkUsageDescription"]
    ) { $0.compare(["NSLocalNetworkUsageDescription": "Mine"]) },
    Example(
      "change.unexpected", "an unknown field",
      metadata([.string(urlText("h"))], PlistDictionary([("x", 1)])), ["/IPAHub/x"]
    ) { $0.compare([:]) },
    Example("change.unexpected", "a member", ready, ["Payload/Demo.app/Demo"]) { subject in
      subject.compare([:], [("Payload/Demo.app/Demo", "Payload/Demo.app/Demo has other contents")])
    },
    Example("change.unexpected", "only what an injection does", ready) {
      $0.compare(["NSLocalNetworkUsageDescription": " "])
    },
    Example("change.unexpected", "a flag turned on", ready) { subject in
      subject.compare(
        infoPlist(domains: ["my-mac.local": ["NSExceptionAllowsInsecureHTTPLoads": false]]))
    },
    Example("change.unexpected", "an exception that was pruned", ready) { subject in
      subject.compare(app("old.local", domains: ["old.local": allowed]))
    },
    Example("change.unexpected", "another exception that is gone", ready, ["mine.local"]) {
      subject in
      subject.compare(app("old.local", domains: ["mine.local": allowed]))
    },
    Example(
      "change.unexpected", "an empty dictionary that came",
      metadata([.string(urlText("h", scheme: "https"))]).with("NSAppTransportSecurity", [:]),
      ["/NSAppTransportSecurity"]
    ) { $0.compare([:]) },
    Example(
      "change.unexpected", "empty domains that came",
      metadata([.string(urlText("h", scheme: "https"))]).with(
        "NSAppTransportSecurity", ["NSExceptionDomains": [:]]),
      ["/NSAppTransportSecurity/NSExceptionDomains"]
    ) { $0.compare(["NSAppTransportSecurity": [:]]) },
    Example(
      "change.unexpected", "an empty dictionary that went",
      metadata([.string(urlText("h", scheme: "https"))]), ["/NSAppTransportSecurity"]
    ) { $0.compare(["NSAppTransportSecurity": [:]]) },
    Example("change.unexpected", "metadata that went", [:], ["/IPAHub"]) {
      $0.compare(metadata("h"))
    },
    Example(
      "change.unexpected", "a source that went", ["IPAHub": ["updateURL": [.string(urlText("h"))]]],
      ["/IPAHub/source"]
    ) { $0.compare(metadata("h")) },
    Example(
      "change.unexpected", "a flag that no injection mends",
      app("h.local", domains: ["h.local": allowed]), ["NSExceptionAllowsInsecureHTTPLoads"]
    ) { subject in
      subject.compare(infoPlist(domains: ["h.local": ["NSExceptionAllowsInsecureHTTPLoads": [:]]]))
    },
    Example(
      "change.unexpected", "another type of the same text", ready.with("CFBundleVersion", 1),
      ["/CFBundleVersion"]
    ) { $0.compare(["CFBundleVersion": "1"]) },
    Example(
      "change.unexpected", "another width of the same number",
      ready.with("x", .real(PlistReal(0.5)))
    ) { $0.compare(["x": .real(PlistReal(Float(0.5)))]) },
  ]

  private static func nested(_ root: PlistValue) -> VerificationSubject.NestedInfoPlist {
    let path = "Payload/Demo.app/PlugIns/Share.appex"
    return .init(bundlePath: path, path: path + "/Info.plist", isExtension: true, root: root)
  }

  private static func destination(_ text: String) -> Destination {
    guard let destination = try? Destination(parsing: text, defaultPort: 80) else {
      preconditionFailure("the example '\(text)' is no destination")
    }
    return destination
  }

  @Test(arguments: examples) func finds(_ example: Example) {
    let findings = RuleTable.findings(in: example.subject).filter { $0.rule == example.rule }
    #expect(findings.isEmpty == example.mentions.isEmpty, "\(findings.map(\.message))")
    for mention in example.mentions {
      let isMentioned = findings.contains {
        $0.message.contains(mention) || $0.path?.description.contains(mention) == true
          || $0.file?.contains(mention) == true
      }
      #expect(isMentioned, "\(findings.map(\.message))")
    }
    #expect(!findings.contains { $0.message.contains(id.prefix(5)) }, "the ID must stay hidden")
  }

  @Test func everyRuleHasAWrongAndARightExample() {
    for rule in RuleTable.rules {
      let examples = Self.examples.filter { $0.rule == rule.id }
      #expect(examples.contains { $0.mentions.isEmpty }, "\(rule.id)")
      #expect(examples.contains { !$0.mentions.isEmpty }, "\(rule.id)")
    }
  }

  @Test func idsAreUnique() {
    #expect(Set(RuleTable.rules.map(\.id)).count == RuleTable.rules.count)
  }

  @Test func aPreparedAppHasNoFindings() throws {
    let prepared = try document([:]).preparing(
      injection("my-mac.local", "192.168.1.10", "[fd00::10]"))
    var subject = VerificationSubject(
      infoPlist: prepared.document.root, infoPlistPath: "Info.plist")
    subject.compare([:])
    #expect(RuleTable.findings(in: subject).isEmpty)
  }

  @Test func aKeyMeantForAnUpdateHostIsAnError() {
    let subject = VerificationSubject(
      infoPlist: Self.app("192.168.1.10", domains: ["192.168.1.10:19464": allowed]),
      infoPlistPath: "Info.plist")
    let finding = RuleTable.findings(in: subject).first { $0.rule == "ats.key.form" }
    #expect(finding?.level == .error)
  }

  @Test func levelsAndSwitchesAreHonoured() {
    let subject = VerificationSubject(infoPlist: [:], infoPlistPath: "Info.plist")
    var settings = RuleSettings()
    settings.levels["metadata.absent"] = .note
    #expect(RuleTable.findings(in: subject, settings: settings).map(\.level) == [.note])
    settings.disabled = ["metadata.absent"]
    #expect(RuleTable.findings(in: subject, settings: settings).isEmpty)
  }

  /// As many domains, URLs, ranges and strange keys as a file of a few megabytes can hold: the time
  /// must not grow with their product.
  @Test(.timeLimit(.minutes(1))) func manyOfEverythingAreJudged() throws {
    let count = 2_000
    let address = { (n: Int) in "10.1.\(n / 250).\(n % 250)" }
    let urls: [PlistValue] = (0..<count).map { .string(urlText(address($0))) }
    var entries: [(String, PlistValue)] = (0..<count).map { (address($0), allowed) }
    entries += (0..<count).map { ("10.2.\($0 / 250).\($0 % 250)/24", allowed) }
    var settings = PlistDictionary(
      (0..<count).map {
        ("NSSomeKeyThatNobodyKnows\($0)" + String(repeating: "x", count: 90), true)
      })
    settings["NSExceptionDomains"] = .dictionary(PlistDictionary(entries))
    let root = Self.metadata(.array(urls)).with("NSAppTransportSecurity", .dictionary(settings))
    var subject = VerificationSubject(infoPlist: root, infoPlistPath: "Info.plist")
    subject.compare([:])
    let findings = RuleTable.findings(in: subject)
    #expect(findings.count { $0.rule == "ats.unknown-key" } == count)
    #expect(!findings.contains { $0.rule == "ats.exception.missing" })
    let stripped = try document(root).stripping()
    #expect(stripped.document.root[ATSKey.domainsPath]?.dictionary?.count == count)
    let again = try document(root).preparing(injection("my-mac.local"))
    #expect(again.notes.count == 1)
  }
}

extension VerificationSubject {
  fileprivate mutating func compare(
    _ original: PlistValue, _ members: [(path: String, message: String)] = []
  ) {
    comparison = Comparison(original: original, memberDifferences: members)
  }
}

extension PlistValue {
  fileprivate func with(_ key: String, _ value: PlistValue) -> PlistValue {
    var dictionary = dictionary ?? PlistDictionary()
    dictionary[key] = value
    return .dictionary(dictionary)
  }

  fileprivate func adding(domain: String) -> PlistValue {
    (try? setting(allowed, at: ATSKey.path(domain: domain))) ?? .null
  }
}

extension String {
  fileprivate var bracketed: String { "[\(self)]" }
}

@Suite struct DomainKeyFlawTests {
  static let rows: [Row<String, [String]?>] = [
    Row("name", "my-mac.local", nil), Row("IPv4", "192.168.1.10", nil),
    Row("IPv6", "fd00::10", nil),
    Row("range", "192.168.0.0/16", nil), Row("IPv6 range", "2001:db8:12::/48", nil),
    Row("one label", "my-mac", nil), Row("xn--", "xn--bcher-kva.local", nil),
    Row("empty", "", ["empty"]), Row("port", "192.168.1.10:19464", ["port", "192.168.1.10"]),
    Row("port of a name", "my-mac.local:80", ["port", "my-mac.local"]),
    Row("scheme", "http://my-mac.local", ["scheme", "my-mac.local"]),
    Row("path", "example.com/x", ["path", "example.com"]),
    Row("slash", "example.com/", ["path", "example.com"]),
    Row("wildcard", "*.example.com", ["wildcard", "example.com"]),
    Row("brackets", "[fd00::10]", ["brackets", "fd00::10"]),
    Row("brackets around a name", "[my-mac.local]", ["brackets", "my-mac.local"]),
    Row("colon behind", "my-mac.local:", ["no host name", "my-mac.local"]),
    Row("dot before", ".my-mac.local", ["no host name", "my-mac.local"]),
    Row("slashes before", "//my-mac.local", ["path", "my-mac.local"]),
    Row("query", "my-mac.local?x", ["no host name", "my-mac.local"]),
    Row("range in upper case", "FD00::/8", ["upper case"]),
    Row("range not canonical", "fd00:0:0::/16", ["canonical"]),
    Row("brackets and port", "[fd00::10]:80", ["brackets", "fd00::10"]),
    Row("upper case", "My-Mac.local", ["upper case", "my-mac.local"]),
    Row("dot behind", "example.com.", ["dot", "example.com"]),
    Row("blank", "my mac.local", ["blank"]),
    Row("blank behind", "my-mac.local ", ["blank", "my-mac.local"]),
    Row("not ASCII", "bücher.local", ["ASCII"]),
    Row("long IPv6", "fd00:0:0:0:0:0:0:10", ["canonical", "fd00::10"]),
    Row("zone", "fe80::1%en0", ["zone"]),
    Row("range too long", "10.0.0.0/33", ["range"]),
    Row("range without length", "10.0.0.0/", ["range"]),
    Row("octal IPv4", "010.0.0.1", ["no host name"]),
  ]

  @Test(arguments: rows) func isFound(_ row: Row<String, [String]?>) {
    let flaw = DomainKeyFlaw(in: row.input)
    #expect((flaw == nil) == (row.expected == nil))
    if let expected = row.expected {
      #expect(flaw?.detail.contains(expected[0]) == true, "\(flaw?.detail ?? "")")
      if expected.count > 1 { #expect(flaw?.meant == expected[1]) }
    }
  }
}

@Suite struct SpellingTests {
  @Test(arguments: [
    ("--ouput", "--output"), ("--oputut", "--output"), ("--OUTPUT", "--output"),
    ("--in-plcae", "--in-place"),
  ]) func findsTheWordThatWasMeant(word: String, meant: String) {
    #expect(Spelling.nearest(to: word, in: ["--output", "--in-place", "--force"]) == meant)
  }

  @Test func nothingIsNearEnough() {
    #expect(Spelling.nearest(to: "--xyzzy", in: ["--output", "--force"]) == nil)
    #expect(Spelling.nearest(to: "", in: ["--output"]) == nil)
  }

  @Test(arguments: [
    ("", "", 0), ("a", "", 1), ("abc", "abc", 0), ("abc", "acb", 1), ("kitten", "sitting", 3),
  ])
  func countsEdits(a: String, b: String, edits: Int) {
    #expect(Spelling.distance(a, b) == edits)
  }
}
