import PlistKit

@testable import ATSMerge

extension ATSDecisionTable {
  /// Keys that can match no host.
  static let keyForms: [ATSDecisionRow] = [
    ATSDecisionRow(
      "key in upper case", domain("A.Example", allowed), "http://a.example", .denied(),
      .domainsLowerCase),
    ATSDecisionRow(
      "key in upper case, any", anyLoadsBut("A.Example", empty), "http://a.example",
      .allowed(.app("NSAllowsArbitraryLoads")), .domainsLowerCase),
    ATSDecisionRow(
      "key in upper case, URL too", domain("My-Mac.example", allowed), "http://My-Mac.example",
      .denied(), .domainsLowerCase),
    ATSDecisionRow(
      "key with a port", domain("a.example:8080", allowed), "http://a.example", .denied(),
      .domainsPort),
    ATSDecisionRow(
      "address key with a port", domain("192.168.1.10:19464", allowed), "http://192.168.1.10",
      .denied(), .domainsPort),
    ATSDecisionRow(
      "key with a scheme", domain("http://a.example", allowed), "http://a.example", .denied(),
      .domainsForm),
    ATSDecisionRow(
      "key with a path", domain("a.example/", allowed), "http://a.example", .denied(), .domainsForm),
    ATSDecisionRow(
      "key with a wildcard", domain("*.example.com", withSubdomains), "http://a.example.com",
      .denied(), .domainsWildcard),
    ATSDecisionRow(
      "key of a wildcard alone", domain("*", withSubdomains), "http://a.example", .denied(),
      .domainsWildcard),
    ATSDecisionRow(
      "address key with a wildcard", domain("192.168.1.*", allowed), "http://192.168.1.10",
      .denied(), .domainsWildcard),
    ATSDecisionRow(
      "key with a dot behind", domain("a.example.", allowed), "http://a.example", .denied(),
      .domainsDot),
    ATSDecisionRow(
      "key with a dot before", domain(".example", withSubdomains), "http://a.example", .denied(),
      .domainsForm),
    ATSDecisionRow(
      "key with a blank before", domain(" a.example", allowed), "http://a.example", .denied(),
      .domainsForm),
    ATSDecisionRow(
      "key with a blank behind", domain("a.example ", allowed), "http://a.example", .denied(),
      .domainsForm),
    ATSDecisionRow(
      "key with a line end", domain("a.example\n", allowed), "http://a.example", .denied(),
      .domainsForm),
    ATSDecisionRow(
      "empty key", domain("", withSubdomains), "http://a.example", .denied(), .domainsForm),
    ATSDecisionRow(
      "key that is not ASCII", domain("bücher.example", allowed), "http://xn--bcher-kva.example",
      .denied(), .domainsForm),
    ATSDecisionRow(
      "key as the A-label", domain("xn--bcher-kva.example", allowed),
      "http://xn--bcher-kva.example", .allowed(.flag("xn--bcher-kva.example")), .domains),
    ATSDecisionRow(
      "key with brackets", domain("[fd00::10]", allowed), "http://[fd00::10]", .denied(),
      .domainsForm),
    ATSDecisionRow(
      "IPv6 key in upper case", domain("FD00::10", allowed), "http://[fd00::10]", .denied(),
      .domainsLowerCase),
    ATSDecisionRow(
      "IPv6 key with a zone", domain("fe80::1%en0", allowed), "http://[fe80::1]", .denied(),
      .domainsForm),
    ATSDecisionRow(
      "IPv4 key with leading zeros", domain("192.168.001.010", allowed), "http://192.168.1.10",
      .denied(), .domainsForm),
    ATSDecisionRow(
      "IPv4 key as one number", domain("3232235786", allowed), "http://192.168.1.10", .denied(),
      .domainsForm),
    ATSDecisionRow(
      "IPv4 key with a dot behind", domain("192.168.1.10.", allowed), "http://192.168.1.10",
      .denied(), .domainsDot),
    ATSDecisionRow(
      "range with too long a prefix", domain("192.168.0.0/33", allowed), "http://192.168.0.0",
      .denied(), .domainsForm),
    ATSDecisionRow(
      "IPv6 range with too long a prefix", domain("fd00::/129", allowed), "http://[fd00::]",
      .denied(), .domainsForm),
    ATSDecisionRow(
      "range without a prefix", domain("192.168.0.0/", allowed), "http://192.168.0.0", .denied(),
      .domainsForm),
    ATSDecisionRow(
      "range with a negative prefix", domain("192.168.0.0/-1", allowed), "http://192.168.0.0",
      .denied(), .domainsForm),
    ATSDecisionRow(
      "range with a mask", domain("192.168.0.0/255.255.0.0", allowed), "http://192.168.0.0",
      .denied(), .domainsForm),
    ATSDecisionRow(
      "range with two prefixes", domain("192.168.0.0/16/24", allowed), "http://192.168.0.0",
      .denied(), .domainsForm),
    ATSDecisionRow(
      "range with a blank", domain("192.168.0.0 /16", allowed), "http://192.168.0.0", .denied(),
      .domainsForm),
    ATSDecisionRow(
      "range in brackets", domain("[fd00::]/8", allowed), "http://[fd00::10]", .denied(),
      .domainsForm),
    ATSDecisionRow(
      "range of a name", domain("a.example/24", allowed), "http://a.example", .denied(),
      .domainsForm),
    ATSDecisionRow(
      "range of a short address", domain("192.168/16", allowed), "http://192.168.1.10", .denied(),
      .domainsForm),
  ]
}
