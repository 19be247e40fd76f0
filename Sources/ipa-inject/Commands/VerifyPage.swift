internal import ATSMerge
internal import PlistKit

extension AppPage {
  /// The page of a verification: that of the app, with what the rules found in it.
  init(
    _ loaded: LoadedApp, report: VerifyReport, subject: VerificationSubject, original: String?,
    signing: InspectedSigning, date: Int64?
  ) {
    let changes = subject.comparison.map { comparison in
      PageChanges(
        original: original ?? "",
        plist: try? PlistChange.changes(from: comparison.original, to: subject.infoPlist),
        members: comparison.memberDifferences)
    }
    self.init(
      report: InspectReport(loaded, signing: signing, showsSecrets: false), icon: loaded.icon(),
      verification: PageVerification(report: report, changes: changes),
      asked: subject.destinations, date: date)
  }
}
