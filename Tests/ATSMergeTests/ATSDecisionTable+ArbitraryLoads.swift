import PlistKit

@testable import ATSMerge

extension ATSDecisionTable {
  private static let localOnly = Expectation.allowed(.app("NSAllowsLocalNetworking"))
  private static let any = Expectation.allowed(.app("NSAllowsArbitraryLoads"))

  /// `NSAllowsArbitraryLoads`, and what switches it off.
  static let arbitraryLoads: [ATSDecisionRow] = [
    ATSDecisionRow("any, public name", anyLoads, "http://example.com", any, .any),
    ATSDecisionRow(
      "any, public name, iOS 16", anyLoads, "http://example.com", on: .os10, any, .any),
    ATSDecisionRow("any, public name, iOS 9", anyLoads, "http://example.com", on: .os9, any, .any),
    ATSDecisionRow(
      "any, address, iOS 9", anyLoads, "http://192.168.1.10", on: .os9, any, .local9Addresses),
    ATSDecisionRow("any, address, iOS 16", anyLoads, "http://192.168.1.10", on: .os10, any, .any),
    ATSDecisionRow("any, address", anyLoads, "http://192.168.1.10", any, .any),
    ATSDecisionRow("any, shared address", anyLoads, "http://100.64.0.12", any, .any),
    ATSDecisionRow("any, .local", anyLoads, "http://my-mac.local", any, .any),
    ATSDecisionRow("any, in a web view", anyLoads, "http://example.com", in: .web, any, .any),
    ATSDecisionRow("any, as media", anyLoads, "http://example.com", in: .media, any, .any),
    ATSDecisionRow(
      "any is false", ["NSAllowsArbitraryLoads": false], "http://example.com", .denied(), .any),
    ATSDecisionRow(
      "any, own entry refuses", anyLoadsBut("example.com", denying), "http://example.com",
      .denied(.flag("example.com")), .anyDomains),
    ATSDecisionRow(
      "any, empty own entry", anyLoadsBut("example.com", empty), "http://example.com",
      .denied(.entry("example.com")), .domainsEmpty),
    ATSDecisionRow(
      "any, empty own entry, iOS 9", anyLoadsBut("example.com", empty), "http://example.com",
      on: .os9, .denied(.entry("example.com")), .domainsEmpty),
    ATSDecisionRow(
      "any, another host's entry", anyLoadsBut("example.com", empty), "http://example.org", any,
      .any),
    ATSDecisionRow(
      "any, parent's entry without subdomains", anyLoadsBut("example.com", empty),
      "http://a.example.com", any, .subdomainsOff),
    ATSDecisionRow(
      "any, parent's entry with subdomains",
      anyLoadsBut("example.com", ["NSIncludesSubdomains": true]), "http://a.example.com",
      .denied(.entry("example.com")), .anyDomains),
    ATSDecisionRow(
      "any, empty entry of an address", anyLoadsBut("192.168.1.10", empty), "http://192.168.1.10",
      .denied(.entry("192.168.1.10")), .domainsEmpty),
    ATSDecisionRow(
      "any, empty entry of an address, iOS 16: not read", anyLoadsBut("192.168.1.10", empty),
      "http://192.168.1.10", on: .os10, any, .any),
    ATSDecisionRow(
      "any, empty range", anyLoadsBut("192.168.0.0/16", empty), "http://192.168.1.10",
      .denied(.entry("192.168.0.0/16")), .domainsEmpty),
    ATSDecisionRow(
      "any beside local, public name", anyBesideLocal, "http://example.com", .denied(), .anyIgnored),
    ATSDecisionRow(
      "any beside local, public name, iOS 16", anyBesideLocal, "http://example.com", on: .os10,
      .denied(), .anyIgnored),
    ATSDecisionRow(
      "any beside local, public name, iOS 9", anyBesideLocal, "http://example.com", on: .os9, any,
      .versions9),
    ATSDecisionRow(
      "any beside local, address", anyBesideLocal, "http://192.168.1.10", localOnly,
      .localIgnoresAny),
    ATSDecisionRow(
      "any beside local, shared address", anyBesideLocal, "http://100.64.0.12", .denied(),
      sure: .observed, .localMeasured),
    ATSDecisionRow(
      "any beside local, address, iOS 9", anyBesideLocal, "http://192.168.1.10", on: .os9, any,
      .versions9),
    ATSDecisionRow(
      "any beside local false, public name",
      ["NSAllowsArbitraryLoads": true, "NSAllowsLocalNetworking": false], "http://example.com",
      .denied(), .anyIgnored),
    ATSDecisionRow(
      "any beside local false, address",
      ["NSAllowsArbitraryLoads": true, "NSAllowsLocalNetworking": false], "http://192.168.1.10",
      .denied(), .anyIgnored),
    ATSDecisionRow(
      "any beside web",
      ["NSAllowsArbitraryLoads": true, "NSAllowsArbitraryLoadsInWebContent": true],
      "http://example.com", .denied(), .anyIgnored),
    ATSDecisionRow(
      "any beside web false",
      ["NSAllowsArbitraryLoads": true, "NSAllowsArbitraryLoadsInWebContent": false],
      "http://example.com", on: .os10, .denied(), .anyIgnored),
    ATSDecisionRow(
      "any beside media", ["NSAllowsArbitraryLoads": true, "NSAllowsArbitraryLoadsForMedia": true],
      "http://example.com", .denied(), .anyIgnored),
    ATSDecisionRow(
      "any beside media false",
      ["NSAllowsArbitraryLoads": true, "NSAllowsArbitraryLoadsForMedia": false],
      "http://example.com", .denied(), .anyIgnored),
    ATSDecisionRow(
      "any beside media, iOS 9",
      ["NSAllowsArbitraryLoads": true, "NSAllowsArbitraryLoadsForMedia": true],
      "http://example.com", on: .os9, any, .versions9),
  ]
}
