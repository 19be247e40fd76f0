internal import AppBundle
internal import PlistKit

/// A plan in the making.
struct Planning {
  let app: Application
  let request: SigningRequest
  let limits: SigningLimits
  let objects: [CodeObject]
  let signature: AppSignature
  let choice: ProfileChoice
  /// What the profiles that were given are for, as words.
  let givenProfiles: String?
  var facts: [ExecutableFacts?] = []
  var steps: [SigningPlan.Step] = []
  var problems: [SigningProblem] = []
  var warnings: [String] = []
  /// The profiles that were given and are used, by their place in the request.
  var used: Set<Int> = []
  /// Bytes that the embedded profiles may come to, which an app can have ten thousand of.
  private var profileBudget = 64 << 20
  /// Embedded profiles by their bytes: extensions often have the app's.
  private var embedded: [[UInt8]: Result<ProvisioningProfile, SigningError>] = [:]

  init(
    _ app: Application, _ request: SigningRequest, signature: AppSignature, limits: SigningLimits
  ) {
    self.app = app
    self.request = request
    self.limits = limits
    self.signature = signature
    objects = signature.objects.map(\.object)
    choice = ProfileChoice(request)
    givenProfiles = Self.list(request.profiles)
  }

  /// The systems that the main app is built for.
  var mainPlatforms: [MachOPlatform] {
    guard let main = objects.last else { return [] }
    return platforms(of: main, facts.last ?? nil)
  }

  mutating func run() {
    facts = signature.objects.map { one in
      one.object.executablePath.map { _ in ExecutableFacts(one, limits: limits) }
    }
    for (index, object) in objects.enumerated() {
      let step = step(object, facts[index], order: index + 1)
      steps.append(step)
      if let path = object.executablePath, let problem = facts[index]?.problem {
        warnings.append("\(path.clipped) cannot be read as code: \(problem)")
      }
    }
    findExecutableProblems()
    findProfileProblems()
    findIdleProfiles()
  }

  // MARK: One step

  private mutating func step(
    _ object: CodeObject, _ facts: ExecutableFacts?, order: Int
  ) -> SigningPlan.Step {
    var reasons: [String] = []
    let keepsSignature = object.keepsSignature
    if keepsSignature { reasons.append("it is Apple's stub and keeps Apple's signature") }
    let profile = profile(for: object, facts, &reasons)
    let entitlements =
      keepsSignature
      ? facts?.entitlements
      : entitlements(
        for: object, facts, profile, &reasons)
    return SigningPlan.Step(
      order: order, object: object, executable: facts, identifierToUse: object.signingIdentifier,
      profile: profile, entitlements: entitlements, keepsSignature: keepsSignature,
      reasons: reasons)
  }

  private mutating func profile(
    for object: CodeObject, _ facts: ExecutableFacts?, _ reasons: inout [String]
  ) -> PlannedProfile? {
    guard object.takesProfile else { return nil }
    let found = choice.profile(for: object.bundleIdentifier ?? "")
    let embedded = embeddedProfile(of: object, isReplaced: found != nil)
    if let found {
      used.insert(found.index)
      reasons.append(found.reason)
      let given = request.profiles[found.index]
      return PlannedProfile(profile: given.profile, file: given.file, isGiven: true)
    }
    guard let embedded else { return nil }
    reasons.append("the profile is the one embedded now")
    return embedded
  }

  private mutating func embeddedProfile(
    of object: CodeObject, isReplaced: Bool
  ) -> PlannedProfile? {
    guard let path = object.profilePath, app.member(at: path)?.kind == .file else { return nil }
    hasEmbedded = true
    var detail: String
    do throws(BundleError) {
      let bytes = try app.contents(of: path, limit: min(limits.profileBytes, profileBudget))
      switch parsed(bytes) {
      case .success(let profile):
        return PlannedProfile(profile: profile, file: path, isGiven: false)
      case .failure(let error): detail = error.detail
      }
    } catch { detail = error.detail }
    let cure =
      isReplaced
      ? "the profile that was given goes in its place"
      : "download it anew, or give another with -m \(object.optionName)=FILE"
    problems.append(
      SigningProblem(
        .profileUnreadable,
        "the embedded profile of \(object.title) cannot be read: \(detail); \(cure)",
        file: path, level: isReplaced ? .note : nil))
    return nil
  }

  /// Whether a bundle has a profile embedded, be it a broken one.
  private(set) var hasEmbedded = false

  private mutating func parsed(_ bytes: [UInt8]) -> Result<ProvisioningProfile, SigningError> {
    if let known = embedded[bytes] { return known }
    profileBudget -= bytes.count
    let result: Result<ProvisioningProfile, SigningError>
    do throws(SigningError) {
      result = .success(try ProvisioningProfile(parsing: bytes, limits: limits))
    } catch { result = .failure(error) }
    embedded[bytes] = result
    return result
  }

