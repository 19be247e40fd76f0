internal import ATSMerge
internal import AppBundle
internal import PlistKit

/// Undoes an injection.
struct StripCommand: Command {
  static let name = "strip"
  static let summary = "undo inject"
  static let usage = ["INPUT -o OUTPUT", "INPUT --in-place"]
  static let discussion = """
    Takes out the IPAHub dictionary, the exceptions of its hosts that hold exactly what 'inject' adds, \
    and the local-network text if it is the contract's sentence. Exceptions that hold more stay, and so \
    does a text of the app's own or of --purpose. An exception that the app had before in exactly that \
    form cannot be told apart and goes too, and an entry that said no before does not come back: keep \
    the original.
    """
  static let options = [
    OptionGroup("Where the result goes", OutputOptions.options),
    OptionGroup("Other options", [LoadedApp.appOption]),
  ]

  let input: String
  let app: String?
  let output: OutputOptions

  init(_ arguments: ParsedArguments) throws(UsageError) {
    input = try Self.argument(arguments)
    app = arguments["--app"]
    output = try OutputOptions(arguments)
  }

  func run(in environment: Environment) throws(Failure) -> any Report {
    let loaded = try LoadedApp(input, app: app, log: environment.log)
    let edit = try PlistEdit(loaded) { document throws(MergeError) in try document.stripping() }
    try output.commit(edit, of: loaded, in: environment)
    return StripReport(loaded: loaded, edit: edit, output: output)
  }
}

/// What was taken out.
struct StripReport: Report {
  let loaded: LoadedApp
  let edit: PlistEdit
  let output: OutputOptions

  var warnings: [String] { edit.warnings(of: loaded, writing: output) }

  var json: JSONValue {
    [
      "schema": "ipa-inject/strip/1",
      "input": .string(loaded.path),
      "output": .optional(output.resultPath(of: loaded)),
      "app": .optional(loaded.bundlePath),
      "plist": .string(loaded.application.infoPlistPath),
      "plistFormat": .string(edit.format.rawValue),
      "changes": edit.changesJSON,
      "signature": .string(edit.signature(of: loaded)),
      "warnings": .strings(warnings),
    ]
  }

  func text(_ style: Style) -> String {
    if output.isDryRun { return edit.dryRunText(of: loaded, style) }
    let lines = edit.changes.map { "  \($0.op.rawValue) \($0.path.description.printable)\n" }
    return edit.summary(of: loaded, at: output.resultPath(of: loaded)) + "\n" + lines.joined()
  }
}
