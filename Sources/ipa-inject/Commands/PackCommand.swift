internal import AppBundle

/// Packs a folder that holds an app.
struct PackCommand: Command {
  static let name = "pack"
  static let summary = "pack a folder that holds an app into an .ipa"
  static let usage = ["FOLDER -o OUTPUT.ipa [options]"]
  static let discussion = """
    FOLDER holds Payload/, and then all of it is packed, or is an .app, which goes under Payload/, or an \
    .xcarchive, of which the app goes there. No file in it is changed or looked into.

    Modes, symbolic links and times are kept, times to the second. Members are sorted by the bytes of \
    their paths, a folder before what it holds. Hard links become files of their own.

    With --reproducible the same content gives the same bytes, whoever packs it, wherever and whenever: \
    the time is that of SOURCE_DATE_EPOCH or else 1980-01-01, modes are 755 for folders and what can be \
    executed, 644 for the rest.
    """
  static let options = [
    OptionGroup("Where the result goes", PackingOutput.options("an archive: .ipa, .tipa or .zip")),
    OptionGroup(
      "How it is packed",
      [
        .flag("--reproducible", "the same content gives the same bytes"),
        .choice("--level", (0...9).map(String.init), "less work or a smaller file (6); 0 stores"),
      ]),
    OptionGroup(
      "Other options",
      [.value("--app", "NAME", "the app to take where an .xcarchive holds several")]),
  ]

  let input: String
  let app: String?
  let output: Packing.Output
  let isReproducible: Bool
  let level: Int

  init(_ arguments: ParsedArguments) throws(UsageError) {
    input = try Self.argument(arguments, "FOLDER")
    app = arguments["--app"]
    output = try PackingOutput.output(arguments)
    isReproducible = arguments.has("--reproducible")
    level = arguments["--level"].flatMap { Int($0) } ?? 6
    guard CommitTarget.isArchiveName(output.path) else {
      throw UsageError("an archive's name ends in .ipa, .tipa or .zip", hint: "-o OUTPUT.ipa")
    }
  }

  func run(in environment: Environment) throws(Failure) -> any Report {
    var options = PackingOptions()
    options.level = level
    if isReproducible {
      let seconds = try environment.sourceDateEpoch ?? PackingOptions.earliestSeconds
      options.attributes = .reproducible(seconds: seconds)
    }
    return try PackingReport(schema: "pack", input: input, output: output, in: environment) {
      progress throws(BundleError) in
      try Packing.pack(input, to: output, app: app, options: options, progress: progress)
    }
  }
}
