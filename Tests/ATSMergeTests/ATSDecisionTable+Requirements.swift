import PlistKit

@testable import ATSMerge

extension ATSDecisionTable {
  private static let oldTLS: PlistValue = ["NSExceptionMinimumTLSVersion": "TLSv1.0"]

  /// HTTPS and what it must meet.
  static let requirements: [ATSDecisionRow] = [
    ATSDecisionRow(
      "https, nothing, iOS 9", nil, "https://example.com", on: .os9, .secure(), .minimum),
    ATSDecisionRow(
      "https, nothing, iOS 16", nil, "https://example.com", on: .os10, .secure(), .minimum),
    ATSDecisionRow("https, nothing", nil, "https://example.com", .secure(), .minimum),
    ATSDecisionRow("https, nothing, address", nil, "https://192.168.1.10", .secure(), .minimum),
    ATSDecisionRow(
      "https, nothing, in a web view", nil, "https://example.com", in: .web, .secure(), .minimum),
    ATSDecisionRow(
      "https, TLS 1.0", domain("a.example", oldTLS), "https://a.example",
      .secure(.entry("a.example"), tls: "TLSv1.0"), .tls),
    ATSDecisionRow(
      "https, TLS 1.1, iOS 9", domain("a.example", ["NSExceptionMinimumTLSVersion": "TLSv1.1"]),
      "https://a.example", on: .os9, .secure(.entry("a.example"), tls: "TLSv1.1"), .tls),
    ATSDecisionRow(
      "https, TLS 1.3", domain("a.example", ["NSExceptionMinimumTLSVersion": "TLSv1.3"]),
      "https://a.example", .secure(.entry("a.example"), tls: "TLSv1.3"), .tls),
    ATSDecisionRow(
      "https, no forward secrecy",
      domain("a.example", ["NSExceptionRequiresForwardSecrecy": false]), "https://a.example",
      .secure(.entry("a.example"), forwardSecrecy: false), .forwardSecrecy),
    ATSDecisionRow(
      "https, certificate transparency",
      domain("a.example", ["NSRequiresCertificateTransparency": true]), "https://a.example",
      .secure(.entry("a.example"), transparency: true), .transparency),
    ATSDecisionRow(
      "https, all three",
      domain(
        "a.example",
        [
          "NSExceptionMinimumTLSVersion": "TLSv1.0", "NSExceptionRequiresForwardSecrecy": false,
          "NSRequiresCertificateTransparency": true,
        ]), "https://a.example",
      .secure(.entry("a.example"), tls: "TLSv1.0", forwardSecrecy: false, transparency: true), .tls),
    ATSDecisionRow(
      "https, another host than the entry's", domain("a.example", oldTLS), "https://b.example",
      .secure(), .tls),
    ATSDecisionRow(
      "https, entry for HTTP", domain("a.example", allowed), "https://a.example",
      .secure(.entry("a.example")), .insecureLoadsOnly),
    ATSDecisionRow(
      "https, entry that refuses HTTP", domain("a.example", denying), "https://a.example",
      .secure(.entry("a.example")), .insecureLoads),
    ATSDecisionRow(
      "https, parent with subdomains",
      domain(
        "example.com", ["NSExceptionMinimumTLSVersion": "TLSv1.0", "NSIncludesSubdomains": true]),
      "https://a.example.com", .secure(.entry("example.com"), tls: "TLSv1.0"), .subdomains),
    ATSDecisionRow(
      "https, parent without subdomains", domain("example.com", oldTLS), "https://a.example.com",
      .secure(), .subdomainsOff),
    ATSDecisionRow(
      "https, own entry of an address", domain("192.168.1.10", oldTLS), "https://192.168.1.10",
      .secure(.entry("192.168.1.10"), tls: "TLSv1.0"), .domainsAddresses),
    ATSDecisionRow(
      "https, own entry of an address, iOS 16: not read", domain("192.168.1.10", oldTLS),
      "https://192.168.1.10", on: .os10, .secure(), .exceptions17),
    ATSDecisionRow(
      "https, range", domain("fd00::/8", oldTLS), "https://[fd00::10]",
      .secure(.entry("fd00::/8"), tls: "TLSv1.0"), .domainsAddresses),
    ATSDecisionRow(
      "https, own entry within a range of other requirements",
      domains(["10.0.0.0/8": oldTLS, "10.1.2.3": empty]), "https://10.1.2.3",
      .secure(.entry("10.1.2.3")), sure: .assumed, .precedence),
    ATSDecisionRow(
      "https, any", anyLoads, "https://example.com", .allowed(.app("NSAllowsArbitraryLoads")),
      .anySecure),
    ATSDecisionRow(
      "https, any, iOS 9", anyLoads, "https://example.com", on: .os9,
      .allowed(.app("NSAllowsArbitraryLoads")), .anySecure),
    ATSDecisionRow(
      "https, any, empty own entry", anyLoadsBut("example.com", empty), "https://example.com",
      .secure(.entry("example.com")), .domainsEmpty),
    ATSDecisionRow(
      "https, any, own entry for HTTP", anyLoadsBut("example.com", allowed), "https://example.com",
      .secure(.entry("example.com")), .domainsEmpty),
    ATSDecisionRow(
      "https, any, own entry of an address, iOS 16: not read", anyLoadsBut("192.168.1.10", oldTLS),
      "https://192.168.1.10", on: .os10, .allowed(.app("NSAllowsArbitraryLoads")), .anySecure),
    ATSDecisionRow(
      "https, any beside local", anyBesideLocal, "https://example.com", .secure(), .anyIgnored),
    ATSDecisionRow(
      "https, any beside local, iOS 9", anyBesideLocal, "https://example.com", on: .os9,
      .allowed(.app("NSAllowsArbitraryLoads")), .versions9),
    ATSDecisionRow(
      "https, web, in a web view", ["NSAllowsArbitraryLoadsInWebContent": true],
      "https://example.com", in: .web, .allowed(.app("NSAllowsArbitraryLoadsInWebContent")), .web),
    ATSDecisionRow(
      "https, web, in a session", ["NSAllowsArbitraryLoadsInWebContent": true],
      "https://example.com", .secure(), .web),
    ATSDecisionRow(
      "https, web, in a web view, iOS 9: not read", ["NSAllowsArbitraryLoadsInWebContent": true],
      "https://example.com", on: .os9, in: .web, .secure(), .versions9),
    ATSDecisionRow(
      "https, media, as media", ["NSAllowsArbitraryLoadsForMedia": true], "https://example.com",
      in: .media, .allowed(.app("NSAllowsArbitraryLoadsForMedia")), .media),
    ATSDecisionRow(
      "https, media, in a session", ["NSAllowsArbitraryLoadsForMedia": true], "https://example.com",
      .secure(), .media),
  ]
}
