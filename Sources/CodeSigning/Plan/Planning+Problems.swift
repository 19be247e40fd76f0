internal import AppBundle
internal import PlistKit

extension Planning {
  // MARK: Executables

  /// What is wrong with the code itself.
  mutating func findExecutableProblems() {
    for step in steps {
      guard let path = step.object.executablePath, let found = step.executable?.encryption else {
        continue
      }
      problems.append(
        SigningProblem(
          .executableEncrypted,
          "the \(found.architecture) code of \(path.clipped) is encrypted (cryptid "
            + "\(found.cryptID)), as apps from the App Store are: no signer can make it run; take a "
            + "build of your own", file: path))
    }
    problems += UUIDProblems.find(
      steps.compactMap { step in
        step.executable.map { (step.object, $0.problem == nil ? $0.uuids : []) }
      }, main: objects.last?.path)
  }

  // MARK: Profiles

  /// What the profiles are for that were given for no bundle by name; nil where there are none.
  static func list(_ given: [SigningRequest.Profile]) -> String? {
    let profiles = given.filter { $0.bundleIdentifier == nil }
    guard !profiles.isEmpty else { return nil }
    let first = profiles.prefix(3).map { given in
      "\(given.file.clipped) is for '\((given.profile.bundleIdentifier ?? "no app").clipped)'"
    }
    let more = profiles.count > 3 ? " and \(profiles.count - 3) more for others" : ""
    return first.joined(separator: ", ") + more
  }

  /// What is wrong with the profiles of the steps.
  mutating func findProfileProblems() {
    var users: [String: [SigningPlan.Step]] = [:]
    var order: [PlannedProfile] = []
    if !isAnyProfileKnown { noteThatThereIsNone() }
    for step in steps where step.object.takesProfile {
      guard let profile = step.profile else {
        if isAnyProfileKnown { findMissingProfile(step) }
        continue
      }
      if users[profile.file] == nil { order.append(profile) }
      users[profile.file, default: []].append(step)
      findMisfit(step, profile)
    }
    for profile in order {
      guard let user = users[profile.file]?.last else { continue }
      findExpiry(profile, user, others: (users[profile.file]?.count ?? 1) - 1)
      findCertificateProblem(profile, user)
      for problem in profile.profile.problems.prefix(10) {
        warnings.append("the profile \(profile.title): \(problem)")
      }
    }
    findTeamProblems(order, users)
  }

  /// Whether it is for simulators alone, in which code needs no profile.
  private func isForSimulators(_ step: SigningPlan.Step) -> Bool {
    let platforms = platforms(of: step.object, step.executable)
    return !platforms.isEmpty && platforms.allSatisfy(\.isSimulator)
  }

  /// One note for all, where nobody seems to mean to sign with profiles.
  private mutating func noteThatThereIsNone() {
    let names = steps.filter { $0.object.takesProfile && !isForSimulators($0) }
      .map(\.object.title)
    guard let last = names.last else { return }
    let others = names.count > 1 ? " and \(names.count - 1) more" : ""
    problems.append(
      SigningProblem(
        .profileMissing,
        "there is no profile for \(last)\(others), given or embedded, which a device asks for; give "
          + "one for each with -m", file: objects.last?.infoPlistPath, level: .note))
  }

  private mutating func findMissingProfile(_ step: SigningPlan.Step) {
    let object = step.object
    if isForSimulators(step) { return }
    let platforms = platforms(of: object, step.executable)
    let key = PlistKeyPath(keys: "CFBundleIdentifier")
    guard object.bundleIdentifier != nil else {
      problems.append(
        SigningProblem(
          .profileMissing,
          "\(object.path.clipped) has no CFBundleIdentifier, so no profile can be for it",
          file: object.infoPlistPath ?? object.path))
      return
    }
    let own = platforms.isEmpty ? mainPlatforms : platforms
    let isFree = !own.isEmpty && own.allSatisfy(\.isMac) && object.path != objects.last?.path
    var why = "it has none embedded"
    if let others = givenProfiles { why += ", and none that was given covers it: \(others)" }
    problems.append(
      SigningProblem(
        .profileMissing,
        "there is no profile for \(object.title): \(why); give one with -m "
          + "\(object.optionName)=FILE",
        file: object.infoPlistPath, at: object.infoPlistPath == nil ? nil : key,
        level: isFree ? .note : nil))
  }

