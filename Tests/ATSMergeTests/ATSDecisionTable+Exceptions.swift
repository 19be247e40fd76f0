import PlistKit

@testable import ATSMerge

extension ATSDecisionTable {
  /// Exception domains that are names.
  static let exceptions: [ATSDecisionRow] = [
    ATSDecisionRow(
      "own entry, public name", domain("a.example", allowed), "http://a.example",
      .allowed(.flag("a.example")), .insecureLoads),
    ATSDecisionRow(
      "own entry, public name, iOS 9", domain("a.example", allowed), "http://a.example", on: .os9,
      .allowed(.flag("a.example")), .insecureLoads),
    ATSDecisionRow(
      "own entry, public name, iOS 16", domain("a.example", allowed), "http://a.example", on: .os10,
      .allowed(.flag("a.example")), .insecureLoads),
    ATSDecisionRow(
      "own entry in a web view", domain("a.example", allowed), "http://a.example", in: .web,
      .allowed(.flag("a.example")), .domains),
    ATSDecisionRow(
      "own entry as media", domain("a.example", allowed), "http://a.example", in: .media,
      .allowed(.flag("a.example")), .domains),
    ATSDecisionRow(
      "own entry, URL in upper case", domain("a.example", allowed), "http://A.Example",
      .allowed(.flag("a.example")), .domainsLowerCase),
    ATSDecisionRow(
      "own entry, .local", domain("my-mac.local", allowed), "http://my-mac.local",
      .allowed(.flag("my-mac.local")), .insecureLoads),
    ATSDecisionRow(
      "own entry, .local, iOS 9", domain("my-mac.local", allowed), "http://my-mac.local", on: .os9,
      .allowed(.flag("my-mac.local")), .local9Exceptions),
    ATSDecisionRow(
      "own entry, one label, iOS 9", domain("my-mac", allowed), "http://my-mac", on: .os9,
      .allowed(.flag("my-mac")), .local9Exceptions),
    ATSDecisionRow(
      "own entry, one label", domain("my-mac", allowed), "http://my-mac", .allowed(.flag("my-mac")),
      .insecureLoads),
    ATSDecisionRow(
      "own entry, tailnet name", domain("my-mac.tail1.ts.net", allowed),
      "http://my-mac.tail1.ts.net", .allowed(.flag("my-mac.tail1.ts.net")), .insecureLoads),
    ATSDecisionRow(
      "entry of another name", domain("a.example", allowed), "http://b.example", .denied(), .domains
    ),
    ATSDecisionRow(
      "entry of another name, .local", domain("a.example", denying), "http://my-mac.local",
      .allowed(), .local17Names),
    ATSDecisionRow(
      "entry that refuses", domain("a.example", denying), "http://a.example",
      .denied(.flag("a.example")), .insecureLoads),
    ATSDecisionRow(
      "entry that refuses, .local", domain("my-mac.local", denying), "http://my-mac.local",
      .denied(.flag("my-mac.local")), .domainsEmpty),
    ATSDecisionRow(
      "entry that refuses, .local, iOS 16", domain("my-mac.local", denying), "http://my-mac.local",
      on: .os10, .denied(.flag("my-mac.local")), .domainsEmpty),
    ATSDecisionRow(
      "empty entry", domain("a.example", empty), "http://a.example", .denied(.entry("a.example")),
      .insecureLoads),
    ATSDecisionRow(
      "empty entry, .local", domain("my-mac.local", empty), "http://my-mac.local",
      .denied(.entry("my-mac.local")), .domainsEmpty),
    ATSDecisionRow(
      "empty entry, one label", domain("my-mac", empty), "http://my-mac", .denied(.entry("my-mac")),
      .domainsEmpty),
    ATSDecisionRow(
      "entry with other keys only",
      domain("a.example", ["NSExceptionMinimumTLSVersion": "TLSv1.0"]), "http://a.example",
      .denied(.entry("a.example")), .insecureLoads),
    ATSDecisionRow(
      "a name's entry is not its address's", domain("my-mac.local", allowed), "http://192.168.1.10",
      .denied(), .domainsNames),
    ATSDecisionRow(
      "a refusing name's entry is not its address's, iOS 16", domain("my-mac.local", denying),
      "http://192.168.1.10", on: .os10, .allowed(), .domainsNames),
  ]
}
