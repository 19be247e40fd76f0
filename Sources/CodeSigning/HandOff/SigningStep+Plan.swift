package import AppBundle

extension SigningPlan {
  /// The steps as signers take them, with paths from the main app's folder.
  /// - Throws: ``SigningError`` where entitlements cannot be written.
  package func signingSteps(of application: Application) throws(SigningError) -> [SigningStep] {
    var found: [SigningStep] = []
    for step in steps where !step.keepsSignature {
      guard let path = application.pathInApp(step.object.path) else { continue }
      var one = SigningStep(path: path, bundleIdentifier: step.object.bundleIdentifier)
      if let profile = step.profile, profile.isGiven {
        one.profile = profile.file
        one.profilePlace = step.object.profilePath.flatMap(application.pathInApp)
      }
      if let entitlements = step.entitlements, !entitlements.isEmpty {
        one.entitlements = try entitlements.xml()
      }
      found.append(one)
    }
    return found
  }
}

extension AppSignature {
  /// What is wrong with the signatures of an app that somebody has just signed: every rule, and that the
  /// team is the profile's.
  package func handOffFindings(
    profileTeams: [String], signer: (any Signer)?
  ) -> [HandOffFinding] {
    // Where nothing is signed, code that cannot be read is among neither.
    let unreadable = objects.compactMap { one in
      one.error.map { error in
        SigningProblem(
          .signatureCode, "its code cannot be read: \(error.detail)",
          file: one.object.executablePath)
      }
    }
    let known = missing + problems
    let all = known + unreadable.filter { one in !known.contains { $0.file == one.file } }
    var found = all.map { HandOffFinding($0, trap: signer?.trap(for: $0.rule)) }
    if kind == .cms, let team = teamIdentifier, !profileTeams.isEmpty, !profileTeams.contains(team)
    {
      found.append(
        HandOffFinding(
          .team,
          "team \(team) signed, and the profile is of \(profileTeams.joined(separator: ", "))",
          file: main?.object.executablePath))
    }
    return found
  }
}
