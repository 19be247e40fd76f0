import PlistKit

@testable import ATSMerge

extension ATSDecisionTable {
  private static let inWeb = Expectation.allowed(.app("NSAllowsArbitraryLoadsInWebContent"))
  private static let asMedia = Expectation.allowed(.app("NSAllowsArbitraryLoadsForMedia"))
  private static let webLoads: PlistValue = ["NSAllowsArbitraryLoadsInWebContent": true]
  private static let mediaLoads: PlistValue = ["NSAllowsArbitraryLoadsForMedia": true]

  /// The flags for web views and for media.
  static let webAndMedia: [ATSDecisionRow] = [
    ATSDecisionRow("web, in a web view", webLoads, "http://example.com", in: .web, inWeb, .web),
    ATSDecisionRow(
      "web, in a web view, iOS 16", webLoads, "http://example.com", on: .os10, in: .web, inWeb, .web
    ),
    ATSDecisionRow(
      "web, in a web view, iOS 9: not read", webLoads, "http://example.com", on: .os9, in: .web,
      .denied(), .versions9),
    ATSDecisionRow(
      "web, address in a web view", webLoads, "http://93.184.216.34", in: .web, inWeb, .web),
    ATSDecisionRow("web, in a session", webLoads, "http://example.com", .denied(), .web),
    ATSDecisionRow("web, as media", webLoads, "http://example.com", in: .media, .denied(), .web),
    ATSDecisionRow(
      "web is false, in a web view", ["NSAllowsArbitraryLoadsInWebContent": false],
      "http://example.com", in: .web, .denied(), .web),
    ATSDecisionRow(
      "web, empty own entry, in a web view",
      ["NSAllowsArbitraryLoadsInWebContent": true, "NSExceptionDomains": ["example.com": empty]],
      "http://example.com", in: .web, .denied(.entry("example.com")), .webDomains),
    ATSDecisionRow(
      "web beside any, in a web view",
      ["NSAllowsArbitraryLoads": true, "NSAllowsArbitraryLoadsInWebContent": true],
      "http://example.com", in: .web, inWeb, .versions10),
    ATSDecisionRow(
      "web beside any, in a web view, iOS 9",
      ["NSAllowsArbitraryLoads": true, "NSAllowsArbitraryLoadsInWebContent": true],
      "http://example.com", on: .os9, in: .web, .allowed(.app("NSAllowsArbitraryLoads")), .versions9
    ),
    ATSDecisionRow(
      "web false beside any, in a web view",
      ["NSAllowsArbitraryLoads": true, "NSAllowsArbitraryLoadsInWebContent": false],
      "http://example.com", in: .web, .denied(), .anyIgnored),
    ATSDecisionRow(
      "web beside local, address in a web view",
      ["NSAllowsLocalNetworking": true, "NSAllowsArbitraryLoadsInWebContent": true],
      "http://192.168.1.10", in: .web, .allowed(.app("NSAllowsLocalNetworking")), .localScope),
    ATSDecisionRow(
      "web beside local, public name in a web view",
      ["NSAllowsLocalNetworking": true, "NSAllowsArbitraryLoadsInWebContent": true],
      "http://example.com", in: .web, inWeb, .web),
    ATSDecisionRow(
      "web beside local, shared address in a web view",
      ["NSAllowsLocalNetworking": true, "NSAllowsArbitraryLoadsInWebContent": true],
      "http://100.64.0.12", in: .web, inWeb, .web),
    ATSDecisionRow(
      "media, as media", mediaLoads, "http://example.com", in: .media, asMedia, .media),
    ATSDecisionRow(
      "media, as media, iOS 16", mediaLoads, "http://example.com", on: .os10, in: .media, asMedia,
      .media),
    ATSDecisionRow(
      "media, as media, iOS 9: not read", mediaLoads, "http://example.com", on: .os9, in: .media,
      .denied(), .versions9),
    ATSDecisionRow("media, in a session", mediaLoads, "http://example.com", .denied(), .media),
    ATSDecisionRow(
      "media, in a web view", mediaLoads, "http://example.com", in: .web, .denied(), .media),
    ATSDecisionRow(
      "media is false, as media", ["NSAllowsArbitraryLoadsForMedia": false], "http://example.com",
      in: .media, .denied(), .media),
    ATSDecisionRow(
      "media, own entry refuses, as media",
      ["NSAllowsArbitraryLoadsForMedia": true, "NSExceptionDomains": ["example.com": denying]],
      "http://example.com", in: .media, .denied(.flag("example.com")), .mediaDomains),
    ATSDecisionRow(
      "media beside any, in a web view",
      ["NSAllowsArbitraryLoads": true, "NSAllowsArbitraryLoadsForMedia": true],
      "http://example.com", in: .web, .denied(), .anyIgnored),
  ]
}
