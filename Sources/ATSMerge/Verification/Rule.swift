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
  /// A wrong and a right example; nil for a rule that is described and not run yet.
  public let examples: RuleExamples?
  let need: Need
  let check: (@Sendable (VerificationFacts) -> [Observation])?

  /// What a rule cannot be run without, beside the main app's Info.plist.
  enum Need: Sendable {
    case nothing
    /// The app around the Info.plist.
    case app
    /// The app as it was before.
    case original
  }

  /// Whether there is a check behind it.
  public var isRun: Bool { check != nil }

  init(
    _ id: String, _ level: FindingLevel, _ summary: String, help: String, examples: RuleExamples,
    needs need: Need = .nothing, check: @escaping @Sendable (VerificationFacts) -> [Observation]
  ) {
    self.id = id
    self.level = level
    self.summary = summary
    self.help = help
    self.examples = examples
    self.need = need
    self.check = check
  }

  /// A rule that is not run yet.
  init(notYet id: String, _ level: FindingLevel, _ summary: String, help: String) {
    self.id = id
    self.level = level
    self.summary = summary
    self.help = help
    examples = nil
    need = .app
    check = nil
  }
}

/// A rule that did not run.
public struct UnrunRule: Sendable {
  /// Why a rule did not run.
  public enum Reason: Sendable {
    /// There is no check behind it yet.
    case notYet
    /// A person switched it off.
    case disabled
    /// There is nothing to compare with.
    case noOriginal
    /// The input is an Info.plist without an app around it.
    case noApp
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
