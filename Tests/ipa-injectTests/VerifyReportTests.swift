import ATSMerge
import AppBundle
import PlistKit
import Testing

@testable import ipa_inject

/// The value that the formats of `verify` are encoders of.
@Suite struct VerifyReportTests {
  static let plist = "Payload/A.app/Info.plist"

  static func finding(
    _ rule: String, _ level: FindingLevel, _ message: String = "message",
    file: String? = plist, path: PlistKeyPath? = nil, place: PlistPlace? = nil
  ) -> Finding {
    var finding = Finding.sample
    finding.rule = rule
    finding.level = level
    finding.message = message
    finding.file = file
    finding.path = path
    finding.place = place
    return finding
  }

  static func report(
    _ findings: [Finding], kind: InputKind = .ipa, input: String = "A.ipa",
    settings: VerifySettings = VerifySettings()
  ) -> VerifyReport {
    var subject = VerificationSubject(infoPlist: [:], infoPlistPath: plist)
    subject.mainBundle = VerificationSubject.Bundle(
      path: "Payload/A.app", kind: .app, infoPlistPath: plist, infoPlist: .read([:]),
      executable: .present)
    return VerifyReport(
      input: input, kind: kind, findings: findings,
      notRun: RuleTable.notRun(for: subject, settings: settings.rules), settings: settings)
  }

  @Test func listsTheWorstOfMany() {
    let many = VerifyReport.listed
    let findings =
      (0..<many).map { Self.finding("ats.key.form", .warning, "\($0)") }
      + [Self.finding("metadata.type", .error), Self.finding("metadata.unknown-key", .note)]
    let report = Self.report(findings)
    #expect(report.findings.count == many)
    #expect(report.omitted == 2)
    #expect(report.counts == [.warning: many, .error: 1, .note: 1])
    // The order stays; the note and the last of the warnings are left out.
    #expect(report.findings.last?.rule == "metadata.type")
    #expect(report.findings.dropLast().map(\.message) == (0..<many - 1).map { "\($0)" })
  }

  @Test func onlyWhatIsListedIsLocated() {
    let findings = (0...VerifyReport.listed).map { Self.finding("ats.key.form", .note, "\($0)") }
    var located = 0
    _ = VerifyReport(input: "A.ipa", kind: .ipa, findings: findings, notRun: []) {
      located = $0.count
      return $0
    }
    #expect(located == VerifyReport.listed)
  }

  @Test(arguments: [
    (FindingLevel.error, false), (.warning, true), (.note, true),
  ]) func failsFromALevelOn(_ failOn: FindingLevel, _ fails: Bool) {
    var settings = VerifySettings()
    settings.failOn = failOn
    let report = Self.report([Self.finding("ats.key.form", .warning)], settings: settings)
    #expect(report.hasFailed == fails)
    #expect(report.status == (fails ? .findings : .success))
  }

  @Test func tellsWhyRulesDidNotRun() {
    var settings = VerifySettings()
    settings.rules.disabled = ["ats.key.form", "change.unexpected"]
    let report = Self.report([], settings: settings)
    #expect(report.off == ["ats.key.form", "change.unexpected"])
    let notRun = report.notRun.map(\.rule.id)
    #expect(Set(notRun).isDisjoint(with: report.checked))
    #expect(Set(report.checked + notRun) == Set(RuleTable.rules(for: .verify).map(\.id)))
  }

  @Test(
    arguments: [
      (InputKind.ipa, "A.ipa", "A.ipa", VerifyReportTests.plist),
      (.app, "A.app", "A.app/Info.plist", nil),
      (.app, "b/A.app/", "b/A.app/Info.plist", nil), (.plist, "x.plist", "x.plist", nil),
    ] as [(InputKind, String, String, String?)])
  func namesTheFile(_ kind: InputKind, _ input: String, _ path: String, _ member: String?) {
    let file = kind == .ipa ? Self.plist : "Info.plist"
    let finding = Self.finding("metadata.type", .error, file: file)
    let named = Self.report([finding], kind: kind, input: input).file(of: finding)
    #expect(named.path == path)
    #expect(named.member == member)
  }

  @Test func longTextsAreCut() {
    let long = String(repeating: "é", count: 100_000)
    let finding = Self.finding(
      "metadata.type", .error, long, path: PlistKeyPath(keys: "a/b", long, "c"))
    #expect(finding.shownMessage == String(repeating: "é", count: 1000) + "…")
    #expect(finding.pathText == "/a~1b/" + String(repeating: "é", count: 1000) + "…/c")
    #expect(Self.finding("metadata.type", .error).pathText == nil)
  }

  @Test(arguments: [
    ("", 3, ""), ("abc", 3, "abc"), ("abcd", 3, "abc…"), ("ééé", 3, "ééé"), ("éééé", 3, "ééé…"),
  ]) func cuts(_ text: String, _ limit: Int, _ cut: String) { #expect(text.cut(to: limit) == cut) }

  @Test func everyRuleHasAFirstSentence() {
    for rule in RuleTable.rules {
      #expect(rule.help.hasPrefix(rule.firstOfHelp), "\(rule.id)")
      #expect(rule.firstOfHelp.hasSuffix("."), "\(rule.id)")
    }
  }

  @Test func jsonHasPlacesOfBothForms() {
    let report = Self.report([
      Self.finding(
        "ats.value.type", .error, path: PlistKeyPath(keys: "a"),
        place: PlistPlace(.line(3, column: 7), scalarColumn: 5)),
      Self.finding(
        "ats.value.type", .error, path: PlistKeyPath(keys: "b"),
        place: PlistPlace(.offset(99), object: 4)),
      Self.finding("metadata.absent", .error),
    ])
    let text = report.json.compact
    #expect(
      text.contains(
        #""column":7,"file":"Payload/A.app/Info.plist","level":"error","line":3,"message":"message","#
          + #""object":null,"offset":null,"path":"/a","#))
    #expect(text.contains(#""line":null,"message":"message","object":4,"offset":99,"path":"/b""#))
    #expect(text.contains(#""object":null,"offset":null,"path":null,"rule":"metadata.absent""#))
    #expect(text.contains(#""result":"fail""#))
  }
}

extension Finding {
  /// A finding of the real rules, since only they make one.
  static let sample: Finding = {
    let subject = VerificationSubject(infoPlist: [:], infoPlistPath: "Info.plist")
    return RuleTable.findings(in: subject)[0]
  }()
}
