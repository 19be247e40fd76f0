import PlistKit
import Testing

@testable import ATSMerge

/// Each kind of value at each place that the rules look at.
@Suite struct WrongTypeTests {
  /// A place with the kinds of value that are right there; none where any finding may be missing.
  struct Place: Sendable, CustomTestStringConvertible {
    let keys: [String]
    let right: Set<String>

    init(_ path: String, _ right: String...) {
      keys = path.split(separator: "/").map(String.init)
      self.right = Set(right)
    }

    var testDescription: String { keys.joined(separator: "/") }
  }

  static let values: [(kind: String, value: PlistValue)] = [
    ("string", "text"), ("empty string", ""), ("integer", 1), ("large integer", 4_294_967_296),
    ("real", .real(PlistReal(1.5))), ("date", .date(PlistDate(secondsSince2001: 0))),
    ("data", .data([1, 2])), ("array", []), ("array of one", ["x"]), ("array of arrays", [[[]]]),
    ("dictionary", [:]), ("dictionary of one", ["x": 1]), ("boolean", true), ("false", false),
    ("UID", .uid(3)), ("null", .null), ("set", .set(["x"])),
  ]

  private static let exceptions = "NSAppTransportSecurity/NSExceptionDomains"
  private static let pins = "NSAppTransportSecurity/NSPinnedDomains"

  static let places: [Place] = [
    Place("IPAHub"), Place("IPAHub/updateURL"), Place("IPAHub/updateURL/0"),
    Place("IPAHub/source", "string"), Place("IPAHub/filter", "string", "empty string"),
    Place("IPAHub/team", "string", "empty string"), Place("IPAHub/release"),
    Place("IPAHub/other"),
    Place("NSAppTransportSecurity", "dictionary"),
    Place("NSAppTransportSecurity/NSAllowsArbitraryLoads", "false"),
    Place("NSAppTransportSecurity/NSAllowsArbitraryLoadsForMedia", "false"),
    Place("NSAppTransportSecurity/NSAllowsArbitraryLoadsInWebContent", "false"),
    Place("NSAppTransportSecurity/NSAllowsLocalNetworking", "boolean", "false"),
    Place(
      "NSAppTransportSecurity/NSRequiresNIAPTLSPackageVersion", "string", "empty string"),
    Place("NSAppTransportSecurity/Other"),
    Place(exceptions, "dictionary"), Place("\(exceptions)/a.example", "dictionary"),
    Place("\(exceptions)/a.example/NSIncludesSubdomains", "boolean", "false"),
    Place("\(exceptions)/a.example/NSExceptionAllowsInsecureHTTPLoads", "boolean", "false"),
    Place("\(exceptions)/a.example/NSExceptionRequiresForwardSecrecy", "boolean", "false"),
    Place("\(exceptions)/a.example/NSRequiresCertificateTransparency", "boolean", "false"),
    Place("\(exceptions)/a.example/NSExceptionMinimumTLSVersion"),
    Place(
      "\(exceptions)/a.example/NSExceptionRequiresNIAPTLSPackageVersion", "string", "empty string"),
    Place("\(exceptions)/a.example/NSTemporaryExceptionMinimumTLSVersion"),
    Place("\(exceptions)/a.example/NSAllowsArbitraryLoads"),
    Place("\(exceptions)/a.example/NSPinnedCAIdentities"),
    Place("\(exceptions)/a.example/Other"), Place("\(exceptions)/NSAllowsArbitraryLoads"),
    Place("\(exceptions)/NSIncludesSubdomains"), Place("\(exceptions)/NSPinnedLeafIdentities"),
    Place(pins, "dictionary"), Place("\(pins)/a.example", "dictionary"),
    Place("\(pins)/a.example/NSIncludesSubdomains", "boolean", "false"),
    Place("\(pins)/a.example/NSPinnedCAIdentities", "array"),
    Place("\(pins)/a.example/NSPinnedLeafIdentities", "array"),
    Place("\(pins)/a.example/NSPinnedLeafIdentities/0"),
    Place(
      "\(pins)/a.example/NSPinnedLeafIdentities/0/SPKI-SHA256-BASE64", "string", "empty string"),
    Place("\(pins)/a.example/NSExceptionAllowsInsecureHTTPLoads"),
    Place("\(pins)/a.example/Other"), Place("\(pins)/NSPinnedLeafIdentities"),
    Place("NSLocalNetworkUsageDescription", "string"),
    Place("NSBonjourServices", "array", "array of one"),
    Place("NSBonjourServices/0", "string", "empty string"),
    Place("WKAppBoundDomains", "array", "array of one"),
    Place("WKAppBoundDomains/0", "string", "empty string"),
    Place("NSExceptionDomains"), Place("NSAllowsArbitraryLoads"), Place("NSPinnedDomains"),
  ]

