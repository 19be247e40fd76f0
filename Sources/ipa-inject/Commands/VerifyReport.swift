internal import ATSMerge
internal import AppBundle
internal import NetDiscovery
internal import PlistKit

/// What the rules found in one app, for the encoders of `Output/Reports`.
struct VerifyReport: Sendable {
  /// How many findings a report lists. An app can be made to have any number of them.
  static let listed = 10_000

  /// The input's path as it was given.
  let input: String
  /// What the input is.
  let kind: InputKind
  /// What was found, in the order of the rules, the worst ``listed`` of it.
  let findings: [Finding]
  /// How many findings there are of each level, those that are not listed included.
  let counts: [FindingLevel: Int]
  /// The IDs of the rules that ran.
  let checked: [String]
  /// The rules that did not run, with the reason.
  let notRun: [UnrunRule]
  /// What the run was told.
  let settings: VerifySettings
  /// What a person should know beside the findings.
  let warnings: [String]

  /// A report of all that was found; `locating` adds the places to what is listed of it.
  init(
    input: String, kind: InputKind, findings: [Finding], notRun: [UnrunRule],
    task: VerificationTask = .verify, settings: VerifySettings = VerifySettings(),
    warnings: [String] = [],
    locating: ([Finding]) -> [Finding] = { $0 }
  ) {
    self.input = input
    self.kind = kind
    counts = findings.reduce(into: [:]) { $0[$1.level, default: 0] += $1.standsFor }
    self.findings = locating(Self.worst(of: findings))
    self.notRun = notRun
    let unrun = Set(notRun.map(\.rule.id))
    checked = RuleTable.rules(for: task).map(\.id).filter { !unrun.contains($0) }
    self.settings = settings
    self.warnings = warnings
  }

  /// The worst of some findings, as many as a report lists, in their order.
  private static func worst(of findings: [Finding]) -> [Finding] {
    guard findings.count > listed else { return findings }
    let order = findings.indices.sorted { a, b in
      findings[a].level == findings[b].level ? a < b : findings[a].level > findings[b].level
    }
    return order.prefix(listed).sorted().map { findings[$0] }
  }

  /// The IDs of the rules that did not run for one of some reasons.
  func notRun(_ reasons: UnrunRule.Reason...) -> [String] {
    notRun.filter { reasons.contains($0.reason) }.map(\.rule.id)
  }

  /// The IDs of the rules that were switched off.
  var off: [String] { notRun(.disabled) }

  /// Whether anything was found at or above the level that makes it fail.
  var hasFailed: Bool { counts.contains { $0.key >= settings.failOn && $0.value > 0 } }
  /// How many findings there are.
  var count: Int { counts.values.reduce(0, +) }
  /// How many findings are not listed.
  var omitted: Int { count - findings.count { $0.standsFor == 1 } }
  var status: ExitStatus { hasFailed ? .findings : .success }
}

/// What `verify` was told by its configuration file and its options.
struct VerifySettings: Sendable {
  /// Which rules run, and how much they matter.
  var rules = RuleSettings()
  /// The level that makes it fail.
  var failOn = FindingLevel.error
  /// The OS on which the app has to work.
  var os = ATSGeneration.newest
  /// Hosts that the app must be able to reach.
  var destinations: [Destination] = []
  /// The configuration file's path, nil where there is none.
  var config: String?
  /// The rules that this file switches off and no option switches on again.
  var offByConfig: Set<String> = []
}
