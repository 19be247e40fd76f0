internal import PlistKit

/// Removes one value.
struct PlistRemoveCommand: Command {
  static let name = "plist remove"
  static let summary = "remove one value, and change no other byte of its document"
  static let usage = ["INPUT KEYPATH (-o OUTPUT | --in-place) [options]"]
  static let discussion = """
    \(PlistFamily.inputHelp) From standard input the result goes to standard output, unless -o names \
    a file.

    \(PlistFamily.keyPathHelp) That nothing stands there is an error.

    Example:
    ipa-inject plist remove App.ipa /NSAppTransportSecurity -o New.ipa
    """
  static let options = PlistEditing.options
  static let jsonSpellings = ["--json"]

  private let keyPath: PlistKeyPath
  private let editing: PlistEditing

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let given = try Self.arguments(arguments, ["INPUT", "KEYPATH"])
    keyPath = try PlistFamily.keyPath(given[1])
    editing = try PlistEditing(arguments, input: given[0], Self.jsonSpellings)
  }

  func run(in environment: Environment) throws(Failure) -> any Report {
    try editing.run("plist-remove", in: environment) { root throws(PlistError) in
      try root.removing(keyPath)
    }
  }
}
