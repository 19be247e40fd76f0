import PlistKit

@testable import ATSMerge

extension ATSDecisionTable {
  private static let pinnedTo: PlistValue = [
    ["SPKI-SHA256-BASE64": "r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E="]
  ]
  private static let oldTLS: PlistValue = ["NSExceptionMinimumTLSVersion": "TLSv1.0"]

  private static func pinned(_ domain: String, _ entry: PlistValue) -> PlistValue {
    dictionary("NSPinnedDomains", dictionary(domain, entry))
  }

  /// HTTPS to hosts with pinned certificates.
  static let pins: [ATSDecisionRow] = [
    ATSDecisionRow(
      "pinned to a CA", pinned("a.example", ["NSPinnedCAIdentities": pinnedTo]),
      "https://a.example", .secure(pinned: true), .pins),
    ATSDecisionRow(
      "pinned to a leaf", pinned("a.example", ["NSPinnedLeafIdentities": pinnedTo]),
      "https://a.example", .secure(pinned: true), .pins),
    ATSDecisionRow(
      "pinned to both",
      pinned("a.example", ["NSPinnedCAIdentities": pinnedTo, "NSPinnedLeafIdentities": pinnedTo]),
      "https://a.example", .secure(pinned: true), .pins),
    ATSDecisionRow(
      "pinned, iOS 9: not read", pinned("a.example", ["NSPinnedCAIdentities": pinnedTo]),
      "https://a.example", on: .os9, .secure(), .pinsSince),
    ATSDecisionRow(
      "pinned, another host", pinned("a.example", ["NSPinnedCAIdentities": pinnedTo]),
      "https://b.example", .secure(), .pins),
    ATSDecisionRow(
      "pinned, parent with subdomains",
      pinned("example.com", ["NSPinnedCAIdentities": pinnedTo, "NSIncludesSubdomains": true]),
      "https://a.example.com", .secure(pinned: true), .pinsSubdomains),
    ATSDecisionRow(
      "pinned, parent without subdomains",
      pinned("example.com", ["NSPinnedCAIdentities": pinnedTo]), "https://a.example.com", .secure(),
      .subdomainsOff),
    ATSDecisionRow(
      "pinned and an entry",
      [
        "NSPinnedDomains": ["a.example": ["NSPinnedCAIdentities": pinnedTo]],
        "NSExceptionDomains": ["a.example": oldTLS],
      ], "https://a.example", .secure(.entry("a.example"), tls: "TLSv1.0", pinned: true), .pinsAlone
    ),
    ATSDecisionRow(
      "pinned and another host's entry",
      [
        "NSPinnedDomains": ["a.example": ["NSPinnedCAIdentities": pinnedTo]],
        "NSExceptionDomains": ["b.example": oldTLS],
      ], "https://b.example", .secure(.entry("b.example"), tls: "TLSv1.0"), .pinsAlone),
    ATSDecisionRow(
      "pins do not allow HTTP", pinned("a.example", ["NSPinnedCAIdentities": pinnedTo]),
      "http://a.example", .denied(), .pinsAlone),
    ATSDecisionRow(
      "pins do not refuse HTTP", pinned("my-mac.local", ["NSPinnedCAIdentities": pinnedTo]),
      "http://my-mac.local", .allowed(), .pinsAlone),
    ATSDecisionRow(
      "pins within an exception domain", domain("a.example", ["NSPinnedCAIdentities": pinnedTo]),
      "https://a.example", .secure(.entry("a.example")), .pins),
    ATSDecisionRow(
      "pinned key in upper case", pinned("A.Example", ["NSPinnedCAIdentities": pinnedTo]),
      "https://a.example", .secure(), .domainsLowerCase),
    ATSDecisionRow(
      "pinned, iOS 16", pinned("a.example", ["NSPinnedCAIdentities": pinnedTo]),
      "https://a.example", on: .os10, .secure(pinned: true), .pinsSince),
    ATSDecisionRow(
      "pinned to nothing", pinned("a.example", empty), "https://a.example", .secure(),
      sure: .assumed,
      .pinsEmpty),
    ATSDecisionRow(
      "pinned to no certificate", pinned("a.example", ["NSPinnedCAIdentities": []]),
      "https://a.example", .secure(), sure: .assumed, .pinsEmpty),
    ATSDecisionRow(
      "pinned address", pinned("192.168.1.10", ["NSPinnedLeafIdentities": pinnedTo]),
      "https://192.168.1.10", .secure(pinned: true), .pins),
    ATSDecisionRow(
      "pinned, parent two labels up",
      pinned("example.com", ["NSPinnedCAIdentities": pinnedTo, "NSIncludesSubdomains": true]),
      "https://a.b.example.com", .secure(pinned: true), sure: .assumed, .pinsSubdomains),
  ]
}
