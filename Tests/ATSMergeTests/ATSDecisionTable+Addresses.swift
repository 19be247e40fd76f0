import PlistKit

@testable import ATSMerge

extension ATSDecisionTable {
  /// Exception domains that are addresses.
  static let addresses: [ATSDecisionRow] = [
    ATSDecisionRow(
      "own entry, address", domain("192.168.1.10", allowed), "http://192.168.1.10",
      .allowed(.flag("192.168.1.10")), .domainsAddresses),
    ATSDecisionRow(
      "own entry, public address", domain("93.184.216.34", allowed), "http://93.184.216.34",
      .allowed(.flag("93.184.216.34")), .exceptions17),
    ATSDecisionRow(
      "own entry, shared address", domain("100.64.0.12", allowed), "http://100.64.0.12",
      .allowed(.flag("100.64.0.12")), .domainsAddresses),
    ATSDecisionRow(
      "own entry, IPv6", domain("fd00::10", allowed), "http://[fd00::10]",
      .allowed(.flag("fd00::10")), .domainsAddresses),
    ATSDecisionRow(
      "own entry, IPv6 written in full", domain("fd00::10", allowed),
      "http://[FD00:0:0:0:0:0:0:0010]", .allowed(.flag("fd00::10")), .domainsAddresses),
    ATSDecisionRow(
      "own entry, address in a web view", domain("192.168.1.10", allowed), "http://192.168.1.10",
      in: .web, .allowed(.flag("192.168.1.10")), .domainsAddresses),
    ATSDecisionRow(
      "own entry, IPv4-mapped address", domain("192.168.1.10", allowed),
      "http://[::ffff:192.168.1.10]", .allowed(.flag("192.168.1.10")), .domainsAddresses),
    ATSDecisionRow(
      "own entry, address, iOS 9: not read", domain("192.168.1.10", allowed), "http://192.168.1.10",
      on: .os9, .denied(), .local9Exceptions),
    ATSDecisionRow(
      "own entry, address, iOS 16: not read", domain("192.168.1.10", allowed),
      "http://192.168.1.10", on: .os10, .allowed(), .local10),
    ATSDecisionRow(
      "own entry that refuses, address, iOS 16: not read", domain("192.168.1.10", denying),
      "http://192.168.1.10", on: .os10, .allowed(), .local10),
    ATSDecisionRow(
      "own entry that refuses, address", domain("192.168.1.10", denying), "http://192.168.1.10",
      .denied(.flag("192.168.1.10")), .insecureLoads),
    ATSDecisionRow(
      "empty own entry, address", domain("192.168.1.10", empty), "http://192.168.1.10",
      .denied(.entry("192.168.1.10")), .domainsEmpty),
    ATSDecisionRow(
      "entry of the next address", domain("192.168.1.10", allowed), "http://192.168.1.11",
      .denied(), .domains),
    ATSDecisionRow(
      "an address's entry is not its name's", domain("192.168.1.10", allowed),
      "http://mac.example.com", .denied(), .domainsNames),
    ATSDecisionRow(
      "an address's refusing entry is not its name's", domain("192.168.1.10", denying),
      "http://my-mac.local", .allowed(), .domainsNames),
    ATSDecisionRow(
      "subdomains of an address", domain("1.10", withSubdomains), "http://192.168.1.10", .denied(),
      .subdomainsAddresses),
  ]
}
