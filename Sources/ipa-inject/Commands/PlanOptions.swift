internal import AppBundle
internal import CodeSigning
internal import PlistKit

/// What a person gives for signing: the options that `plan` and `sign` share.
struct PlanOptions: Sendable {
  static let group = OptionGroup(
    "What it is signed with",
    [
      .value(
        "--profile", short: "m", "[ID=]FILE", repeatable: true,
        "a provisioning profile; with ID for that bundle, else for those that it covers"),
      .value(
        "--entitlements", short: "e", "[ID=]FILE", repeatable: true,
        "entitlements that are wanted; without ID for the main app"),
      .value("--certificate", "FILE", "the certificate that will sign, PEM or DER"),
      .value("--team", "TEAMID", "the team that must sign"),
      .value("--date", "ISO8601", "the moment at which profiles must be valid (now)"),
    ])

  /// A file with the bundle that it was given for.
  private struct Given: Sendable {
    let bundleIdentifier: String?
    let file: String

    /// `ID=FILE`, or `FILE`: what stands before the first `=` is an identifier where it can be one.
    /// `./a=b` is always a file.
    init(_ text: String, option: String) throws(UsageError) {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2, !parts[0].isEmpty, parts[0].utf8.allSatisfy(Self.isOfIdentifier) {
        bundleIdentifier = String(parts[0])
        file = String(parts[1])
      } else {
        bundleIdentifier = nil
        file = text
      }
      guard !file.isEmpty else { throw UsageError("\(option) '\(text)' names no file") }
    }

    /// Letters, digits, `.`, `-` and `_`, which some identifiers have all the same.
    private static func isOfIdentifier(_ byte: UInt8) -> Bool {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
      default: false
      }
    }
  }

  private let profiles: [Given]
  private let entitlements: [Given]
  private let certificate: String?
  private let team: String?
  private let date: PlistDate?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    func given(_ option: String) throws(UsageError) -> [Given] {
      var found: [Given] = []
      for text in arguments.all(option) { found.append(try Given(text, option: option)) }
      return found
    }
    profiles = try given("--profile")
    entitlements = try given("--entitlements")
    certificate = arguments["--certificate"]
    team = arguments["--team"]
    date = try arguments["--date"].map { text throws(UsageError) in
      guard let date = PlistDate(iso8601: text) ?? PlistDate(iso8601: text + "T00:00:00Z") else {
        throw UsageError(
          "--date '\(text)' is no moment", hint: "such as 2026-11-30 or 2026-11-30T08:00:00Z")
      }
      return date
    }
  }

  /// The files that are read.
  var files: [String] {
    profiles.map(\.file) + entitlements.map(\.file) + [certificate].compactMap(\.self)
  }

  /// Reads what the options name.
  /// - Throws: ``Failure`` with status 66 for a file that is not there, 65 for one of another kind.
  func request(in environment: Environment) throws(Failure) -> SigningRequest {
    var request = SigningRequest(date: try moment(in: environment))
    request.team = team
    for one in profiles {
      request.profiles.append(
        SigningRequest.Profile(
          bundleIdentifier: one.bundleIdentifier, file: one.file,
          profile: try Self.read(one.file) { bytes throws(SigningError) in
            try ProvisioningProfile(parsing: bytes)
          }))
    }
    for one in entitlements {
      request.entitlements.append(
        SigningRequest.EntitlementsFile(
          bundleIdentifier: one.bundleIdentifier, file: one.file,
          entitlements: try Self.read(one.file) { bytes throws(SigningError) in
            try Entitlements(parsing: bytes)
          }))
    }
    request.certificate = try certificate.map { path throws(Failure) in
      try Self.read(path) { bytes throws(SigningError) in try Certificate(file: bytes) }
    }
    return request
  }

  private func moment(in environment: Environment) throws(Failure) -> PlistDate {
    if let date { return date }
    return try environment.moment()
  }

  private static func read<Value>(
    _ path: String, _ parse: ([UInt8]) throws(SigningError) -> Value
  ) throws(Failure) -> Value {
    let bytes = try InputFile.read(path)
    do throws(SigningError) { return try parse(bytes) } catch { throw Failure(error, file: path) }
  }
}
