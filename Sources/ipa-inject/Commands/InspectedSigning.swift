internal import AppBundle
internal import CodeSigning
internal import PlistKit

/// What `inspect` shows of an app's signature and of the profile in it.
struct InspectedSigning: Sendable {
  /// The app's signatures; nil for a property list by itself, and where they were left alone.
  let signature: AppSignature?
  /// The profile in the main app, nil where there is none or it cannot be read.
  let profile: ProvisioningProfile?
  /// Why it cannot be read.
  let profileProblem: String?
  /// The moment for which it is said whether the profile has expired.
  let moment: PlistDate

  var warnings: [String] { profileProblem.map { [$0] } ?? [] }

  var signatureJSON: JSONValue {
    signature.flatMap { $0.state == .none ? nil : $0.json } ?? .null
  }

  var profileJSON: JSONValue { profile?.json(at: moment) ?? .null }

  /// Whether each code object has a signature, by its path.
  private let signed: [String: Bool]

  /// Whether a nested bundle or library has a signature: of one without code, whether it is sealed.
  func isSigned(_ bundle: NestedBundle) -> Bool {
    signed[bundle.path] ?? bundle.isSealed
  }

  /// The signature in a sentence.
  func inShort(isSealed: Bool) -> String {
    guard let signature else {
      return isSealed ? "There is one; it was not checked." : "Not signed."
    }
    let who = signature.kind == .adHoc ? "Ad hoc" : "By \(signature.identity ?? "a certificate")"
    return switch signature.state {
    case .none: "Not signed."
    case .valid: "\(who); it fits what is there."
    case .stale: "\(who); the app was edited after signing. Sign it again."
    case .broken: "\(who); it is broken. Sign the app again."
    }
  }

  func signatureLines(_ style: Style) -> [String] {
    guard let signature else { return [] }
    guard signature.state != .none else { return ["none"] }
    return [stateLine(signature, style)] + Self.table(signatureRows)
      + problemLines(signature, style)
  }

  /// What is known of the signature, each under a name; empty without one.
  var signatureRows: [(label: String, value: String)] {
    guard let signature, signature.state != .none, let executable = signature.main?.executable
    else { return [] }
    let rows: [(String, String?)] = [
      ("signer", signature.kind == .adHoc ? "none (ad hoc)" : signature.identity),
      ("team", signature.teamIdentifier),
      ("signed at", signature.signer?.signingTime?.text),
      ("requirement", signature.designatedRequirement),
      ("entitlements", Self.list(signature.entitlementKeys)),
    ]
    let hashes = executable.slices.flatMap { slice in
      slice.directories.map { directory -> (String, String?) in
        let algorithm = directory.codeDirectory.hashAlgorithm.name
        let which = "(\(slice.slice.architecture), \(algorithm))"
        return ("CDHash", "\(directory.cdHash.hexadecimal) \(which)")
      }
    }
    return Self.present(rows + hashes)
  }

  /// Those that have a value.
  private static func present(_ rows: [(String, String?)]) -> [(label: String, value: String)] {
    rows.compactMap { label, value in value?.nonEmpty.map { (label, $0) } }
  }

  private static func table(_ rows: [(label: String, value: String)]) -> [String] {
    TextTable(rows: rows.map { [$0.label, $0.value.printable] }).lines()
  }

  private func stateLine(_ signature: AppSignature, _ style: Style) -> String {
    let looked = signature.checksContents ? "" : ", code and resources were not hashed"
    return switch signature.state {
    case .none: "none"
    case .valid: style.green("fits what is there") + looked
    case .stale: style.red("stale: edited after signing") + looked
    case .broken: style.red("broken") + looked
    }
  }

  private func problemLines(_ signature: AppSignature, _ style: Style) -> [String] {
    let problems = signature.problems
    let shown = problems.prefix(10).map { style.red("problem: ") + $0.message.printable }
    let rest = problems.count - shown.count
    return shown + (rest > 0 ? ["and \(rest) more; 'ipa-inject verify' tells them"] : [])
  }

  func profileLines(_ style: Style) -> [String] {
    profileProblem.map { [style.red($0.printable)] } ?? Self.table(profileRows)
  }

  /// What is known of the profile, each under a name; empty without one.
  var profileRows: [(label: String, value: String)] {
    guard let profile else { return [] }
    let devices = profile.devices.map { "\($0.count)" }
    let form =
      switch profile.signature {
      case .none: "a property list without a signature"
      case .unsigned: "a CMS message without a signer"
      case .cms(let message): message.isValid ? "signed" : "the signature is wrong"
      }
    return Self.present([
      ("name", profile.name), ("UUID", profile.uuid),
      ("for", profile.applicationIdentifier), ("kind", profile.distribution.rawValue),
      ("team", profile.teamIdentifiers.joined(separator: ", ")),
      ("platforms", profile.platforms.joined(separator: ", ")),
      ("devices", profile.provisionsAllDevices ? "all" : devices),
      ("expires", expiry(of: profile)),
      ("certificates", Self.list(profile.certificates.compactMap(\.commonName))),
      ("form", form),
    ])
  }

  /// The first few of some texts, each once.
  private static func list(_ texts: [String]) -> String? {
    var seen: Set<String> = []
    let different = texts.filter { seen.insert($0).inserted }
    let shown = different.prefix(4).joined(separator: ", ")
    let rest = different.count - 4
    return (rest > 0 ? "\(shown) and \(rest) more" : shown).nonEmpty
  }

  private func expiry(of profile: ProvisioningProfile) -> String? {
    guard let date = profile.expirationDate?.text else { return nil }
    return date + (profile.isExpired(at: moment) == true ? " (expired)" : "")
  }
}

extension InspectedSigning {
  /// A signature that was looked at, nil for one that was left alone, and the profile of an app.
  init(_ signature: AppSignature?, of loaded: LoadedApp, at moment: PlistDate) {
    self.signature = signature
    signed = Dictionary(
      (signature?.objects ?? []).map { ($0.object.path, $0.isSigned) }
    ) { first, _ in first }
    self.moment = moment
    do {
      profile = try signature?.embeddedProfile(in: loaded.application)
      profileProblem = nil
    } catch {
      profile = nil
      let path = signature?.main?.object.profilePath ?? "the profile"
      profileProblem = "\(path) cannot be read: \(error)"
    }
  }
}

extension AppSignature {
  /// The signature of the first slice that has one.
  var mainSignature: CodeSignature? {
    main?.executable?.slices.lazy.compactMap(\.signature).first
  }

  /// The profile in the main app, nil where there is none.
  func embeddedProfile(in application: Application) throws -> ProvisioningProfile? {
    guard let path = main?.object.profilePath, application.member(at: path)?.kind == .file else {
      return nil
    }
    return try ProvisioningProfile(
      parsing: application.contents(of: path, limit: SigningLimits.standard.profileBytes))
  }

  /// The requirement that stands for the app, as text.
  var designatedRequirement: String? {
    (try? mainSignature?.requirements())?.first { $0.kind == .designated }?.text
  }

  fileprivate var entitlementKeys: [String] {
    mainSignature?.entitlementValues?.dictionary?.entries.map(\.key).sorted() ?? []
  }
}

extension PlistDate {
  /// The moment for people.
  fileprivate var text: String { exactISO8601 ?? "\(secondsSince2001) s since 2001" }
}
