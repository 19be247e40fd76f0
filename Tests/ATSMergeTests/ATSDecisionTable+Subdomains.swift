import PlistKit

@testable import ATSMerge

extension ATSDecisionTable {
  /// Exception domains that cover names below them.
  static let subdomains: [ATSDecisionRow] = [
    ATSDecisionRow(
      "parent with subdomains", domain("example.com", withSubdomains), "http://a.example.com",
      .allowed(.flag("example.com")), .subdomains),
    ATSDecisionRow(
      "parent with subdomains, iOS 9", domain("example.com", withSubdomains),
      "http://a.example.com", on: .os9, .allowed(.flag("example.com")), .subdomains),
    ATSDecisionRow(
      "parent with subdomains, itself", domain("example.com", withSubdomains), "http://example.com",
      .allowed(.flag("example.com")), .subdomains),
    ATSDecisionRow(
      "parent two labels up", domain("example.com", withSubdomains), "http://a.b.example.com",
      .allowed(.flag("example.com")), sure: .observed, .subdomainsDeep),
    ATSDecisionRow(
      "tailnets' common parent", domain("ts.net", withSubdomains), "http://my-mac.tail1.ts.net",
      .allowed(.flag("ts.net")), sure: .observed, .subdomainsDeep),
    ATSDecisionRow(
      "the tailnet's name", domain("tail1.ts.net", withSubdomains), "http://my-mac.tail1.ts.net",
      .allowed(.flag("tail1.ts.net")), .subdomains),
    ATSDecisionRow(
      "parent without subdomains", domain("example.com", allowed), "http://a.example.com",
      .denied(), .subdomainsOff),
    ATSDecisionRow(
      "parent with subdomains false",
      domain(
        "example.com", ["NSExceptionAllowsInsecureHTTPLoads": true, "NSIncludesSubdomains": false]),
      "http://a.example.com", .denied(), .subdomainsOff),
    ATSDecisionRow(
      "parent that refuses for subdomains",
      domain(
        "example.com", ["NSExceptionAllowsInsecureHTTPLoads": false, "NSIncludesSubdomains": true]),
      "http://a.example.com", .denied(.flag("example.com")), .subdomains),
    ATSDecisionRow(
      "parent with subdomains that allows nothing",
      domain("example.com", ["NSIncludesSubdomains": true]), "http://a.example.com",
      .denied(.entry("example.com")), .subdomains),
    ATSDecisionRow(
      "parent of .local names", domain("local", withSubdomains), "http://my-mac.local",
      .allowed(.flag("local")), .subdomains),
    ATSDecisionRow(
      "parent of .local names that allows nothing", domain("local", ["NSIncludesSubdomains": true]),
      "http://my-mac.local", .denied(.entry("local")), .domainsEmpty),
    ATSDecisionRow(
      "own entry below a parent that allows",
      domains(["example.com": withSubdomains, "a.example.com": denying]), "http://a.example.com",
      .denied(.flag("a.example.com")), .domains),
    ATSDecisionRow(
      "empty own entry below a parent that allows",
      domains(["example.com": withSubdomains, "a.example.com": empty]), "http://a.example.com",
      .denied(.entry("a.example.com")), .domains),
    ATSDecisionRow(
      "own entry below a parent that refuses",
      domains(["example.com": ["NSIncludesSubdomains": true], "a.example.com": allowed]),
      "http://a.example.com", .allowed(.flag("a.example.com")), .domains),
    ATSDecisionRow(
      "nearest of two parents",
      domains(["example.com": withSubdomains, "b.example.com": ["NSIncludesSubdomains": true]]),
      "http://a.b.example.com", .denied(.entry("b.example.com")), .subdomains),
    ATSDecisionRow(
      "nearer parent without subdomains",
      domains(["example.com": withSubdomains, "b.example.com": denying]), "http://a.b.example.com",
      .allowed(.flag("example.com")), sure: .observed, .subdomainsDeep),
    ATSDecisionRow(
      "a suffix is no parent", domain("ample.com", withSubdomains), "http://example.com", .denied(),
      .subdomains),
    ATSDecisionRow(
      "a child is no parent", domain("a.example.com", withSubdomains), "http://example.com",
      .denied(), .domains),
    ATSDecisionRow(
      "a sibling is no parent", domain("b.example.com", withSubdomains), "http://a.example.com",
      .denied(), .domains),
  ]
}
