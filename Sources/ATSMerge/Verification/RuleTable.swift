/// The rules, and running them.
public enum RuleTable {
  /// Every rule, in the order of the documentation.
  public static let rules: [Rule] =
    metadataRules + exceptionRules + transportRules + localNetworkRules + webRules + changeRules
    + bundleRules + signingRules

  /// How many findings of one rule are told one by one; one more says how many others there are.
  public static let mostFindings = 1_000

  /// The rules of a task.
  public static func rules(for task: VerificationTask) -> [Rule] {
    rules.filter { $0.tasks.contains(task) }
  }

  /// The rule of an ID.
  public static func rule(_ id: String) -> Rule? { rules.first { $0.id == id } }

  /// The rules that apply: for the task, not disabled, and with what they need at hand.
  public static func applicable(
    to subject: VerificationSubject, settings: RuleSettings = RuleSettings()
  ) -> [Rule] {
    rules(for: subject.task).filter { reason(for: $0, subject, settings) == nil }
  }

  /// The others of the task, in the table's order, with the reason.
  public static func notRun(
    for subject: VerificationSubject, settings: RuleSettings = RuleSettings()
  ) -> [UnrunRule] {
    rules(for: subject.task).compactMap { rule in
      reason(for: rule, subject, settings).map { UnrunRule(rule: rule, reason: $0) }
    }
  }

  private static func reason(
    for rule: Rule, _ subject: VerificationSubject, _ settings: RuleSettings
  ) -> UnrunRule.Reason? {
    if settings.disabled.contains(rule.id) { return .disabled }
    return switch rule.need {
    case .app where subject.mainBundle == nil: .noApp
    case .code where subject.mainBundle == nil, .signature where subject.mainBundle == nil: .noApp
    case .code where subject.signing == nil, .signature where subject.signing == nil: .leftAlone
    case .signature where subject.signing?.isRequired == false: .notAsked
    case .original where subject.comparison == nil: .noOriginal
    default: nil
    }
  }

  /// Runs the rules that apply, in the table's order.
  ///
  /// Of one rule at most ``mostFindings`` are listed. One more, of the highest level among the rest,
  /// says how many there are: a hostile file can break a rule a hundred thousand times.
  public static func findings(
    in subject: VerificationSubject, settings: RuleSettings = RuleSettings()
  ) -> [Finding] {
    let facts = VerificationFacts(subject)
    return applicable(to: subject, settings: settings).flatMap { rule in
      let found = rule.check(facts)
      let level = { (one: Observation) in
        settings.levels[rule.id] ?? one.level ?? rule.level
      }
      var findings = found.prefix(mostFindings).map { observation in
        Finding(
          rule: rule.id, level: level(observation),
          message: Redaction.hidingIDs(in: observation.message),
          file: observation.file ?? subject.infoPlistPath, path: observation.path)
      }
      let rest = found.dropFirst(mostFindings)
      if let highest = rest.map(level).max() {
        findings.append(
          Finding(
            rule: rule.id, level: highest, message: "\(rest.count) more of the same rule",
            file: subject.infoPlistPath, standsFor: rest.count))
      }
      return findings
    }
  }
}
