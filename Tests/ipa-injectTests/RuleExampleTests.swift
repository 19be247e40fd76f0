import ATSMerge
import Foundation
import Testing

/// Runs the examples that are runs of the program, as `--explain` and the documentation show them.
@Suite struct RuleExampleTests {
  /// A line that ends with a rule's verdict.
  struct Row: Sendable, CustomTestStringConvertible {
    let rule: String
    let isWrong: Bool
    let example: RuleExample

    var testDescription: String { "\(rule): \(isWrong ? "wrong" : "right")" }
  }

  static let rows: [Row] = RuleTable.rules.flatMap { rule in
    [(true, rule.examples.wrong), (false, rule.examples.right)].compactMap { isWrong, example in
      example.commands.map { _ in Row(rule: rule.id, isWrong: isWrong, example: example) }
    }
  }

  @Test func examplesAreThere() { #expect(Set(Self.rows.map(\.rule)).count >= 15) }

  @Test(arguments: rows) func isWhatTheProgramFinds(_ row: Row) throws {
    let workplace = try Workplace()
    defer { workplace.remove() }
    for (path, xml) in row.example.propertyLists {
      let text = "<plist version=\"1.0\"><dict>\n\(xml)\n</dict></plist>\n"
      try text.write(
        to: workplace.folder.appending(path: path), atomically: true, encoding: .utf8)
    }
    let commands = try #require(row.example.commands)
    for command in commands.dropLast() {
      let outcome = try workplace.run(command)
      #expect(outcome.status == 0, "\(command): \(outcome.output)")
    }
    let last = try #require(commands.last)
    let outcome = try workplace.run("\(last) --json 2>/dev/null")
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    let findings = try #require(report["findings"] as? [[String: Any]])
    let isFound = findings.contains { $0["rule"] as? String == row.rule }
    #expect(isFound == row.isWrong, "\(last): \(outcome.output)")
  }
}
