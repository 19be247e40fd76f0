import PlistKit

@testable import ATSMerge

extension ATSDecisionTable {
  private static let temporary = "NSTemporaryExceptionAllowsInsecureHTTPLoads"
  private static let thirdParty = "NSThirdPartyExceptionAllowsInsecureHTTPLoads"

  /// The names of keys from before iOS 9 was released.
  static let olderKeys: [ATSDecisionRow] = [
    ATSDecisionRow(
      "temporary", domain("a.example", dictionary(temporary, true)), "http://a.example",
      .allowed(.key("a.example", temporary)), .older),
    ATSDecisionRow(
      "temporary, iOS 9", domain("a.example", dictionary(temporary, true)), "http://a.example",
      on: .os9, .allowed(.key("a.example", temporary)), .older),
    ATSDecisionRow(
      "temporary is false", domain("a.example", dictionary(temporary, false)), "http://a.example",
      .denied(.entry("a.example")), .older),
    ATSDecisionRow(
      "third-party", domain("a.example", dictionary(thirdParty, true)), "http://a.example",
      .allowed(.key("a.example", thirdParty)), .older),
    ATSDecisionRow(
      "third-party is false, any", anyLoadsBut("a.example", dictionary(thirdParty, false)),
      "http://a.example", .denied(.entry("a.example")), .anyDomains),
    ATSDecisionRow(
      "third-party, for subdomains",
      domain(
        "example.com",
        ["NSThirdPartyExceptionAllowsInsecureHTTPLoads": true, "NSIncludesSubdomains": true]),
      "http://a.example.com", .allowed(.key("example.com", thirdParty)), .older),
    ATSDecisionRow(
      "third-party, range", domain("192.168.0.0/16", dictionary(thirdParty, true)),
      "http://192.168.1.10", .allowed(.key("192.168.0.0/16", thirdParty)), .older),
    ATSDecisionRow(
      "newer name refuses, older allows",
      domain(
        "a.example",
        [
          "NSExceptionAllowsInsecureHTTPLoads": false,
          "NSTemporaryExceptionAllowsInsecureHTTPLoads": true,
        ]), "http://a.example", .denied(.flag("a.example")), sure: .assumed, .olderAndNewer),
    ATSDecisionRow(
      "newer name allows, older refuses",
      domain(
        "a.example",
        [
          "NSExceptionAllowsInsecureHTTPLoads": true,
          "NSThirdPartyExceptionAllowsInsecureHTTPLoads": false,
        ]), "http://a.example", .allowed(.flag("a.example")), .olderAndNewer),
    ATSDecisionRow(
      "older name is an integer", domain("a.example", dictionary(temporary, 1)), "http://a.example",
      .denied(.entry("a.example")), sure: .assumed, .types),
    ATSDecisionRow(
      "third-party TLS version",
      domain("a.example", ["NSThirdPartyExceptionMinimumTLSVersion": "TLSv1.0"]),
      "https://a.example", .secure(.entry("a.example"), tls: "TLSv1.0"), .older),
    ATSDecisionRow(
      "temporary TLS version, iOS 9",
      domain("a.example", ["NSTemporaryExceptionMinimumTLSVersion": "TLSv1.1"]),
      "https://a.example", on: .os9, .secure(.entry("a.example"), tls: "TLSv1.1"), .older),
    ATSDecisionRow(
      "third-party, no forward secrecy",
      domain("a.example", ["NSThirdPartyExceptionRequiresForwardSecrecy": false]),
      "https://a.example", .secure(.entry("a.example"), forwardSecrecy: false), .older),
    ATSDecisionRow(
      "temporary, no forward secrecy",
      domain("a.example", ["NSTemporaryExceptionRequiresForwardSecrecy": false]),
      "https://a.example", .secure(.entry("a.example"), forwardSecrecy: false), .older),
  ]
}
