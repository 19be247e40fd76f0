/// One verification rule: everything that is said or done about it stands here.
public struct Rule: Sendable {
  /// What it is called on the command line and in reports.
  public let id: String
  /// How much its findings matter unless a person says otherwise.
  public let level: FindingLevel
  /// What it finds, in one line.
  public let summary: String
  /// Why it matters and what to do.
  public let help: String
  /// A wrong and a right example.
  public let examples: RuleExamples
  /// What it is run for.
  public let tasks: Set<VerificationTask>
  let need: Need
  let check: @Sendable (VerificationFacts) -> [Observation]

  /// What a rule cannot be run without, beside the main app's Info.plist.
  enum Need: Sendable {
    case nothing
    /// The app around the Info.plist.
    case app
    /// The app as it was before.
    case original
    /// A look at the code and its signatures.
    case code
    /// That look, and the wish for a signature.
    case signature
  }

  init(
    _ id: String, _ level: FindingLevel, _ summary: String, help: String, examples: RuleExamples,
    for tasks: Set<VerificationTask> = [.verify], needs need: Need = .nothing,
    check: @escaping @Sendable (VerificationFacts) -> [Observation]
  ) {
    self.id = id
    self.level = level
    self.summary = summary
    self.help = help
    self.examples = examples
    self.tasks = tasks
    self.need = need
    self.check = check
  }
}

/// What an app is looked at for.
public enum VerificationTask: String, Sendable, CaseIterable {
  /// Whether it is as it should be.
  case verify
  /// Whether it can be signed so that a device takes it.
  case plan
}

/// A rule that did not run.
public struct UnrunRule: Sendable {
  /// Why a rule did not run.
  public enum Reason: Sendable {
    /// A person switched it off.
    case disabled
    /// There is nothing to compare with.
    case noOriginal
    /// The input is an Info.plist without an app around it.
    case noApp
    /// Signatures were to be left alone.
    case leftAlone
    /// Nobody asked for a signature.
    case notAsked
  }

  /// The rule.
  public let rule: Rule
  /// Why it did not run.
  public let reason: Reason
}

/// Which rules run, and how much they matter.
public struct RuleSettings: Sendable {
  /// Levels in place of the rules' own, by ID.
  public var levels: [String: FindingLevel] = [:]
  /// The IDs of rules that do not run.
  public var disabled: Set<String> = []

  /// Every rule at its own level.
  public init() {}
}
