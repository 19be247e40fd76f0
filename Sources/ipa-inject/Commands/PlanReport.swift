internal import ATSMerge
internal import AppBundle
internal import CodeSigning
internal import PlistKit

/// A plan of signing with what the rules found.
struct PlanReport: Report {
  let loaded: LoadedApp
  let plan: SigningPlan
  /// How the app is signed now.
  let signature: AppSignature
  let request: SigningRequest
  /// What the rules found, as `verify` reports it.
  let findings: VerifyReport

  init(
    _ loaded: LoadedApp, plan: SigningPlan, signature: AppSignature, request: SigningRequest,
    settings: VerifySettings
  ) {
    self.loaded = loaded
    self.plan = plan
    self.signature = signature
    self.request = request
    var (subject, warnings) = loaded.verificationSubject()
    subject.task = .plan
    subject.signing = VerificationSubject.Signing(plan.problems)
    findings = VerifyReport(
      input: loaded.path, kind: loaded.application.kind,
      findings: RuleTable.findings(in: subject, settings: settings.rules),
      notRun: RuleTable.notRun(for: subject, settings: settings.rules), task: .plan,
      settings: settings,
      warnings: loaded.application.warnings + warnings + Self.fewOf(plan.warnings),
      locating: { found in
        // Other members are no property lists, or large.
        let isListed = found.map { $0.file?.hasSuffix("Info.plist") == true }
        let located = loaded.locating(zip(found, isListed).filter(\.1).map(\.0))
        var rest = located.makeIterator()
        return zip(found, isListed).map { $1 ? rest.next() ?? $0 : $0 }
      })
  }

  var status: ExitStatus { findings.status }
  var warnings: [String] { findings.warnings }

  /// The first of many lines, and how many more there are.
  private static func fewOf(_ lines: [String]) -> [String] {
    lines.count <= 20 ? lines : lines.prefix(20) + ["and \(lines.count - 20) more of this kind"]
  }

  /// Which step each finding is about: the innermost object whose path holds its file; nil for none.
  var findingsByStep: [Int: [Finding]] {
    let places = Dictionary(
      plan.steps.enumerated().map { ($1.object.path, $0) }, uniquingKeysWith: { first, _ in first })
    let main = plan.steps.count - 1
    return Dictionary(grouping: findings.findings) { finding in
      var rest = Substring(finding.file ?? "")
      while !rest.isEmpty {
        if let place = places[String(rest)] { return place }
        guard let slash = rest.utf8.lastIndex(of: 0x2F) else { break }
        rest = rest[..<slash]
      }
      return main
    }
  }
}
