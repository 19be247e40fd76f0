internal import ATSMerge
internal import CodeSigning
internal import PlistKit

/// What came of having an app signed.
struct SignReport: Report {
  struct Signer: Sendable {
    var name: String
    var version: String?
    var path: String?
  }

  /// Something that was found, before or after.
  struct Item: Sendable {
    var rule: String
    var level: FindingLevel
    var message: String
    var hint: String?
    var file: String?
    var path: String?

    init(_ finding: HandOffFinding) {
      rule = finding.rule
      level = FindingLevel(rawValue: finding.level.rawValue) ?? .error
      message = finding.message
      hint = finding.trap
      file = finding.file
      path = finding.keyPath
    }

    init(_ finding: Finding) {
      rule = finding.rule
      level = finding.level
      message = finding.message
      file = finding.file
      path = finding.path?.description
    }

    var line: String {
      let places = [file, path].compactMap(\.self).filter { !message.contains($0) }
      return (places + [message]).joined(separator: ": ") + (hint.map { " (\($0))" } ?? "")
    }

    var json: JSONValue {
      [
        "rule": .string(rule), "level": .string(level.rawValue), "message": .string(message),
        "hint": .optional(hint), "file": .optional(file), "path": .optional(path),
      ]
    }
  }

  let input: String
  /// The signed app, nil where there is none.
  var output: String?
  var signer: Signer?
  var commands: [[String]] = []
  /// What the signer ended with.
  var signerStatus: Int32?
  /// What was found in what came back.
  var findings: [Item] = []
  /// What the plan says.
  var planned: [Item] = []
  var signature: AppSignature?
  var notes: [String] = []
  /// Whether the plan stopped it.
  var isStopped = false
  var isCheckOnly = false

  init(input: String) { self.input = input }

  /// Takes in what the plan found.
  mutating func take(_ plan: VerifyReport, isIgnored: Bool) {
    planned = plan.findings.map(Item.init)
    isStopped = plan.hasFailed && !isIgnored
  }

  /// Takes in what came of it.
  mutating func take(_ result: HandOff.Result, signature: AppSignature?, output: String) {
    commands = result.commands
    signerStatus = result.status
    findings = result.findings.map(Item.init)
    notes = result.notes
    self.signature = signature
    self.output = result.isWritten ? output : nil
  }

  private var errors: [Item] { findings.filter { $0.level == .error } }

  var status: ExitStatus {
    if isStopped { return .findings }
    return errors.isEmpty ? .success : .unavailable
  }

  /// Why there is no output.
  var failure: String? {
    if isStopped {
      let count = planned.count { $0.level == .error }
      return
        "\(input): the plan has \(count) \(count == 1 ? "error" : "errors"), and nothing was signed "
        + "(--ignore-plan goes on)"
    }
    guard let first = errors.first else { return nil }
    let more = errors.count > 1 ? ", and \(errors.count - 1) more" : ""
    let who =
      isCheckOnly
      ? output ?? input
      : "\(signer.map { $0.name == "command" ? "the command" : $0.name } ?? "the signer")"
        + " says that all is well, but"
    return "\(who): \(first.line)\(more)"
  }

  var warnings: [String] {
    let others = findings.filter { $0.level == .warning }
    return (isStopped ? [] : planned.filter { $0.level != .note }).map { "\(input): \($0.line)" }
      + others.map { "\(output ?? input): \($0.line)" }
  }

  var json: JSONValue {
    [
      "schema": "ipa-inject/sign/1",
      "input": .string(input),
      "output": .optional(output),
      "signer": signer.map {
        ["name": .string($0.name), "version": .optional($0.version), "path": .optional($0.path)]
      } ?? .null,
      "command": .array(commands.map { .strings($0) }),
      "status": signerStatus.map { .integer(Int64($0)) } ?? .null,
      "findings": .array((isStopped ? planned : findings).map(\.json)),
      "plan": .array(planned.map(\.json)),
      "signature": signature.map(\.json) ?? .null,
      "warnings": .strings(warnings),
    ]
  }

  func text(_ style: Style) -> String {
    let shown = isStopped ? planned : findings
    let lines = shown.map { item in
      let mark =
        switch item.level {
        case .error: style.red("error")
        case .warning: style.yellow("warning")
        case .note: style.dim("note")
        }
      return "  \(mark) \(item.rule): \(item.line.printable)\n"
    }
    guard status == .success else { return lines.joined() }
    let who = signature.map {
      $0.kind == .adHoc ? "ad hoc" : "by \($0.identity ?? "a certificate")"
    }
    let path = (output ?? input).printable
    let verb = isCheckOnly ? "is signed" : "signed"
    let through = signer.flatMap { signer in
      signer.path == nil || isCheckOnly
        ? nil : "through \(signer.name)\(signer.version.map { " \($0)" } ?? "")"
    }
    let by = [who, through].compactMap(\.self).joined(separator: " ")
    return "\(path): \(verb) \(by.printable); every seal is right\n" + lines.joined()
  }
}
