internal import ATSMerge
internal import PlistKit

/// What the page shows of a verification.
struct PageVerification: Sendable {
  let report: VerifyReport
  /// What differs from the app as it was before, where that was asked.
  let changes: PageChanges?

  /// What was looked for.
  var scope: String {
    let failOn = report.settings.failOn
    let fails =
      failOn == .error
      ? "errors make it fail" : "findings of level \(failOn.rawValue) and above make it fail"
    let off = report.off.isEmpty ? "" : ", \(report.off.count) switched off"
    return
      "\(report.checked.count) of \(RuleTable.rules(for: .verify).count) rules ran\(off); \(fails)."
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
