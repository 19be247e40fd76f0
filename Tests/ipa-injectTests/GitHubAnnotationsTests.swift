import ATSMerge
import AppBundle
import PlistKit
import Testing

@testable import ipa_inject

/// Annotations of GitHub Actions.
@Suite struct GitHubAnnotationsTests {
  private typealias Make = VerifyReportTests

  private static func lines(
    _ findings: [Finding], kind: InputKind = .ipa, input: String = "A.ipa"
  ) -> [String] {
    GitHubAnnotations(report: Make.report(findings, kind: kind, input: input)).text
      .split(separator: "\n").map(String.init)
  }

  @Test func aFileOfTheWorkingTreeHasLineAndColumn() {
    let finding = Make.finding(
      "ats.value.type", .error, "wrong", file: "Info.plist", path: PlistKeyPath(keys: "A"),
      place: PlistPlace(.line(4, column: 9), scalarColumn: 8))
    #expect(
      Self.lines([finding], kind: .app, input: "./build/A.app") == [
        "::error file=build/A.app/Info.plist,line=4,col=8,title=ats.value.type::wrong (/A)"
      ])
  }

  @Test func aMemberStandsInTheMessage() {
    let places: [(PlistPlace?, String)] = [
      (PlistPlace(.line(4, column: 9)), "\(Make.plist) 4:9 /A"),
      (PlistPlace(.offset(9), object: 3), "\(Make.plist) object 3 (byte 9) /A"),
      (nil, "\(Make.plist) /A"),
    ]
    for (place, wanted) in places {
      let finding = Make.finding(
        "ats.key.form", .warning, "odd", path: PlistKeyPath(keys: "A"), place: place)
      #expect(
        Self.lines([finding]) == ["::warning file=A.ipa,title=ats.key.form::odd (\(wanted))"])
    }
  }

  @Test func theWorstStandFirst() {
    let lines = Self.lines([
      Make.finding("metadata.unknown-key", .note), Make.finding("ats.key.form", .warning),
      Make.finding("metadata.type", .error), Make.finding("ats.misplaced", .error),
    ])
    #expect(
      lines.map { $0.prefix { $0 != " " } } == ["::error", "::error", "::warning", "::notice"])
  }

  @Test func nothingBecomesACommandOrAnotherProperty() {
    let finding = Make.finding(
      "ats.key.form", .warning, "a\r\n::error::b\u{2028}%0A", file: "c\n", path: nil)
    let text = GitHubAnnotations(
      report: Make.report([finding], input: "x,line=1::y:%.ipa")
    ).text
    #expect(
      text == "::warning file=x%2Cline=1%3A%3Ay%3A%25.ipa,title=ats.key.form::"
        + "a\\u{D}\\u{A}::error::b\\u{2028}%250A (c\\u{A})\n")
  }
}
