/// An option of a command, declared once: parsing, help and completions read it.
struct Option: Sendable {
  /// The long name with its dashes.
  let name: String
  /// The short name with its dash.
  var short: Character?
  /// What the value is called in the help, nil for a flag.
  var value: String?
  /// The values that it takes, where they are few.
  var choices: [String] = []
  /// Whether it may be given more than once.
  var isRepeatable = false
  /// What it does.
  let help: String

  static func flag(_ name: String, short: Character? = nil, _ help: String) -> Option {
    Option(name: name, short: short, help: help)
  }

  /// What each command that could show a credential takes.
  static let showSecrets = flag(
    "--show-secrets", "print update URLs and installation IDs whole")

  static func value(
    _ name: String, short: Character? = nil, _ value: String, repeatable: Bool = false,
    _ help: String
  ) -> Option {
    Option(name: name, short: short, value: value, isRepeatable: repeatable, help: help)
  }

  static func choice(_ name: String, _ choices: [String], _ help: String) -> Option {
    Option(
      name: name, value: choices.joined(separator: "|"), choices: choices, help: help)
  }

  /// How it is written in the help: `-o, --output PATH`.
  var usage: String {
    (short.map { "-\($0), " } ?? "    ") + name + (value.map { " \($0)" } ?? "")
  }
}

/// A command line that cannot be understood, or whose parts exclude each other.
struct UsageError: Error {
  let message: String
  /// How to mend it.
  var hint: String?

  init(_ message: String, hint: String? = nil) {
    self.message = message
    self.hint = hint
  }
}
