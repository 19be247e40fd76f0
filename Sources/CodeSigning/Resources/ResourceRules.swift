/// The rules of one list, ready to be asked about paths.
struct ResourceRules {
  /// What the rules say of a path.
  enum Verdict: Equatable {
    /// No rule matches, or the one that counts leaves it out.
    case omitted
    /// It is sealed.
    case sealed(isOptional: Bool, isNested: Bool)
  }

  /// Whether a rule tells nested code.
  let hasNested: Bool
  /// The expressions that are not understood.
  let unknown: [String]
  private let rules: [CodeResources.Rule]
  private var matcher: PatternMatcher

  /// Steps that matching may still take.
  var budget: Int { matcher.budget }

  /// Rules that may take so many steps, all paths together.
  init(_ rules: [CodeResources.Rule], budget: Int) {
    var program = PatternProgram()
    var unknown: [String] = []
    for (number, rule) in rules.enumerated() where !program.add(rule.pattern, number: number) {
      unknown.append(rule.pattern)
    }
    self.rules = rules
    self.unknown = unknown
    hasNested = rules.contains { $0.isNested }
    matcher = PatternMatcher(program, budget: budget)
  }

  /// Apple leaves open which of two rules of one weight counts. Where `^` and `^Info\.plist$`, which omits,
  /// both weigh 20, as in flat bundles of many years, `codesign` leaves Info.plist out.
  private static func counts(_ rule: CodeResources.Rule, before other: CodeResources.Rule) -> Bool {
    rule.weight > other.weight || (rule.weight == other.weight && rule.omits && !other.omits)
  }

  /// What the rules say of a path.
  /// - Throws: ``SigningError`` with code `limit` where the rules take too many steps.
  mutating func verdict(on path: ArraySlice<UInt8>) throws(SigningError) -> Verdict {
    guard let found = matcher.found(in: path) else {
      throw SigningError(.limit, detail: "matching its rules takes too many steps")
    }
    var best: CodeResources.Rule?
    for number in found where best.map({ Self.counts(rules[number], before: $0) }) ?? true {
      best = rules[number]
    }
    guard let best, !best.omits else { return .omitted }
    return .sealed(isOptional: best.isOptional, isNested: best.isNested)
  }
}
