import PlistKit
import Testing

@testable import ATSMerge

/// What settings mean in words: a sentence must hold what decides, and nothing that does not.
@Suite struct ATSMeaningTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let name: String
    let settings: PlistValue
    var platform = "iPhoneOS"
    var minimum = "15.0"
    /// The key whose sentence it is.
    let key: String
    let says: [String]
    var saysNot: [String] = []

    var testDescription: String { name }

    var meanings: ATSMeanings {
      ATSMeanings(infoPlist: [
        "CFBundleSupportedPlatforms": [.string(platform)], "MinimumOSVersion": .string(minimum),
        "NSAppTransportSecurity": settings,
      ])
    }
  }

  static let appWide: [Row] = [
    Row(
      name: "arbitrary loads, no exceptions", settings: ["NSAllowsArbitraryLoads": true],
      key: "NSAllowsArbitraryLoads",
      says: ["off for the whole app", "any host over HTTP", "TLS 1.2", "No host keeps it"]),
    Row(
      name: "arbitrary loads, with exceptions",
      settings: [
        "NSAllowsArbitraryLoads": true,
        "NSExceptionDomains": ["a.com": [:], "b.com": [:], "http://c.com": [:]],
      ], key: "NSAllowsArbitraryLoads", says: ["keep it: a.com, b.com."], saysNot: ["c.com"]),
    Row(
      name: "arbitrary loads, many exceptions",
      settings: [
        "NSAllowsArbitraryLoads": true,
        "NSExceptionDomains": .dictionary(
          PlistDictionary((0..<30).map { ("h\($0).example.com", [:] as PlistValue) })),
      ], key: "NSAllowsArbitraryLoads", says: ["h4.example.com and 25 more"]),
    Row(
      name: "arbitrary loads switched off",
      settings: ["NSAllowsArbitraryLoads": true, "NSAllowsLocalNetworking": false],
      key: "NSAllowsArbitraryLoads",
      says: ["Ignored from iOS 10 on", "NSAllowsLocalNetworking stands beside it"],
      saysNot: ["any host"]),
    Row(
      name: "arbitrary loads switched off, iOS 9 too",
      settings: ["NSAllowsArbitraryLoads": true, "NSAllowsArbitraryLoadsForMedia": true],
      minimum: "9.0", key: "NSAllowsArbitraryLoads",
      says: ["Ignored from iOS 10 on", "Before that", "any host over HTTP"]),
    Row(
      name: "arbitrary loads, false", settings: ["NSAllowsArbitraryLoads": false],
      key: "NSAllowsArbitraryLoads", says: ["Allows nothing"]),
    Row(
      name: "arbitrary loads, text", settings: ["NSAllowsArbitraryLoads": "YES"],
      key: "NSAllowsArbitraryLoads", says: ["No effect", "a string"]),
    Row(
      name: "arbitrary loads on a television", settings: ["NSAllowsArbitraryLoads": true],
      platform: "AppleTVOS", minimum: "16.0", key: "NSAllowsArbitraryLoads",
      says: ["off for the whole app"], saysNot: ["iOS"]),
    Row(
      name: "media", settings: ["NSAllowsArbitraryLoadsForMedia": true], platform: "AppleTVOS",
      minimum: "16.0", key: "NSAllowsArbitraryLoadsForMedia",
      says: ["AVFoundation", "from tvOS 10 on"], saysNot: ["is ignored"]),
    Row(
      name: "media beside arbitrary loads",
      settings: ["NSAllowsArbitraryLoads": true, "NSAllowsArbitraryLoadsForMedia": 1],
      key: "NSAllowsArbitraryLoadsForMedia",
      says: ["No effect", "NSAllowsArbitraryLoads is ignored"]),
    Row(
      name: "web content", settings: ["NSAllowsArbitraryLoadsInWebContent": true],
      key: "NSAllowsArbitraryLoadsInWebContent", says: ["web views", "any host"]),
    Row(
      name: "local networking", settings: ["NSAllowsLocalNetworking": true],
      key: "NSAllowsLocalNetworking",
      says: [".local", "without a dot", "from iOS 17 on", "All other hosts keep"]),
    Row(
      name: "local networking on a watch", settings: ["NSAllowsLocalNetworking": true],
      platform: "WatchOS", minimum: "8.0", key: "NSAllowsLocalNetworking",
      says: ["from watchOS 3 on", "from watchOS 10 on"]),
    Row(
      name: "pins", settings: ["NSPinnedDomains": ["a.com": [:]]], key: "NSPinnedDomains",
      says: ["a.com", "pinned"]),
    Row(
      name: "pins, wrong type", settings: ["NSPinnedDomains": [1]], key: "NSPinnedDomains",
      says: ["No effect", "an array"]),
    Row(
      name: "an entry's key", settings: ["NSIncludesSubdomains": true], key: "NSIncludesSubdomains",
      says: ["No effect here", "entry of a domain"]),
    Row(
      name: "no key", settings: ["NSAllowArbitraryLoads": true], key: "NSAllowArbitraryLoads",
      says: ["no such key"]),
  ]

  @Test(arguments: appWide) func saysOfAppWideSettings(_ row: Row) throws {
    let meaning = try #require(
      row.meanings.appWide().first { $0.path.components.last == .key(row.key) })
    Self.hold(meaning.sentence, row)
  }

  static let entries: [Row] = [
    Row(
      name: "allowed", settings: ["a.com": ["NSExceptionAllowsInsecureHTTPLoads": true]],
      key: "NSExceptionAllowsInsecureHTTPLoads", says: ["HTTP to a.com is allowed."]),
    Row(
      name: "allowed with subdomains",
      settings: [
        "a.com": ["NSExceptionAllowsInsecureHTTPLoads": true, "NSIncludesSubdomains": true]
      ], key: "NSExceptionAllowsInsecureHTTPLoads",
      says: ["HTTP to a.com and its subdomains is allowed."]),
    Row(
      name: "an address", settings: ["10.0.0.1": ["NSExceptionAllowsInsecureHTTPLoads": true]],
      key: "NSExceptionAllowsInsecureHTTPLoads", says: ["10.0.0.1 is allowed from iOS 17 on"]),
    Row(
      name: "a range", settings: ["10.0.0.0/8": ["NSExceptionAllowsInsecureHTTPLoads": true]],
      key: "NSExceptionAllowsInsecureHTTPLoads", says: ["the addresses of 10.0.0.0/8"]),
    Row(name: "empty", settings: ["a.com": [:]], key: "a.com", says: ["refused", "whatever"]),
    Row(
      name: "no flag", settings: ["a.com": ["NSIncludesSubdomains": true]], key: "a.com",
      says: ["HTTP to a.com and its subdomains is refused"]),
    Row(
      name: "a number", settings: ["a.com": ["NSExceptionAllowsInsecureHTTPLoads": 1]],
      key: "NSExceptionAllowsInsecureHTTPLoads", says: ["No effect", "an integer"]),
    Row(
      name: "an older name",
      settings: ["a.com": ["NSTemporaryExceptionAllowsInsecureHTTPLoads": true]],
      key: "NSTemporaryExceptionAllowsInsecureHTTPLoads", says: ["older name"]),
    Row(
      name: "TLS 1.0", settings: ["a.com": ["NSExceptionMinimumTLSVersion": "TLSv1.0"]],
      key: "NSExceptionMinimumTLSVersion", says: ["may fall back to TLS 1.0"]),
    Row(
      name: "TLS 1.3", settings: ["a.com": ["NSExceptionMinimumTLSVersion": "TLSv1.3"]],
      key: "NSExceptionMinimumTLSVersion", says: ["needs TLS 1.3"]),
    Row(
      name: "SSL 3", settings: ["a.com": ["NSExceptionMinimumTLSVersion": "SSLv3"]],
      key: "NSExceptionMinimumTLSVersion", says: ["Not a version"]),
    Row(
      name: "no forward secrecy",
      settings: ["a.com": ["NSExceptionRequiresForwardSecrecy": false]],
      key: "NSExceptionRequiresForwardSecrecy", says: ["may do without forward secrecy"]),
    Row(
      name: "transparency", settings: ["a.com": ["NSRequiresCertificateTransparency": true]],
      key: "NSRequiresCertificateTransparency", says: ["Certificate Transparency"]),
    Row(
      name: "an app-wide key", settings: ["a.com": ["NSAllowsLocalNetworking": true]],
      key: "NSAllowsLocalNetworking", says: ["No effect here", "app-wide"]),
    Row(
      name: "a key that never matches",
      settings: ["http://a.com": ["NSExceptionAllowsInsecureHTTPLoads": true]],
      key: "http://a.com", says: ["Never matches", "it has a scheme", "'a.com' may be meant"]),
    Row(name: "no dictionary", settings: ["a.com": true], key: "a.com", says: ["a dictionary"]),
  ]

  @Test(arguments: entries) func saysOfEntries(_ row: Row) throws {
    var copy = row
    copy = Row(
      name: row.name, settings: ["NSExceptionDomains": row.settings], key: row.key, says: row.says)
    let meanings = copy.meanings
    let entry = try #require(meanings.policy.domains.entries.first)
    let meaning = try #require(
      meanings.entry(entry).first { $0.path.components.last == .key(row.key) })
    Self.hold(meaning.sentence, row)
  }

  private static func hold(_ sentence: String, _ row: Row) {
    #expect(sentence.hasSuffix("."))
    for part in row.says { #expect(sentence.contains(part), "\(sentence)") }
    for part in row.saysNot { #expect(!sentence.contains(part), "\(sentence)") }
  }

  @Test func saysThatTheDictionaryIsNone() {
    let meanings = ATSMeanings(infoPlist: ["NSAppTransportSecurity": [true]])
    #expect(
      meanings.appWide().map(\.sentence) == [
        "No effect: a dictionary belongs here, and this is an array."
      ])
    #expect(ATSMeanings(infoPlist: [:]).appWide().isEmpty)
  }

  @Test(arguments: [
    ("17.0", "HTTP is refused but for local names. "),
    ("15.0", "HTTP is refused but for local names and addresses on iOS 10 to 16. "),
    ("9.0", "but for local names from iOS 10 on and addresses on iOS 10 to 16. "),
  ]) func tellsTheDefaults(_ minimum: String, _ text: String) {
    let meanings = ATSMeanings(infoPlist: [
      "CFBundleSupportedPlatforms": ["iPhoneOS"], "MinimumOSVersion": .string(minimum),
    ])
    #expect(meanings.defaults.contains(text))
  }

  @Test func tellsWhatIsExempted() {
    func exempted(_ settings: PlistValue) -> [String] {
      ATSMeanings(infoPlist: ["NSAppTransportSecurity": settings]).exempted
    }
    #expect(exempted(["NSAllowsArbitraryLoads": true]) == ["the whole app"])
    #expect(exempted(["NSAllowsArbitraryLoadsForMedia": true]) == ["media"])
    #expect(
      exempted([
        "NSAllowsArbitraryLoads": true, "NSAllowsArbitraryLoadsForMedia": true,
        "NSAllowsArbitraryLoadsInWebContent": true,
      ]) == ["web views", "media"])
    #expect(exempted(["NSAllowsLocalNetworking": true, "NSAllowsArbitraryLoads": true]).isEmpty)
  }

  @Test func saysAsMuchAsIsAsked() {
    let settings = PlistDictionary((0..<1000).map { ("key\($0)", PlistValue.boolean(true)) })
    let meanings = ATSMeanings(infoPlist: ["NSAppTransportSecurity": .dictionary(settings)])
    #expect(meanings.appWide(limit: 10).count == 10)
  }
}
