internal import ATSMerge
internal import AppBundle
internal import PlistKit

/// A verification as a SARIF 2.1.0 log of one run, on any number of inputs.
///
/// Results come as they are added; the artifacts and what is said of inputs that cannot be looked at
/// stand behind them. GitHub's code scanning refuses a run of more than 25,000 results, so a log has no
/// more, and says so; of each input the worst stand there.
///
/// Source: OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0"; GitHub, "SARIF
/// support for code scanning".
struct SARIFLog: ReportDocument {
  /// Results that a run may have by GitHub's rules.
  static let usualLimit = 25_000
  static let schema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

  private let settings: VerifySettings
  private let limit: Int
  private var artifacts: [String] = []
  private var notifications: [String] = []
  private var count = 0
  private var omitted = 0

  init(settings: VerifySettings, limit: Int = usualLimit) {
    self.settings = settings
    self.limit = limit
  }

  func head() -> String {
    """
    {
      "$schema": \(JSONValue.string(Self.schema).compact),
      "version": "2.1.0",
      "runs": [{
        "tool": {"driver": {
          "name": "ipa-inject",
          "semanticVersion": \(JSONValue.string(Version.number).compact),
          "rules": [
    \(RuleTable.rules.map { "        " + descriptor(of: $0).compact }.joined(separator: ",\n"))
          ]
        }},
        "columnKind": "unicodeCodePoints",
        "results": [
    """
  }

  mutating func piece(of input: VerifiedInput) -> String {
    switch input {
    case .report(let report): return results(of: report)
    case .failure(let input, let failure):
      let index = addArtifact(["location": .location(ofFile: input), "roles": ["analysisTarget"]])
      notifications.append(
        JSONValue.object([
          ("level", "error"), ("descriptor", ["id": .string(failure.code)]),
          ("message", ["text": .string(failure.line.sarifText)]),
          ("locations", [["physicalLocation": ["artifactLocation": .reference(input, index)]]]),
        ]).hidingIDs.compact)
      return ""
    }
  }

  func tail(status: ExitStatus) -> String {
    var notifications = notifications
    if omitted > 0 {
      notifications.append(
        JSONValue.object([
          ("level", "warning"),
          ("message", ["text": .string("\(omitted) more findings are not in this log")]),
        ]).compact)
    }
    let lines = { (items: [String], indent: String) in
      items.isEmpty
        ? "[]" : "[\n" + items.map { "\(indent)  \($0)" }.joined(separator: ",\n") + "\n\(indent)]"
    }
    return """

          ],
          "artifacts": \(lines(artifacts, "    ")),
          "invocations": [{
            "executionSuccessful": \(status.rawValue <= ExitStatus.findings.rawValue),
            "exitCode": \(status.rawValue),
            "ruleConfigurationOverrides": \(overrides.compact),
            "toolExecutionNotifications": \(lines(notifications, "      "))
          }]
        }]
      }

      """
  }

  /// What the settings say of rules that is not in the table.
  private var overrides: JSONValue {
    .array(
      RuleTable.rules.enumerated().compactMap { index, rule in
        var configuration: [(String, JSONValue)] = []
        if settings.rules.disabled.contains(rule.id) { configuration.append(("enabled", false)) }
        if let level = settings.rules.levels[rule.id] {
          configuration.append(("level", .string(level.rawValue)))
        }
        if configuration.isEmpty { return nil }
        return [
          "descriptor": ["id": .string(rule.id), "index": .integer(Int64(index))],
          "configuration": .object(configuration),
        ]
      })
  }

  private func descriptor(of rule: Rule) -> JSONValue {
    [
      "id": .string(rule.id),
      "name": .string(
        rule.id.split { ".-".contains($0) }.map { String($0).capitalizedFirst }.joined()),
      "shortDescription": ["text": .string(rule.summary.capitalizedFirst.sarifText)],
      "fullDescription": [
        "text": .string("\(rule.summary.capitalizedFirst). \(rule.firstOfHelp)".sarifText)
      ],
      "help": [
        "text": .string(rule.help.sarifText),
        "markdown": .string(
          "\(rule.help.markdownEscaped)\n\n`ipa-inject verify --explain \(rule.id)` says more."),
      ],
      "defaultConfiguration": [
        "level": .string(rule.level.rawValue), "enabled": .bool(rule.tasks.contains(.verify)),
      ],
    ]
  }

  private mutating func addArtifact(_ artifact: JSONValue) -> Int {
    artifacts.append(artifact.hidingIDs.compact)
    return artifacts.count - 1
  }

