import ATSMerge
import AppBundle
import PlistKit
import Testing

@testable import ipa_inject

/// JUnit XML. That it is valid is judged by Tests/scripts/check-reports.py.
@Suite struct JUnitDocumentTests {
  private typealias Make = VerifyReportTests

  private static func text(_ input: VerifiedInput) -> String {
    JUnitDocument().text(of: input, status: .findings)
  }

  @Test func aRuleIsATestCase() {
    var settings = VerifySettings()
    settings.rules.disabled = ["ats.key.form"]
    let report = Make.report(
      [
        Make.finding(
          "ats.value.type", .error, "one", path: PlistKeyPath(keys: "A"),
          place: PlistPlace(.line(2, column: 3))),
        Make.finding("ats.value.type", .error, "two"), Make.finding("metadata.unknown-key", .note),
      ], settings: settings)
    let text = Self.text(.report(report))
    let skipped = report.notRun.count
    #expect(
      text.contains(
        "<testsuite name=\"A.ipa\" tests=\"\(RuleTable.rules(for: .verify).count)\" failures=\"1\" errors=\"0\" "
          + "skipped=\"\(skipped)\">"))
    #expect(
      text.contains(
        "name=\"ats.value.type\">\n      <failure message=\"one (and 1 more)\" type=\"error\">"
          + "error: one (\(Make.plist) 2:3 /A)\nerror: two (\(Make.plist))\n\n"))
    #expect(
      text.contains(
        "<system-out>note: message (\(Make.plist))\n</system-out>\n    </testcase>"))
    #expect(
      text.contains(
        "name=\"ats.key.form\">\n      <skipped message=\"switched off\"/>\n    </testcase>"))
    #expect(text.contains("<testcase classname=\"A.ipa\" name=\"metadata.absent\"/>\n"))
  }

  @Test func failureIsWhatTheRunFailsOn() {
    var settings = VerifySettings()
    settings.failOn = .warning
    let finding = Make.finding("ats.key.form", .warning)
    #expect(
      Self.text(.report(Make.report([finding], settings: settings))).contains("failures=\"1\""))
    #expect(Self.text(.report(Make.report([finding]))).contains("failures=\"0\""))
  }

  @Test func unreadableInputsAreErrors() {
    let failure = Failure(
      code: "notAnArchive", status: .badInput, message: "it is <text>", file: "x&y.ipa")
    #expect(
      Self.text(.failure(input: "x&y.ipa", failure)) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="ipa-inject verify">
          <testsuite name="x&amp;y.ipa" tests="1" failures="0" errors="1" skipped="0">
            <testcase classname="x&amp;y.ipa" name="input">
              <error message="it is &lt;text&gt;" type="notAnArchive">x&amp;y.ipa: it is &lt;text&gt;</error>
            </testcase>
          </testsuite>
        </testsuites>

        """)
  }

  @Test func manyFindingsOfARuleAreCounted() {
    let findings = (0..<150).map { Make.finding("ats.value.type", .error, "m\($0)") }
    let text = Self.text(.report(Make.report(findings)))
    #expect(text.ranges(of: "error: m").count == 100)
    #expect(text.contains("and 50 more\n"))
    #expect(text.contains("message=\"m0 (and 149 more)\""))
  }
}
