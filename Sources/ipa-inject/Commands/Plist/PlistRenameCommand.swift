internal import PlistKit

/// Gives a value another key.
struct PlistRenameCommand: Command {
  static let name = "plist rename"
  static let summary = "give a value another key, at the same place among its siblings"
  static let usage = ["INPUT KEYPATH NEWKEY (-o OUTPUT | --in-place) [options]"]
  static let discussion = """
    \(PlistFamily.inputHelp) From standard input the result goes to standard output, unless -o names \
    a file.

    \(PlistFamily.keyPathHelp) NEWKEY is the new last step alone, as it is.

    Example:
    ipa-inject plist rename Info.plist /Old/Key NewKey --in-place
    """
  static let options = PlistEditing.options
  static let jsonSpellings = ["--json"]

  private let keyPath: PlistKeyPath
  private let newKey: String
  private let editing: PlistEditing

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let given = try Self.arguments(arguments, ["INPUT", "KEYPATH", "NEWKEY"])
    keyPath = try PlistFamily.keyPath(given[1])
    newKey = given[2]
    editing = try PlistEditing(arguments, input: given[0], Self.jsonSpellings)
  }

  func run(in environment: Environment) throws(Failure) -> any Report {
    try editing.run("plist-rename", in: environment) { root throws(PlistError) in
      try root.renaming(keyPath, to: newKey)
    }
  }
}
