internal import PlistKit

/// Prints a property list or a value of it.
struct PlistPrintCommand: Command {
  static let name = "plist print"
  static let summary = "show a property list, or a value of it, with the types"
  static let usage = ["INPUT [KEYPATH] [options]"]
  static let discussion = """
    \(PlistFamily.inputHelp)

    \(PlistFamily.keyPathHelp)

    Without --format a line for each value shows its key, type and value, in the file's order. XML is \
    a new document in Apple's layout. What JSON or XML cannot hold is an error that names its key path. \
    Ends with status 1 where nothing stands at KEYPATH.

    Example:
    ipa-inject plist print App.ipa /NSAppTransportSecurity
    """
  static let options = [
    OptionGroup(
      "Options",
      [.choice("--format", ["tree", "xml", "json"], "how it is printed (tree)")]
        + PlistRendering.jsonOptions + PlistInputOptions.options + [
          .showSecrets
        ])
  ]
  static let jsonSpellings = ["--json"]

  private let input: String
  private let keyPath: PlistKeyPath
  private let source: PlistInputOptions
  private let format: String
  private let rendering: PlistRendering
  private let showsSecrets: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let names = arguments.positional.count == 1 ? ["INPUT"] : ["INPUT", "KEYPATH"]
    let given = try Self.arguments(arguments, names)
    input = given[0]
    keyPath = given.count > 1 ? try PlistFamily.keyPath(given[1]) : .root
    source = try PlistInputOptions(arguments)
    format = arguments["--format"] ?? "tree"
    rendering = PlistRendering(arguments)
    showsSecrets = arguments.has("--show-secrets")
  }

  func run(in environment: Environment) throws(Failure) -> any Report {
    let loaded = try LoadedPlist(input, source, log: environment.log)
    let value = try loaded.value(at: keyPath)
    let showsSecrets = showsSecrets
    let render: @Sendable (Style) -> String
    if format == "tree" {
      let limits = ParseLimits.standard
      guard
        PlistSize.fits(value, values: limits.expandedObjects, bytes: limits.expandedBytes)
      else {
        throw loaded.failure(
          PlistError(
            .limit, keyPath: keyPath, detail: "it comes to too many values to show")
        )
      }
      render = { PlistTree.text(of: value, $0, showsSecrets: showsSecrets) }
    } else {
      let text = try rendering.text(of: value, as: format, at: keyPath, in: loaded)
      render = { _ in text }
    }
    return PlistValueReport(
      schema: "plist-print", loaded, at: keyPath, value, showsSecrets: showsSecrets, render: render)
  }
}
