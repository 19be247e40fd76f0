internal import ATSMerge
internal import PlistKit

/// What the page shows of a verification.
struct PageVerification: Sendable {
  let report: VerifyReport
  /// What differs from the app as it was before, where that was asked.
  let changes: PageChanges?

  /// The findings, the worst first, each level in the order of the rules.
  var sortedFindings: [Finding] {
    FindingLevel.allCases.reversed().flatMap { level in
      report.findings.filter { $0.level == level }
    }
  }

  /// How many there are of each level.
  var counts: String {
    let counts = FindingLevel.allCases.reversed().compactMap { level -> String? in
      guard let count = report.counts[level], count > 0 else { return nil }
      return "\(count.grouped) \(level.rawValue)\(count == 1 ? "" : "s")"
    }
    return counts.isEmpty ? "nothing found" : counts.joined(separator: ", ")
  }

  /// What was looked for.
  var scope: String {
    let failOn = report.settings.failOn
    let fails =
      failOn == .error
      ? "errors make it fail" : "findings of level \(failOn.rawValue) and above make it fail"
    let off = report.off.isEmpty ? "" : ", \(report.off.count) switched off"
    let left = report.notRun.isEmpty ? "" : ", \(report.notRun.count) not run"
    return "\(report.checked.count) rules ran\(off)\(left); \(fails)."
  }
}

/// What differs between the app and what it was before.
struct PageChanges: Sendable {
  /// The app as it was.
  let original: String
  /// The Info.plist's values; nil where more differ than are compared.
  let plist: [PlistChange]?
  /// Other members, each with what happened to it.
  let members: [(path: String, message: String)]
}
