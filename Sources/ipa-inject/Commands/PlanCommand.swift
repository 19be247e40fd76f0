internal import ATSMerge
internal import AppBundle
internal import CodeSigning
internal import PlistKit

/// Plans the signing of an app.
struct PlanCommand: Command {
  static let name = "plan"
  static let summary = "say how an app is to be signed, and what a device would refuse"
  static let usage = ["INPUT [-m [ID=]PROFILE]... [-e [ID=]ENTITLEMENTS]... [options]"]
  static let discussion = """
    Lists every code object inside out, with its profile, its entitlements and its identifier, and runs \
    the rules on profiles, entitlements, executables and nested bundles. Ends with status 1 where one \
    finds something at or above --fail-on. Nothing is signed.

    A profile is the one given for the very bundle (ID=FILE), else the closest of those that cover it by \
    whole labels, else the embedded one. Entitlements are those given, else those of the present \
    signature, as far as the profile allows them; never a wildcard.

    --plan-out writes the JSON document, in which each step has its entitlements as a property list too \
    (entitlementsXML), for scripts that call a signer themselves.
    """
  static let options = [
    PlanOptions.group,
    OptionGroup(
      "What is checked",
      VerifyOptions.ruleOptions
        + [LoadedApp.noHashingOption, Configuration.option, LoadedApp.appOption]),
    OptionGroup(
      "What comes of it",
      [
        VerifyOptions.failOnOption,
        .value("--plan-out", "FILE", "also write the plan as JSON, for scripts"),
      ]),
  ]

  let input: String
  let app: String?
  private let signing: PlanOptions
  private let options: VerifyOptions
  private let hashes: Bool
  private let planFile: String?
  private let arguments: ParsedArguments

  init(_ arguments: ParsedArguments) throws(UsageError) {
    input = try Self.argument(arguments)
    app = arguments["--app"]
    signing = try PlanOptions(arguments)
    var options = VerifyOptions(rules: try VerifyCommand.settings(arguments))
    options.failOn = arguments["--fail-on"].flatMap(FindingLevel.init(rawValue:))
    self.options = options
    hashes = !arguments.has("--no-hashing")
    planFile = arguments["--plan-out"]
    self.arguments = arguments
  }

  func run(in environment: Environment) throws(Failure) -> any Report {
    let configuration = try configuration(in: environment)
    let file = try planFile.map { path throws(Failure) in
      try ReportFile(
        path, option: "--plan-out", otherThan: [input],
        read: signing.files + [configuration.path].compactMap(\.self))
    }
    let loaded = try LoadedApp(input, app: app, log: environment.log)
    let request = try signing.request(in: environment)
    guard let signature = try loaded.signature(checksContents: hashes) else {
      throw Failure(
        code: "noApplication", status: .badInput,
        message: "it is a property list by itself, and there is no app to sign", file: input)
    }
    let plan = SigningPlan(loaded.application, request, signature: signature)
    let report = PlanReport(
      loaded, plan: plan, signature: signature, request: request,
      settings: VerifySettings(configuration, options: options))
    if let file { try file.write(report.json.hidingIDs.encoded()) }
    return report
  }

  private func configuration(in environment: Environment) throws(Failure) -> Configuration {
    try Configuration.load(arguments, in: environment)
  }
}

extension PlanCommand: BatchableCommand {
  static var outcome: String { "planned" }
  static var folders: [BatchFolder] {
    [
      BatchFolder(
        option: "--plan-dir", help: "write what --plan-out does, for NAME to NAME.json in DIR",
        single: "--plan-out", suffix: ".json")
    ]
  }

  /// Reads the project's settings once.
  func preparing(_ environment: Environment) throws(Failure) -> Environment {
    var environment = environment
    environment.configuration = try configuration(in: environment)
    return environment
  }
}
