internal import ATSMerge
internal import PlistKit

/// Checks property lists.
struct PlistLintCommand: Command {
  static let name = "plist lint"
  static let summary = "check property lists, and say what other readers make of them"
  static let usage = ["FILE… [options]"]
  static let discussion = """
    FILE is a property list, '-' for standard input, or anything with a main app, of which the \
    Info.plist is meant. Each gets a line that says OK, or what is wrong and where; then what another \
    reader may refuse, as warnings. All files are checked, whatever the others are.

    Ends with status 1 where a file is no property list or a finding is at or above --fail-on, with 66 \
    where a file cannot be read.

    The reader of entitlements, which signing and the kernel use, is stricter than the others: it \
    refuses the binary form and comments. --entitlements makes these errors; else they are notes, \
    which are printed with --fail-on note.

    Example:
    ipa-inject plist lint --entitlements App.entitlements
    """
  static let options = [
    OptionGroup(
      "Options",
      [
        .choice("--fail-on", ["error", "warning", "note"], "the level that makes it fail (error)"),
        .flag("--entitlements", "what the reader of entitlements refuses is an error"),
        .flag("--strict", "keys that stand twice and bytes behind the end are errors"),
      ] + PlistInputOptions.options)
  ]
  static let jsonSpellings = ["--json"]

  private let paths: [String]
  private let source: PlistInputOptions
  private let failOn: FindingLevel
  private let areEntitlements: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = arguments.positional
    guard !paths.isEmpty else {
      throw UsageError("FILE is missing", hint: "ipa-inject \(Self.name) \(Self.usage[0])")
    }
    guard paths.count(where: { $0 == "-" }) <= 1 else {
      throw UsageError("standard input can be read once only")
    }
    var source = try PlistInputOptions(arguments)
    if !arguments.has("--strict") {
      source.strictness.allowsDuplicateKeys = true
      source.strictness.allowsTrailingBytes = true
      source.strictness.allowsBytesBeforeTrailer = true
    }
    self.source = source
    failOn = arguments["--fail-on"].flatMap(FindingLevel.init(rawValue:)) ?? .error
    areEntitlements = arguments.has("--entitlements")
  }

  func run(in environment: Environment) throws(Failure) -> any Report {
    let files = paths.map { path in
      do throws(Failure) {
        let loaded = try LoadedPlist(path, source, log: environment.log)
        _ = try loaded.propertyList()
        return LintedPlist(loaded, areEntitlements: areEntitlements)
      } catch { return LintedPlist(path, error) }
    }
    return PlistLintReport(files: files, failOn: failOn)
  }
}

/// A file that was checked.
struct LintedPlist: Sendable {
  struct Finding: Sendable {
    let code: String
    let level: FindingLevel
    /// Line and column, or byte.
    let place: String?
    let path: String?
    let message: String
  }

  /// The file, and the member in it.
  let file: String
  var member: String?
  var format: String?
  var findings: [Finding] = []
  /// Why it cannot be read at all.
  var failure: Failure?

  /// A file of which nothing became.
  init(_ path: String, _ failure: Failure) {
    file = failure.file ?? path
    member = failure.member
    self.failure = failure
  }

  init(_ loaded: LoadedPlist, areEntitlements: Bool) {
    file = loaded.shownPath
    member = loaded.member
    format = loaded.formatName
    findings = loaded.diagnostics.map { diagnostic in
      Finding(
        code: diagnostic.code.rawValue,
        level: diagnostic.code == .refusedInEntitlements
          ? (areEntitlements ? .error : .note) : .warning,
        place: diagnostic.location?.description, path: diagnostic.keyPath?.description.nonEmpty,
        message: diagnostic.detail)
    }
    if areEntitlements { findings += Self.entitlementFindings(loaded) }
  }

  /// What is wrong with entitlements as a whole.
  private static func entitlementFindings(_ loaded: LoadedPlist) -> [Finding] {
    var messages: [String] = []
    if loaded.formatName != "xml" {
      messages.append("the \(loaded.formatName) form, which the reader of entitlements refuses")
    }
    if loaded.root.dictionary == nil {
      messages.append("entitlements are a dictionary, and this is \(loaded.root.typeName)")
    }
    return messages.map {
      Finding(code: "refusedInEntitlements", level: .error, place: nil, path: nil, message: $0)
    }
  }

  var isOK: Bool { failure == nil && !findings.contains { $0.level == .error } }

  func fails(_ level: FindingLevel) -> Bool {
    failure != nil || findings.contains { $0.level >= level }
  }
}

/// What the checks found.
struct PlistLintReport: Report {
  let files: [LintedPlist]
  let failOn: FindingLevel

  var status: ExitStatus {
    let failures = files.compactMap(\.failure)
    if let unread = failures.first(where: { $0.status != .badInput }) { return unread.status }
    return files.contains { $0.fails(failOn) } ? .findings : .success
  }

  var json: JSONValue {
    ["schema": "ipa-inject/plist-lint/1", "files": .array(files.map(json))]
  }

  private func json(_ file: LintedPlist) -> JSONValue {
    [
      "file": .string(file.file), "member": .optional(file.member), "ok": .bool(file.isOK),
      "format": .optional(file.format),
      "error": file.failure.map { failure in
        [
          "code": .string(failure.code), "message": .string(failure.message),
          "place": .optional(failure.place),
        ]
      } ?? .null,
      "diagnostics": .array(
        file.findings.map { finding in
          [
            "code": .string(finding.code), "level": .string(finding.level.rawValue),
            "place": .optional(finding.place), "path": .optional(finding.path),
            "message": .string(finding.message),
          ]
        }),
    ]
  }

  func text(_ style: Style) -> String {
    files.map { file in
      let name = ([file.file] + (file.member.map { [$0] } ?? [])).joined(separator: ": ").printable
      if let failure = file.failure {
        let what =
          [failure.place, failure.message].compactMap(\.self).joined(separator: ": ")
          + (failure.hint.map { " (\($0))" } ?? "")
        return "\(name): \(style.red("error:")) \(what.printable)\n"
      }
      let head = file.isOK ? "\(name): \(style.green("OK")) (\(file.format ?? ""))\n" : ""
      let shown = file.findings.filter { $0.level >= min(.warning, failOn) }
      return head
        + shown.map { finding in
          let what = [finding.place, finding.path, finding.message].compactMap(\.self)
            .joined(separator: ": ")
          return "\(name): \(word(finding.level, style)) \(what.printable)\n"
        }.joined()
    }.joined()
  }

  private func word(_ level: FindingLevel, _ style: Style) -> String {
    switch level {
    case .error: style.red("error:")
    case .warning: style.yellow("warning:")
    case .note: style.dim("note:")
    }
  }
}
