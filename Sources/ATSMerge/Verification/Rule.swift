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
  let check: @Sendable (VerificationFacts) -> [Observation]

  init(
    _ id: String, _ level: FindingLevel, _ summary: String, help: String,
    check: @escaping @Sendable (VerificationFacts) -> [Observation]
  ) {
    self.id = id
    self.level = level
    self.summary = summary
    self.help = help
    self.check = check
  }
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

/// The rules, and running them.
public enum RuleTable {
  /// Every rule, in the order of the documentation.
  public static let rules: [Rule] =
    metadataRules + exceptionRules + transportRules + localNetworkRules + changeRules

  /// The rule of an ID.
  public static func rule(_ id: String) -> Rule? { rules.first { $0.id == id } }

  /// The rules that apply: not disabled, and the comparison only where there is one.
  public static func applicable(
    to subject: VerificationSubject, settings: RuleSettings = RuleSettings()
  ) -> [Rule] {
    rules.filter { rule in
      !settings.disabled.contains(rule.id)
        && (subject.comparison != nil || !changeRules.contains { $0.id == rule.id })
    }
  }

  /// Runs the rules that apply, in the table's order.
  public static func findings(
    in subject: VerificationSubject, settings: RuleSettings = RuleSettings()
  ) -> [Finding] {
    let facts = VerificationFacts(subject)
    return applicable(to: subject, settings: settings).flatMap { rule in
      rule.check(facts).map { observation in
        Finding(
          rule: rule.id, level: settings.levels[rule.id] ?? observation.level ?? rule.level,
          message: Redaction.hidingIDs(in: observation.message),
          file: observation.file ?? subject.infoPlistPath, path: observation.path)
      }
    }
  }
}
