import Foundation
import Testing

@testable import AppBundle

/// Real applications of other projects.
@Suite(.enabled(if: Shared.folder != nil)) struct SharedInputTests {
  struct Row: NamedRow {
    let name: String
    /// Nil where it is edited.
    let code: BundleError.Code?
  }

  static let rows = [
    Row(name: "app-info-apple-tv.ipa", code: nil), Row(name: "app-info-embedded.ipa", code: nil),
    Row(name: "app-info-ipad.ipa", code: nil), Row(name: "app-info-iphone.ipa", code: nil),
    Row(name: "mas-undebuggable.ipa", code: nil), Row(name: "fastlane-very-capable.ipa", code: nil),
    Row(name: "fastlane-very-capable-app-spaces.ipa", code: nil),
    Row(name: "pliney-test.ipa", code: nil), Row(name: "ipa-metadata-binary.ipa", code: nil),
    Row(name: "SYNTH-demo-all-bundle-kinds.ipa", code: nil),
    Row(name: "ipa-metadata-xml.ipa", code: nil),
    Row(name: "sparkle-mac-app.zip", code: .noPayload),
    Row(name: "fastlane-app-only.ipa", code: .noPayload),
    Row(name: "fastlane app with spaces.ipa", code: .noPayload),
    Row(name: "fastlane-watch.ipa", code: .noPayload),
    Row(name: "fastlane-incorrectly-signed.ipa", code: .noPayload),
    Row(name: "fastlane-no-app-bundle.ipa", code: .noApplication),
    Row(name: "fastlane-no-swift.ipa", code: .noInfoPlist),
    Row(name: "fastlane-swift-twice.ipa", code: .noInfoPlist),
    Row(name: "fastlane-not-an-ipa.ipa", code: .notAnArchive),
  ]

  @Test(arguments: rows)
  func status(_ row: Row) throws {
    let path = try #require(Shared.path("ipas/\(row.name)"))
    guard row.code == nil else {
      #expect(code { _ = try Application.open(path) } == row.code)
      return
    }
    let place = try Workplace()
    let app = try Application.open(path)
    let wanted = try app.infoPlist() + [0x20]
    try place.write("wanted", wanted)
    try app.commit(wanted, to: .path(place.at("b.ipa"), replace: false))
    let new = try Application.open(place.at("b.ipa"))
    #expect(
      try new.memberDifferences(from: app)
        == [MemberDifference(path: app.infoPlistPath, kind: .contents)])
    guard Tool.hasPython else { return }
    let same = try Tool.python(
      Oracle.sameBut, [path, place.at("b.ipa"), app.infoPlistPath, place.at("wanted")])
    #expect(same.status == 0, "\(same.output)")
    // Unpacked and packed again it is the same application.
    try app.commit(app.infoPlist(), to: .path(place.at("folder"), replace: false))
    let folder = try Application.open(place.at("folder"))
    #expect(try folder.memberDifferences(from: app) == [])
    try folder.commit(folder.infoPlist(), to: .path(place.at("c.ipa"), replace: false))
    #expect(try Application.open(place.at("c.ipa")).memberDifferences(from: folder) == [])
  }

  @Test func allBundleKinds() throws {
    let app = try Application.open(
      try #require(Shared.path("ipas/SYNTH-demo-all-bundle-kinds.ipa")))
    let kinds = Dictionary(grouping: app.nestedBundles, by: \.kind).mapValues(\.count)
    #expect(
      kinds == [
        .appex: 3, .framework: 2, .watchApp: 1, .appClip: 1, .bundle: 1, .dynamicLibrary: 1,
      ])
    let depths = app.nestedBundles.map { $0.path.split(separator: "/").count }
    #expect(depths == depths.sorted(by: >))
  }
}
