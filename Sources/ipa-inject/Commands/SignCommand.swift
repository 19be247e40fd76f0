internal import ATSMerge
internal import AppBundle
internal import CodeSigning
internal import PlistKit

/// Has an app signed, and looks at what comes back.
struct SignCommand: Command {
  static let name = "sign"
  static let summary = "have an app signed by a signer, and prove that it is"
  static let usage = [
    "INPUT -o OUTPUT --signer NAME [options] [-- SIGNER ARGUMENTS...]",
    "INPUT -o OUTPUT --command 'TEMPLATE' [options]", "INPUT [-o OUTPUT] --check-only [options]",
  ]
  static let discussion = """
    First the signing is planned, as 'plan' does it, and an error of the plan ends it with status 1. Then \
    the signer gets the app as a private folder, with no password on its command line. What comes back is \
    checked: every signature rule of 'verify', and whether links, modes, names, members, identifiers and \
    Info.plist are still what they were. Only what passes gets OUTPUT's name; a signer that fails, or says \
    that all is well and is wrong, is status 69.

    A signer is looked for in PATH, or at the path in CODESIGN, RCODESIGN, ZSIGN or ISIGN. What stands behind \
    -- goes to it as it is. --command runs a line of the shell in which each placeholder becomes one quoted \
    word: {input} is INPUT and {output} a new path of OUTPUT's kind; without {output} a copy of INPUT is signed \
    in place; {bundle} is the unpacked .app folder, signed in place and packed afterwards.

    --check-only takes INPUT for the signed app, or, where OUTPUT is named, OUTPUT for what a signer made of \
    INPUT, and writes nothing.
    """
  static let options = [
    OptionGroup(
      "Where the result goes",
      [
        .value(
          "--output", short: "o", "PATH",
          "an archive where PATH ends in .ipa, .tipa or .zip, else a folder of the input's kind"),
        .flag("--force", "replace an existing OUTPUT, and go on in spite of the plan's errors"),
        .flag("--ignore-plan", "go on in spite of the plan's errors, and replace nothing"),
        .flag("--no-sync", "do not flush to the disk before renaming"),
      ]),
    SignOptions.signerGroup, SignOptions.keyGroup, PlanOptions.group,
    OptionGroup("Other options", [Configuration.option, LoadedApp.appOption]),
  ]

