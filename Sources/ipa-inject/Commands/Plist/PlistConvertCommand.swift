internal import PlistKit

/// Writes a property list in another form.
struct PlistConvertCommand: Command {
  static let name = "plist convert"
  static let summary = "write a property list as XML, binary or JSON, without losing anything"
  static let usage = ["INPUT --to xml|binary|json (-o OUTPUT | --in-place) [options]"]
  static let discussion = """
    \(PlistFamily.inputHelp) INPUT may be JSON too, which is told from its content. From standard \
    input the result goes to standard output, unless -o names a file.

    Every value is kept, with the order of keys, or the command ends with status 65 and names the key \
    path: JSON has no dates, no data and no UIDs, XML no null, no sets and no fractions of a second. A \
    document that has the form already keeps its bytes.

    Example:
    ipa-inject plist convert Settings.json --to xml -o Settings.plist
    """
  static let options =
    [
      OptionGroup(
        "The form",
        [
          .choice("--to", ["xml", "binary", "json"], "the form of the result"),
          .choice("--from", ["plist", "json"], "what INPUT is (told from its content)"),
        ] + PlistRendering.jsonOptions)
    ] + PlistEditing.options
  static let jsonSpellings = ["--json"]

  private let form: String
  private let isJSON: Bool?
  private let rendering: PlistRendering
  private let editing: PlistEditing

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let input = try Self.argument(arguments)
    guard let form = arguments["--to"] else {
      throw UsageError("--to is missing", hint: "--to xml, --to binary or --to json")
    }
    self.form = form
    isJSON = arguments["--from"].map { $0 == "json" }
    rendering = PlistRendering(arguments)
    editing = try PlistEditing(arguments, input: input, Self.jsonSpellings)
  }

  func run(in environment: Environment) throws(Failure) -> any Report {
    let loaded = try LoadedPlist(
      editing.input, editing.source, isJSON: isJSON, log: environment.log)
    let bytes: [UInt8]
    do throws(PlistError) { bytes = try converted(loaded) } catch {
      var failure = loaded.failure(error)
      failure.hint = rendering.hint(for: error, form)
      throw failure
    }
    try editing.output.write(
      bytes, holding: loaded.root, of: loaded, isAlone: form == "json", in: environment)
    return PlistConvertReport(loaded: loaded, form: form, bytes: bytes, output: editing.output)
  }

  private func converted(_ loaded: LoadedPlist) throws(PlistError) -> [UInt8] {
    switch (loaded.content, PlistFormat(rawValue: form)) {
    case (.plist(let document), let format?):
      return try document.serialized(as: format, reading: document)
    case (.plist(let document), nil):
      try document.checkReading(before: form)
      return try document.root.json(rendering.options) + [0x0A]
    case (.json(let value), let format?): return try PlistDocument.serialized(value, as: format)
    case (.json(let value), nil): return try value.json(rendering.options) + [0x0A]
    }
  }
}

/// What was converted.
struct PlistConvertReport: Report {
  let loaded: LoadedPlist
  let form: String
  let bytes: [UInt8]
  let output: PlistOutput

  var document: [UInt8]? { output.isPrinted ? bytes : nil }
  var revealsCredentials: Bool { output.showsSecrets }

  private var isSame: Bool { bytes == loaded.bytes }

  var warnings: [String] {
    let isAlone = output.options.path.map(PlistOutput.namesFile) ?? output.isPrinted
    let isSigned = loaded.isSealed && !isSame && !isAlone && !output.isDryRun
    return loaded.containerWarnings
      + (isSigned ? ["the app was signed; its signature no longer fits, so sign it again"] : [])
      + (isSame ? [] : output.options.warnings(editing: loaded.application))
  }

  var json: JSONValue {
    [
      "schema": "ipa-inject/plist-convert/1", "input": .string(loaded.path),
      "output": .optional(output.resultPath),
      "plist": .optional(loaded.plistPath), "from": .string(loaded.formatName),
      "to": .string(form), "bytes": .integer(Int64(bytes.count)), "changed": .bool(!isSame),
      "warnings": .strings(warnings),
    ]
  }

  func text(_ style: Style) -> String {
    let place = (output.resultPath ?? loaded.path).printable
    if isSame { return "\(place): it is \(form) already, nothing to do\n" }
    let done = output.isDryRun ? "would be converted" : "converted"
    return "\(place): \(done) from \(loaded.formatName) to \(form), \(bytes.count) bytes\n"
  }
}
