import PlistKit
import Testing

@testable import AppIcon

@Suite struct IconNamesTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let name: String
    let plist: PlistValue
    let files: [String]
    let wanted: [String]

    var testDescription: String { name }
  }

  static let rows: [Row] = [
    Row(
      name: "CFBundleIcons with variants",
      plist: [
        "CFBundleIcons": ["CFBundlePrimaryIcon": ["CFBundleIconFiles": ["AppIcon60x60"]]]
      ],
      files: [
        "AppIcon60x60.png", "AppIcon60x60@2x.png", "AppIcon60x60@3x~iphone.png", "AppIcon20x20.png",
        "AppIcon60x60.txt", "AppIcon60x60x.png",
      ],
      wanted: ["AppIcon60x60.png", "AppIcon60x60@2x.png", "AppIcon60x60@3x~iphone.png"]),
    Row(
      name: "CFBundleIcons~ipad",
      plist: [
        "CFBundleIcons~ipad": ["CFBundlePrimaryIcon": ["CFBundleIconFiles": ["AppIcon76x76"]]]
      ], files: ["AppIcon76x76@2x~ipad.png"], wanted: ["AppIcon76x76@2x~ipad.png"]),
    Row(
      name: "old list, with extension", plist: ["CFBundleIconFiles": ["Icon.png", "Icon@2x.png"]],
      files: ["Icon.png", "Icon@2x.png", "Icon-72.png"], wanted: ["Icon.png", "Icon@2x.png"]),
    Row(
      name: "one old name", plist: ["CFBundleIconFile": "logo"], files: ["logo.png", "Icon.png"],
      wanted: ["logo.png"]),
    Row(
      name: "named ones that are not there", plist: ["CFBundleIconFile": "logo"],
      files: ["AppIcon29x29.png", "Icon.png", "Banner.png"],
      wanted: ["AppIcon29x29.png", "Icon.png"]),
    Row(
      name: "nothing named", plist: [:], files: ["icon@2x.png", "x.png"], wanted: ["icon@2x.png"]),
    Row(
      name: "a folder above", plist: ["CFBundleIconFile": "../../etc/logo"], files: ["logo.png"],
      wanted: []),
    Row(
      name: "wrong types",
      plist: [
        "CFBundleIcons": ["CFBundlePrimaryIcon": ["CFBundleIconFiles": ["a": 1]]],
        "CFBundleIconFiles": [1, true], "CFBundleIconFile": 7,
      ], files: ["1.png"], wanted: []),
    Row(
      name: "an asset's name", plist: ["CFBundleIcons": ["CFBundlePrimaryIcon": "App Icon"]],
      files: ["App Icon.png", "b.png"], wanted: ["App Icon.png"]),
  ]

  @Test(arguments: rows) func findsFiles(_ row: Row) {
    #expect(IconNames(infoPlist: row.plist).files(among: row.files) == row.wanted)
  }

  @Test func looksAtSoManyNames() {
    let many = PlistValue.array((0..<100_000).map { .string("Icon\($0)") })
    #expect(IconNames(infoPlist: ["CFBundleIconFiles": many]).names.count == 64)
  }
}
