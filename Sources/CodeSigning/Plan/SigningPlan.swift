public import AppBundle
internal import PlistKit

/// What signing an app takes: every code object inside out, each with its profile, its entitlements and its
/// identifier, and what a device would refuse.
public struct SigningPlan: Sendable {
  /// One code object and how to sign it.
  public struct Step: Sendable {
    /// Its place in the order of signing, from 1.
    public let order: Int
    /// What is signed.
    public let object: CodeObject
    /// What its executable says, nil where it has none.
    public let executable: ExecutableFacts?
    /// What `codesign -i` takes.
    public let identifierToUse: String
    /// The profile that goes with it, nil where it has or takes none.
    public let profile: PlannedProfile?
    /// What to sign it with, nil for no entitlements at all.
    public let entitlements: Entitlements?
    /// Whether it keeps the signature that it has: Apple's own, which a device looks for.
    public let keepsSignature: Bool
    /// Why it is so, a sentence each without a full stop.
    public let reasons: [String]

    /// The entitlements that it has now.
    public var currentEntitlements: Entitlements? { executable?.entitlements }
  }

  /// The steps in the order in which they are done; the main app is the last.
  public let steps: [Step]
  /// What a device would refuse, or what is worth knowing; not sorted by rule.
  public let problems: [SigningProblem]
  /// What could not be read and breaks no rule, one line each.
  public let warnings: [String]
  /// The systems that the main app is built for; empty where it does not say.
  public let platforms: [MachOPlatform]

  /// The main app's step; nil for a property list by itself.
  public var main: Step? { steps.last }

  /// Each profile that is used, once, in the order of the steps.
  public var profiles: [PlannedProfile] {
    var seen: Set<String> = []
    return steps.compactMap(\.profile).filter { seen.insert($0.file).inserted }
  }

  /// Plans the signing of an app.
  ///
  /// A profile is the one that was given for the very bundle, else of those given without one that fits best
  /// (an exact identifier before the longest wildcard; among equals the team that signs, then one that has
  /// not expired, then the newest), else the embedded one. Entitlements are those given, else those of
  /// the signature, as far as the profile allows them (``EntitlementGrant``); frameworks and libraries get
  /// none, and what takes no profile keeps its own.
  ///
  /// - Parameters:
  ///   - app: the app.
  ///   - request: what is given.
  ///   - signature: how the app is signed now; its contents need not be checked.
  ///   - limits: the bounds to keep.
  public init(
    _ app: Application, _ request: SigningRequest, signature: AppSignature,
    limits: SigningLimits = .standard
  ) {
    var planning = Planning(app, request, signature: signature, limits: limits)
    planning.run()
    steps = planning.steps
    problems = planning.problems
    warnings = planning.warnings
    platforms = planning.mainPlatforms
  }
}

/// A profile that goes with a code object.
public struct PlannedProfile: Sendable {
  /// What is in it.
  public let profile: ProvisioningProfile
  /// The file that was given, or the member that is embedded.
  public let file: String
  /// Whether it was given; else it is the one that is embedded now.
  public let isGiven: Bool

  /// Its name, if it has one, and where it comes from, for messages.
  var title: String {
    let name = profile.name.map { "'\($0.clipped)' " } ?? ""
    return "\(name)(\(isGiven ? file.clipped : "embedded"))"
  }
}

extension String {
  /// The text for a message: the start of a very long one.
  var clipped: String {
    guard utf8.count > 120 else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.prefix(120))) + "…"
  }
}