  /// Whether a device's refusal is near: somebody means to sign with profiles.
  private var isAnyProfileKnown: Bool { hasEmbedded || !request.profiles.isEmpty }

  /// Whether a profile is for the object that it goes with.
  private mutating func findMisfit(_ step: SigningPlan.Step, _ planned: PlannedProfile) {
    let object = step.object
    let profile = planned.profile
    if !profile.covers(bundleIdentifier: object.bundleIdentifier ?? "") {
      let pattern = profile.bundleIdentifier
      let isHalf = pattern?.hasSuffix("*") == true && !profile.isWildcard
      let what =
        pattern.map { "is for '\($0.clipped)'" } ?? "has no application identifier"
      problems.append(
        SigningProblem(
          .profileApplicationIdentifier,
          "the profile \(planned.title) \(what), not for \(object.title)"
            + (isHalf ? "; a wildcard stands for whole labels alone" : "")
            + "; give the right one with -m \(object.optionName)=FILE, or change the identifier",
          file: object.infoPlistPath,
          at: object.infoPlistPath.map { _ in PlistKeyPath(keys: "CFBundleIdentifier") }))
    }
    let own = platforms(of: object, step.executable).filter { !$0.profileNames.isEmpty }
    guard !own.isEmpty, !profile.platforms.isEmpty else { return }
    let foreign = own.filter { Set($0.profileNames).isDisjoint(with: profile.platforms) }
    guard foreign.count == own.count else { return }
    problems.append(
      SigningProblem(
        .profilePlatform,
        "the profile \(planned.title) is for \(Self.list(profile.platforms)), and \(object.title) is "
          + "built for \(Self.list(own.map(\.description))); make a profile for that system",
        file: planned.isGiven ? object.executablePath ?? object.infoPlistPath : planned.file))
  }

  private mutating func findExpiry(
    _ planned: PlannedProfile, _ user: SigningPlan.Step, others: Int
  ) {
    let place = planned.isGiven ? user.object.path : planned.file
    let whose =
      "the profile \(planned.title) of \(user.object.title)"
      + (others > 0 ? " and \(others) more" : "")
    guard let end = planned.profile.expirationDate, let day = end.day else {
      problems.append(
        SigningProblem(
          .profileExpired, "\(whose) has no date of expiry that can be read; download it anew",
          file: place, level: .warning))
      return
    }
    let left = end.secondsSince2001 - request.date.secondsSince2001
    let days = Int(exactly: (left / 86_400).rounded(.towardZero).magnitude) ?? 0
    let count = "\(days) day\(days == 1 ? "" : "s")"
    if left <= 0 {
      problems.append(
        SigningProblem(
          .profileExpired,
          "\(whose) expired on \(day), \(count) ago; renew it and give the new one with -m",
          file: place))
    } else if left <= 30 * 86_400 {
      problems.append(
        SigningProblem(
          .profileExpiresSoon,
          "\(whose) expires on \(day), in \(count); renew it before the app stops to start",
          file: place))
    }
  }

  private mutating func findCertificateProblem(
    _ planned: PlannedProfile, _ user: SigningPlan.Step
  ) {
    let profile = planned.profile
    let place = planned.isGiven ? user.object.path : planned.file
    let listed = profile.certificates.map { ($0.commonName ?? $0.subject.description).clipped }
    let list =
      listed.isEmpty ? "it lists none" : "it lists \(Self.list(listed.map { "'\($0)'" }))"
    if let certificate = request.certificate {
      guard !profile.contains(certificate) else { return }
      problems.append(
        SigningProblem(
          .profileCertificate,
          "the profile \(planned.title) does not list the certificate \(certificate.title): \(list); "
            + "add it to the profile, or sign with one of those", file: place))
      return
    }
    let date = request.date
    let isPast = { (one: Certificate) in
      one.notAfter.map { $0.secondsSince2001 < date.secondsSince2001 } ?? false
    }
    let last = profile.certificates.compactMap { $0.notAfter?.secondsSince2001 }.max()
    if !listed.isEmpty, profile.certificates.allSatisfy(isPast), let last,
      let day = PlistDate(secondsSince2001: last).day, profile.isExpired(at: date) != true
    {
      problems.append(
        SigningProblem(
          .profileCertificate,
          "every certificate that the profile \(planned.title) lists has expired, the last on \(day): "
            + "nobody can sign with it; add a new one to it", file: place))
    } else if !planned.isGiven, let signer = user.executable?.certificate, !profile.contains(signer)
    {
      // What the app is signed with now says nothing of a profile that is yet to come.
      problems.append(
        SigningProblem(
          .profileCertificate,
          "\(user.object.title) is signed by \(signer.title), which its profile \(planned.title) does "
            + "not list: \(list); sign with one of those", file: place, level: .note))
    }
  }

