internal import ATSMerge

/// Rules in words.
struct RuleReport: Report {
  let rules: [Rule]
  let isLong: Bool

  var json: JSONValue {
    [
      "schema": "ipa-inject/rules/1",
      "rules": .array(
        rules.map { rule in
          [
            "id": .string(rule.id), "level": .string(rule.level.rawValue),
            "summary": .string(rule.summary), "help": .string(rule.help),
            "commands": .strings(
              VerificationTask.allCases.filter(rule.tasks.contains).map(\.rawValue)),
            "wrong": rule.examples.wrong.json, "right": rule.examples.right.json,
          ]
        }),
    ]
  }

  func text(_ style: Style) -> String {
    guard isLong else {
      let lines = TextTable(rows: rules.map { [$0.id, $0.level.rawValue, $0.summary] }).lines()
      func list(_ isVerified: Bool) -> String {
        zip(rules, lines).filter { $0.0.tasks.contains(.verify) == isVerified }.map { $0.1 + "\n" }
          .joined()
      }
      return "\(list(true))\n\(style.bold("In plan alone"))\n\(list(false))"
    }
    return rules.map { explanation(of: $0, style) }.joined(separator: "\n")
  }

  private func explanation(of rule: Rule, _ style: Style) -> String {
    let state = rule.tasks.contains(.verify) ? "" : ", in plan alone"
    let head = "\(style.bold(rule.id)) (\(rule.level.rawValue)\(state)): \(rule.summary)\n"
    return "\(head)\n\(rule.help)\n\n" + text(of: rule.examples.wrong, style.red("Wrong"), style)
      + "\n" + text(of: rule.examples.right, style.green("Right"), style)
  }

  private func text(of example: RuleExample, _ verdict: String, _ style: Style) -> String {
    let blocks = example.blocks.map { block in
      let lines = block.text.split(separator: "\n", omittingEmptySubsequences: false)
      return "  \(style.dim(block.title))\n" + lines.map { "    \($0)\n" }.joined()
    }
    return "\(verdict): \(example.caption)\n" + blocks.joined()
  }
}

extension RuleExample {
  fileprivate var json: JSONValue {
    [
      "caption": .string(caption),
      "blocks": .array(
        blocks.map { ["title": .string($0.title), "text": .string($0.text)] }),
    ]
  }
}