  // MARK: Entitlements

  private mutating func entitlements(
    for object: CodeObject, _ facts: ExecutableFacts?, _ profile: PlannedProfile?,
    _ reasons: inout [String]
  ) -> Entitlements? {
    let given = givenEntitlements(for: object)
    if let given { reasons.append("entitlements are wanted from \(given.file.clipped)") }
    switch object.kind {
    case .framework, .dynamicLibrary, .bundle:
      if facts?.entitlements?.isEmpty == false {
        reasons.append("it is loaded into other code, which alone has entitlements")
      }
      return given?.entitlements
    case .tool, .xpcService: return given?.entitlements ?? facts?.entitlements
    case .app, .watchApp, .appClip, .appExtension, .systemExtension, .driverExtension: break
    }
    guard let profile, let identifier = object.bundleIdentifier else {
      return given?.entitlements ?? facts?.entitlements
    }
    let outcome = EntitlementGrant(profile.profile).entitlements(
      for: identifier, wanted: given?.entitlements, existing: facts?.entitlements)
    reasons += outcome.changes
    let isCovered = profile.profile.covers(bundleIdentifier: identifier)
    for refusal in outcome.refusals
    where isCovered || !Entitlements.applicationIdentifierKeys.contains(refusal.key) {
      let isTaken = given == nil && Entitlements.debuggingKeys.contains(refusal.key)
      let source = given.map { "wanted by \($0.file.clipped)" } ?? "in the signature now"
      let cure =
        isTaken
        ? "it gets the profile's value"
        : "enable it for the profile, or give -e \(object.optionName)=FILE without it"
      problems.append(
        SigningProblem(
          .entitlementsNotInProfile,
          "\(refusal.reason) (\(object.title), \(source); profile \(profile.title)); \(cure)",
          file: object.executablePath ?? object.infoPlistPath, at: PlistKeyPath(keys: refusal.key),
          level: isTaken ? .note : nil))
    }
    return outcome.entitlements
  }

  private func givenEntitlements(
    for object: CodeObject
  ) -> SigningRequest.EntitlementsFile? {
    request.givenEntitlements(for: object, isMain: object.path == objects.last?.path)
  }

  // MARK: Platforms

  /// The systems that an object is built for: as its code says, else as its Info.plist does.
  func platforms(of object: CodeObject, _ facts: ExecutableFacts?) -> [MachOPlatform] {
    if let facts, !facts.platforms.isEmpty { return facts.platforms }
    let names = object.infoPlist?["CFBundleSupportedPlatforms"]?.array ?? []
    return names.compactMap(\.string).compactMap(MachOPlatform.init(supported:))
  }
}

extension CodeObject {
  /// What it is called in a message: its identifier, else its path.
  var title: String {
    guard let bundleIdentifier, folder != nil else { return path.clipped }
    return "'\(bundleIdentifier.clipped)'"
  }

  /// What stands for it in an option's `BUNDLE_ID=FILE`.
  var optionName: String { bundleIdentifier?.clipped ?? "BUNDLE_ID" }
}

extension MachOPlatform {
  /// A system by its name in `CFBundleSupportedPlatforms`.
  init?(supported name: String) {
    switch name {
    case "iPhoneOS": self = .iOS
    case "AppleTVOS": self = .tvOS
    case "WatchOS": self = .watchOS
    case "XROS": self = .visionOS
    case "MacOSX": self = .macOS
    case "DriverKit": self = .driverKit
    case "iPhoneSimulator": self = .iOSSimulator
    case "AppleTVSimulator": self = .tvOSSimulator
    case "WatchSimulator": self = .watchOSSimulator
    case "XRSimulator": self = .visionOSSimulator
    default: return nil
    }
  }

  /// Whether it is a simulator, in which code needs no profile.
  var isSimulator: Bool {
    [.iOSSimulator, .tvOSSimulator, .watchOSSimulator, .visionOSSimulator].contains(self)
  }

  /// Whether it is the Mac, where only some entitlements need a profile.
  var isMac: Bool { self == .macOS || self == .macCatalyst }

  /// What `Platform` of a profile for it holds, one of these. Profiles for watch apps are those of iOS.
  var profileNames: [String] {
    switch self {
    case .iOS: ["iOS"]
    case .watchOS: ["iOS", "watchOS"]
    case .tvOS: ["tvOS"]
    case .visionOS: ["visionOS", "xrOS"]
    case .macOS, .macCatalyst: ["OSX", "macOS"]
    case .driverKit: ["OSX", "macOS", "iOS"]
    default: []
    }
  }
}
