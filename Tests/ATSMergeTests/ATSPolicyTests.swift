import NetDiscovery
import PlistKit
import Testing

@testable import ATSMerge

/// Expectations were derived by hand from Apple's pages on NSAppTransportSecurity, NSExceptionDomains,
/// NSAllowsLocalNetworking and NSAllowsArbitraryLoads, and the release notes of iOS 17 (101967030).
@Suite struct ATSPolicyTests {
  struct Decision: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let settings: PlistValue
    let host: String
    var os = ATSGeneration.os17
    var context = ATSContext.session
    let isAllowed: Bool
    /// The key path that decides, below NSAppTransportSecurity.
    let path: String?

    init(
      _ name: String, _ settings: PlistValue, _ host: String, on os: ATSGeneration = .os17,
      in context: ATSContext = .session, _ isAllowed: Bool, _ path: String? = nil
    ) {
      testDescription = name
      self.settings = settings
      self.host = host
      self.os = os
      self.context = context
      self.isAllowed = isAllowed
      self.path = path
    }
  }

  private static let flag = "NSExceptionAllowsInsecureHTTPLoads"
  private static let refused: PlistValue = ["NSExceptionAllowsInsecureHTTPLoads": false]
  private static let parent: PlistValue = [
    "NSExceptionAllowsInsecureHTTPLoads": true, "NSIncludesSubdomains": true,
  ]

  private static func domains(_ value: PlistValue) -> PlistValue {
    dictionary("NSExceptionDomains", value)
  }

  static let rows: [Decision] = [
    // No settings: the generation's default.
    Decision("nothing, address, iOS 9", [:], "192.168.1.10", on: .os9, false),
    Decision("nothing, address, iOS 16", [:], "192.168.1.10", on: .os10, true),
    Decision("nothing, address, iOS 17", [:], "192.168.1.10", false),
    Decision("nothing, IPv6, iOS 16", [:], "fd00::10", on: .os10, true),
    Decision("nothing, IPv6, iOS 17", [:], "fd00::10", false),
    Decision("nothing, .local, iOS 9", [:], "my-mac.local", on: .os9, false),
    Decision("nothing, .local, iOS 16", [:], "my-mac.local", on: .os10, true),
    Decision("nothing, .local, iOS 17", [:], "my-mac.local", true),
    Decision("nothing, one label, iOS 17", [:], "my-mac", true),
    Decision("nothing, localhost, iOS 17", [:], "localhost", true),
    Decision("nothing, loopback address, iOS 17", [:], "127.0.0.1", false),
    Decision("nothing, public name, iOS 16", [:], "example.com", on: .os10, false),
    Decision("nothing, public name, iOS 17", [:], "example.com", false),
    // Exceptions.
    Decision(
      "own entry", domains(["192.168.1.10": allowed]), "192.168.1.10", true,
      "/NSExceptionDomains/192.168.1.10/\(flag)"),
    Decision(
      "own entry, IPv6", domains(["fd00::10": allowed]), "fd00::10", true,
      "/NSExceptionDomains/fd00::10/\(flag)"),
    Decision(
      "own entry, name", domains(["a.example": allowed]), "a.example", true,
      "/NSExceptionDomains/a.example/\(flag)"),
    Decision(
      "own entry, address, iOS 9: not read", domains(["192.168.1.10": allowed]), "192.168.1.10",
      on: .os9, false),
    Decision(
      "own entry that refuses, address, iOS 16: not read", domains(["192.168.1.10": refused]),
      "192.168.1.10", on: .os10, true),
    Decision(
      "entry that refuses", domains(["my-mac.local": refused]), "my-mac.local", false,
      "/NSExceptionDomains/my-mac.local/\(flag)"),
    Decision(
      "empty entry", domains(["my-mac.local": [:]]), "my-mac.local", false,
      "/NSExceptionDomains/my-mac.local"),
    Decision(
      "flag is an integer", domains(["a.example": ["NSExceptionAllowsInsecureHTTPLoads": 1]]),
      "a.example", false, "/NSExceptionDomains/a.example/\(flag)"),
    Decision(
      "flag is a string", domains(["a.example": ["NSExceptionAllowsInsecureHTTPLoads": "YES"]]),
      "a.example", false, "/NSExceptionDomains/a.example/\(flag)"),
    Decision(
      "older name", domains(["a.example": ["NSTemporaryExceptionAllowsInsecureHTTPLoads": true]]),
      "a.example", true, "/NSExceptionDomains/a.example/NSTemporaryExceptionAllowsInsecureHTTPLoads"
    ),
    Decision(
      "third-party name",
      domains(["a.example": ["NSThirdPartyExceptionAllowsInsecureHTTPLoads": true]]), "a.example",
      true, "/NSExceptionDomains/a.example/NSThirdPartyExceptionAllowsInsecureHTTPLoads"),
    Decision(
      "modern refusal outweighs the older name",
      domains([
        "a.example": [
          "NSExceptionAllowsInsecureHTTPLoads": false,
          "NSTemporaryExceptionAllowsInsecureHTTPLoads": true,
        ]
      ]), "a.example", false, "/NSExceptionDomains/a.example/\(flag)"),
    Decision(
      "parent with subdomains", domains(["example.com": parent]), "a.b.example.com", true,
      "/NSExceptionDomains/example.com/\(flag)"),
    Decision(
      "parent without subdomains", domains(["example.com": allowed]), "a.example.com", false),
    Decision(
      "own entry outweighs the parent", domains(["example.com": parent, "a.example.com": refused]),
      "a.example.com", false, "/NSExceptionDomains/a.example.com/\(flag)"),
    Decision(
      "nearest parent outweighs the farther",
      domains(["example.com": parent, "b.example.com": ["NSIncludesSubdomains": true]]),
      "a.b.example.com", false, "/NSExceptionDomains/b.example.com"),
    Decision("a suffix is no parent", domains(["ample.com": parent]), "example.com", false),
    Decision(
      "range", domains(["192.168.0.0/16": allowed]), "192.168.1.10", true,
      "/NSExceptionDomains/192.168.0.0~116/\(flag)"),
    Decision(
      "range, iOS 16: not read", domains(["192.168.0.0/16": refused]), "192.168.1.10", on: .os10,
      true),
    Decision("outside the range", domains(["192.168.0.0/16": allowed]), "192.169.1.10", false),
    Decision(
      "longest range", domains(["10.0.0.0/8": allowed, "10.1.0.0/16": refused]), "10.1.2.3", false,
      "/NSExceptionDomains/10.1.0.0~116/\(flag)"),
    Decision(
      "range of odd length", domains(["10.128.0.0/9": allowed]), "10.200.0.1", true,
      "/NSExceptionDomains/10.128.0.0~19/\(flag)"),
    Decision(
      "beside a range of odd length", domains(["10.128.0.0/9": allowed]), "10.100.0.1", false),
    Decision(
      "IPv6 range", domains(["fd00::/8": allowed]), "fd12:3456::1", true,
      "/NSExceptionDomains/fd00::~18/\(flag)"),
    Decision("IPv4 range, IPv6 host", domains(["0.0.0.0/0": allowed]), "fd00::1", false),
    Decision(
      "exact address outweighs the range", domains(["10.0.0.0/8": allowed, "10.1.2.3": refused]),
      "10.1.2.3", false, "/NSExceptionDomains/10.1.2.3/\(flag)"),
    Decision(
      "a name's entry is not its address's", domains(["my-mac.local": allowed]), "192.168.1.10",
      false),
    Decision("key with a port", domains(["192.168.1.10:19464": allowed]), "192.168.1.10", false),
    Decision("key with brackets", domains(["[fd00::10]": allowed]), "fd00::10", false),
    Decision("key in upper case", domains(["A.example": allowed]), "a.example", false),
    Decision("key with a dot behind", domains(["a.example.": allowed]), "a.example", false),
    Decision("key with a wildcard", domains(["*.example": parent]), "a.example", false),
    // NSAllowsLocalNetworking.
    Decision(
      "local, private", ["NSAllowsLocalNetworking": true], "192.168.1.10", true,
      "/NSAllowsLocalNetworking"),
    Decision(
      "local, unique-local", ["NSAllowsLocalNetworking": true], "fd00::10", true,
      "/NSAllowsLocalNetworking"),
    Decision(
      "local, .local", ["NSAllowsLocalNetworking": true], "my-mac.local", true,
      "/NSAllowsLocalNetworking"),
    Decision("local, shared address", ["NSAllowsLocalNetworking": true], "100.64.0.12", false),
    Decision(
      "local, Tailscale's IPv6 is unique-local", ["NSAllowsLocalNetworking": true],
      "fd7a:115c:a1e0::c", true, "/NSAllowsLocalNetworking"),
    Decision("local, ts.net", ["NSAllowsLocalNetworking": true], "my-mac.tail1.ts.net", false),
    Decision("local, public address", ["NSAllowsLocalNetworking": true], "8.8.8.8", false),
    Decision("local is false", ["NSAllowsLocalNetworking": false], "192.168.1.10", false),
    Decision("local is a string", ["NSAllowsLocalNetworking": "YES"], "192.168.1.10", false),
    Decision(
      "local, iOS 9: not read", ["NSAllowsLocalNetworking": true], "my-mac.local", on: .os9, false),
    // App-wide flags.
    Decision(
      "arbitrary", ["NSAllowsArbitraryLoads": true], "example.com", true, "/NSAllowsArbitraryLoads"),
    Decision("arbitrary is an integer", ["NSAllowsArbitraryLoads": 1], "example.com", false),
    Decision(
      "arbitrary, own entry refuses",
      ["NSAllowsArbitraryLoads": true, "NSExceptionDomains": ["example.com": refused]],
      "example.com", false, "/NSExceptionDomains/example.com/\(flag)"),
    Decision(
      "arbitrary, own entry empty",
      ["NSAllowsArbitraryLoads": true, "NSExceptionDomains": ["example.com": [:]]], "example.com",
      false, "/NSExceptionDomains/example.com"),
    Decision(
      "arbitrary beside local false",
      ["NSAllowsArbitraryLoads": true, "NSAllowsLocalNetworking": false], "example.com", false),
    Decision(
      "arbitrary beside local, iOS 9",
      ["NSAllowsArbitraryLoads": true, "NSAllowsLocalNetworking": true], "example.com", on: .os9,
      true, "/NSAllowsArbitraryLoads"),
    Decision(
      "arbitrary beside web",
      ["NSAllowsArbitraryLoads": true, "NSAllowsArbitraryLoadsInWebContent": true], "example.com",
      false),
    Decision(
      "web content, in a web view", ["NSAllowsArbitraryLoadsInWebContent": true], "example.com",
      in: .web, true, "/NSAllowsArbitraryLoadsInWebContent"),
    Decision(
      "web content, in a session", ["NSAllowsArbitraryLoadsInWebContent": true], "example.com",
      false),
    Decision(
      "media, in media", ["NSAllowsArbitraryLoadsForMedia": true], "example.com", in: .media, true,
      "/NSAllowsArbitraryLoadsForMedia"),
    Decision(
      "media, in a web view", ["NSAllowsArbitraryLoadsForMedia": true], "example.com", in: .web,
      false),
    Decision(
      "web content, iOS 9: not read", ["NSAllowsArbitraryLoadsInWebContent": true], "example.com",
      on: .os9, in: .web, false),
  ]

  @Test(arguments: rows) func decidesForHTTP(_ row: Decision) throws {
    let policy = ATSPolicy(infoPlist: infoPlist(ats: row.settings))
    let decision = policy.decision(
      scheme: .http, host: try Host(parsing: row.host), on: row.os, context: row.context)
    #expect(decision.isAllowed == row.isAllowed, "\(decision.reason)")
    if let path = row.path {
      #expect(decision.path?.description == "/NSAppTransportSecurity" + path)
    }
  }

  static let sdks: [Row<PlistValue, Bool>] = [
    Row("iOS 9", ["DTSDKName": "iphoneos9.3"], true),
    Row("iOS 16", ["DTSDKName": "iphoneos16.4"], true),
    Row("iOS 17", ["DTSDKName": "iphoneos17.0"], false),
    Row("iOS 26", ["DTSDKName": "iphoneos26.1"], false),
    Row("watchOS 9", ["DTSDKName": "watchos9.4"], true),
    Row("macOS 13", ["DTSDKName": "macosx13.3"], true),
    Row("visionOS 1", ["DTSDKName": "xros1.0"], false), Row("not known", ["DTSDKName": "x"], false),
    Row("by its platform", ["DTPlatformName": "iphoneos", "DTPlatformVersion": "16.4"], true),
    Row("none", [:], false),
  ]

  /// An app that was linked with an SDK before iOS 17 may still load HTTP from addresses on iOS 17.
  @Test(arguments: sdks) func anOlderSDKDecidesAsIOS16(_ row: Row<PlistValue, Bool>) throws {
    let policy = ATSPolicy(infoPlist: row.input)
    let decision = policy.decision(scheme: .http, host: try Host(parsing: "192.168.1.10"))
    #expect(decision.isAllowed == row.expected)
  }

  @Test func secureConnectionsHaveRequirements() throws {
    let entry: PlistValue = [
      "NSExceptionMinimumTLSVersion": "TLSv1.0", "NSExceptionRequiresForwardSecrecy": false,
      "NSRequiresCertificateTransparency": true,
    ]
    let policy = ATSPolicy(infoPlist: infoPlist(domains: ["a.example": entry]))
    let own = policy.decision(scheme: .https, host: try Host(parsing: "a.example")).requirements
    #expect(own?.minimumTLSVersion == "TLSv1.0")
    #expect(own?.forwardSecrecy == false)
    #expect(own?.certificateTransparency == true)
    let other = policy.decision(scheme: .https, host: try Host(parsing: "b.example")).requirements
    #expect(other?.minimumTLSVersion == "TLSv1.2")
    #expect(other?.forwardSecrecy == true)
    let lifted = ATSPolicy(infoPlist: infoPlist(ats: ["NSAllowsArbitraryLoads": true]))
    #expect(
      lifted.decision(scheme: .https, host: try Host(parsing: "b.example")).requirements == nil)
  }
}
