import Testing

@testable import Processes

@Suite("Deadline")
struct DeadlineTests {
  struct Row: NamedRow {
    let name: String
    let duration: Duration
    let milliseconds: ClosedRange<Int32>
  }

  static let rows = [
    Row(name: "a minute", duration: .seconds(60), milliseconds: 50_000...60_000),
    Row(name: "now", duration: .zero, milliseconds: 0...0),
    Row(name: "a minute ago", duration: .seconds(-60), milliseconds: 0...0),
    Row(name: "a year", duration: .seconds(31_536_000), milliseconds: .max ... .max),
    Row(name: "longer than a process", duration: .seconds(1 << 40), milliseconds: .max ... .max),
  ]

  @Test("what is left is told in milliseconds", arguments: rows)
  func left(_ row: Row) {
    let deadline = Deadline(after: row.duration)
    #expect(row.milliseconds.contains(deadline.milliseconds))
    #expect(deadline.isPast == (row.milliseconds.upperBound == 0))
  }
}
