internal import AppBundle

/// Runs a command over many inputs on all cores.
struct BatchCommand<Inner: BatchableCommand>: Command {
  static var name: String { "batch \(Inner.name)" }
  static var summary: String {
    "run '\(Inner.name)' over many apps on all cores, one JSON line each"
  }

  static var usage: [String] {
    guard isWriting else { return ["INPUT… [options]", "--input-list FILE [options]"] }
    return ["INPUT… --output-dir DIR [options]", "INPUT… --in-place [options]"]
  }

  static var discussion: String {
    """
    Standard output has one JSON line for each input, as it ends: {"input", "report", "schema", \
    "status"}, where "report" is what '\(Inner.name) --json' prints; where that fails, "error" with \
    its "code", "message", "file" and "path" stands in its place. "status" is what '\(Inner.name)' \
    would end with. A failure does not stop the others, and the batch ends with the highest status.

    Several machines share a list by --shard 1/3, 2/3 and 3/3. Each sees the whole list, and takes \
    its part of it.
    """
  }

  static var options: [OptionGroup] {
    let left = Inner.singleOptions.union(Inner.folders.map(\.single))
      .union(Inner.mergingOptions.map(\.name))
    let inner = Inner.options.compactMap { group -> OptionGroup? in
      let options = group.options.filter { !left.contains($0.name) }
      return options.isEmpty ? nil : OptionGroup(group.title, options)
    }
    let folders = Inner.folders.map { Option.value($0.option, short: $0.short, "DIR", $0.help) }
    return [
      OptionGroup(
        "The batch",
        folders + Inner.mergingOptions + [
          .value("--jobs", short: "j", "N", "how many at a time (default: one a processor)"),
          .value("--input-list", "FILE|-", "more inputs, a path a line"),
          .flag("--null", short: "0", "the paths of --input-list end with a zero byte"),
          .value("--shard", "I/N", "take every N-th input from the I-th; the first is 1"),
          .flag("--ordered", "print the lines in the order of the inputs"),
          .flag("--json", "what stops the whole batch is JSON too, as the lines always are"),
        ])
    ] + inner
  }

  static var isWriting: Bool { Inner.folders.contains { $0.single == "--output" } }

  private let arguments: ParsedArguments
  private let given: [String]
  private let list: String?
  private let isNullSeparated: Bool
  private let jobs: Int?
  private let shard: Shard
  private let isOrdered: Bool
  private let folders: [(folder: BatchFolder, path: String)]
  private let isDryRun: Bool
  private let first: Inner

  init(_ arguments: ParsedArguments) throws(UsageError) {
    self.arguments = arguments
    given = arguments.positional
    list = arguments["--input-list"]
    isNullSeparated = arguments.has("--null")
    isOrdered = arguments.has("--ordered")
    isDryRun = arguments.has("--dry-run")
    guard !given.isEmpty || list != nil else {
      throw UsageError(
        "there is no INPUT and no --input-list",
        hint: "ipa-inject \(Self.name) \(Self.usage[0])")
    }
    guard list != nil || !isNullSeparated else { throw UsageError("--null needs --input-list") }
    jobs = try arguments["--jobs"].map { text throws(UsageError) in try Self.jobs(text) }
    if let text = arguments["--shard"] { shard = try Shard(text) } else { shard = .whole }
    folders = Inner.folders.compactMap { folder in
      arguments[folder.option].map { (folder, $0) }
    }
    if let empty = folders.first(where: { $0.path.isEmpty }) {
      throw UsageError("\(empty.folder.option) is empty")
    }
    if Self.isWriting, !isDryRun {
      let hasFolder = arguments["--output-dir"] != nil
      guard hasFolder != arguments.has("--in-place") else {
        throw hasFolder
          ? UsageError("--output-dir and --in-place exclude each other")
          : UsageError("where do the results go?", hint: "--output-dir DIR or --in-place")
      }
    }
    // What is wrong with the command's own options is wrong for all inputs.
    first = try Self.inner(arguments, "INPUT", named: "INPUT", folders)
  }

  private static func jobs(_ text: String) throws(UsageError) -> Int {
    guard let number = Int(text), (1...1024).contains(number) else {
      throw UsageError("--jobs is '\(text)', not a number from 1 to 1024")
    }
    return number
  }

  /// The command for one input.
  private static func inner(
    _ arguments: ParsedArguments, _ input: String, named name: String,
    _ folders: [(folder: BatchFolder, path: String)]
  ) throws(UsageError) -> Inner {
    let values = folders.map {
      ($0.folder.single, BatchInputs.path(of: name, in: $0.path, $0.folder))
    }
    return try Inner(
      arguments.removing(Inner.mergingOptions.map(\.name))
        .replacing(positional: [input], values: Dictionary(values) { $1 }))
  }

  func run(in environment: Environment) throws(Failure) -> any Report {
    var paths = given
    if let list { paths += try BatchInputs.read(list, isNullSeparated: isNullSeparated) }
    // On the whole list, so that machines that share a folder do not meet in it.
    try BatchInputs.check(
      paths, folders: folders.map { ($0.folder, $0.path) },
      isInPlace: Self.isWriting && arguments.has("--in-place"))
    let inputs = shard.part(of: paths)
    var shared = inputs.isEmpty ? environment : try first.preparing(environment)
    shared.bar = nil
    if !isDryRun, !inputs.isEmpty {
      for folder in folders where folder.folder.isWritten {
        try OutputFolder.make(folder.path)
      }
    }
    let count = min(jobs ?? ProcessorCount.usable, max(inputs.count, 1))
    if count > 1 { shared.workers = 1 }
    environment.log.detail("\(inputs.count) of \(paths.count) inputs, \(count) at a time")
    environment.messages.display?.count(inputs: inputs.count)
    let merging = try first.merging(arguments, inputs: inputs, in: shared)
    let lines = BatchLines(
      count: inputs.count, isOrdered: isOrdered,
      areAll: isDryRun || !Self.isWriting && (merging?.replacesLines ?? true), merging: merging,
      output: shared)
    Workers.run(count) { [shared] in
      while let index = lines.next() {
        lines.finish(index, outcome(of: inputs[index], in: shared))
      }
    }
    let report = try lines.report(outcome: (isDryRun ? "would be " : "") + Inner.outcome)
    try merging?.finish(status: report.status)
    return report
  }

  /// Runs the command over one input.
  private func outcome(of input: String, in environment: Environment) -> BatchOutcome {
    var environment = environment
    environment.messages = environment.messages.about(input)
    environment.log = Log(messages: environment.log.messages?.about(input))
    environment.bar = environment.messages.display?.bar(named: input)
    do throws(Failure) {
      let command: Inner
      do throws(UsageError) {
        command = try Self.inner(
          arguments, input, named: BatchInputs.name(of: input) ?? input, folders)
      } catch { throw Failure.usage(error) }
      let report = try command.run(in: environment)
      environment.messages.warn(of: report.warnings)
      // Of many apps they would be as many lines; those of JSON have them.
      for note in report.notes { environment.log.detail(note) }
      return BatchOutcome(input: input, report: report)
    } catch {
      // What fails after a signal fails because of it.
      Interruption.yield()
      var failure = error
      failure.file = failure.file ?? input
      environment.messages.error(failure.line)
      return BatchOutcome(input: input, failure: failure)
    }
  }
}
