internal import ATSMerge
internal import AppBundle
internal import NetDiscovery

/// Says whether App Transport Security lets an app load URLs, and why.
struct ATSCommand: Command {
  static let name = "ats"
  static let summary =
    "say whether App Transport Security lets an app load a URL, and which key decides"
  static let usage = ["INPUT [URL…] [options]"]
  static let discussion = """
    Without a URL the update URLs in the app are judged. Ends with status 1 where one is denied on an \
    OS of --os. Without --os that is "os" of .ipa-inject.json, else the newest; the text then shows \
    every OS that the app can run on.
    """
  static let options = [
    OptionGroup(
      "Options",
      [
        .value(
          "--os", "VERSION", repeatable: true,
          "an OS such as ios17, tvos16 or macos13.1, or all (the newest)"),
        .choice(
          "--context", ATSContext.allCases.map(\.rawValue),
          "what loads: URLSession, a web view, or AVFoundation (session)"),
        .flag("--trace", "list every key that was looked at"),
        Configuration.option,
        LoadedApp.appOption,
      ])
  ]

  /// What `--os` asks for.
  private enum Systems {
    /// Nothing: the project's system, else the newest.
    case usual
    case all
    case named([ATSReport.System])
  }

  private let input: String
  private let requests: [ATSRequest]
  private let systems: Systems
  private let context: ATSContext
  private let showsTrace: Bool
  private let app: String?
  private let arguments: ParsedArguments

  init(_ arguments: ParsedArguments) throws(UsageError) {
    guard let input = arguments.positional.first else {
      throw UsageError("INPUT is missing", hint: "ipa-inject \(Self.name) \(Self.usage[0])")
    }
    self.input = input
    self.arguments = arguments
    requests = try arguments.positional.dropFirst().map { text throws(UsageError) in
      do throws(HostError) { return try ATSRequest(parsing: text) } catch {
        throw UsageError("URL '\(text)': \(error.detail)")
      }
    }
    let names = arguments.all("--os")
    if names.contains("all") {
      systems = .all
    } else if names.isEmpty {
      systems = .usual
    } else {
      systems = .named(
        try names.map { name throws(UsageError) in
          ATSReport.System(name: name.lowercased(), generation: try ATSGeneration(option: name))
        })
    }
    context = arguments["--context"].flatMap(ATSContext.init(rawValue:)) ?? .session
    showsTrace = arguments.has("--trace")
    app = arguments["--app"]
  }

  func run(in environment: Environment) throws(Failure) -> any Report {
    let loaded = try LoadedApp(input, app: app, log: environment.log)
    let platforms = AppPlatforms(infoPlist: loaded.root)
    let metadata = UpdateMetadata(infoPlist: loaded.root)
    let judged = requests.isEmpty ? metadata.urls.map { ATSRequest($0) } : requests
    guard !judged.isEmpty else {
      throw Failure(
        code: "usage", status: .usage, message: "it holds no update URL that could be judged",
        file: input, hint: "name a URL behind INPUT")
    }
    let all = platforms.generations.map { ATSReport.System($0, of: platforms.system) }
    let configured = try Configuration.load(arguments, in: environment).os
    let (asked, shown) =
      switch systems {
      case .usual: ([ATSReport.System(configured ?? .newest, of: platforms.system)], all)
      case .all: (all, all)
      case .named(let named): (named, named)
      }
    let policy = ATSPolicy(infoPlist: loaded.root)
    let problems = requests.isEmpty ? metadata.problems : []
    return ATSReport(
      requests: judged, asked: asked, shown: shown,
      system: platforms.system, policy: policy, context: context, showsTrace: showsTrace,
      warnings: loaded.application.warnings + problems.map { "the update metadata: \($0)" })
  }
}

extension ATSGeneration {
  /// How a person writes one, as a hint.
  static let examples = "such as ios17, ios16.4, macos14"

  /// The value of an option such as `--os`.
  init(option text: String) throws(UsageError) {
    guard let generation = Self(parsing: text) else {
      throw UsageError(
        "--os '\(text)' is no OS with App Transport Security",
        hint: Self.examples)
    }
    self = generation
  }
}
