import PlistKit

@testable import ATSMerge

extension ATSDecisionTable {
  /// Apps by the SDK that they were linked with.
  static let sdks: [ATSDecisionRow] = [
    ATSDecisionRow(
      "iOS 9 SDK, address", nil, "http://192.168.1.10", sdk: "iphoneos9.3", .allowed(), .linked17),
    ATSDecisionRow(
      "iOS 16 SDK, address", nil, "http://192.168.1.10", sdk: "iphoneos16.4", .allowed(), .linked17),
    ATSDecisionRow(
      "iOS 17 SDK, address", nil, "http://192.168.1.10", sdk: "iphoneos17.0", .denied(), .linked17),
    ATSDecisionRow(
      "iOS 26 SDK, address", nil, "http://192.168.1.10", sdk: "iphoneos26.1", .denied(), .linked17),
    ATSDecisionRow(
      "iOS 17 SDK, address, iOS 16", nil, "http://192.168.1.10", on: .os10, sdk: "iphoneos17.0",
      .allowed(), .local10),
    ATSDecisionRow(
      "iOS 17 SDK, address, iOS 9", nil, "http://192.168.1.10", on: .os9, sdk: "iphoneos17.0",
      .denied(), .local9),
    ATSDecisionRow(
      "simulator of iOS 16, address", nil, "http://192.168.1.10", sdk: "iphonesimulator16.4",
      .allowed(), .linked17),
    ATSDecisionRow(
      "tvOS 16 SDK, address", nil, "http://192.168.1.10", sdk: "appletvos16.4", .allowed(),
      .linked17),
    ATSDecisionRow(
      "tvOS 17 SDK, address", nil, "http://192.168.1.10", sdk: "appletvos17.2", .denied(), .linked17
    ),
    ATSDecisionRow(
      "watchOS 9 SDK, address", nil, "http://192.168.1.10", sdk: "watchos9.4", .allowed(), .linked17
    ),
    ATSDecisionRow(
      "watchOS 10 SDK, address", nil, "http://192.168.1.10", sdk: "watchos10.0", .denied(),
      .linked17),
    ATSDecisionRow(
      "macOS 13 SDK, address", nil, "http://192.168.1.10", sdk: "macosx13.3", .allowed(), .linked17),
    ATSDecisionRow(
      "macOS 14 SDK, address", nil, "http://192.168.1.10", sdk: "macosx14.0", .denied(), .linked17),
    ATSDecisionRow(
      "visionOS 1 SDK, address", nil, "http://192.168.1.10", sdk: "xros1.0", .denied(), .linked17),
    ATSDecisionRow(
      "unknown SDK, address", nil, "http://192.168.1.10", sdk: "x", .denied(), .local17),
    ATSDecisionRow(
      "SDK without version, address", nil, "http://192.168.1.10", sdk: "iphoneos", .denied(),
      .local17),
    ATSDecisionRow(
      "SDK of a negative version, address", nil, "http://192.168.1.10", sdk: "macosx-5", .denied(),
      .local17),
    ATSDecisionRow(
      "SDK of a huge version, address", nil, "http://192.168.1.10",
      sdk: "iphoneos99999999999999999999.4", .denied(), .linked17),
    ATSDecisionRow(
      "SDK of the largest version, address", nil, "http://192.168.1.10",
      sdk: "macosx9223372036854775807", .denied(), .linked17),
    ATSDecisionRow(
      "iOS 16 SDK, public address", nil, "http://93.184.216.34", sdk: "iphoneos16.4", .allowed(),
      .linked17),
    ATSDecisionRow(
      "iOS 16 SDK, public name", nil, "http://example.com", sdk: "iphoneos16.4", .denied(), .https),
    ATSDecisionRow(
      "iOS 16 SDK, .local", nil, "http://my-mac.local", sdk: "iphoneos16.4", .allowed(),
      .local17Names),
    ATSDecisionRow(
      "iOS 9 SDK, any beside local", anyBesideLocal, "http://example.com", sdk: "iphoneos9.3",
      .denied(), .versions10),
    ATSDecisionRow(
      "iOS 8 SDK, public name", nil, "http://example.com", sdk: "iphoneos8.4", .allowed(.sdk),
      .oldSDK),
    ATSDecisionRow(
      "iOS 8 SDK, empty entry", domain("a.example", empty), "http://a.example", sdk: "iphoneos8.4",
      .allowed(.sdk), .oldSDK),
    ATSDecisionRow(
      "iOS 8 SDK, address, iOS 9", nil, "http://192.168.1.10", on: .os9, sdk: "iphoneos8.4",
      .allowed(.sdk), .oldSDK),
    ATSDecisionRow(
      "macOS 10.10 SDK, public name", nil, "http://example.com", sdk: "macosx10.10", .allowed(.sdk),
      .oldSDK),
    ATSDecisionRow(
      "iOS 8 SDK, https", nil, "https://example.com", sdk: "iphoneos8.4", .allowed(.sdk), .oldSDK),
  ]
}
