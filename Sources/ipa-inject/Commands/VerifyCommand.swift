internal import ATSMerge
internal import AppBundle
internal import NetDiscovery
internal import PlistKit

/// Checks an app against the rules.
struct VerifyCommand: Command {
  static let name = "verify"
  static let summary = "check an app against the contract and App Transport Security"
  static let usage = ["INPUT [options]", "--explain RULE", "--list-rules"]
  static let discussion = """
    Runs the rules on update metadata, App Transport Security, the local-network text, nested \
    bundles and code signatures. Ends with status 1 where one finds something at or above --fail-on. A \
    signature that is there must fit the Info.plist, the code and the sealed resources; whether a \
    device trusts the signer is not told.

    A file .ipa-inject.json in the working folder or the nearest one above sets the rules' levels, \
    failOn, destinations and os for the project; options weigh more.
    """
  static let options = [
    OptionGroup(
      "What is checked",
      [
        .value(
          "--before", "ORIGINAL", "also prove that nothing but what the contract allows changed"),
        .value("--destination", "D", repeatable: true, "a host that the app must be able to reach"),
        .value("--os", "VERSION", "the OS it runs on, such as ios17 or macos13 (the newest)"),
        .flag("--signed", "a missing signature is an error too, as after the signer"),
        .flag("--unsigned", "leave signatures alone, as between inject and the signer"),
      ] + VerifyOptions.ruleOptions + [Configuration.option, LoadedApp.appOption]),
    OptionGroup(
      "What comes of it",
      [
        VerifyOptions.failOnOption,
        .choice(
          "--format", VerifyFormat.allCases.map(\.rawValue),
          "text, JSON, SARIF 2.1.0, JUnit XML, or annotations for GitHub Actions"),
        .value("--sarif", "FILE", "also write a SARIF log, for code scanning"),
        .value("--junit", "FILE", "also write JUnit XML, for CI systems that show tests"),
        .value("--html", "FILE", "also write a page to read, send or print"),
        .value("--explain", "RULE", "say what a rule finds and what to do"),
        .flag("--list-rules", "list the rules"),
      ]),
  ]

  private enum Task {
    case check(String)
    case explain(Rule)
    case list
  }

  private let task: Task
  private let app: String?
  private let original: String?
  private let options: VerifyOptions
  private let format: VerifyFormat
  private let files: VerifyFiles
  private let page: String?
  private let arguments: ParsedArguments

  init(_ arguments: ParsedArguments) throws(UsageError) {
    if let id = arguments["--explain"] {
      _ = try Self.arguments(arguments, [])
      task = .explain(try Self.rule(id))
    } else if arguments.has("--list-rules") {
      _ = try Self.arguments(arguments, [])
      task = .list
    } else {
      task = .check(try Self.argument(arguments))
    }
    self.arguments = arguments
    app = arguments["--app"]
    original = arguments["--before"]
    var options = VerifyOptions(rules: try Self.settings(arguments))
    for text in arguments.all("--destination") {
      do throws(HostError) {
        options.destinations.append(
          try Destination(parsing: text, defaultPort: Listener.defaultPort))
      } catch {
        throw UsageError("--destination '\(text)': \(error.detail)")
      }
    }
    options.os = try arguments["--os"].map { text throws(UsageError) in
      try ATSGeneration(option: text)
    }
    guard !arguments.has("--signed") || !arguments.has("--unsigned") else {
      throw UsageError("--signed and --unsigned exclude each other")
    }
    options.failOn = arguments["--fail-on"].flatMap(FindingLevel.init(rawValue:))
    self.options = options
    format = arguments["--format"].flatMap(VerifyFormat.init(rawValue:)) ?? .text
    guard !arguments.has("--json") || arguments["--format"] == nil || format == .json else {
      throw UsageError("--json and --format \(format.rawValue) exclude each other")
    }
    files = try VerifyFiles(arguments)
    page = arguments["--html"]
  }

  func run(in environment: Environment) throws(Failure) -> any Report {
    switch task {
    case .explain(let rule): return RuleReport(rules: [rule], isLong: true)
    case .list: return RuleReport(rules: RuleTable.rules, isLong: false)
    case .check(let input):
      let settings = try settings(in: environment)
      let outputs = try files.opened(settings: settings, otherThan: [input, original])
      let page = try page.map { path throws(Failure) in
        try ReportFile(
          path, option: "--html", otherThan: [input, original].compactMap(\.self),
          read: [settings.config].compactMap(\.self), reports: outputs.files.map(\.file))
      }
      do throws(Failure) {
        let report = try check(input, settings, page, in: environment)
        try outputs.write(.report(report), status: report.status)
        return VerifyResult(report: report, format: format)
      } catch {
        let failed = VerifiedInput.failure(input: input, error)
        try outputs.write(failed, status: error.status)
        guard let document = format.document(settings: settings) else { throw error }
        return VerifyFailure(
          document: document.text(of: failed, status: error.status), status: error.status,
          failure: error.line)
      }
    }
  }

  /// What the options and the configuration file say.
  func settings(in environment: Environment) throws(Failure) -> VerifySettings {
    VerifySettings(try configuration(in: environment), options: options)
  }

  /// The configuration file's settings.
  func configuration(in environment: Environment) throws(Failure) -> Configuration {
    try Configuration.load(arguments, in: environment)
  }

  private func check(
    _ input: String, _ settings: VerifySettings, _ page: ReportFile?, in environment: Environment
  ) throws(Failure) -> VerifyReport {
    let loaded = try LoadedApp(input, app: app, log: environment.log)
    var (subject, warnings) = loaded.verificationSubject()
    subject.destinations = settings.destinations
    subject.os = settings.os
    let signature =
      arguments.has("--unsigned") ? nil : try loaded.signature(workers: environment.workers)
    subject.signing = signature.map {
      VerificationSubject.Signing(verifying: $0, isRequired: arguments.has("--signed"))
    }
    if let original {
      subject.comparison = try loaded.comparison(with: original, app: app, log: environment.log)
    }
    let report = VerifyReport(
      input: input, kind: loaded.application.kind,
      findings: RuleTable.findings(in: subject, settings: settings.rules),
      notRun: RuleTable.notRun(for: subject, settings: settings.rules),
      settings: settings, warnings: loaded.application.warnings + warnings,
      locating: loaded.locating)
    if let page {
      let content = AppPage(
        loaded, report: report, subject: subject, original: original,
        signing: InspectedSigning(signature, of: loaded, at: try environment.moment()),
        date: try environment.sourceDateEpoch)
      try page.write(content.document())
    }
    return report
  }

  private static func rule(_ id: String) throws(UsageError) -> Rule {
    guard let rule = RuleTable.rule(id) else {
      let near = Spelling.nearest(to: id, in: RuleTable.rules.map(\.id))
      throw UsageError(
        "there is no rule '\(id)'",
        hint: near.map { "did you mean \($0)?" } ?? "--list-rules lists them")
    }
    return rule
  }

  /// The levels of rules that options set.
  static func settings(_ arguments: ParsedArguments) throws(UsageError) -> RuleSettings {
    var settings = RuleSettings()
    for id in arguments.all("--disable") { settings.disabled.insert(try rule(id).id) }
    for text in arguments.all("--rule") {
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, let level = FindingLevel(rawValue: parts[1]) else {
        throw UsageError("--rule '\(text)' is not RULE=error, RULE=warning or RULE=note")
      }
      settings.levels[try rule(parts[0]).id] = level
    }
    return settings
  }
}
