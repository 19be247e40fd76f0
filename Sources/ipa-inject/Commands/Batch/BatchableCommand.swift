/// A command of one input that `batch` runs over many.
protocol BatchableCommand: Command {
  /// Options that mean nothing for many inputs.
  static var singleOptions: Set<String> { get }
  /// Folders that stand for an option which names a file.
  static var folders: [BatchFolder] { get }
  /// What an input is that ended well: `prepared`.
  static var outcome: String { get }

  /// Does what is the same for each input once, and has it in the environment.
  func preparing(_ environment: Environment) throws(Failure) -> Environment
}

extension BatchableCommand {
  static var singleOptions: Set<String> { [] }
  static var folders: [BatchFolder] { [] }
  func preparing(_ environment: Environment) throws(Failure) -> Environment { environment }
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
  static var singleOptions: Set<String> { ["--format", "--explain", "--list-rules"] }
  static var folders: [BatchFolder] {
    [
      BatchFolder(
        option: "--before-dir",
        help: "also prove for NAME that nothing but what the contract allows changed from DIR/NAME",
        single: "--before", isWritten: false)
    ]
  }
}

extension InspectCommand: BatchableCommand {
  static var outcome: String { "inspected" }
}

/// The commands whose first word is `batch`.
enum BatchFamily {
  static let family = CommandFamily(
    name: "batch", summary: "run a command over many apps on all cores, one JSON line each",
    commands: [
      BatchCommand<InjectCommand>.self, BatchCommand<StripCommand>.self,
      BatchCommand<InspectCommand>.self, BatchCommand<VerifyCommand>.self,
    ],
    synonyms: ["prepare": "inject", "check": "verify", "show": "inspect"])
}
