internal import AppBundle
internal import PlistKit

/// Where the edited app goes.
struct OutputOptions: Sendable {
  static let options: [Option] =
    [
      .value(
        "--output", short: "o", "PATH",
        "an archive where PATH ends in .ipa, .tipa or .zip, else a folder of the input's kind"),
      .flag("--in-place", "edit INPUT itself"),
      .flag("--force", "replace an existing OUTPUT, or the file of --record"),
      .flag("--dry-run", "write nothing; print the change as a diff of the plist"),
    ] + writing

  /// How an output is written, whatever it is.
  static let writing: [Option] = [
    .choice(
      "--reflink", CommitOptions.Reflink.allCases.map(\.rawValue),
      "share blocks with INPUT where the file system can, or copy all (auto)"),
    .flag("--no-sync", "do not flush to the disk before renaming"),
  ]

  let isDryRun: Bool
  let path: String?
  let isInPlace: Bool
  let replaces: Bool
  private let synchronizes: Bool
  private let reflink: CommitOptions.Reflink

  /// Reads the options; for an input that is standard input none of them need be there.
  init(_ arguments: ParsedArguments, isInputPiped: Bool = false) throws(UsageError) {
    path = arguments["--output"]
    isInPlace = arguments.has("--in-place")
    replaces = arguments.has("--force")
    isDryRun = arguments.has("--dry-run")
    synchronizes = !arguments.has("--no-sync")
    reflink = arguments["--reflink"].flatMap(CommitOptions.Reflink.init(rawValue:)) ?? .auto
    guard path == nil || !isInPlace else {
      throw UsageError("--output and --in-place exclude each other")
    }
    guard path != nil || isInPlace || isDryRun || isInputPiped else {
      throw UsageError("where does the result go?", hint: "-o OUTPUT or --in-place")
    }
    guard path != "" else { throw UsageError("--output is empty") }
  }

  /// Where the result is, nil in a dry run.
  func resultPath(of loaded: LoadedApp) -> String? {
    isDryRun ? nil : path ?? loaded.path
  }

  /// What a person should know of an edit that is written where the options say.
  func warnings(editing application: Application?) -> [String] {
    guard isInPlace, let count = application?.otherNameCount, count > 0 else { return [] }
    let names = count == 1 ? "another name (a hard link)" : "\(count) other names (hard links)"
    let keeps = isDryRun ? "would keep" : count == 1 ? "keeps" : "keep"
    return ["the file has \(names), which \(keeps) the old content"]
  }

  /// Writes the edited app and what goes with it, unless this is a dry run. The new Info.plist gets
  /// the time of writing, or that of `SOURCE_DATE_EPOCH` (reproducible-builds.org), so that the same
  /// input and ID give the same bytes.
  func commit(
    _ edit: PlistEdit, of loaded: LoadedApp, with companions: [any Companion] = [],
    in environment: Environment
  ) throws(Failure) {
    let log = environment.log
    for change in edit.changes { log.detail("\(change.op.rawValue) \(change.path)") }
    log.detail(
      "\(loaded.application.infoPlistPath) has \(edit.edited.count) bytes, "
        + "\(edit.original.count) before")
    guard !isDryRun else { return }
    do throws(Failure) {
      try write(edit.edited, to: loaded.application, with: companions, in: environment)
      for companion in companions { try companion.publishUnlessPublished() }
    } catch {
      for companion in companions.reversed() { companion.withdraw() }
      throw error
    }
  }

  /// Writes an app with another Info.plist where the options say.
  func write(
    _ infoPlist: [UInt8], to application: Application, with companions: [any Companion] = [],
    in environment: Environment
  ) throws(Failure) {
    var options = CommitOptions()
    options.synchronize = synchronizes
    options.reflink = reflink
    if let seconds = try environment.sourceDateEpoch {
      options.modificationTime = .seconds(seconds)
    }
    do throws(BundleError) {
      let result = try application.commit(
        infoPlist, to: path.map { .path($0, replace: replaces) } ?? .inPlace, options: options,
        observer: CommitWatch(companions: companions, bar: environment.bar))
      if result != .copied(because: nil) { environment.log.detail(result.description) }
      environment.log.detail("\(path ?? application.path) is written")
    } catch {
      throw Failure(error, file: error.isAboutOutput ? path ?? application.path : application.path)
    }
  }
}

extension BundleError {
  /// Whether it is the output that cannot be made.
  fileprivate var isAboutOutput: Bool { ExitStatus(code) == .cannotCreate }
}
