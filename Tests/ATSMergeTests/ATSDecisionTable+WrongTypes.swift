import PlistKit

@testable import ATSMerge

extension ATSDecisionTable {
  /// Values of other types than the keys'.
  static let wrongTypes: [ATSDecisionRow] = [
    ATSDecisionRow("settings are true, public name", true, "http://example.com", .denied(), .types),
    ATSDecisionRow(
      "settings are a string, .local", "YES", "http://my-mac.local", .allowed(), .local17Names),
    ATSDecisionRow(
      "settings are an array, address", ["NSAllowsArbitraryLoads"], "http://192.168.1.10",
      .denied(), .types),
    ATSDecisionRow(
      "exception domains are an array", ["NSExceptionDomains": ["a.example"]], "http://a.example",
      .denied(), .types),
    ATSDecisionRow(
      "exception domains are true, any",
      ["NSAllowsArbitraryLoads": true, "NSExceptionDomains": true], "http://a.example",
      .allowed(.app("NSAllowsArbitraryLoads")), .any),
    ATSDecisionRow(
      "entry is true", domain("a.example", true), "http://a.example", .denied(.entry("a.example")),
      sure: .assumed, .types),
    ATSDecisionRow(
      "entry is a string, any", anyLoadsBut("a.example", "NSExceptionAllowsInsecureHTTPLoads"),
      "http://a.example", .denied(.entry("a.example")), sure: .assumed, .types),
    ATSDecisionRow(
      "entry is an array, .local", domain("my-mac.local", [true]), "http://my-mac.local",
      .denied(.entry("my-mac.local")), sure: .assumed, .types),
    ATSDecisionRow(
      "entry of a parent is true", domain("example.com", true), "http://a.example.com", .denied(),
      .types),
    ATSDecisionRow(
      "range's entry is true", domain("192.168.0.0/16", true), "http://192.168.1.10",
      .denied(.entry("192.168.0.0/16")), sure: .assumed, .types),
    ATSDecisionRow(
      "flag is 1", domain("a.example", dictionary(insecure, 1)), "http://a.example",
      .denied(.flag("a.example")), sure: .assumed, .types),
    ATSDecisionRow(
      "flag is 0, any", anyLoadsBut("a.example", dictionary(insecure, 0)), "http://a.example",
      .denied(.flag("a.example")), sure: .assumed, .types),
    ATSDecisionRow(
      "flag is YES", domain("a.example", dictionary(insecure, "YES")), "http://a.example",
      .denied(.flag("a.example")), sure: .assumed, .types),
    ATSDecisionRow(
      "flag is the word true", domain("a.example", dictionary(insecure, "true")),
      "http://a.example", .denied(.flag("a.example")), sure: .assumed, .types),
    ATSDecisionRow(
      "flag is a real", domain("a.example", dictionary(insecure, .real(PlistReal(1.0)))),
      "http://a.example", .denied(.flag("a.example")), sure: .assumed, .types),
    ATSDecisionRow(
      "flag is data", domain("a.example", dictionary(insecure, .data([1]))), "http://a.example",
      .denied(.flag("a.example")), sure: .assumed, .types),
    ATSDecisionRow(
      "flag is an array", domain("a.example", dictionary(insecure, [true])), "http://a.example",
      .denied(.flag("a.example")), sure: .assumed, .types),
    ATSDecisionRow(
      "flag is a dictionary", domain("a.example", dictionary(insecure, [:])), "http://a.example",
      .denied(.flag("a.example")), sure: .assumed, .types),
    ATSDecisionRow(
      "flag is null", domain("a.example", dictionary(insecure, .null)), "http://a.example",
      .denied(.flag("a.example")), sure: .assumed, .types),
    ATSDecisionRow(
      "subdomains is 1",
      domain(
        "example.com", ["NSExceptionAllowsInsecureHTTPLoads": true, "NSIncludesSubdomains": 1]),
      "http://a.example.com", .denied(), sure: .assumed, .types),
    ATSDecisionRow(
      "subdomains is YES, any", anyLoadsBut("example.com", ["NSIncludesSubdomains": "YES"]),
      "http://a.example.com", .allowed(.app("NSAllowsArbitraryLoads")), .any),
    ATSDecisionRow(
      "any is 1", ["NSAllowsArbitraryLoads": 1], "http://example.com", .denied(), sure: .assumed,
      .types),
    ATSDecisionRow(
      "any is YES, address, iOS 9", ["NSAllowsArbitraryLoads": "YES"], "http://192.168.1.10",
      on: .os9, .denied(), sure: .assumed, .types),
    ATSDecisionRow(
      "local is YES, address", ["NSAllowsLocalNetworking": "YES"], "http://192.168.1.10", .denied(),
      sure: .assumed, .types),
    ATSDecisionRow(
      "local is 1, address", ["NSAllowsLocalNetworking": 1], "http://192.168.1.10", .denied(),
      sure: .assumed, .types),
    ATSDecisionRow(
      "local is null beside any",
      ["NSAllowsArbitraryLoads": true, "NSAllowsLocalNetworking": .null], "http://example.com",
      .denied(), .anyIgnored),
    ATSDecisionRow(
      "web is 1, in a web view", ["NSAllowsArbitraryLoadsInWebContent": 1], "http://example.com",
      in: .web, .denied(), sure: .assumed, .types),
    ATSDecisionRow(
      "media is NO beside any",
      ["NSAllowsArbitraryLoads": true, "NSAllowsArbitraryLoadsForMedia": "NO"],
      "http://example.com", .denied(), .anyIgnored),
    ATSDecisionRow(
      "TLS version is an integer", domain("a.example", ["NSExceptionMinimumTLSVersion": 1]),
      "https://a.example", .secure(.entry("a.example")), .types),
    ATSDecisionRow(
      "TLS version of another form", domain("a.example", ["NSExceptionMinimumTLSVersion": "1.0"]),
      "https://a.example", .secure(.entry("a.example")), .tls),
    ATSDecisionRow(
      "TLS version that is none", domain("a.example", ["NSExceptionMinimumTLSVersion": "TLSv1.4"]),
      "https://a.example", .secure(.entry("a.example")), .tls),
    ATSDecisionRow(
      "forward secrecy is NO", domain("a.example", ["NSExceptionRequiresForwardSecrecy": "NO"]),
      "https://a.example", .secure(.entry("a.example")), sure: .assumed, .types),
    ATSDecisionRow(
      "certificate transparency is 1",
      domain("a.example", ["NSRequiresCertificateTransparency": 1]), "https://a.example",
      .secure(.entry("a.example")), sure: .assumed, .types),
    ATSDecisionRow(
      "pinned domains are an array", ["NSPinnedDomains": ["a.example"]], "https://a.example",
      .secure(), .types),
    ATSDecisionRow(
      "an app-wide flag within an entry", domain("a.example", ["NSAllowsArbitraryLoads": true]),
      "http://a.example", .denied(.entry("a.example")), .insecureLoads),
    ATSDecisionRow(
      "an entry's flag at the top", dictionary(insecure, true), "http://example.com", .denied(),
      .https),
  ]
}
