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
    let ran = Set(report.checked)
    let off = Set(report.off)
    var cases = ""
    var failures = 0
    for rule in RuleTable.rules {
      let head = "    <testcase classname=\(quoted(report.input)) name=\(quoted(rule.id))"
      guard ran.contains(rule.id) else {
        let why =
          off.contains(rule.id) ? "switched off" : rule.isRun ? "does not apply" : "not run yet"
        cases += "\(head)>\n      <skipped message=\(quoted(why))/>\n    </testcase>\n"
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
    let skipped = report.off.count + report.notRun.count
    return """
        <testsuite name=\(quoted(report.input)) tests="\(RuleTable.rules.count)" \
      failures="\(failures)" errors="0" skipped="\(skipped)">
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
    Redaction.hidingIDs(in: text).printable.xmlEscaped
  }
}

extension String {
  /// The text for an element or a quoted attribute of XML 1.0.
  var xmlEscaped: String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar {
      case "<": result.append(contentsOf: "&lt;".unicodeScalars)
      case ">": result.append(contentsOf: "&gt;".unicodeScalars)
      case "&": result.append(contentsOf: "&amp;".unicodeScalars)
      case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
      case "'": result.append(contentsOf: "&#39;".unicodeScalars)
      case "\t", "\n", "\r", "\u{20}"..."\u{D7FF}", "\u{E000}"..."\u{FFFD}",
        "\u{10000}"..."\u{10FFFF}":
        result.append(scalar)
      default: result.append("\u{FFFD}")
      }
    }
    return String(result)
  }
}