  private mutating func findTeamProblems(
    _ profiles: [PlannedProfile], _ users: [String: [SigningPlan.Step]]
  ) {
    if let team = request.team {
      for planned in profiles {
        let teams = planned.profile.teams
        guard !teams.isEmpty, !teams.contains(team) else { continue }
        let user = users[planned.file]?.last?.object
        problems.append(
          SigningProblem(
            .profileTeam,
            "the profile \(planned.title) is of team \(Self.list(teams)), not \(team.clipped); give one "
              + "of that team", file: planned.isGiven ? user?.path : planned.file))
      }
      return
    }
    var teams: [(team: String, profile: PlannedProfile)] = []
    for planned in profiles {
      guard let team = planned.profile.teamIdentifier, !teams.contains(where: { $0.team == team })
      else { continue }
      teams.append((team, planned))
    }
    guard teams.count > 1 else { return }
    let list = Self.list(teams.map { "\($0.team.clipped) of \($0.profile.title)" })
    problems.append(
      SigningProblem(
        .profileTeam,
        "the profiles are of different teams: \(list); an app and what is nested in it are signed by "
          + "one team, so give profiles of one", file: objects.last?.path))
  }

  /// What was given and goes with nothing.
  mutating func findIdleProfiles() {
    let names = Set(objects.compactMap { $0.folder == nil ? nil : $0.bundleIdentifier })
    for (option, name, file) in request.assignments where !names.contains(name) {
      problems.append(
        SigningProblem(
          .profileApplicationIdentifier,
          "\(option) \(name.clipped)=\(file.clipped) is for no app or extension of this app; they are "
            + Self.list(steps.filter(\.object.takesProfile).map(\.object.optionName)),
          file: objects.last?.path))
    }
    let idle = request.profiles.enumerated().filter {
      !used.contains($0.offset) && $0.element.bundleIdentifier == nil
    }
    guard !idle.isEmpty else { return }
    let list = Self.list(
      idle.map {
        "\($0.element.file.clipped) for '\(($0.element.profile.bundleIdentifier ?? "no app").clipped)'"
      })
    let isMissed = problems.contains { $0.rule == .profileMissing }
    problems.append(
      SigningProblem(
        .profileApplicationIdentifier,
        "\(idle.count == 1 ? "one profile goes" : "\(idle.count) profiles go") with nothing in this app, "
          + "or not as well as another: \(list)", file: objects.last?.path,
        level: isMissed ? .warning : .note))
  }

  /// The first few of some texts, and how many more there are.
  private static func list(_ texts: [String]) -> String {
    texts.prefix(4).map(\.clipped).joined(separator: ", ")
      + (texts.count > 4 ? " and \(texts.count - 4) more" : "")
  }
}

extension SigningRequest {
  /// What was given for bundles by name.
  fileprivate var assignments: [(option: String, name: String, file: String)] {
    profiles.compactMap { one in one.bundleIdentifier.map { ("-m", $0, one.file) } }
      + entitlements.compactMap { one in one.bundleIdentifier.map { ("-e", $0, one.file) } }
  }
}

extension ProvisioningProfile {
  /// The teams that it is of.
  fileprivate var teams: [String] {
    teamIdentifiers.isEmpty ? [teamIdentifier].compactMap(\.self) : teamIdentifiers
  }
}

extension Certificate {
  /// Its name and its SHA-1, as `security find-identity` shows it.
  fileprivate var title: String {
    "'\((commonName ?? subject.description).clipped)' (SHA-1 \(sha1.hexadecimal))"
  }
}

extension PlistDate {
  /// The day in UTC: `2026-11-30`.
  fileprivate var day: String? {
    iso8601.map { String($0.prefix { $0 != "T" }) }
  }
}
