import Testing

@testable import ipa_inject

/// What a terminal shows of what is under way.
@Suite struct ProgressTextTests {
  private func text(_ items: [ProgressText.Item], _ overall: ProgressText.Overall? = nil)
    -> ProgressText
  {
    ProgressText(overall: overall, items: items)
  }

  private static let harbor = ProgressText.Item(name: "apps/Harbor.ipa", done: 50, total: 100)

  @Test func oneFile() {
    var item = Self.harbor
    item.name = nil
    #expect(
      text([item]).lines(columns: 61, rows: 24)
        == ["[##########----------]   50 %  50 of 100 bytes"])
    item.total = 978_000_000
    item.done = 977_999_999
    #expect(
      text([item]).lines(columns: 61, rows: 24)
        == ["[###################-]   99 %  977 of 978 MB"])
  }

  @Test func severalFiles() {
    let waiting = ProgressText.Item(name: "apps/Pod.ipa")
    var overall = ProgressText.Overall(total: 200)
    overall.done = 50
    overall.failed = 2
    #expect(
      text([Self.harbor, waiting], overall).lines(columns: 81, rows: 24)
        == [
          "apps/Harbor.ipa             [#############-------------]   50 %  50 of 100 bytes",
          "apps/Pod.ipa",
          "[######--------------------]  50 of 200  2 failed",
        ])
  }

  @Test func thereAreNoMoreLinesThanRows() {
    let items = Array(repeating: Self.harbor, count: 100)
    let overall = ProgressText.Overall(total: 100)
    #expect(text(items, overall).lines(columns: 80, rows: 10).count == 8)
    #expect(text(items, overall).lines(columns: 80, rows: 100).count == 17)
    #expect(text(items, overall).lines(columns: 80, rows: 0).count == 1)
    #expect(text(items, overall).lines(columns: 10, rows: 24).isEmpty)
  }

  struct WidthRow: CustomTestStringConvertible {
    let testDescription: String
    let name: String
  }

  /// Two columns for all that is not ASCII is more than any terminal takes.
  @Test(
    arguments: [
      WidthRow(testDescription: "short", name: "A.ipa"),
      WidthRow(
        testDescription: "long", name: String(repeating: "a/long/way/", count: 30) + "A.ipa"),
      WidthRow(testDescription: "wide", name: String(repeating: "漢字", count: 100)),
      WidthRow(testDescription: "joined", name: String(repeating: "👨‍👩‍👧e\u{301}", count: 60)),
      WidthRow(testDescription: "controls", name: "a\u{1B}[2J\n\r\u{202E}b.ipa"),
    ], [21, 22, 40, 79, 80, 132, 400])
  func noLineIsTooWide(_ row: WidthRow, _ columns: Int) {
    var overall = ProgressText.Overall(total: 1_000_000)
    overall.done = 999_999
    overall.failed = 999_998
    for total in [0, 100, UInt64.max] {
      let items = [ProgressText.Item(name: row.name, done: total / 2, total: total)]
      for line in text(items, overall).lines(columns: columns, rows: 24) {
        #expect(line.unicodeScalars.reduce(0) { $0 + ($1.isASCII ? 1 : 2) } < columns)
        #expect(line.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 })
      }
    }
  }

  @Test func moreThanAllIsAll() {
    let item = ProgressText.Item(name: nil, done: 200, total: 100)
    #expect(
      text([item]).lines(columns: 61, rows: 24)
        == ["[####################]  100 %  100 of 100 bytes"])
  }
}
