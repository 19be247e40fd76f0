internal import ATSMerge
internal import AppBundle
internal import PlistKit

extension LoadedApp {
  /// What the rules look at, and what could not be read for them.
  func verificationSubject() -> (VerificationSubject, problems: [String]) {
    var subject = VerificationSubject(
      infoPlist: root, infoPlistPath: application.infoPlistPath)
    subject.mainBundle = bundlePath.map { path in
      VerificationSubject.Bundle(
        path: path, kind: .app, infoPlistPath: application.infoPlistPath, infoPlist: .read(root),
        executable: executable(root, .app, application.infoPlistPath))
    }
    let (bundles, bundleProblems) = verificationBundles()
    subject.bundles = bundles
    let (texts, textProblems) = localizedValues(of: LocalNetworkText.key)
    subject.localizedTexts = texts.map {
      VerificationSubject.LocalizedText(language: $0.language, path: $0.path, value: $0.value)
    }
    return (subject, bundleProblems + textProblems)
  }

  /// The nested bundles, and what is wrong with Info.plists that no rule judges.
  private func verificationBundles() -> ([VerificationSubject.Bundle], problems: [String]) {
    var problems: [String] = []
    let results = Dictionary(nestedInfoPlistResults().map { ($0.bundle.path, $0.result) }) { $1 }
    let bundles = application.nestedBundles.compactMap { bundle -> VerificationSubject.Bundle? in
      guard let kind = VerificationSubject.Bundle.Kind(bundle.kind) else { return nil }
      let path = bundle.infoPlistPath ?? "\(bundle.path)/Info.plist"
      var found = VerificationSubject.Bundle(
        path: bundle.path, kind: kind, infoPlistPath: path, infoPlist: .missing,
        executable: .present)
      switch results[bundle.path] {
      case nil: break
      case .success(let root)?:
        found.infoPlist = .read(root)
        found.executable = executable(root, bundle.kind, path)
      case .failure(let problem)?:
        if kind == .resources { problems.append(problem.line) }
        found.infoPlist = .unreadable(problem.reason)
      }
      return found
    }
    return (bundles, problems)
  }

  /// What there is of the executable that an Info.plist names.
  private func executable(
    _ root: PlistValue, _ kind: BundleKind, _ infoPlist: String
  ) -> VerificationSubject.Bundle.Executable {
    guard let name = root.dictionary?["CFBundleExecutable"]?.string, !name.isEmpty else {
      return .notNamed
    }
    let isFramework = kind == .framework
    let folder = BundlePlaces.folder(ofInfoPlist: infoPlist, isFramework: isFramework)
    let path = BundlePlaces.executable(named: name, in: folder, isFramework: isFramework)
    guard let member = application.member(at: path) else { return .missing }
    switch member.kind {
    case .directory, .other: return .missing
    case .symbolicLink: return .present
    case .file:
      // Bits that an archive does not tell are those that unpacking gives.
      return member.permissions.map { $0 & 0o111 == 0 } == true ? .notExecutable : .present
    }
  }

  /// What differs from the app as it was before, the Info.plist's values aside.
  func comparison(
    with path: String, app: String?, log: Log
  ) throws(Failure) -> VerificationSubject.Comparison {
    let original = try LoadedApp(path, app: app, log: log)
    let comparison = try AppComparison(old: original, new: self, ignoresInfoPlist: true)
    return VerificationSubject.Comparison(
      original: original.root,
      memberDifferences: comparison.members.map {
        ($0.path, "\($0.path) \($0.sentence), which no injection does")
      })
  }
}

extension VerificationSubject.Bundle.Kind {
  /// Nil for a library, which is one file.
  fileprivate init?(_ kind: BundleKind) {
    switch kind {
    case .app: self = .app
    case .watchApp: self = .watchApp
    case .appClip: self = .appClip
    case .appex: self = .appExtension
    case .framework: self = .framework
    case .xpcService, .systemExtension, .driverExtension: self = .service
    case .bundle: self = .resources
    case .dynamicLibrary: return nil
    }
  }
}
