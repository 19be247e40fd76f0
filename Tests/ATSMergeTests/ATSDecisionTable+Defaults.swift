import PlistKit

@testable import ATSMerge

extension ATSDecisionTable {
  /// No settings: the default of the OS.
  static let defaults: [ATSDecisionRow] = [
    ATSDecisionRow(
      "nothing, private address, iOS 9", nil, "http://192.168.1.10", on: .os9, .denied(), .local9),
    ATSDecisionRow(
      "nothing, private address, iOS 16", nil, "http://192.168.1.10", on: .os10, .allowed(),
      .local10),
    ATSDecisionRow("nothing, private address", nil, "http://192.168.1.10", .denied(), .local17),
    ATSDecisionRow(
      "nothing, public address, iOS 9", nil, "http://93.184.216.34", on: .os9, .denied(), .local9),
    ATSDecisionRow(
      "nothing, public address, iOS 16", nil, "http://93.184.216.34", on: .os10, .allowed(),
      .local10),
    ATSDecisionRow("nothing, public address", nil, "http://93.184.216.34", .denied(), .linked17),
    ATSDecisionRow(
      "nothing, loopback address, iOS 9", nil, "http://127.0.0.1", on: .os9, .denied(), .local9),
    ATSDecisionRow(
      "nothing, loopback address, iOS 16", nil, "http://127.0.0.1", on: .os10, .allowed(), .local10),
    ATSDecisionRow("nothing, loopback address", nil, "http://127.0.0.1", .denied(), .local17),
    ATSDecisionRow("nothing, link-local address", nil, "http://169.254.7.9", .denied(), .local17),
    ATSDecisionRow(
      "nothing, shared address, iOS 16", nil, "http://100.64.0.12", on: .os10, .allowed(), .local10),
    ATSDecisionRow("nothing, shared address", nil, "http://100.64.0.12", .denied(), .local17),
    ATSDecisionRow(
      "nothing, unique-local address, iOS 9", nil, "http://[fd00::10]", on: .os9, .denied(), .local9
    ),
    ATSDecisionRow(
      "nothing, unique-local address, iOS 16", nil, "http://[fd00::10]", on: .os10, .allowed(),
      .local10),
    ATSDecisionRow("nothing, unique-local address", nil, "http://[fd00::10]", .denied(), .local17),
    ATSDecisionRow(
      "nothing, public IPv6 address, iOS 16", nil, "http://[2606:4700::1111]", on: .os10,
      .allowed(), .local10),
    ATSDecisionRow(
      "nothing, public IPv6 address", nil, "http://[2606:4700::1111]", .denied(), .linked17),
    ATSDecisionRow("nothing, IPv6 loopback address", nil, "http://[::1]", .denied(), .local17),
    ATSDecisionRow(
      "nothing, IPv4-mapped address, iOS 16", nil, "http://[::ffff:192.168.1.10]", on: .os10,
      .allowed(), .local10),
    ATSDecisionRow(
      "nothing, IPv4-mapped address", nil, "http://[::ffff:192.168.1.10]", .denied(), .local17),
    ATSDecisionRow(
      "nothing, .local, iOS 9", nil, "http://my-mac.local", on: .os9, .denied(), .local9),
    ATSDecisionRow(
      "nothing, .local, iOS 16", nil, "http://my-mac.local", on: .os10, .allowed(), .local10),
    ATSDecisionRow("nothing, .local", nil, "http://my-mac.local", .allowed(), .local17Names),
    ATSDecisionRow(
      "nothing, .local in upper case", nil, "http://MY-MAC.LOCAL", .allowed(), .local17Names),
    ATSDecisionRow(
      "nothing, .local of three labels", nil, "http://a.my-mac.local", .allowed(), .local17Names),
    ATSDecisionRow(
      "nothing, local within the name", nil, "http://my-mac.local.example", .denied(), .https),
    ATSDecisionRow("nothing, one label, iOS 9", nil, "http://my-mac", on: .os9, .denied(), .local9),
    ATSDecisionRow(
      "nothing, one label, iOS 16", nil, "http://my-mac", on: .os10, .allowed(), .local10),
    ATSDecisionRow("nothing, one label", nil, "http://my-mac", .allowed(), .local17Names),
    ATSDecisionRow("nothing, localhost", nil, "http://localhost", .allowed(), .local17Names),
    ATSDecisionRow("nothing, name under localhost", nil, "http://a.localhost", .denied(), .https),
    ATSDecisionRow(
      "nothing, public name, iOS 9", nil, "http://example.com", on: .os9, .denied(), .https),
    ATSDecisionRow(
      "nothing, public name, iOS 16", nil, "http://example.com", on: .os10, .denied(), .https),
    ATSDecisionRow("nothing, public name", nil, "http://example.com", .denied(), .https),
    ATSDecisionRow(
      "nothing, tailnet name, iOS 16", nil, "http://my-mac.tail1.ts.net", on: .os10, .denied(),
      .https),
    ATSDecisionRow("nothing, tailnet name", nil, "http://my-mac.tail1.ts.net", .denied(), .https),
    ATSDecisionRow(
      "nothing, public name in a web view", nil, "http://example.com", in: .web, .denied(), .https),
    ATSDecisionRow(
      "nothing, public name as media", nil, "http://example.com", in: .media, .denied(), .https),
    ATSDecisionRow(
      "nothing, address in a web view", nil, "http://192.168.1.10", in: .web, .denied(), .local17),
    ATSDecisionRow(
      "nothing, .local as media", nil, "http://my-mac.local", in: .media, .allowed(), .local17Names),
    ATSDecisionRow("empty settings, public name", empty, "http://example.com", .denied(), .https),
    ATSDecisionRow(
      "empty settings, .local", empty, "http://my-mac.local", .allowed(), .local17Names),
    ATSDecisionRow(
      "no exception domains, address", ["NSExceptionDomains": [:]], "http://192.168.1.10",
      .denied(), .local17),
  ]
}
