internal import ATSMerge
internal import AppBundle
internal import PlistKit

/// Where an edited or converted property list goes: back into its app, into a file, or to standard
/// output.
struct PlistOutput: Sendable {
  static let options: [Option] =
    [
      .value(
        "--output", short: "o", "PATH",
        "an app where INPUT is one, the property list alone where PATH ends in .plist, .xml or .json; "
          + "- is standard output"),
      .flag("--in-place", "edit INPUT itself"),
      .flag("--force", "replace an existing OUTPUT"),
      .flag("--dry-run", "write nothing; print the change as a diff"),
    ] + OutputOptions.writing

  private enum Target {
    /// The input, or an app with another property list.
    case application(Application)
    case file(String)
    case standardOutput
    case nothing
  }

  let options: OutputOptions
  let showsSecrets: Bool
  private let input: String

  init(_ arguments: ParsedArguments, input: String) throws(UsageError) {
    options = try OutputOptions(arguments, isInputPiped: input == "-")
    showsSecrets = arguments.has("--show-secrets")
    self.input = input
    guard input != "-" || !options.isInPlace else {
      throw UsageError("standard input cannot be edited in place", hint: "-o OUTPUT")
    }
  }

  var isDryRun: Bool { options.isDryRun }

  /// Whether the result is printed.
  var isPrinted: Bool {
    !isDryRun && (options.path == "-" || (input == "-" && options.path == nil))
  }

  /// Where the result is, nil in a dry run.
  var resultPath: String? { isDryRun ? nil : isPrinted ? "-" : options.path ?? input }

  /// Whether a path is named as a property list by itself.
  static func namesFile(_ path: String) -> Bool {
    [".plist", ".xml", ".json", ".strings"].contains { path.lowercased().hasSuffix($0) }
  }

  /// Writes the result, which is alone where it has a form that no app takes.
  func write(
    _ bytes: [UInt8], holding root: PlistValue, of loaded: LoadedPlist, isAlone: Bool = false,
    in environment: Environment
  ) throws(Failure) {
    switch try target(of: loaded, isAlone: isAlone) {
    case .nothing: break
    case .standardOutput:
      guard showsSecrets || !root.mayHoldInstallationID else {
        throw Failure.usage(
          UsageError(
            "the property list holds an installation ID, or too much to search for one, and is not "
              + "printed",
            hint: "--show-secrets prints it, -o FILE writes it"))
      }
    case .application(let application):
      try options.write(bytes, to: application, in: environment)
    case .file(let path):
      do throws(BundleError) {
        let file = try SideFile(
          path, replace: options.replaces, otherThan: input == "-" ? [] : [input])
        try file.publish(bytes, permissions: 0o644)
      } catch { throw Failure(error, file: path) }
      environment.log.detail("\(path) is written")
    }
  }

  private func target(of loaded: LoadedPlist, isAlone: Bool) throws(Failure) -> Target {
    if isDryRun { return .nothing }
    if isPrinted { return .standardOutput }
    guard let application = loaded.application else {
      return options.path.map(Target.file) ?? .nothing
    }
    guard application.kind != .plist else { return .application(application) }
    if let path = options.path, Self.namesFile(path) { return .file(path) }
    guard !isAlone else {
      throw Failure.usage(
        UsageError(
          "no app takes JSON", hint: "-o FILE.json or -o - for the property list by itself"))
    }
    return .application(application)
  }
}

/// What a command that edits a property list did.
struct PlistEditReport: Report {
  let schema: String
  let loaded: LoadedPlist
  let edit: PlistEdit
  let output: PlistOutput

  var revealsCredentials: Bool { output.showsSecrets }
  var document: [UInt8]? { output.isPrinted ? edit.edited : nil }

  private var isSigned: Bool { loaded.isSealed && !edit.isEmpty }

  var warnings: [String] {
    let isAlone = output.options.path.map(PlistOutput.namesFile) ?? output.isPrinted
    let fits = output.isDryRun ? "will no longer fit" : "no longer fits"
    return loaded.containerWarnings + edit.diagnosticLines(of: loaded.name)
      + (isSigned && !isAlone
        ? ["the app was signed; its signature \(fits), so sign it again"] : [])
      + (edit.isEmpty ? [] : output.options.warnings(editing: loaded.application))
  }

  var json: JSONValue {
    [
      "schema": .string("ipa-inject/\(schema)/1"), "input": .string(loaded.path),
      "output": .optional(output.resultPath),
      "plist": .optional(loaded.plistPath),
      "plistFormat": .string(edit.format.rawValue), "changes": edit.changesJSON,
      "signature": isSigned ? "invalidated" : "none", "warnings": .strings(warnings),
    ]
  }

  func text(_ style: Style) -> String {
    if output.isDryRun { return edit.dryRunText(of: loaded.name, style) }
    let place = (output.resultPath ?? loaded.path).printable
    guard !edit.isEmpty else { return "\(place): nothing to do\n" }
    return edit.changes.map { change in
      "\(place): \(change.op.rawValue) \(change.path.shown) (\(edit.format.rawValue))\n"
    }.joined()
  }
}

/// The parts of a command that edits a property list.
struct PlistEditing: Sendable {
  static let options = [
    OptionGroup("Where the result goes", PlistOutput.options),
    OptionGroup(
      "Other options",
      PlistInputOptions.options + [
        .showSecrets
      ]),
  ]

  let input: String
  let source: PlistInputOptions
  let output: PlistOutput

  init(_ arguments: ParsedArguments, input: String, _ spellings: [String]) throws(UsageError) {
    self.input = input
    source = try PlistInputOptions(arguments)
    output = try PlistOutput(arguments, input: input)
    try output.checkOneDocument(arguments, spellings)
  }

  /// Reads, edits and writes.
  func run(
    _ schema: String, in environment: Environment,
    _ edit: (PlistValue) throws(PlistError) -> PlistValue
  ) throws(Failure) -> PlistEditReport {
    let loaded = try LoadedPlist(input, source, log: environment.log)
    var document = try loaded.document()
    let original = document.root
    let edited: [UInt8]
    let changes: [PlistChange]
    do throws(PlistError) {
      document.root = try edit(original)
      edited = try document.serialized()
      changes = try PlistChange.changes(from: original, to: document.root)
      if edited != loaded.bytes {
        try PlistDocument.check(edited, holds: document.root, in: document.format)
      }
    } catch { throw loaded.failure(error) }
    try loaded.checkIsInfoPlist(document.root)
    let result = PlistEdit(
      original: loaded.bytes, edited: edited, format: document.format, changes: changes, notes: [],
      diagnostics: document.diagnostics)
    for change in changes { environment.log.detail("\(change.op.rawValue) \(change.path)") }
    try output.write(edited, holding: document.root, of: loaded, in: environment)
    return PlistEditReport(schema: schema, loaded: loaded, edit: result, output: output)
  }
}

extension PlistOutput {
  /// Sees to it that standard output gets one document, not two.
  func checkOneDocument(
    _ arguments: ParsedArguments, _ spellings: [String]
  ) throws(UsageError) {
    guard isPrinted, arguments.hasAny(of: spellings) else { return }
    throw UsageError("the property list and the report cannot both go to standard output")
  }
}

extension LoadedPlist {
  /// Sees to it that an app keeps an Info.plist that is one.
  func checkIsInfoPlist(_ root: PlistValue) throws(Failure) {
    guard let name = member?.split(separator: "/").last, name == "Info.plist",
      root.dictionary == nil
    else { return }
    throw failure(
      PlistError(.malformed, detail: "an Info.plist is a dictionary, not \(root.typeName)"))
  }
}
