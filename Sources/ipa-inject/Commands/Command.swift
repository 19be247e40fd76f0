/// A group of options under one heading of the help.
struct OptionGroup: Sendable {
  let title: String
  let options: [Option]

  init(_ title: String, _ options: [Option]) {
    self.title = title
    self.options = options
  }
}

/// A subcommand: what it takes, and what it does.
///
/// `init` checks the command line and nothing else; `run` does the work and returns a report. No
/// command prints, but for ``BatchCommand``, whose lines come while it runs.
protocol Command: Sendable {
  /// What it is called.
  static var name: String { get }
  /// What it does, in one line without capital and full stop.
  static var summary: String { get }
  /// What follows the name, a line for each form.
  static var usage: [String] { get }
  /// What a person should know beside the options; lines are paragraphs.
  static var discussion: String { get }
  /// The options, the common ones aside.
  static var options: [OptionGroup] { get }
  /// How a person asks for one JSON document: options, with `=` and a value where they take one.
  static var jsonSpellings: [String] { get }

  init(_ arguments: ParsedArguments) throws(UsageError)
  func run(in environment: Environment) throws(Failure) -> any Report
}

extension Command {
  static var discussion: String { "" }
  static var jsonSpellings: [String] { ["--json", "--format=json"] }

  /// The one argument that a command takes.
  static func argument(
    _ arguments: ParsedArguments, _ name: String = "INPUT"
  ) throws(UsageError) -> String {
    try Self.arguments(arguments, [name])[0]
  }

  /// The arguments that a command takes, exactly as many as there are names.
  static func arguments(
    _ arguments: ParsedArguments, _ names: [String]
  ) throws(UsageError) -> [String] {
    let given = arguments.positional
    guard given.count <= names.count else {
      throw UsageError("one argument too many: '\(given[names.count])'")
    }
    guard given.count == names.count else {
      throw UsageError(
        "\(names[given.count]) is missing", hint: "ipa-inject \(Self.name) \(Self.usage[0])")
    }
    return given
  }
}

/// What a command found or did; the output formats are encoders of it.
protocol Report: Sendable {
  /// The document of `--json`.
  var json: JSONValue { get }
  /// The text for people.
  func text(_ style: Style) -> String
  /// What the process ends with.
  var status: ExitStatus { get }
  /// What a person should know, for standard error.
  var warnings: [String] { get }
  /// What was decided for the person, and is no reason to worry, for standard error.
  var notes: [String] { get }
  /// Why the status is what it is, where the text does not say it.
  var failure: String? { get }
  /// What is printed in place of the text where the result is a file: its bytes as they are.
  var document: [UInt8]? { get }
  /// Whether standard output has it all already, as of a command that prints while it works.
  var isPrinted: Bool { get }
  /// A last word for people, for standard error.
  var closing: String? { get }
  /// Whether credentials were asked for: else they are hidden in all that is printed.
  var revealsCredentials: Bool { get }
}

extension Report {
  var status: ExitStatus { .success }
  var warnings: [String] { [] }
  var notes: [String] { [] }
  var failure: String? { nil }
  var document: [UInt8]? { nil }
  var isPrinted: Bool { false }
  var closing: String? { nil }
  var revealsCredentials: Bool { false }
}
