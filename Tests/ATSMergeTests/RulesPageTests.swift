import Foundation
import Testing

@testable import ATSMerge

/// Documentation/rules.md is the table of rules in words. `UPDATE_RULES_PAGE=1 swift test --filter
/// RulesPageTests` writes it anew.
@Suite("Documentation/rules.md")
struct RulesPageTests {
  private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Documentation/rules.md")

  @Test("says what the table says")
  func isOfTheTable() throws {
    let page = Self.page
    if ProcessInfo.processInfo.environment["UPDATE_RULES_PAGE"] == "1" {
      try Data(page.utf8).write(to: Self.file)
    }
    let written = try String(contentsOf: Self.file, encoding: .utf8)
    let lines = zip(written.components(separatedBy: "\n"), page.components(separatedBy: "\n"))
    let first = lines.first { $0 != $1 }.map { "'\($0.0)' is there, '\($0.1)' is wanted" }
    let isSame = written == page
    #expect(isSame, "\(first ?? "one is longer"); see the suite's comment")
  }

  private static var page: String {
    introduction
      + RuleTable.rules.map { rule in
        let link = rule.id.filter { $0 != "." }
        let summary = rule.summary + (rule.tasks.contains(.verify) ? "" : " (`plan`)")
        return "| [`\(rule.id)`](#\(link)) | \(rule.level.rawValue) | \(summary) |\n"
      }.joined()
      + RuleTable.rules.map(section).joined()
  }

  private static let introduction = """
    # The rules of `verify` and `plan`

    What each rule finds, why it matters, and a wrong and a right example. The same stands in
    `ipa-inject verify --explain RULE`, and the examples are what the tests run through the rules. The level
    is the default; `--rule RULE=LEVEL` sets another, `--disable RULE` switches a rule off. Of one rule at
    most \(RuleTable.mostFindings.formatted(.number.grouping(.automatic).locale(Locale(identifier: "en")))) findings are listed, and one more says how many others there are.

    Examples of an Info.plist are keys and values of its dictionary. Installation IDs are shortened.

    | rule | level | finds |
    |---|---|---|

    """

  private static func section(_ rule: Rule) -> String {
    let commands = VerificationTask.allCases.filter(rule.tasks.contains).map { "`\($0.rawValue)`" }
    return """

      ## \(rule.id)

      Level: \(rule.level.rawValue). Run by \(commands.joined(separator: " and ")). Finds: \(rule.summary).

      \(rule.help)

      \(text(of: rule.examples.wrong, "Wrong"))
      \(text(of: rule.examples.right, "Right"))
      """
  }

  private static func text(of example: RuleExample, _ verdict: String) -> String {
    "\(verdict): \(example.caption).\n\n"
      + example.blocks.map { block in
        let language =
          switch block.title {
          case _ where block.title.contains("Info.plist") && !block.title.hasSuffix(".strings"):
            "xml"
          default: "text"
          }
        return "`\(block.title)`\n\n```\(language)\n\(block.text)\n```\n"
      }.joined(separator: "\n")
  }
}
