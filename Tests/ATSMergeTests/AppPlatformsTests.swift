import PlistKit
import Testing

@testable import ATSMerge

@Suite struct AppPlatformsTests {
  static let simulators: [Row<PlistValue, Bool>] = [
    Row("iOS", ["iPhoneSimulator"], true), Row("tvOS", ["AppleTVSimulator"], true),
    Row("watchOS", ["WatchSimulator"], true), Row("visionOS", ["XRSimulator"], true),
    Row("two simulators", ["iPhoneSimulator", "XRSimulator"], true),
    Row("a device", ["iPhoneOS"], false),
    Row("a device and a simulator", ["iPhoneOS", "iPhoneSimulator"], false),
    Row("a simulator and a device", ["iPhoneSimulator", "iPhoneOS"], false),
    Row("a Mac", ["MacOSX"], false),
    Row("a simulator and a Mac", ["iPhoneSimulator", "MacOSX"], false),
    Row("another case", ["iphonesimulator"], false), Row("none", [], false),
    Row("no text", [1], false), Row("no array", "iPhoneSimulator", false),
  ]

  @Test(arguments: simulators) func simulator(_ row: Row<PlistValue, Bool>) {
    let root = dictionary("CFBundleSupportedPlatforms", row.input)
    #expect(AppPlatforms(infoPlist: root).isSimulator == row.expected)
  }

  @Test func withoutTheKey() {
    #expect(!AppPlatforms(infoPlist: [:]).isSimulator)
    #expect(!AppPlatforms(infoPlist: "text").isSimulator)
  }
}

/// What an injection says of the oldest OS that an app runs on.
@Suite struct InjectionOldestOSTests {
  struct NoteRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var platform = "iPhoneOS"
    let version: String?
    var hosts = ["my-mac.local", "192.168.1.10", "[fd00::10]"]
    var scheme = "http"
    var settings: PlistValue = [:]
    /// What the note holds; empty where there must be none.
    var mentions: [String] = []
    var mentionsNot: [String] = []
  }

  static let passes = ["needs no exception"]
  static let refuses = ["names alone", "192.168.1.10, fd00::10"]

  static let rows: [NoteRow] = [
    NoteRow(testDescription: "iOS 17", version: "17.0"),
    NoteRow(testDescription: "iOS 26", version: "26.0"),
    NoteRow(testDescription: "no version", version: nil),
    NoteRow(testDescription: "a version that is none", version: "x"),
    NoteRow(testDescription: "iOS 8, before App Transport Security", version: "8.0"),
    NoteRow(testDescription: "iOS 16", version: "16.6", mentions: passes + ["iOS 16.6", "iOS 17"]),
    NoteRow(testDescription: "iOS 10", version: "10.0", mentions: passes),
    NoteRow(
      testDescription: "iOS 9", version: "9.3", mentions: refuses + ["iOS 9.3"],
      mentionsNot: ["my-mac"]),
    NoteRow(
      testDescription: "iOS 9, arbitrary loads", version: "9.0",
      settings: ["NSAllowsArbitraryLoads": true], mentions: passes),
    NoteRow(testDescription: "iOS 9, a name alone", version: "9.0", hosts: ["my-mac.local"]),
    NoteRow(testDescription: "iOS 9, HTTPS alone", version: "9.0", scheme: "https"),
    NoteRow(
      testDescription: "a simulator", platform: "iPhoneSimulator", version: "15.0", mentions: passes
    ),
    NoteRow(testDescription: "tvOS 17", platform: "AppleTVOS", version: "17.0"),
    NoteRow(
      testDescription: "tvOS 16", platform: "AppleTVOS", version: "16.0",
      mentions: passes + ["tvOS 16.0", "tvOS 17"]),
    NoteRow(
      testDescription: "watchOS 9", platform: "WatchOS", version: "9.0",
      mentions: passes + ["watchOS 10"]),
    NoteRow(testDescription: "visionOS 1", platform: "XROS", version: "1.0"),
  ]

  @Test(arguments: rows) func notes(_ row: NoteRow) throws {
    let platforms: PlistValue = [.string(row.platform)]
    var root = PlistDictionary([("CFBundleSupportedPlatforms", platforms)])
    root["MinimumOSVersion"] = row.version.map(PlistValue.string)
    root["NSAppTransportSecurity"] = row.settings
    let injection = Injection(
      urls: try row.hosts.map { try url($0, scheme: row.scheme) },
      source: try UpdateSource(parsing: "gh:example/demo"))
    let notes = try document(.dictionary(root)).preparing(injection).platformNotes
    #expect(notes.count == (row.mentions.isEmpty ? 0 : 1), "\(notes)")
    for text in row.mentions { #expect(notes.first?.contains(text) == true, "\(notes)") }
    for text in row.mentionsNot { #expect(notes.first?.contains(text) == false, "\(notes)") }
  }

  @Test func nothingIsSaidTwice() throws {
    let root = dictionary("MinimumOSVersion", "15.0")
    let injection = try injection("10.0.0.1")
    let first = try document(root).preparing(injection)
    #expect(first.platformNotes.count == 1)
    #expect(try first.document.preparing(injection).platformNotes.isEmpty)
  }

  @Test func aMacSaysItsVersionElsewhere() throws {
    let root: PlistValue = [
      "CFBundleSupportedPlatforms": ["MacOSX"], "LSMinimumSystemVersion": "13.0",
      "MinimumOSVersion": "17.0",
    ]
    let notes = try document(root).preparing(try injection("10.0.0.1")).platformNotes
    #expect(notes.first?.contains("macOS 14") == true, "\(notes)")
  }
}
