import ATSMerge
import AppBundle
import PlistKit
import Testing

@testable import ipa_inject

/// The text of `verify` for people.
@Suite struct VerifyTextTests {
  private typealias Make = VerifyReportTests

  private static func text(_ report: VerifyReport, isColored: Bool = false) -> String {
    VerifyText(report: report, style: Style(isColored: isColored)).text
  }

  @Test func groupsByFileThenLevelThenRule() {
    let other = "Payload/A.app/PlugIns/B.appex/Info.plist"
    let report = Make.report([
      Make.finding("metadata.nested", .warning, "nested", file: other),
      Make.finding("metadata.unknown-key", .note, "unknown"),
      Make.finding(
        "ats.value.type", .error, "wrong", path: PlistKeyPath(keys: "A"),
        place: PlistPlace(.line(4, column: 2))),
      Make.finding(
        "ats.misplaced", .error, "elsewhere", path: PlistKeyPath(keys: "B"),
        place: PlistPlace(.offset(80), object: 7, isExact: false)),
    ])
    #expect(
      Self.text(report) == """
        Payload/A.app/Info.plist
          error[ats.value.type]: wrong
            at 4:2 /A
            help: \(Self.help("ats.value.type"))

          error[ats.misplaced]: elsewhere
            at object 7 (byte 80) /B (not there)
            help: \(Self.help("ats.misplaced"))

          note[metadata.unknown-key]: unknown
            help: \(Self.help("metadata.unknown-key"))

        Payload/A.app/PlugIns/B.appex/Info.plist
          warning[metadata.nested]: nested
            help: \(Self.help("metadata.nested"))

        A.ipa: failed, 2 errors, 1 warning, 1 note (\(Self.ran(report)))

        """)
  }

  private static func ran(_ report: VerifyReport) -> String {
    "\(report.checked.count) of \(RuleTable.rules(for: .verify).count) rules ran"
  }

  @Test func aKeyPathIsSaidOnce() {
    let path = PlistKeyPath(keys: "CFBundleName")
    let report = Make.report([
      Make.finding(
        "change.unexpected", .error, "/CFBundleName was replaced", path: path,
        place: PlistPlace(.line(4, column: 2))),
      Make.finding(
        "change.unexpected", .error, "/CFBundleName was removed", path: path,
        place: PlistPlace(.line(1, column: 1), isExact: false)),
    ])
    #expect(
      Self.text(report).hasPrefix(
        """
        Payload/A.app/Info.plist
          error[change.unexpected]: /CFBundleName was replaced
            at 4:2
          error[change.unexpected]: /CFBundleName was removed
            help:
        """))
  }

  @Test func filesThatFindingsOnlyNameHaveNoHeadingEach() {
    let report = Make.report(
      (0..<40).map {
        Make.finding("change.unexpected", .error, "F\($0) was added", file: "F\($0)")
      })
    let lines = Self.text(report).split(separator: "\n")
    #expect(lines.first == "Other files")
    #expect(lines.count { $0.hasPrefix("  error[change.unexpected]: F") } == 30)
    #expect(lines.contains("    and 10 more of change.unexpected"))
    #expect(lines.count == 1 + 30 + 1 + 1 + 1)
  }

  private static func help(_ id: String) -> String { RuleTable.rule(id)?.firstOfHelp ?? "" }

  @Test(arguments: [(6, 6, false), (7, 5, true), (1000, 5, true)])
  func manyOfARuleCollapse(_ count: Int, _ shown: Int, _ collapses: Bool) {
    let findings = (0..<count).map { Make.finding("ats.key.form", .warning, "\($0)") }
    let text = Self.text(Make.report(findings))
    #expect(text.ranges(of: "warning[ats.key.form]").count == shown)
    #expect(text.contains("and \(count - 5) more of ats.key.form") == collapses)
    #expect(text.ranges(of: "help:").count == 1)
  }

  @Test func whatIsNotListedIsCounted() {
    var last = Make.finding("ats.key.form", .warning, "99 more of the same rule")
    last.standsFor = 99
    let findings = (0..<10).map { Make.finding("ats.key.form", .warning, "\($0)") } + [last]
    let report = Make.report(findings)
    let text = Self.text(report)
    #expect(text.contains("and 104 more of ats.key.form"))
    #expect(text.contains("passed, 109 warnings"))
    #expect(report.omitted == 99)
  }

  @Test func manyFilesAreCounted() {
    let findings = (0..<100).map {
      Make.finding("change.unexpected", .error, "differs", file: "Payload/A.app/\($0)")
    }
    let lines = Self.text(Make.report(findings)).split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("Payload/") } == 30)
    #expect(lines.count { $0.contains("help:") } == 1)
    #expect(lines.contains("and 70 more findings in 70 more files"))
    #expect(lines.last?.hasPrefix("A.ipa: failed, 100 errors (") == true)
  }

  @Test func levelsOfOneRuleAreTwoGroups() {
    let findings = (0..<100).map {
      Make.finding("ats.key.form", $0.isMultiple(of: 2) ? .error : .warning, "\($0)")
    }
    let lines = Self.text(Make.report(findings)).split(separator: "\n")
    #expect(lines.count == 1 + 5 + 1 + 1 + 5 + 1 + 1)
    #expect(lines.count { $0 == "    and 45 more of ats.key.form" } == 2)
  }

  @Test func theLastLineTellsOfRulesThatAreOff() {
    var settings = VerifySettings()
    settings.rules.disabled = ["ats.key.form", "ats.misplaced", "metadata.type"]
    settings.config = "../.ipa-inject.json"
    let ends: [(Set<String>, String)] = [
      ([], "3 off"), (["ats.key.form"], "3 off, 1 of them by ../.ipa-inject.json"),
      (settings.rules.disabled, "3 off by ../.ipa-inject.json"),
    ]
    for (offByConfig, wanted) in ends {
      settings.offByConfig = offByConfig
      let report = Make.report([], settings: settings)
      #expect(
        Self.text(report) == "A.ipa: passed, nothing found (\(Self.ran(report)), \(wanted))\n")
    }
  }

  @Test func hostileTextsAreShown() {
    let report = Make.report(
      [
        Make.finding(
          "ats.key.form", .warning, "a\u{1B}[31m\nb", file: "x\u{202E}",
          path: PlistKeyPath(keys: "k\u{2028}"))
      ], input: "in\u{7}.ipa")
    let text = Self.text(report)
    #expect(text.contains("x\\u{202E}\n  warning[ats.key.form]: a\\u{1B}[31m\\u{A}b\n"))
    #expect(text.contains("    at /k\\u{2028}\n"))
    #expect(text.contains("\nin\\u{7}.ipa: passed"))
  }

  @Test func coloursSetOffWhatMatters() {
    let text = Self.text(Make.report([Make.finding("metadata.type", .error)]), isColored: true)
    #expect(text.contains("\u{1B}[31merror[metadata.type]\u{1B}[0m: message"))
    #expect(text.contains("A.ipa: \u{1B}[31mfailed\u{1B}[0m, 1 error"))
  }
}
