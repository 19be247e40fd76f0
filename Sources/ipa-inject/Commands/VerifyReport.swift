internal import ATSMerge
internal import AppBundle
internal import PlistKit

/// What the rules found.
struct VerifyReport: Report {
  let input: String
  let findings: [Finding]
  let checked: [String]
  let failOn: FindingLevel
  let format: String
  let warnings: [String]

  private var hasFailed: Bool { findings.contains { $0.level >= failOn } }

  var status: ExitStatus { hasFailed ? .findings : .success }

  var json: JSONValue {
    [
      "schema": "ipa-inject/verify/1",
      "result": hasFailed ? "fail" : "pass",
      "findings": .array(
        findings.map { finding in
          [
            "rule": .string(finding.rule), "level": .string(finding.level.rawValue),
            "message": .string(finding.message), "file": .optional(finding.file),
            "path": .optional(finding.path?.description),
          ]
        }),
      "checked": .strings(checked),
    ]
  }

  func text(_ style: Style) -> String {
    switch format {
    case "json": json.encoded()
    case "github": findings.map(annotation).joined()
    default: plainText(style)
    }
  }

  private func plainText(_ style: Style) -> String {
    let lines = findings.sorted { $0.level > $1.level }.map { finding in
      let place = finding.path.map { " \(style.dim("at \($0.description.printable)"))" } ?? ""
      return
        "\(marked(finding.level, style)): \(finding.message.printable) [\(finding.rule)]\(place)\n"
    }
    let counts = FindingLevel.allCases.reversed().compactMap { level -> String? in
      let count = findings.count { $0.level == level }
      return count == 0 ? nil : "\(count) \(level.rawValue)\(count == 1 ? "" : "s")"
    }
    let verdict = hasFailed ? style.red("failed") : style.green("passed")
    let found = counts.isEmpty ? "nothing found" : counts.joined(separator: ", ")
    return lines.joined() + "\(input.printable): \(verdict), \(found) (\(checked.count) rules)\n"
  }

  private func marked(_ level: FindingLevel, _ style: Style) -> String {
    switch level {
    case .error: style.red("error")
    case .warning: style.yellow("warning")
    case .note: style.bold("note")
    }
  }

  /// A workflow command. Source: GitHub Actions, "Workflow commands", whose values escape `%` and line
  /// ends and whose properties also `:` and `,`. The text is an app's, so nothing else that ends a line
  /// may come through either.
  private func annotation(_ finding: Finding) -> String {
    func escaped(_ text: String, _ special: String) -> String {
      text.printable.map { special.contains($0) ? $0.percentEscaped : String($0) }.joined()
    }
    let kind = finding.level == .note ? "notice" : finding.level.rawValue
    let place = [finding.file, finding.path?.description].compactMap(\.self).joined(separator: " ")
    return "::\(kind) file=\(escaped(input, "%:,")),title=\(escaped(finding.rule, "%:,"))::"
      + escaped("\(finding.message) (\(place))", "%") + "\n"
  }
}

extension Character {
  fileprivate var percentEscaped: String {
    utf8.map { byte in
      "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}
