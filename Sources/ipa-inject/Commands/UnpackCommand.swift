internal import AppBundle

/// Unpacks an archive.
struct UnpackCommand: Command {
  static let name = "unpack"
  static let summary = "unpack an .ipa into a folder, and check it on the way"
  static let usage = ["INPUT.ipa -o FOLDER [options]"]
  static let discussion = """
    Names, modes, symbolic links and times are kept, set-user-ID and the like aside. Each member is \
    checked against its sizes and checksum. INPUT need not hold an app, so that one can look into a \
    broken archive.

    Names and links that lead out of FOLDER are refused, and so are two names that are one to a file \
    system that ignores case, special files, and members that are encrypted or packed in a way other than \
    deflate. Nothing is left behind then.
    """
  static let options = [
    OptionGroup("Where the result goes", PackingOutput.options("a folder, which is made"))
  ]

  let input: String
  let output: Packing.Output

  init(_ arguments: ParsedArguments) throws(UsageError) {
    input = try Self.argument(arguments, "INPUT.ipa")
    output = try PackingOutput.output(arguments)
    guard !CommitTarget.isArchiveName(output.path) else {
      throw UsageError("-o names an archive, and the output is a folder", hint: "-o FOLDER")
    }
  }

  func run(in environment: Environment) throws(Failure) -> any Report {
    try PackingReport(schema: "unpack", input: input, output: output, in: environment) {
      progress throws(BundleError) in
      try Packing.unpack(input, to: output, progress: progress)
    }
  }
}
