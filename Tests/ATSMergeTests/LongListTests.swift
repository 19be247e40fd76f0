import PlistKit
import Testing

@testable import ATSMerge

/// A list can name one object of a binary file millions of times: what is made of it stays short.
@Suite struct LongListTests {
  private static let count = 50_000

  /// An item that is repeated, by the keys that lead to its list.
  static let rows: [Row<[String], PlistValue>] = [
    Row("update URLs", ["IPAHub", "updateURL"], .string(urlText("h"))),
    Row("bad update URLs", ["IPAHub", "updateURL"], "ftp://h"),
    Row("integers for update URLs", ["IPAHub", "updateURL"], 1),
    Row(
      "integers for pins",
      ["NSAppTransportSecurity", "NSPinnedDomains", "h", "NSPinnedLeafIdentities"], 1),
    Row(
      "pins without a hash",
      ["NSAppTransportSecurity", "NSPinnedDomains", "h", "NSPinnedCAIdentities"], [:]),
    Row("services", ["NSBonjourServices"], 1), Row("bound domains", ["WKAppBoundDomains"], 1),
  ]

  @Test(arguments: rows) func isToldShortly(_ row: Row<[String], PlistValue>) {
    let items = PlistValue.array([PlistValue](repeating: row.expected, count: Self.count))
    let root = row.input.reversed().reduce(items) { [$1: $0] }
    let facts = VerificationFacts(VerificationSubject(infoPlist: root, infoPlistPath: "Info.plist"))
    let observations = RuleTable.rules.map { $0.check(facts).count }
    #expect(observations.allSatisfy { $0 <= UpdateMetadata.mostEntries + 1 })
    #expect(observations.contains { $0 > 0 })
    #expect(facts.metadata.state != .valid)
  }

  @Test func asManyUpdateURLsAsAreLookedAt() throws {
    func state(_ count: Int) -> UpdateMetadata.State {
      let urls = (0..<count).map { PlistValue.string(urlText("h\($0)")) }
      return UpdateMetadata(infoPlist: ["IPAHub": ["updateURL": .array(urls)]]).state
    }
    #expect(state(UpdateMetadata.mostEntries) == .valid)
    #expect(state(UpdateMetadata.mostEntries + 1) == .malformed)
  }
}
