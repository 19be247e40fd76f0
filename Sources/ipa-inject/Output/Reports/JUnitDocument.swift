internal import ATSMerge
internal import PlistKit

/// A verification as JUnit XML: a test suite for each input, in it a test case for each rule.
///
/// Findings at or above `--fail-on` are a failure, others stand in `system-out`; a rule that did not
/// run is skipped, and an input that cannot be looked at is an error. Times and the host's name are left
/// out, so that the same input gives the same bytes.
///
/// Source: the schema of Jenkins' xUnit plugin, junit-10.xsd.
struct JUnitDocument: ReportDocument {
  /// Findings of one rule that are listed.
  private static let listed = 100

  func head() -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="ipa-inject verify">

    """
  }

  func piece(of input: VerifiedInput) -> String {
    switch input {
    case .report(let report): suite(report)
    case .failure(let input, let failure): suite(of: failure, input: input)
    }
  }

  func tail(status: ExitStatus) -> String { "</testsuites>\n" }

  private func suite(_ report: VerifyReport) -> String {
    var findings: [String: [Finding]] = [:]
    for finding in report.findings { findings[finding.rule, default: []].append(finding) }
    let reasons = Dictionary(report.notRun.map { ($0.rule.id, $0.reason) }) { $1 }
    let rules = RuleTable.rules(for: .verify)
    var cases = ""
    var failures = 0
    for rule in rules {
      let head = "    <testcase classname=\(quoted(report.input)) name=\(quoted(rule.id))"
      if let reason = reasons[rule.id] {
        cases +=
          "\(head)>\n      <skipped message=\(quoted(reason.words))/>\n    </testcase>\n"
        continue
      }
      let found = findings[rule.id] ?? []
      let failed = found.filter { $0.level >= report.settings.failOn }
      let others = found.filter { $0.level < report.settings.failOn }
      if found.isEmpty {
        cases += "\(head)/>\n"
        continue
      }
      failures += failed.isEmpty ? 0 : 1
      cases +=
        "\(head)>\n\(failure(failed, of: rule, in: report))\(output(others, in: report))"
        + "    </testcase>\n"
    }
    return """
        <testsuite name=\(quoted(report.input)) tests="\(rules.count)" \
      failures="\(failures)" errors="0" skipped="\(report.notRun.count)">
      \(cases)  </testsuite>

      """
  }

  private func suite(of failure: Failure, input: String) -> String {
    let line = failure.line
    return """
        <testsuite name=\(quoted(input)) tests="1" failures="0" errors="1" skipped="0">
          <testcase classname=\(quoted(input)) name="input">
            <error message=\(quoted(failure.message)) type=\(quoted(failure.code))>\(escaped(line))</error>
          </testcase>
        </testsuite>

      """
  }

  private func failure(_ findings: [Finding], of rule: Rule, in report: VerifyReport) -> String {
    guard let first = findings.first else { return "" }
    let more = findings.count > 1 ? " (and \(findings.count - 1) more)" : ""
    return """
            <failure message=\(quoted(first.shownMessage + more)) type=\(quoted(first.level.rawValue))>\
      \(lines(findings, in: report))
      \(escaped(rule.help))</failure>

      """
  }

  private func output(_ findings: [Finding], in report: VerifyReport) -> String {
    findings.isEmpty
      ? "" : "      <system-out>\(lines(findings, in: report))</system-out>\n"
  }

  private func lines(_ findings: [Finding], in report: VerifyReport) -> String {
    let more = findings.count - Self.listed
    return findings.prefix(Self.listed).map { finding in
      let file = report.file(of: finding)
      let places = [file.member ?? file.path, finding.placeText, finding.pathText]
      let place = places.compactMap(\.self).joined(separator: " ")
      return escaped("\(finding.level.rawValue): \(finding.shownMessage) (\(place))") + "\n"
    }.joined() + (more > 0 ? "and \(more) more\n" : "")
  }

  private func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

  /// Text as XML 1.0 can hold it: control characters and overrides of the reading direction are shown
  /// as escapes, what is left that is no character of XML is replaced.
  private func escaped(_ text: String) -> String {
    Redaction.hidingIDs(in: text).printable.markupEscaped
  }
}

extension UnrunRule.Reason {
  fileprivate var words: String {
    switch self {
    case .disabled: "switched off"
    case .leftAlone: "signatures are left alone"
    case .noOriginal, .noApp, .notAsked: "does not apply"
    }
  }
}
