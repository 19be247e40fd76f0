import ATSMerge
import AppBundle
import Foundation
import PlistKit
import Testing

@testable import ipa_inject

/// SARIF logs. That they are valid is judged by Tests/scripts/check-reports.py.
@Suite struct SARIFLogTests {
  private typealias Make = VerifyReportTests
  private typealias Object = [String: Any]

  private static func run(
    _ inputs: [VerifiedInput], settings: VerifySettings = VerifySettings(),
    status: ipa_inject.ExitStatus = .findings, limit: Int = SARIFLog.usualLimit
  ) throws -> Object {
    var log = SARIFLog(settings: settings, limit: limit)
    let text = log.head() + inputs.map { log.piece(of: $0) }.joined() + log.tail(status: status)
    let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? Object
    let runs = try #require(document?["runs"] as? [Object])
    #expect(runs.count == 1)
    return runs[0]
  }

  private static func results(_ run: Object) -> [Object] { run["results"] as? [Object] ?? [] }
  private static func artifacts(_ run: Object) -> [Object] { run["artifacts"] as? [Object] ?? [] }

  private static func physical(_ result: Object) -> Object {
    let locations = result["locations"] as? [Object]
    return locations?.first?["physicalLocation"] as? Object ?? [:]
  }

  @Test func membersLieInTheirArchive() throws {
    let finding = Make.finding(
      "ats.key.form", .warning, path: PlistKeyPath(keys: "A", "b"),
      place: PlistPlace(.line(3, column: 8), scalarColumn: 7))
    let run = try Self.run([
      .report(Make.report([], input: "First.ipa")),
      .report(Make.report([finding, finding], input: "dir/my app:1.ipa")),
    ])
    let artifacts = Self.artifacts(run)
    let uris = artifacts.map { ($0["location"] as? Object)?["uri"] as? String }
    #expect(uris == ["First.ipa", "dir/my%20app%3A1.ipa", "Payload/A.app/Info.plist"])
    #expect(artifacts.map { $0["parentIndex"] as? Int } == [nil, nil, 1])
    let results = Self.results(run)
    #expect(results.count == 2)
    let physical = Self.physical(results[0])
    #expect((physical["artifactLocation"] as? Object)?["index"] as? Int == 2)
    #expect(physical["region"] as? [String: Int] == ["startLine": 3, "startColumn": 7])
    let marks = results.compactMap { $0["partialFingerprints"] as? [String: String] }
      .compactMap { $0["primaryLocationLineHash"] }
    #expect(marks.count == 2)
    #expect(marks.first?.hasSuffix(":1") == true)
    #expect(marks.first?.dropLast(2) == marks.last?.dropLast(2))
  }

  @Test func fingerprintsStayWhereLinesMove() throws {
    let marks = try [3, 300].map { line in
      let finding = Make.finding(
        "ats.key.form", .warning, "at \(line)", path: PlistKeyPath(keys: "A"),
        place: PlistPlace(.line(line, column: 1)))
      let run = try Self.run([.report(Make.report([finding]))])
      return Self.results(run)[0]["partialFingerprints"] as? [String: String]
    }
    #expect(marks[0] != nil)
    #expect(marks[0] == marks[1])
  }

  @Test func filesOfAFolderAreArtifactsOfTheirOwn() throws {
    let finding = Make.finding("metadata.absent", .error, file: "Info.plist")
    let run = try Self.run([.report(Make.report([finding], kind: .app, input: "/b/A.app"))])
    let artifacts = Self.artifacts(run)
    #expect(
      artifacts.map { ($0["location"] as? Object)?["uri"] as? String } == [
        "file:///b/A.app", "file:///b/A.app/Info.plist",
      ])
    #expect(artifacts.allSatisfy { $0["parentIndex"] == nil })
    #expect(Self.physical(Self.results(run)[0])["region"] == nil)
  }

  @Test func binaryPlacesAreOffsets() throws {
    let finding = Make.finding(
      "ats.key.form", .warning, path: PlistKeyPath(keys: "A"),
      place: PlistPlace(.offset(77), object: 3))
    let run = try Self.run([.report(Make.report([finding]))])
    #expect(Self.physical(Self.results(run)[0])["region"] as? [String: Int] == ["byteOffset": 77])
  }

  @Test func unreadableInputsAreTold() throws {
    let failure = Failure(code: "notFound", status: .noInput, message: "gone", file: "x.ipa")
    let run = try Self.run([.failure(input: "x.ipa", failure)], status: .noInput)
    let invocation = (run["invocations"] as? [Object])?.first
    #expect(invocation?["executionSuccessful"] as? Bool == false)
    #expect(invocation?["exitCode"] as? Int == 66)
    let notes = invocation?["toolExecutionNotifications"] as? [Object]
    #expect((notes?.first?["message"] as? Object)?["text"] as? String == "x.ipa: gone")
  }

  @Test func settingsAreOverrides() throws {
    var settings = VerifySettings()
    settings.rules.disabled = ["metadata.absent"]
    settings.rules.levels = ["metadata.type": .note]
    let run = try Self.run([], settings: settings, status: .success)
    let overrides =
      ((run["invocations"] as? [Object])?.first?["ruleConfigurationOverrides"] as? [Object]) ?? []
    #expect(
      overrides.map { ($0["descriptor"] as? Object)?["id"] as? String } == [
        "metadata.absent", "metadata.type",
      ])
    #expect((overrides.first?["configuration"] as? Object)?["enabled"] as? Bool == false)
    #expect((overrides.last?["configuration"] as? Object)?["level"] as? String == "note")
  }

  /// GitHub refuses a run of more than 25,000 results.
  @Test func aRunHasALimit() throws {
    #expect(SARIFLog.usualLimit == 25_000)
    let findings = (0..<90).map { Make.finding("ats.key.form", .note, "\($0)") }
    let last = findings + [Make.finding("metadata.type", .error)]
    let reports = [findings, findings, last].map { VerifiedInput.report(Make.report($0)) }
    let run = try Self.run(reports, limit: 250)
    let results = Self.results(run)
    #expect(results.count == 250)
    #expect(results.contains { $0["ruleId"] as? String == "metadata.type" })
    let notes =
      (run["invocations"] as? [Object])?.first?["toolExecutionNotifications"] as? [Object]
    #expect(
      (notes?.first?["message"] as? Object)?["text"] as? String
        == "21 more findings are not in this log")
  }

  @Test func messagesAreNoTemplatesAndNoLinks() throws {
    let finding = Make.finding("ats.key.form", .note, "{0} [x](http://e.example) \u{202E}")
    let run = try Self.run([.report(Make.report([finding]))])
    #expect(
      (Self.results(run)[0]["message"] as? Object)?["text"] as? String
        == "{{0}} [x] (http://e.example) \\u{{202E}}")
  }
}
