/// A command of one input that `batch` runs over many.
protocol BatchableCommand: Command {
  /// Options that mean nothing for many inputs.
  static var singleOptions: Set<String> { get }
  /// Folders that stand for an option which names a file.
  static var folders: [BatchFolder] { get }
  /// What an input is that ended well: `prepared`.
  static var outcome: String { get }

  /// Options of the batch for what is made of all inputs together. One of them may have the name of an
  /// option of the command, in whose place it stands then.
  static var mergingOptions: [Option] { get }

  /// Does what is the same for each input once, and has it in the environment.
  func preparing(_ environment: Environment) throws(Failure) -> Environment
  /// What takes the outcomes of all inputs, where that was asked for.
  func merging(
    _ arguments: ParsedArguments, inputs: [String], in environment: Environment
  ) throws(Failure) -> (any BatchMerging)?
}

/// Puts together what came of all inputs.
protocol BatchMerging: Sendable {
  /// Whether it is printed in place of the lines.
  var replacesLines: Bool { get }
  /// Takes what came of the next input, in the order of the inputs.
  func add(_ outcome: BatchOutcome)
  /// Ends the work, once all inputs ended.
  func finish(status: ExitStatus) throws(Failure)
}

extension BatchableCommand {
  static var singleOptions: Set<String> { [] }
  static var folders: [BatchFolder] { [] }
  static var mergingOptions: [Option] { [] }
  func preparing(_ environment: Environment) throws(Failure) -> Environment { environment }
  func merging(
    _ arguments: ParsedArguments, inputs: [String], in environment: Environment
  ) throws(Failure) -> (any BatchMerging)? { nil }
}

/// An option of `batch` that names a folder, in which each input has a file under its own name.
struct BatchFolder: Sendable {
  /// The option that names the folder.
  let option: String
  /// Its one letter.
  var short: Character?
  /// What it does.
  let help: String
  /// The option of the command itself that names the file.
  let single: String
  /// What is added to the input's name.
  var suffix = ""
  /// Whether the file is written, so that the folder is made and no two inputs may share a name.
  var isWritten = true

  static let pages = BatchFolder(
    option: "--html-dir", help: "write what --html does, for NAME to NAME.html in DIR",
    single: "--html", suffix: ".html")
  static let output = BatchFolder(
    option: "--output-dir", short: "o", help: "where the results go, each under its input's name",
    single: "--output")
}

extension InjectCommand: BatchableCommand {
  static var outcome: String { "prepared" }
  static var folders: [BatchFolder] {
    [
      .output,
      BatchFolder(
        option: "--record-dir", help: "write what --record does, for NAME to NAME.json in DIR",
        single: "--record", suffix: ".json"),
    ]
  }

  /// Looks at this machine once. What it offers is decided for each app.
  func preparing(_ environment: Environment) throws(Failure) -> Environment {
    var environment = environment
    environment.machine = try destinations.lookAtMachine(in: environment)
    let warnings = environment.machine.map(destinations.warnings) ?? []
    environment.machine?.told = warnings
    environment.messages.warn(of: warnings)
    return environment
  }
}

extension StripCommand: BatchableCommand {
  static var outcome: String { "stripped" }
  static var folders: [BatchFolder] { [.output] }
}

extension VerifyCommand: BatchableCommand {
  static var outcome: String { "passed" }
  static var singleOptions: Set<String> { ["--explain", "--list-rules"] }
  static var folders: [BatchFolder] {
    [
      BatchFolder(
        option: "--before-dir",
        help: "also prove for NAME that nothing but what the contract allows changed from DIR/NAME",
        single: "--before", isWritten: false),
      .pages,
    ]
  }

  static var mergingOptions: [Option] {
    [
      .choice("--format", ["sarif", "junit"], "one document on all inputs in place of the lines"),
      .value("--sarif", "FILE", "also write one SARIF log on all inputs"),
      .value("--junit", "FILE", "also write one JUnit document on all inputs"),
    ]
  }

  /// Reads the project's settings once.
  func preparing(_ environment: Environment) throws(Failure) -> Environment {
    var environment = environment
    environment.configuration = try configuration(in: environment)
    return environment
  }

  func merging(
    _ arguments: ParsedArguments, inputs: [String], in environment: Environment
  ) throws(Failure) -> (any BatchMerging)? {
    let files: VerifyFiles
    do throws(UsageError) { files = try VerifyFiles(arguments) } catch {
      throw Failure.usage(error)
    }
    let settings = try settings(in: environment)
    let printed = arguments["--format"].flatMap(VerifyFormat.init(rawValue:))?
      .document(settings: settings)
    if files.isEmpty, printed == nil { return nil }
    return VerifyMerging(
      files: try files.opened(
        settings: settings, otherThan: inputs, read: [arguments["--input-list"]]), printed: printed,
      output: environment.output)
  }
}

extension InspectCommand: BatchableCommand {
  static var outcome: String { "inspected" }
  static var folders: [BatchFolder] { [.pages] }
}

/// The commands whose first word is `batch`.
enum BatchFamily {
  static let family = CommandFamily(
    name: "batch", summary: "run a command over many apps on all cores, one JSON line each",
    commands: [
      BatchCommand<InjectCommand>.self, BatchCommand<StripCommand>.self,
      BatchCommand<InspectCommand>.self, BatchCommand<VerifyCommand>.self,
      BatchCommand<PlanCommand>.self,
    ],
    synonyms: ["prepare": "inject", "check": "verify", "show": "inspect"])
}