  private mutating func results(of report: VerifyReport) -> String {
    omitted += report.omitted
    var input: JSONValue = [
      "location": .location(ofFile: report.input), "roles": ["analysisTarget"],
    ]
    switch report.kind {
    case .ipa: input = input.adding("mimeType", "application/zip")
    case .plist: break
    case .payload, .app, .xcarchive: input = input.adding("roles", ["analysisTarget", "directory"])
    }
    let parent = addArtifact(input)
    var indices: [String: Int] = [report.input: parent]
    var occurrences: [String: Int] = [:]
    var text = ""
    for finding in fitting(report.findings) {
      let file = report.file(of: finding)
      let index =
        indices[file.member ?? file.path]
        ?? {
          addArtifact(
            file.member.map {
              ["location": .location(ofMember: $0), "parentIndex": .integer(Int64(parent))]
            }
              ?? ["location": .location(ofFile: file.path)])
        }()
      indices[file.member ?? file.path] = index
      let key = [finding.rule, file.path, file.member ?? "", finding.pathText ?? ""]
        .joined(separator: "\u{0}")
      occurrences[key, default: 0] += 1
      let hash = FileDigest.hex(of: key).prefix(16)
      let result = result(
        finding, at: file, index, fingerprint: "\(hash):\(occurrences[key] ?? 1)")
      text += (count == 0 ? "\n      " : ",\n      ") + result.hidingIDs.compact
      count += 1
    }
    return text
  }

  /// As many of the findings as the log has room for, the worst where it has not for all.
  private mutating func fitting(_ findings: [Finding]) -> [Finding] {
    let room = limit - count
    guard findings.count > room else { return findings }
    omitted += findings.count - room
    return Array(findings.worstFirst.prefix(room))
  }

  private func result(
    _ finding: Finding, at file: (path: String, member: String?), _ index: Int, fingerprint: String
  ) -> JSONValue {
    var physical: [(String, JSONValue)] = [
      (
        "artifactLocation",
        file.member.map { .reference(member: $0, index) } ?? .reference(file.path, index)
      )
    ]
    switch finding.place?.location {
    case .line(let line, let column)?:
      let column = finding.place?.scalarColumn ?? column
      physical.append(
        ("region", ["startLine": .integer(Int64(line)), "startColumn": .integer(Int64(column))]))
    case .offset(let offset)?:
      physical.append(("region", ["byteOffset": .integer(Int64(offset))]))
    case nil: break
    }
    var location: [(String, JSONValue)] = [("physicalLocation", .object(physical))]
    if let path = finding.pathText, !path.isEmpty {
      location.append(
        (
          "logicalLocations",
          [["fullyQualifiedName": .string(path.printable), "kind": "property"]]
        ))
    }
    return [
      "ruleId": .string(finding.rule),
      "ruleIndex": .integer(Int64(Self.indices[finding.rule] ?? -1)),
      "level": .string(finding.level.rawValue),
      "message": ["text": .string(finding.shownMessage.sarifText)],
      "locations": [.object(location)],
      "partialFingerprints": ["primaryLocationLineHash": .string(fingerprint)],
    ]
  }

  private static let indices = Dictionary(
    RuleTable.rules.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
}

extension JSONValue {
  /// An artifact's place as a URI.
  fileprivate static func location(ofFile path: String) -> JSONValue {
    let encoded = PercentCoding.encode(path: path.withoutDotSlash)
    if path.hasPrefix("/") { return ["uri": .string("file://" + encoded)] }
    return ["uri": .string(encoded), "uriBaseId": "%SRCROOT%"]
  }

  /// A member's place in its archive.
  fileprivate static func location(ofMember path: String) -> JSONValue {
    ["uri": .string(PercentCoding.encode(path: path))]
  }

  fileprivate static func reference(_ path: String, _ index: Int) -> JSONValue {
    location(ofFile: path).adding("index", .integer(Int64(index)))
  }

  fileprivate static func reference(member: String, _ index: Int) -> JSONValue {
    location(ofMember: member).adding("index", .integer(Int64(index)))
  }

  /// The object with one more member, or with another value for it.
  fileprivate func adding(_ name: String, _ value: JSONValue) -> JSONValue {
    guard case .object(let members) = self else { return self }
    return .object(members.filter { $0.name != name } + [(name, value)])
  }
}

extension String {
  /// The text as a plain-text message: braces doubled, as else they mark arguments, and no brackets
  /// that make a link. Source: SARIF 2.1.0, sections 3.11.5 and 3.11.6.
  fileprivate var sarifText: String {
    printable.replacing("{", with: "{{").replacing("}", with: "}}").replacing("](", with: "] (")
  }

  /// The text with what Markdown gives a meaning escaped.
  fileprivate var markdownEscaped: String {
    map { "\\`*_{}[]<>#|".contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}

extension FileDigest {
  /// The SHA-256 of a text in hexadecimal; empty where libcrypto gives none.
  static func hex(of text: String) -> String {
    guard let digest = FileDigest() else { return "" }
    digest.update(Array(text.utf8)[...])
    return digest.finish() ?? ""
  }
}
