import PlistKit

@testable import ATSMerge

extension ATSDecisionTable {
  /// Exception domains that are ranges.
  static let ranges: [ATSDecisionRow] = [
    ATSDecisionRow(
      "range", domain("192.168.0.0/16", allowed), "http://192.168.1.10",
      .allowed(.flag("192.168.0.0/16")), .domainsAddresses),
    ATSDecisionRow(
      "range as media", domain("192.168.0.0/16", allowed), "http://192.168.1.10", in: .media,
      .allowed(.flag("192.168.0.0/16")), .domainsAddresses),
    ATSDecisionRow(
      "range, its first address", domain("192.168.0.0/16", allowed), "http://192.168.0.0",
      .allowed(.flag("192.168.0.0/16")), .domainsAddresses),
    ATSDecisionRow(
      "range, its last address", domain("192.168.0.0/16", allowed), "http://192.168.255.255",
      .allowed(.flag("192.168.0.0/16")), .domainsAddresses),
    ATSDecisionRow(
      "before the range", domain("192.168.0.0/16", allowed), "http://192.167.255.255", .denied(),
      .local17),
    ATSDecisionRow(
      "behind the range", domain("192.168.0.0/16", allowed), "http://192.169.0.0", .denied(),
      .local17),
    ATSDecisionRow(
      "range of shared addresses", domain("100.64.0.0/10", allowed), "http://100.101.102.103",
      .allowed(.flag("100.64.0.0/10")), .localMeasured),
    ATSDecisionRow(
      "range of odd length", domain("10.128.0.0/9", allowed), "http://10.200.0.1",
      .allowed(.flag("10.128.0.0/9")), .domainsAddresses),
    ATSDecisionRow(
      "beside a range of odd length", domain("10.128.0.0/9", allowed), "http://10.100.0.1",
      .denied(), .local17),
    ATSDecisionRow(
      "range of one address", domain("192.168.1.10/32", allowed), "http://192.168.1.10",
      .allowed(.flag("192.168.1.10/32")), .domainsAddresses),
    ATSDecisionRow(
      "range of all addresses", domain("0.0.0.0/0", allowed), "http://93.184.216.34",
      .allowed(.flag("0.0.0.0/0")), sure: .assumed, .wholeRange),
    ATSDecisionRow(
      "range of all IPv6 addresses", domain("::/0", denying), "http://[fd00::10]",
      .denied(.flag("::/0")), sure: .assumed, .wholeRange),
    ATSDecisionRow(
      "range of the lower half", domain("0.0.0.0/1", allowed), "http://93.184.216.34",
      .allowed(.flag("0.0.0.0/1")), .domainsAddresses),
    ATSDecisionRow(
      "range of the upper half", domain("128.0.0.0/1", allowed), "http://192.168.1.10",
      .allowed(.flag("128.0.0.0/1")), .domainsAddresses),
    ATSDecisionRow(
      "range of the other half", domain("128.0.0.0/1", allowed), "http://93.184.216.34", .denied(),
      .local17),
    ATSDecisionRow(
      "range of all IPv4 addresses, IPv6 host", domain("0.0.0.0/0", allowed), "http://[fd00::1]",
      .denied(), .local17),
    ATSDecisionRow(
      "range of all IPv6 addresses, IPv4 host", domain("::/0", allowed), "http://192.168.1.10",
      .denied(), .local17),
    ATSDecisionRow(
      "range of all addresses, name", domain("0.0.0.0/0", allowed), "http://example.com", .denied(),
      .domainsNames),
    ATSDecisionRow(
      "IPv6 range", domain("fd00::/8", allowed), "http://[fd12:3456::1]",
      .allowed(.flag("fd00::/8")), .domainsAddresses),
    ATSDecisionRow(
      "Apple's IPv6 range", domain("2001:db8:12::/48", allowed), "http://[2001:db8:12::34]",
      .allowed(.flag("2001:db8:12::/48")), .domainsAddresses),
    ATSDecisionRow(
      "behind Apple's IPv6 range", domain("2001:db8:12::/48", allowed), "http://[2001:db8:13::34]",
      .denied(), .local17),
    ATSDecisionRow(
      "IPv6 range longer than 64", domain("fd00::/120", allowed), "http://[fd00::ff]",
      .allowed(.flag("fd00::/120")), .domainsAddresses),
    ATSDecisionRow(
      "behind an IPv6 range longer than 64", domain("fd00::/120", allowed), "http://[fd00::100]",
      .denied(), .local17),
    ATSDecisionRow(
      "IPv6 range of one address", domain("fd00::10/128", allowed), "http://[fd00::10]",
      .allowed(.flag("fd00::10/128")), .domainsAddresses),
    ATSDecisionRow(
      "range, iOS 9: not read", domain("192.168.0.0/16", allowed), "http://192.168.1.10", on: .os9,
      .denied(), .local9Exceptions),
    ATSDecisionRow(
      "range that refuses, iOS 16: not read", domain("192.168.0.0/16", denying),
      "http://192.168.1.10", on: .os10, .allowed(), .local10),
    ATSDecisionRow(
      "range that refuses", domain("192.168.0.0/16", denying), "http://192.168.1.10",
      .denied(.flag("192.168.0.0/16")), .insecureLoads),
    ATSDecisionRow(
      "empty range", domain("192.168.0.0/16", empty), "http://192.168.1.10",
      .denied(.entry("192.168.0.0/16")), .domainsEmpty),
    ATSDecisionRow(
      "range with subdomains only", domain("192.168.0.0/16", ["NSIncludesSubdomains": true]),
      "http://192.168.1.10", .denied(.entry("192.168.0.0/16")), .subdomainsAddresses),
    ATSDecisionRow(
      "longer of two ranges refuses", domains(["10.0.0.0/8": allowed, "10.1.0.0/16": denying]),
      "http://10.1.2.3", .denied(.flag("10.1.0.0/16")), sure: .assumed, .precedence),
    ATSDecisionRow(
      "longer of two ranges allows", domains(["10.0.0.0/8": denying, "10.1.0.0/16": allowed]),
      "http://10.1.2.3", .allowed(.flag("10.1.0.0/16")), sure: .assumed, .precedence),
    ATSDecisionRow(
      "outside the longer of two ranges", domains(["10.0.0.0/8": allowed, "10.1.0.0/16": denying]),
      "http://10.2.2.3", .allowed(.flag("10.0.0.0/8")), .domainsAddresses),
    ATSDecisionRow(
      "two ranges that agree", domains(["10.0.0.0/8": allowed, "10.1.0.0/16": allowed]),
      "http://10.1.2.3", .allowed(.flag("10.1.0.0/16")), .domainsAddresses),
    ATSDecisionRow(
      "own entry refuses within a range that allows",
      domains(["10.0.0.0/8": allowed, "10.1.2.3": denying]), "http://10.1.2.3",
      .denied(.flag("10.1.2.3")), sure: .assumed, .precedence),
    ATSDecisionRow(
      "own entry allows within a range that refuses",
      domains(["10.0.0.0/8": denying, "10.1.2.3": allowed]), "http://10.1.2.3",
      .allowed(.flag("10.1.2.3")), sure: .assumed, .precedence),
    ATSDecisionRow(
      "own entry and range agree", domains(["10.0.0.0/8": allowed, "10.1.2.3": allowed]),
      "http://10.1.2.3", .allowed(.flag("10.1.2.3")), .domainsAddresses),
    ATSDecisionRow(
      "empty own entry within a range that allows",
      domains(["fd00::/8": allowed, "fd00::10": empty]), "http://[fd00::10]",
      .denied(.entry("fd00::10")), sure: .assumed, .precedence),
  ]
}
