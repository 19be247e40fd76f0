/// What came of one input, as its line says it.
struct BatchOutcome: Sendable {
  let input: String
  let status: ExitStatus
  let line: String
  /// The report that the line is made of, or why there is none.
  let result: Result<any Report, Failure>

  init(input: String, report: any Report) {
    self.init(
      input, report.status, ("report", report.json), revealsCredentials: report.revealsCredentials,
      .success(report))
  }

  init(input: String, failure: Failure) {
    self.init(
      input, failure.status, ("error", failure.object), revealsCredentials: false,
      .failure(failure))
  }

  private init(
    _ input: String, _ status: ExitStatus, _ member: (String, JSONValue), revealsCredentials: Bool,
    _ result: Result<any Report, Failure>
  ) {
    self.input = input
    self.status = status
    self.result = result
    let json = JSONValue.object([
      ("schema", "ipa-inject/batch/1"), ("input", .string(input)),
      ("status", .integer(Int64(status.rawValue))), member,
    ])
    line = (revealsCredentials ? json : json.hidingIDs).compact + "\n"
  }
}

/// How all inputs ended.
struct BatchReport: Report {
  /// How many ended well, with findings, and with an error.
  private(set) var counts = (well: 0, findings: 0, failed: 0)
  /// The highest status of all.
  private(set) var status = ExitStatus.success
  /// What an input is that ended well.
  var outcome = "done"

  mutating func add(_ next: ExitStatus) {
    switch next {
    case .success: counts.well += 1
    case .findings: counts.findings += 1
    default: counts.failed += 1
    }
    if next.rawValue > status.rawValue { status = next }
  }

  var isPrinted: Bool { true }
  var json: JSONValue { [:] }
  func text(_ style: Style) -> String { "" }

  var closing: String? {
    var parts = ["\(counts.well) \(outcome)"]
    if counts.findings > 0 { parts.append("\(counts.findings) with findings") }
    parts.append("\(counts.failed) failed")
    return parts.joined(separator: ", ")
  }
}
