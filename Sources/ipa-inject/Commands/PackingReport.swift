internal import AppBundle

/// The options about the output that `pack` and `unpack` share.
enum PackingOutput {
  static func options(_ what: String) -> [Option] {
    [
      .value("--output", short: "o", "PATH", what),
      .flag("--force", "replace an existing OUTPUT"),
      .flag("--no-sync", "do not flush to the disk before renaming"),
    ]
  }

  static func output(_ arguments: ParsedArguments) throws(UsageError) -> Packing.Output {
    guard let path = arguments["--output"] else {
      throw UsageError("where does the result go?", hint: "-o OUTPUT")
    }
    guard path != "" else { throw UsageError("--output is empty") }
    var output = Packing.Output(path)
    output.replace = arguments.has("--force")
    output.synchronize = !arguments.has("--no-sync")
    return output
  }
}

/// What was packed or unpacked.
struct PackingReport: Report {
  private let schema: String
  private let input: String
  private let output: String
  private let summary: Packing.Summary

  /// Does the work, and says so where that is asked for.
  init(
    schema: String, input: String, output: Packing.Output, in environment: Environment,
    _ work: (Packing.Progress?) throws(BundleError) -> Packing.Summary
  ) throws(Failure) {
    guard !input.isEmpty else { throw Failure.usage(UsageError("the path of an input is empty")) }
    self.schema = schema
    self.input = input
    self.output = output.path
    environment.log.detail("\(input) becomes \(output.path)")
    let progress = environment.bar.map { bar in { bar.update(done: $0, total: $1) } }
    do throws(BundleError) { summary = try work(progress) } catch {
      throw Failure(
        error, file: ExitStatus(error.code) == .cannotCreate ? output.path : input)
    }
    environment.log.detail("\(output.path) is written")
  }

  var warnings: [String] { summary.warnings.map { "\(input): \($0)" } }

  var json: JSONValue {
    [
      "schema": .string("ipa-inject/\(schema)/1"),
      "input": .string(input),
      "output": .string(output),
      "entries": .integer(Int64(summary.entries)),
      "bytes": .unsigned(summary.bytes),
      "warnings": .strings(summary.warnings),
    ]
  }

  func text(_ style: Style) -> String {
    let members = summary.entries == 1 ? "member" : "members"
    return "\(output.printable): \(summary.entries) \(members), \(summary.bytes) bytes\n"
  }
}
