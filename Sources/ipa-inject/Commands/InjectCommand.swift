internal import ATSMerge
internal import AppBundle
internal import NetDiscovery
internal import PlistKit

/// Prepares an app for update delivery.
struct InjectCommand: Command {
  static let name = "inject"
  static let summary = "add update metadata, exact ATS exceptions and the local-network text"
  static let usage = [
    "INPUT -o OUTPUT --source SOURCE [options]", "INPUT --in-place --source SOURCE [options]",
  ]
  static let discussion = """
    Adds the IPAHub dictionary, one exact App Transport Security exception for each HTTP destination, \
    and the local-network text to the main app's Info.plist, and touches nothing else. An app that was \
    signed must be signed again afterwards.

    Without --destination or --update-url the addresses of this machine are taken, as 'discover' lists \
    them; for an app that runs in simulators alone, which share this machine's network, a server on \
    loopback will do. With --data-dir the port that was used is saved for the server, and the address \
    of --bind. The new Info.plist gets the time of writing, or that of SOURCE_DATE_EPOCH.
    """
  static let options = [
    OptionGroup("Where the result goes", OutputOptions.options),
    OptionGroup(
      "Update metadata",
      [
        .value(
          "--source", "TEXT",
          "gh:OWNER/REPO, an http(s) URL of an IPA, or a file path; default: what INPUT holds"),
        .value("--filter", "TEXT", "which of several files of a release"),
        .value("--team", "TEAMID", "the signing team that was asked for"),
        .value(
          "--release", "CHANNEL", "latest (default), pre-release, or a tag, which follows latest"),
        .value("--installation-id", "HEX48", "default: 24 random bytes"),
        .value("--purpose", "TEXT", "the local-network text for an app without one"),
      ]),
    OptionGroup(
      "Destinations",
      [
        .value(
          "--destination", "D", repeatable: true,
          "HOST, HOST:PORT, [V6]:PORT or http(s)://HOST[:PORT]; replaces discovery"),
        .value(
          "--update-url", "URL", repeatable: true,
          "a complete update URL, kept byte for byte; replaces --destination"),
        .flag("--no-discovery", "never look at this machine"),
      ]),
    DestinationOptions.listenerGroup,
    DestinationOptions.machineGroup,
    OptionGroup(
      "Other options",
      [
        LoadedApp.appOption,
        .choice("--plist-format", ["keep", "xml", "binary"], "the form of the Info.plist (keep)"),
        .value("--record", "FILE", "write what an update server needs to know, mode 0600"),
        .flag(
          "--prune", "drop exceptions that an earlier injection left and that hold nothing else"),
        .showSecrets,
      ]),
  ]

  let input: String
  let app: String?
  let output: OutputOptions
  let metadata: MetadataOptions
  let destinations: InjectDestinations
  let plistFormat: PlistFormat?
  let recordPath: String?
  let prunes: Bool
  let showsSecrets: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    input = try Self.argument(arguments)
    app = arguments["--app"]
    output = try OutputOptions(arguments)
    destinations = try InjectDestinations(arguments)
    metadata = try MetadataOptions(arguments)
    plistFormat = arguments["--plist-format"].flatMap(PlistFormat.init(rawValue:))
    prunes = arguments.has("--prune")
    recordPath = arguments["--record"]
    if output.isDryRun && recordPath != nil {
      throw UsageError("--record and --dry-run exclude each other")
    }
    showsSecrets = arguments.has("--show-secrets")
  }

  func run(in environment: Environment) throws(Failure) -> any Report {
    let loaded = try LoadedApp(input, app: app, log: environment.log)
    let fields = try metadata.resolved(with: UpdateMetadata(infoPlist: loaded.root))
    let platforms = AppPlatforms(infoPlist: loaded.root)
    let found = try destinations.find(for: platforms, in: environment)
    let urls = destinations.urls(of: found, fields)
    var injection = Injection(
      urls: urls, source: fields.source, filter: fields.filter, team: fields.team,
      release: fields.release)
    injection.prunes = prunes
    if let purpose = metadata.purpose { injection.purpose = purpose }
    let edit = try PlistEdit(loaded, format: plistFormat) { document throws(MergeError) in
      try document.preparing(injection)
    }
    let record = try recordPath.map { path throws(Failure) in
      try Record(at: path, replacing: output.replaces, of: loaded, injection, output: output)
    }
    let written = [loaded.path, output.resultPath(of: loaded), recordPath].compactMap(\.self)
    let saving = output.isDryRun ? nil : try destinations.saving(found, besides: written)
    let companions: [(any Companion)?] = [record, saving]
    try output.commit(edit, of: loaded, with: companions.compactMap(\.self), in: environment)
    return InjectReport(
      loaded: loaded, edit: edit, output: output, injection: injection, destinations: found,
      saved: saving.map { InjectReport.Saved(path: $0.path, isNew: $0.hasWritten) },
      showsSecrets: showsSecrets)
  }
}

/// The update metadata that the command line asks for.
struct MetadataOptions: Sendable {
  /// What is written beside the URLs.
  struct Fields: Sendable {
    let source: UpdateSource
    let filter: String?
    let team: String?
    let release: ReleaseChannel?
  }

  private let source: UpdateSource?
  private let filter: String?
  private let team: String?
  private let release: String?
  let purpose: String?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    do throws(UpdateSourceError) {
      source = try arguments["--source"].map { text throws(UpdateSourceError) in
        try UpdateSource(parsing: text)
      }
    } catch { throw UsageError("--source: \(error.detail)") }
    filter = arguments["--filter"]
    team = arguments["--team"]
    release = arguments["--release"]
    purpose = arguments["--purpose"]
    if let purpose, LocalNetworkText.isBlank(purpose) { throw UsageError("--purpose is blank") }
    if release == "" { throw UsageError("--release is empty") }
    if let release, let source { try Self.check(release, of: source) }
  }

  /// The fields, with those that an app holds already as defaults. An empty text takes one out.
  func resolved(with existing: UpdateMetadata) throws(Failure) -> Fields {
    let inherited = source == nil ? try Self.source(of: existing) : nil
    guard let source = source ?? inherited else {
      throw Failure.usage(
        UsageError(
          "--source is missing, and the app holds no update metadata to take it from",
          hint: "--source gh:OWNER/REPO, a URL of an IPA, or a file path"))
    }
    if let release {
      do throws(UsageError) { try Self.check(release, of: source) } catch {
        throw Failure.usage(error)
      }
    }
    let channel = ReleaseChannel(request: release ?? existing.release ?? "latest")
    return Fields(
      source: source, filter: (filter ?? existing.filter)?.nonEmpty,
      team: (team ?? existing.team)?.nonEmpty, release: source.hasChannels ? channel : nil)
  }

  /// The source that an app holds already, nil where it holds none.
  private static func source(of existing: UpdateMetadata) throws(Failure) -> UpdateSource? {
    guard let text = existing.source else { return nil }
    do throws(UpdateSourceError) { return try UpdateSource(parsing: text) } catch {
      throw Failure.usage(
        UsageError("the app's own source cannot be kept: \(error.detail)", hint: "give --source"))
    }
  }

  private static func check(_ release: String, of source: UpdateSource) throws(UsageError) {
    guard source.hasChannels else {
      throw UsageError("--release is for gh: sources; '\(source)' has no release channel")
    }
  }
}
