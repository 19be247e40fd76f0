internal import PlistKit

/// Says what differs between two property lists.
struct PlistDiffCommand: Command {
  static let name = "plist diff"
  static let summary = "say what differs between two property lists, by key path"
  static let usage = ["A B [options]"]
  static let discussion = """
    A and B are property lists or JSON, in any form; one of them may be '-' for standard input; of \
    anything with a main app the Info.plist is meant. The order of keys and the form do not count.

    Ends with status 1 where something differs.

    Example:
    ipa-inject plist diff Before.ipa After.ipa
    """
  static let options = [
    OptionGroup(
      "Options",
      PlistInputOptions.options + [
        .showSecrets
      ])
  ]
  static let jsonSpellings = ["--json"]

  private let paths: [String]
  private let source: PlistInputOptions
  private let showsSecrets: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = try Self.arguments(arguments, ["A", "B"])
    source = try PlistInputOptions(arguments)
    showsSecrets = arguments.has("--show-secrets")
    guard paths != ["-", "-"] else { throw UsageError("standard input can be read once only") }
  }

  func run(in environment: Environment) throws(Failure) -> any Report {
    let old = try LoadedPlist(paths[0], source, log: environment.log)
    let new = try LoadedPlist(paths[1], source, log: environment.log)
    do throws(PlistError) {
      return PlistDiffReport(
        paths: paths, changes: try PlistChange.changes(from: old.root, to: new.root),
        showsSecrets: showsSecrets)
    } catch { throw new.failure(error) }
  }
}

/// What differs between two property lists.
struct PlistDiffReport: Report {
  let paths: [String]
  let changes: [PlistChange]
  let showsSecrets: Bool

  var revealsCredentials: Bool { showsSecrets }
  var status: ExitStatus { changes.isEmpty ? .success : .findings }

  var json: JSONValue {
    [
      "schema": "ipa-inject/plist-diff/1", "a": .string(paths[0]), "b": .string(paths[1]),
      "changes": .array(changes.map(\.diffJSON)),
    ]
  }

  func text(_ style: Style) -> String {
    changes.map { $0.diffText(style, showsSecrets: showsSecrets, indent: "") }.joined()
  }
}
