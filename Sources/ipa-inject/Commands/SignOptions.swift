internal import CodeSigning

/// Who signs, and with what key.
struct SignOptions: Sendable {
  static let signers = ["adhoc"] + Signers.all.map(\.name)

  static let signerGroup = OptionGroup(
    "Who signs",
    [
      .choice("--signer", signers, "a signer that is known, or this program itself (adhoc)"),
      .value(
        "--command", "TEMPLATE",
        "a command line for the shell with {input} and {output}, {input} alone or {bundle}; also {profile}, "
          + "{entitlements}, {password-file}"),
      .value("--timeout", "SECONDS", "how long the signer may take (no limit)"),
      .flag("--check-only", "run no signer; check INPUT, or what became of it in OUTPUT"),
    ])

  static let keyGroup = OptionGroup(
    "The key",
    [
      .value("--p12", "FILE", "a key with its certificate and the chain (PKCS #12)"),
      .value(
        "--key", short: "k", "FILE", "a private key, PEM or DER; its certificate in --certificate"),
      .value("--identity", "NAME", "an identity in the keychain, for codesign"),
      .value(
        "--password-file", "FILE", "a file whose first line is the password of --p12 or --key"),
      .value("--password-env", "NAME", "an environment variable that holds it"),
    ])

  /// Who signs.
  enum Who: Sendable {
    case adHoc
    case signer(any Signer)
    case command(ShellTemplate)
  }

  /// Nil where nobody is to sign.
  let who: Who?
  let checksOnly: Bool
  private let timeout: Duration?
  private let identity: String?
  private let key: String?
  private let certificate: String?
  private let p12: String?
  private let passwordFile: String?
  private let passwordVariable: String?
  private let extraArguments: [String]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    checksOnly = arguments.has("--check-only")
    let (signer, command) = (arguments["--signer"], arguments["--command"])
    guard signer == nil || command == nil else {
      throw UsageError("--signer and --command exclude each other")
    }
    if let command {
      do throws(SigningError) { who = .command(try ShellTemplate(command)) } catch {
        throw UsageError("--command: \(error.detail)", hint: error.hint)
      }
    } else if let signer {
      who = Signers.named(signer).map(Who.signer) ?? .adHoc
    } else {
      who = nil
    }
    guard who != nil || checksOnly else {
      throw UsageError(
        "who signs?",
        hint: "--signer \(Self.signers.joined(separator: "|")) or --command TEMPLATE")
    }
    timeout = try arguments["--timeout"].map { text throws(UsageError) in
      guard let seconds = Int64(text), (1...1_000_000).contains(seconds) else {
        throw UsageError("--timeout is '\(text)', not a number of seconds")
      }
      return .seconds(seconds)
    }
    identity = arguments["--identity"]
    key = arguments["--key"]
    certificate = arguments["--certificate"]
    p12 = arguments["--p12"]
    passwordFile = arguments["--password-file"]
    passwordVariable = arguments["--password-env"]
    extraArguments = arguments.behindDashes
    try check()
  }

  private func check() throws(UsageError) {
    guard p12 == nil || key == nil else { throw UsageError("--p12 and --key exclude each other") }
    guard p12 == nil || certificate == nil else {
      throw UsageError("--p12 holds its certificate, so --certificate has no use beside it")
    }
    guard key == nil || certificate != nil else {
      throw UsageError("--key goes with its certificate", hint: "--certificate FILE")
    }
    guard passwordFile == nil || passwordVariable == nil else {
      throw UsageError("--password-file and --password-env exclude each other")
    }
    for (name, value) in [
      ("--p12", p12), ("--key", key), ("--identity", identity), ("--password-file", passwordFile),
      ("--password-env", passwordVariable),
    ] where value == "" {
      throw UsageError("\(name) is empty")
    }
    if case .signer(let signer) = who {
      guard signer.takesKey || (p12 == nil && key == nil) else {
        throw UsageError(
          "\(signer.name) signs with an identity of a keychain, not with a file",
          hint: "--identity NAME, after 'security import FILE'")
      }
      guard !signer.takesKey || identity == nil else {
        throw UsageError("--identity is for codesign; \(signer.name) takes --p12 or --key")
      }
    }
    guard extraArguments.isEmpty || isOfSigner else {
      throw UsageError("what stands behind -- goes to a signer, and none is named that takes it")
    }
  }

  private var isOfSigner: Bool { if case .signer = who { true } else { false } }

  /// What a signer is told. The files of keys are read later, and not at all by those that take none.
  func request(in environment: Environment) throws(Failure) -> SignerRequest {
    var request = SignerRequest()
    request.identity = identity
    request.keyPath = key
    request.certificatePath = certificate
    request.p12Path = p12
    request.password = try password(in: environment)
    request.extraArguments = extraArguments
    request.timeout = timeout
    return request
  }

  private func password(in environment: Environment) throws(Failure) -> Secret? {
    if let passwordVariable {
      guard let text = environment.variable(passwordVariable) else {
        throw Failure(
          code: "missing", status: .noInput,
          message: "there is no environment variable \(passwordVariable)",
          hint: "--password-env NAME")
      }
      return Secret(text)
    }
    guard let passwordFile else { return nil }
    let bytes = try InputFile.read(passwordFile, limit: 1 << 16)
    let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
    return Secret(String(decoding: line, as: UTF8.self))
  }

  /// The signer's file, by its variable or in `PATH`.
  static func find(_ signer: any Signer, in environment: Environment) throws(Failure) -> String {
    let named = environment.variable(signer.variable)?.nonEmpty
    if let path = Signers.find(
      named ?? signer.name, in: environment.variable("PATH") ?? "")
    {
      return path
    }
    throw Failure(
      code: "missing", status: .unavailable,
      message: named.map { "\(signer.variable) is '\($0)', which is no program" }
        ?? "the signer \(signer.name) is not there",
      hint: named == nil ? signer.installation : "the path of \(signer.name), or its name in PATH")
  }
}
