import Testing

@testable import ATSMerge

@Suite struct ATSGenerationTests {
  static let rows: [Row<String, ATSGeneration?>] = [
    Row("iOS 8", "ios8", nil), Row("iOS 9", "ios9", .os9), Row("iOS 10", "ios10", .os10),
    Row("iOS 16.4", "iOS 16.4", .os10), Row("iOS 17", "ios17", .os17),
    Row("iOS 26", "ios26", .os17),
    Row("iPadOS 17", "iPadOS-17", .os17), Row("tvOS 17", "tvos17", .os17),
    Row("tvOS 16", "tvos16", .os10),
    Row("watchOS 9", "watchos9", .os10), Row("watchOS 10", "watchos10", .os17),
    Row("visionOS 1", "visionos1", .os17), Row("OS X 10.10", "macos10.10", nil),
    Row("OS X 10.11", "macos10.11", .os9), Row("macOS 10.15", "macos10.15", .os10),
    Row("macOS 13", "macos13", .os10), Row("macOS 14", "macos14.2", .os17),
    Row("Mac OS 9", "macos9", nil), Row("a macOS without end", "macos9223372036854775807", .os17),
    Row("a generation", "os10", .os10), Row("no version", "ios", nil), Row("no OS", "17", nil),
    Row("empty", "", nil), Row("another OS", "android14", nil),
    Row("version of words", "ios-seventeen", nil),
  ]

  @Test func thoseThatFollowOneAnotherHaveOneName() {
    #expect(ATSGeneration.summary(from: .os10, through: .os17, of: "iOS") == "iOS 10 and later")
    #expect(ATSGeneration.summary(from: .os9, through: .os10, of: "macOS") == "macOS 10.11 to 13")
    #expect(ATSGeneration.summary(from: .os9, through: .os17, of: "tvOS") == "tvOS 9 and later")
    #expect(ATSGeneration.summary(from: .os10, through: .os10, of: "iOS") == "iOS 10 to 16")
  }

  @Test(arguments: rows) func isReadFromAnOSAndVersion(_ row: Row<String, ATSGeneration?>) {
    #expect(ATSGeneration(parsing: row.input) == row.expected)
  }
}