  let input: String
  let app: String?
  private let output: String?
  private let replaces: Bool
  private let ignoresPlan: Bool
  private let synchronizes: Bool
  private let signing: SignOptions
  private let plan: PlanOptions
  private let arguments: ParsedArguments

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let given = arguments.positional.dropLast(arguments.behindDashes.count)
    input = try Self.argument(arguments.replacing(positional: Array(given), values: [:]))
    app = arguments["--app"]
    output = arguments["--output"]
    replaces = arguments.has("--force")
    ignoresPlan = arguments.has("--force") || arguments.has("--ignore-plan")
    synchronizes = !arguments.has("--no-sync")
    signing = try SignOptions(arguments)
    plan = try PlanOptions(arguments)
    self.arguments = arguments
    guard output != "" else { throw UsageError("--output is empty") }
    guard output != nil || signing.checksOnly else {
      throw UsageError("where does the result go?", hint: "-o OUTPUT")
    }
  }

  func run(in environment: Environment) throws(Failure) -> any Report {
    let loaded = try LoadedApp(input, app: app, log: environment.log)
    guard loaded.bundlePath != nil else {
      throw Failure(
        code: "noApplication", status: .badInput,
        message: "it is a property list by itself, and there is no app to sign", file: input)
    }
    var report = SignReport(input: input)
    if signing.checksOnly { return try check(loaded, report, in: environment) }
    guard let output, let who = signing.who else { return report }
    let request = try signing.request(in: environment)
    let way = try way(who, &report, in: environment)
    let planned = try planned(loaded, request, way, in: environment)
    report.take(planned.findings, isIgnored: ignoresPlan)
    guard !report.isStopped else { return report }
    return try sign(loaded, to: output, way, planned, request, report, in: environment)
  }

  // MARK: - Before

  private func way(
    _ who: SignOptions.Who, _ report: inout SignReport, in environment: Environment
  ) throws(Failure) -> HandOff.Way {
    switch who {
    case .signer(let signer):
      let path = try SignOptions.find(signer, in: environment)
      let version = Signers.version(of: signer, at: path)
      report.signer = SignReport.Signer(name: signer.name, version: version, path: path)
      environment.log.detail("\(signer.name) is \(path)\(version.map { ", version \($0)" } ?? "")")
      return .signer(signer, path: path)
    case .command(let template):
      report.signer = SignReport.Signer(name: "command")
      return .command(template)
    case .adHoc:
      report.signer = SignReport.Signer(name: "adhoc", version: Version.number)
      let wishes = try plan.request(in: environment)
      var options = AdHocSigner.Options()
      options.workers = environment.workers ?? ProcessorCount.usable
      options.entitlements = { wishes.givenEntitlements(for: $0, isMain: $1)?.entitlements }
      return .builtIn(options)
    }
  }

  private func planned(
    _ loaded: LoadedApp, _ request: SignerRequest, _ way: HandOff.Way, in environment: Environment
  ) throws(Failure) -> PlanReport {
    var wishes = try plan.request(in: environment)
    if request.hasKey, wishes.certificate == nil, !isAdHoc(way) {
      do throws(SigningError) {
        wishes.certificate = try SigningKey(of: request).readCertificate()
      } catch { throw Failure(error, file: error.file ?? input) }
    }
    var settings = VerifySettings(
      try Configuration.load(arguments, in: environment), options: VerifyOptions())
    if isAdHoc(way) { settings.rules.disabled.formUnion(Self.rulesOfProfiles) }
    guard let signature = try loaded.signature(checksContents: false) else {
      throw Failure(code: "noApplication", status: .badInput, message: "there is no app to sign")
    }
    return PlanReport(
      loaded,
      plan: SigningPlan(loaded.application, wishes, signature: signature), signature: signature,
      request: wishes, settings: settings)
  }

  /// What no profile stands behind need not fit one.
  private static let rulesOfProfiles = SigningRule.allCases.map(\.rawValue).filter {
    $0.hasPrefix("profile.") || $0 == SigningRule.entitlementsNotInProfile.rawValue
  }

  private func isAdHoc(_ way: HandOff.Way) -> Bool {
    if case .builtIn = way { true } else { false }
  }

  // MARK: - Signing

  private func sign(
    _ loaded: LoadedApp, to path: String, _ way: HandOff.Way, _ planned: PlanReport,
    _ request: SignerRequest, _ report: SignReport, in environment: Environment
  ) throws(Failure) -> SignReport {
    var report = report
    var request = request
    request.profiles = profileFiles(of: planned)
    request.givesEntitlements = planned.request.entitlements.contains {
      $0.bundleIdentifier == nil || $0.bundleIdentifier == planned.bundleIdentifier
    }
    var destination = HandOff.Output(path)
    destination.replaces = replaces
    destination.synchronize = synchronizes
    if isAdHoc(way), let seconds = try environment.sourceDateEpoch {
      destination.packing.attributes = .reproducible(seconds: seconds)
    }
    var handOff = HandOff(loaded.application, to: destination, by: way, with: request)
    do throws(SigningError) {
      handOff.steps = try planned.plan.signingSteps(of: loaded.application)
    } catch { throw Failure(error, file: input) }
    let result = SignatureBox()
    handOff.verify = verification(result, signer: signer(of: way))
    let log = environment.log
    handOff.log = { log.detail($0) }
    handOff.observer = CommitWatch(companions: [], bar: environment.bar)
    do throws(HandOff.Failure) {
      report.take(try handOff.run(), signature: result.signature, output: path)
      return report
    } catch {
      switch error {
      case .bundle(let error):
        throw Failure(error, file: ExitStatus(error.code) == .cannotCreate ? path : input)
      case .signing(let error):
        // Of the app itself it names a member, else a file of the key.
        throw Failure(error, file: isAdHoc(way) ? input : error.file ?? input)
      }
    }
  }

  /// The files of profiles that are used, the main app's first.
  private func profileFiles(of planned: PlanReport) -> [String] {
    let main = planned.plan.main?.profile?.file
    let files = planned.plan.profiles.filter(\.isGiven).map(\.file)
    return files.filter { $0 == main } + files.filter { $0 != main }
  }

  private func signer(of way: HandOff.Way) -> (any Signer)? {
    if case .signer(let signer, _) = way { signer } else { nil }
  }

  // MARK: - After

  /// What looks at the signatures of a signed app, and keeps them for the report.
  private func verification(
    _ box: SignatureBox, signer: (any Signer)?
  ) -> (Application) throws(SigningError) -> [HandOffFinding] {
    { application throws(SigningError) in
      var options = AppSignature.Options()
      options.workers = ProcessorCount.usable
      let signature = try AppSignature(
        of: application, objects: application.codeObjects(), options: options)
      box.signature = signature
      return signature.handOffFindings(
        profileTeams: (try? signature.embeddedProfile(in: application))?.teamIdentifiers ?? [],
        signer: signer)
    }
  }

  private func check(
    _ loaded: LoadedApp, _ report: SignReport, in environment: Environment
  ) throws(Failure) -> SignReport {
    var report = report
    let signed = try output.map { path throws(Failure) in
      try LoadedApp(path, app: app, log: environment.log)
    }
    let box = SignatureBox()
    let signer: (any Signer)? = if case .signer(let one) = signing.who { one } else { nil }
    let verify = verification(box, signer: signer)
    if let signed {
      let check = HandOffCheck(
        loaded.application, became: signed.application, by: signer,
        asked: arguments.behindDashes)
      do throws(BundleError) {
        report.findings += try check.findings().map(SignReport.Item.init)
      } catch { throw Failure(error, file: signed.path) }
    }
    do throws(SigningError) {
      report.findings += try verify((signed ?? loaded).application).map(SignReport.Item.init)
    } catch { throw Failure(error, file: output ?? input) }
    report.isCheckOnly = true
    report.signature = box.signature
    report.output = output
    return report
  }
}

/// Keeps the signature that a check looked at.
private final class SignatureBox {
  var signature: AppSignature?
}
