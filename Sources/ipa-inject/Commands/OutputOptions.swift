internal import AppBundle
internal import PlistKit

/// Where the edited app goes.
struct OutputOptions: Sendable {
  static let options: [Option] = [
    .value(
      "--output", short: "o", "PATH",
      "an archive where PATH ends in .ipa, .tipa or .zip, else a folder of the input's kind"),
    .flag("--in-place", "edit INPUT itself"),
    .flag("--force", "replace an existing OUTPUT, or the file of --record"),
    .flag("--dry-run", "write nothing; print the change as a diff of the plist"),
    .flag("--no-sync", "do not flush to the disk before renaming"),
  ]

  let isDryRun: Bool
  private let path: String?
  private let isInPlace: Bool
  let replaces: Bool
  private let synchronizes: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    path = arguments["--output"]
    isInPlace = arguments.has("--in-place")
    replaces = arguments.has("--force")
    isDryRun = arguments.has("--dry-run")
    synchronizes = !arguments.has("--no-sync")
    guard path == nil || !isInPlace else {
      throw UsageError("--output and --in-place exclude each other")
    }
    guard path != nil || isInPlace || isDryRun else {
      throw UsageError("where does the result go?", hint: "-o OUTPUT or --in-place")
    }
    guard path != "" else { throw UsageError("--output is empty") }
  }

  /// Where the result is, nil in a dry run.
  func resultPath(of loaded: LoadedApp) -> String? {
    isDryRun ? nil : path ?? loaded.path
  }

  /// Writes the edited app, unless this is a dry run. The new Info.plist gets the time of writing, or
  /// that of `SOURCE_DATE_EPOCH` (reproducible-builds.org), so that the same input and ID give the same
  /// bytes.
  func commit(
    _ edit: PlistEdit, of loaded: LoadedApp, record: Record? = nil, in environment: Environment
  ) throws(Failure) {
    let log = environment.log
    for change in edit.changes { log.detail("\(change.op.rawValue) \(change.path)") }
    log.detail(
      "\(loaded.application.infoPlistPath) has \(edit.edited.count) bytes, "
        + "\(edit.original.count) before")
    guard !isDryRun else { return }
    var options = CommitOptions()
    options.synchronize = synchronizes
    if let text = environment.variables["SOURCE_DATE_EPOCH"]?.nonEmpty {
      guard let seconds = Int64(text), seconds >= 0 else {
        throw Failure.usage(UsageError("SOURCE_DATE_EPOCH is '\(text)', not seconds since 1970"))
      }
      options.modificationTime = .seconds(seconds)
    }
    do throws(BundleError) {
      try loaded.application.commit(
        edit.edited, to: path.map { .path($0, replace: replaces) } ?? .inPlace, options: options,
        observer: record)
      log.detail("\(resultPath(of: loaded) ?? "") is written")
    } catch {
      record?.withdraw()
      throw Failure(error, file: error.isAboutOutput ? path ?? loaded.path : loaded.path)
    }
  }
}

extension BundleError {
  /// Whether it is the output that cannot be made.
  fileprivate var isAboutOutput: Bool { ExitStatus(code) == .cannotCreate }
}