  /// An Info.plist with a value at a place, and all around it in order.
  private static func root(_ value: PlistValue, at keys: ArraySlice<String>) -> PlistValue {
    guard let key = keys.first else { return value }
    let inner = root(value, at: keys.dropFirst())
    return key == "0" ? [inner] : dictionary(key, inner)
  }

  private static func beside(_ value: PlistValue, at place: Place) -> PlistValue {
    var root = root(value, at: place.keys[...])
    let isAboutLocalHosts = place.keys[0] == LocalNetworkText.key
    let url = isAboutLocalHosts ? urlText("my-mac.local") : urlText("a.example", scheme: "https")
    if place.keys[0] == "IPAHub", place.keys.count > 1, let hub = root["IPAHub"] {
      let urls = hub["updateURL"] ?? [.string(url)]
      root = root.with(
        "IPAHub",
        hub.with("source", hub["source"] ?? "gh:example/demo").with("updateURL", urls))
    } else if place.keys[0] != "IPAHub" {
      root = root.with("IPAHub", RuleTests.metadata([.string(url)])["IPAHub"])
    }
    return root
  }

  /// Whether a finding names the place, or the value in it or around it.
  private static func names(_ finding: Finding, _ place: Place) -> Bool {
    let path = finding.path?.description ?? ""
    let wanted = "/" + place.keys.joined(separator: "/")
    return path == wanted || path.hasPrefix(wanted + "/")
      || (place.keys.last == "0" && path == "/" + place.keys.dropLast().joined(separator: "/"))
  }

  @Test(arguments: places) func eachKindOfValueIsToldUnlessItIsRight(_ place: Place) {
    for (kind, value) in Self.values {
      var subject = VerificationSubject(
        infoPlist: Self.beside(value, at: place), infoPlistPath: "Info.plist")
      let findings = RuleTable.findings(in: subject)
      let isNamed = findings.contains { Self.names($0, place) }
      #expect(isNamed != place.right.contains(kind), "\(kind): \(findings.map(\.message))")
      // Nor does a comparison, or an edit, stumble over it.
      subject.compare(RuleTests.ready)
      #expect(!RuleTable.findings(in: subject).isEmpty)
      _ = try? document(subject.infoPlist).preparing(injection("my-mac.local"))
      _ = try? document(subject.infoPlist).stripping()
    }
  }

  /// Random values of any depth at random places: the rules end, whatever they find.
  @Test func randomValuesAtRandomPlacesAreJudged() throws {
    var generator = Seeded(state: 6)
    for _ in 0..<500 {
      var root = RuleTests.ready
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        guard let place = Self.places.randomElement(using: &generator),
          let value = Self.values.randomElement(using: &generator)
        else { continue }
        let path = PlistKeyPath(
          place.keys.map { $0 == "0" ? .index(0) : .key($0) })
        root =
          (try? root.setting(value.value, at: path)) ?? Self.root(value.value, at: place.keys[...])
      }
      var subject = VerificationSubject(infoPlist: root, infoPlistPath: "Info.plist")
      subject.mainBundle = RuleTests.bundle("", .app, root)
      subject.bundles = [RuleTests.nested(root), RuleTests.bundle("Watch/W.app", .watchApp, root)]
      subject.compare(RuleTests.ready)
      let findings = RuleTable.findings(in: subject)
      #expect(findings.allSatisfy { !$0.message.isEmpty && !$0.message.contains(id.prefix(5)) })
    }
  }
}

/// A generator that gives the same numbers for the same seed (SplitMix64).
struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
