internal import ATSMerge
internal import AppBundle

/// The command-line tool: finds the command, runs it, and gives its report to the streams.
struct Tool: Sendable {
  let environment: Environment

  static let commonOptions = OptionGroup(
    "Common options",
    [
      .flag("--json", "print one JSON document in place of text"),
      .flag("--quiet", "no warnings, notes and bars on standard error"),
      .flag("--verbose", "say what is being done"),
      .choice("--color", ["auto", "always", "never"], "escape sequences (auto: on a terminal)"),
      .flag("--help", short: "h", "show this help"),
    ])

  /// The common options, without those whose names a command has for something else.
  static func commonOptions(beside type: any Command.Type) -> OptionGroup {
    let names = type.options.flatMap(\.options).map(\.name)
    return OptionGroup(
      commonOptions.title, commonOptions.options.filter { !names.contains($0.name) })
  }

  func run(_ given: [String?]) -> ExitStatus {
    let arguments = given.compactMap(\.self)
    guard arguments.count == given.count else {
      let number = (given.firstIndex(of: nil) ?? 0) + 1
      return report(
        .usage(UsageError("argument \(number) is no UTF-8, and such paths are not taken")),
        Wishes(arguments))
    }
    guard let name = arguments.first else {
      environment.errorOutput.write(help.overview)
      return .usage
    }
    do throws(Failure) {
      switch name {
      case "-h", "--help", "help": return try showHelp(of: Array(arguments.dropFirst()))
      case "--version", "version": return try show(Version.report)
      default: break
      }
      switch try CommandTable.find(arguments) {
      case .command(let type, let rest): return run(type, rest)
      case .family(let family, isHelp: true): return try show(help.family(family))
      case .family(let family, isHelp: false):
        environment.errorOutput.write(help.family(family))
        return .usage
      }
    } catch { return report(error, Wishes(arguments)) }
  }

  /// What a command line says about the streams, also where it cannot be understood otherwise.
  private struct Wishes {
    var isJSON: Bool
    var color: String?

    init(_ arguments: [String], _ spellings: [String] = InspectCommand.jsonSpellings) {
      let options = arguments.prefix { $0 != "--" }
      let pairs = zip(options, options.dropFirst()).map { "\($0)=\($1)" }
      isJSON = spellings.contains { options.contains($0) || pairs.contains($0) }
      color = options.first { $0.hasPrefix("--color=") }.map { String($0.dropFirst(8)) }
    }

    init(_ arguments: ParsedArguments, _ spellings: [String]) {
      isJSON = arguments.hasAny(of: spellings)
      color = arguments["--color"]
    }
  }

  private func run(_ type: any Command.Type, _ arguments: [String]) -> ExitStatus {
    var wishes = Wishes(arguments, type.jsonSpellings)
    do throws(Failure) {
      let parsed: ParsedArguments
      let command: any Command
      do throws(UsageError) {
        let options =
          type.options.flatMap(\.options) + Self.commonOptions(beside: type).options
        parsed = try ParsedArguments(arguments, options: options)
        wishes = Wishes(parsed, type.jsonSpellings)
        if parsed.has("--help") { return try showHelp(of: type) }
        command = try type.init(parsed)
      } catch { throw Failure.usage(error) }
      let display = display(parsed, wishes)
      Interruption.begin(display)
      defer { display?.end() }
      var environment = environment
      environment.messages = messages(wishes)
      environment.messages.isQuiet = parsed.has("--quiet")
      environment.messages.display = display
      if parsed.has("--verbose") { environment.log = Log(messages: environment.messages) }
      environment.bar = display?.bar(named: nil)
      let report = try command.run(in: environment)
      display?.end()
      environment.messages.warn(of: report.warnings)
      environment.messages.note(report.notes)
      if let failure = report.failure { environment.messages.error(failure) }
      if let closing = report.closing { environment.messages.close(closing) }
      if report.isPrinted { return report.status }
      if let bytes = report.document, !wishes.isJSON {
        return try check(environment.output.write(bytes), status: report.status)
      }
      return try show(document(of: report, wishes), status: report.status)
    } catch { return self.report(error, wishes) }
  }

  /// The text of a report as it is printed.
  private func document(of report: any Report, _ wishes: Wishes) -> String {
    if wishes.isJSON {
      return (report.revealsCredentials ? report.json : report.json.hidingIDs).encoded()
    }
    let text = report.text(style(for: environment.output, wishes))
    return report.revealsCredentials ? text : Redaction.hidingIDs(in: text)
  }

  private func messages(_ wishes: Wishes) -> Messages {
    Messages(
      console: environment.errorOutput, style: style(for: environment.errorOutput, wishes))
  }

  /// The bars, where somebody is there to see them and wants to.
  private func display(_ parsed: ParsedArguments, _ wishes: Wishes) -> ProgressDisplay? {
    let console = environment.errorOutput
    guard console.isTerminal, environment.variables["TERM"] != "dumb", !parsed.has("--quiet") else {
      return nil
    }
    return ProgressDisplay(console, style: style(for: console, wishes))
  }

  private func show(_ text: String, status: ExitStatus = .success) throws(Failure) -> ExitStatus {
    try check(environment.output.write(text), status: status)
  }

  private func check(_ isWritten: Bool, status: ExitStatus) throws(Failure) -> ExitStatus {
    guard isWritten else { throw Self.unprintable }
    return status
  }

  /// Standard output takes no more.
  static var unprintable: Failure {
    Failure(
      code: "output", status: .ioError,
      message: "the result cannot be printed, but what was to be done is done",
      file: "standard output")
  }

  /// Shows help from where only errors of usage are thrown.
  private func showHelp(of type: any Command.Type) throws(UsageError) -> ExitStatus {
    environment.output.write(help.command(type)) ? .success : .ioError
  }

  private func report(_ failure: Failure, _ wishes: Wishes) -> ExitStatus {
    Interruption.yield()
    messages(wishes).error(failure.line)
    if wishes.isJSON { environment.output.write(failure.json.hidingIDs.encoded()) }
    return failure.status
  }

  private func style(for console: Console, _ wishes: Wishes) -> Style {
    switch wishes.color {
    case "always": Style(isColored: true)
    case "never": .plain
    default:
      Style(
        isColored: console.isTerminal && environment.variables["TERM"] != "dumb"
          && (environment.variables["NO_COLOR"] ?? "").isEmpty)
    }
  }

  private var help: Help {
    let columns = environment.variables["COLUMNS"].flatMap { Int($0) } ?? environment.output.columns
    return Help(width: columns ?? 80)
  }

  /// Shows the help of what some words name, of everything where there are none.
  private func showHelp(of words: [String]) throws(Failure) -> ExitStatus {
    guard let first = words.first, !first.hasPrefix("-") else { return try show(help.overview) }
    switch try CommandTable.find(words) {
    case .command(let type, _): return try show(help.command(type))
    case .family(let family, _): return try show(help.family(family))
    }
  }
}
