import NetDiscovery
import PlistKit
import Testing

@testable import ATSMerge

/// What decides stands in ATSDecisionTable; this is how the SDK of an app is found.
@Suite struct ATSPolicyTests {
  static let sdks: [Row<PlistValue, ATSGeneration>] = [
    Row("by its name", ["DTSDKName": "iphoneos16.4"], .os10),
    Row("by its platform", ["DTPlatformName": "iphoneos", "DTPlatformVersion": "16.4"], .os10),
    Row(
      "name before platform",
      [
        "DTSDKName": "iphoneos17.0", "DTPlatformName": "iphoneos", "DTPlatformVersion": "16.4",
      ], .os17),
    Row("platform without version", ["DTPlatformName": "iphoneos"], .os17),
    Row("name of another type", ["DTSDKName": 16], .os17),
    Row("none", [:], .os17),
  ]

  @Test(arguments: sdks) func findsTheSDK(_ row: Row<PlistValue, ATSGeneration>) {
    #expect(ATSPolicy(infoPlist: row.input).generation(on: .os17) == row.expected)
  }
}
