internal import ATSMerge
internal import AppBundle
internal import PlistKit

extension LoadedApp {
  /// What the rules look at, and what could not be read for them.
  func verificationSubject() -> (VerificationSubject, problems: [String]) {
    var subject = VerificationSubject(
      infoPlist: root, infoPlistPath: application.infoPlistPath)
    let (nested, nestedProblems) = nestedInfoPlists()
    subject.nested = nested.map { bundle, root in
      VerificationSubject.NestedInfoPlist(
        bundlePath: bundle.path, path: bundle.infoPlistPath ?? bundle.path,
        isExtension: bundle.kind == .appex, root: root)
    }
    let (texts, textProblems) = localizedTexts(of: LocalNetworkText.key)
    subject.localizedTexts = texts.map {
      VerificationSubject.LocalizedText(language: $0.language, path: $0.path, text: $0.text)
    }
    return (subject, nestedProblems + textProblems)
  }

  /// What differs from the app as it was before, the Info.plist's values aside.
  func comparison(
    with path: String, app: String?, log: Log
  ) throws(Failure) -> VerificationSubject.Comparison {
    let original = try LoadedApp(path, app: app, log: log)
    let differences: [MemberDifference]
    do throws(BundleError) {
      differences = try application.memberDifferences(from: original.application)
    } catch { throw Failure(error, file: self.path) }
    let plist = application.infoPlistPath
    return VerificationSubject.Comparison(
      original: original.root,
      memberDifferences: differences.filter { $0.path != plist || $0.kind != .contents }
        .map { ($0.path, "\($0.path) \($0.kind.sentence), which no injection does") })
  }
}
