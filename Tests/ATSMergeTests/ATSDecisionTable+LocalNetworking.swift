import PlistKit

@testable import ATSMerge

extension ATSDecisionTable {
  private static let local = Expectation.allowed(.app("NSAllowsLocalNetworking"))

  /// `NSAllowsLocalNetworking`.
  static let localNetworking: [ATSDecisionRow] = [
    ATSDecisionRow("local, 10/8", localLoads, "http://10.0.0.1", local, .localScope),
    ATSDecisionRow(
      "local, before 10/8", localLoads, "http://9.255.255.255", .denied(), sure: .assumed,
      .localNotPublic
    ),
    ATSDecisionRow(
      "local, behind 10/8", localLoads, "http://11.0.0.0", .denied(), sure: .assumed,
      .localNotPublic),
    ATSDecisionRow(
      "local, before 172.16/12", localLoads, "http://172.15.255.255", .denied(), sure: .assumed,
      .localNotPublic),
    ATSDecisionRow(
      "local, 172.16/12, its first", localLoads, "http://172.16.0.0", local, .localScope),
    ATSDecisionRow(
      "local, 172.16/12, its last", localLoads, "http://172.31.255.255", local, .localScope),
    ATSDecisionRow(
      "local, behind 172.16/12", localLoads, "http://172.32.0.0", .denied(), sure: .assumed,
      .localNotPublic),
    ATSDecisionRow("local, 192.168/16", localLoads, "http://192.168.1.10", local, .localScope),
    ATSDecisionRow(
      "local, behind 192.168/16", localLoads, "http://192.169.0.0", .denied(), sure: .assumed,
      .localNotPublic),
    ATSDecisionRow(
      "local, link-local address", localLoads, "http://169.254.7.9", local, .localScope),
    ATSDecisionRow("local, loopback address", localLoads, "http://127.0.0.1", local, .localScope),
    ATSDecisionRow(
      "local, another loopback address", localLoads, "http://127.8.9.10", local, .localScope),
    ATSDecisionRow("local, IPv6 loopback address", localLoads, "http://[::1]", local, .localScope),
    ATSDecisionRow(
      "local, unique-local address", localLoads, "http://[fd00::10]", local, .localScope),
    ATSDecisionRow(
      "local, unique-local address under fc00::/8", localLoads, "http://[fc00::1]", local,
      .localScope),
    ATSDecisionRow(
      "local, behind the unique-local addresses", localLoads, "http://[fe00::1]", .denied(),
      sure: .assumed, .localNotPublic),
    ATSDecisionRow(
      "local, IPv6 link-local address", localLoads, "http://[fe80::1]", local, .localScope),
    ATSDecisionRow(
      "local, the last IPv6 link-local addresses", localLoads, "http://[febf::1]", local,
      .localScope),
    ATSDecisionRow(
      "local, site-local address", localLoads, "http://[fec0::1]", .denied(), sure: .assumed,
      .localNotPublic),
    ATSDecisionRow(
      "local, IPv4-mapped private address", localLoads, "http://[::ffff:10.0.0.1]", local,
      .localScope),
    ATSDecisionRow(
      "local, Tailscale's IPv6 address", localLoads, "http://[fd7a:115c:a1e0::c]", local,
      .localScope),
    ATSDecisionRow(
      "local, before the shared addresses", localLoads, "http://100.63.255.255", .denied(),
      sure: .assumed, .localNotPublic),
    ATSDecisionRow(
      "local, shared address", localLoads, "http://100.64.0.12", .denied(), sure: .observed,
      .localMeasured),
    ATSDecisionRow(
      "local, the last shared address", localLoads, "http://100.127.255.255", .denied(),
      sure: .observed,
      .localMeasured),
    ATSDecisionRow(
      "local, behind the shared addresses", localLoads, "http://100.128.0.0", .denied(),
      sure: .assumed,
      .localNotPublic),
    ATSDecisionRow(
      "local, shared address, iOS 16", localLoads, "http://100.64.0.12", on: .os10, .allowed(),
      .local10),
    ATSDecisionRow(
      "local, public address", localLoads, "http://93.184.216.34", .denied(), sure: .assumed,
      .localNotPublic),
    ATSDecisionRow(
      "local, public IPv6 address", localLoads, "http://[2606:4700::1111]", .denied(),
      sure: .assumed,
      .localNotPublic),
    ATSDecisionRow(
      "local, public address, iOS 16", localLoads, "http://93.184.216.34", on: .os10, .allowed(),
      .local10),
    ATSDecisionRow(
      "local, address, iOS 16", localLoads, "http://192.168.1.10", on: .os10, .allowed(), .local10),
    ATSDecisionRow(
      "local, address, iOS 9: not read", localLoads, "http://192.168.1.10", on: .os9, .denied(),
      .versions9),
    ATSDecisionRow("local, .local", localLoads, "http://my-mac.local", local, .localScope),
    ATSDecisionRow(
      "local, .local, iOS 16", localLoads, "http://my-mac.local", on: .os10, local, .localScope),
    ATSDecisionRow(
      "local, .local, iOS 9: not read", localLoads, "http://my-mac.local", on: .os9, .denied(),
      .versions9),
    ATSDecisionRow("local, one label", localLoads, "http://my-mac", local, .localScope),
    ATSDecisionRow(
      "local, one label, iOS 9: not read", localLoads, "http://my-mac", on: .os9, .denied(),
      .versions9),
    ATSDecisionRow(
      "local, tailnet name", localLoads, "http://my-mac.tail1.ts.net", .denied(), .localScope),
    ATSDecisionRow("local, public name", localLoads, "http://example.com", .denied(), .localScope),
    ATSDecisionRow(
      "local, address in a web view", localLoads, "http://192.168.1.10", in: .web, local,
      .localScope),
    ATSDecisionRow(
      "local, address as media", localLoads, "http://192.168.1.10", in: .media, local, .localScope),
    ATSDecisionRow(
      "local is false, address", ["NSAllowsLocalNetworking": false], "http://192.168.1.10",
      .denied(), .local17),
    ATSDecisionRow(
      "local is false, .local", ["NSAllowsLocalNetworking": false], "http://my-mac.local",
      .allowed(), .local17Names),
    ATSDecisionRow(
      "local, own entry refuses",
      ["NSAllowsLocalNetworking": true, "NSExceptionDomains": ["192.168.1.10": denying]],
      "http://192.168.1.10", .denied(.flag("192.168.1.10")), .domainsEmpty),
    ATSDecisionRow(
      "local, empty entry, .local",
      ["NSAllowsLocalNetworking": true, "NSExceptionDomains": ["my-mac.local": empty]],
      "http://my-mac.local", .denied(.entry("my-mac.local")), .domainsEmpty),
    ATSDecisionRow(
      "local, shared address with its entry",
      ["NSAllowsLocalNetworking": true, "NSExceptionDomains": ["100.64.0.12": allowed]],
      "http://100.64.0.12", .allowed(.flag("100.64.0.12")), .domainsAddresses),
  ]
}
