internal import PlistKit

extension AppSignature {
  /// How many files of a bundle are told one by one.
  static let listedFiles = 10

  /// What a device would refuse of the signatures that are there, inside out, of each object in the order
  /// code, Info.plist, resources. In a signed app, code without a signature is among it; in an app that is
  /// not signed, nothing is.
  public var problems: [SigningProblem] {
    guard objects.contains(where: \.isSigned) else { return [] }
    return objects.flatMap(problems)
  }

  /// The code objects without a signature, as problems for where there must be one.
  public var missing: [SigningProblem] {
    objects.filter { !$0.isSigned && $0.error == nil && $0.object.executablePath != nil }.map {
      SigningProblem(
        .signatureMissing, "\($0.name) has no code signature; sign the app",
        file: $0.object.executablePath)
    }
  }

  private func problems(of one: Object) -> [SigningProblem] {
    let file = one.object.executablePath
    if let error = one.error {
      return [
        SigningProblem(
          .signatureCode, "the code of \(one.name) cannot be read: \(error.detail)",
          file: file)
      ]
    }
    guard let executable = one.executable else { return [] }
    guard executable.isSigned else {
      return [
        SigningProblem(
          .signatureCode,
          "\(one.name) has no code signature, and other code of the app has; sign it too",
          file: file)
      ]
    }
    return one.codeProblems.map { SigningProblem(.signatureCode, $0, file: file) }
      + one.entitlementProblems.map {
        SigningProblem(.signatureCode, $0, file: file, level: .warning)
      }
      + one.infoPlistProblems + one.resourceProblems(checksContents: checksContents)
  }
}

extension AppSignature.Object {
  /// What it is called in a sentence.
  fileprivate var name: String {
    object.kind == .app && object.path.isEmpty || object.path == "." ? "the app" : object.path
  }

  /// What is wrong with the code and with all that the signature itself holds.
  fileprivate var codeProblems: [String] {
    guard let executable else { return [] }
    var lines: [String] = []
    for (index, slice) in executable.slices.enumerated() {
      let place = executable.slices.count > 1 ? " (\(slice.slice.architecture))" : ""
      if let error = slice.error {
        lines.append("the signature of \(name)\(place) cannot be read: \(error)")
      } else if slice.signature == nil {
        lines.append("\(name)\(place) has no signature for this architecture; sign it again")
      }
      lines += slice.problems.map { "\(name)\(place): \($0)" }
      for directory in slice.directories {
        lines += directory.codeProblems.map {
          "\(name)\(place), \(directory.codeDirectory.hashAlgorithm.name): \($0)"
        }
      }
      if certifications.indices.contains(index), let found = certifications[index] {
        lines += found.problems.map { "\(name)\(place): \($0)" }
      }
    }
    return lines
  }

  /// How the two forms of the entitlements differ: which one counts depends on the system.
  fileprivate var entitlementProblems: [String] {
    let signatures = (executable?.slices ?? []).compactMap { slice in
      slice.signature.map { (slice.slice.architecture, $0) }
    }
    return signatures.flatMap { architecture, signature -> [String] in
      guard let xml = signature.entitlements, let der = signature.derEntitlements else { return [] }
      let place = signatures.count > 1 ? " (\(architecture))" : ""
      do throws(SigningError) {
        let differences = try Entitlements(parsing: xml).differences(to: Entitlements(der: der))
        guard !differences.isEmpty else { return [] }
        let keys = differences.prefix(5).map(\.key).joined(separator: ", ")
        let more = differences.count > 5 ? " and \(differences.count - 5) more" : ""
        return [
          "the entitlements of \(name)\(place) differ between XML and DER: \(keys)\(more)"
        ]
      } catch {
        return ["the entitlements of \(name)\(place) cannot be read: \(error.detail)"]
      }
    }
  }

  /// What is wrong with the seal over Info.plist.
  fileprivate var infoPlistProblems: [SigningProblem] {
    guard let path = object.infoPlistPath ?? object.executablePath else { return [] }
    var problems = states(of: .infoPlist).map { state, which in
      let message =
        switch state {
        case .mismatch:
          "\(path) is not the one that was signed\(which): it was edited after signing, or the signer "
            + "took an older one; sign the app again"
        case .zero, .absent:
          "the signature of \(name) does not cover \(path)\(which): the slot is empty; sign the app "
            + "again as a bundle"
        case .missingFile, .valid:
          "the signature of \(name) covers an Info.plist\(which), and there is none that can be read"
        }
      return SigningProblem(.signatureInfoPlist, message, file: path)
    }
    if let wanted = object.bundleIdentifier,
      let signed = directories.first?.codeDirectory.identifier, signed != wanted
    {
      problems.append(
        SigningProblem(
          .signatureInfoPlist,
          "\(name) was signed as '\(signed)', and Info.plist says '\(wanted)'; sign the app again",
          file: path, at: PlistKeyPath(keys: "CFBundleIdentifier"), level: .warning))
    }
    return problems
  }

  /// What is wrong with the seal over CodeResources, and with what that seals.
  fileprivate func resourceProblems(checksContents: Bool) -> [SigningProblem] {
    guard let list = object.codeResourcesPath else { return [] }
    var problems = states(of: .resources).map { state, which in
      let message =
        switch state {
        case .mismatch: "\(list) is not the one that was signed\(which); sign the app again"
        case .zero, .absent:
          "the signature of \(name) does not cover \(list)\(which); sign the app again as a bundle"
        case .missingFile, .valid: "\(list) was signed\(which) and is missing; sign the app again"
        }
      return SigningProblem(.signatureResources, message, file: list)
    }
    guard let resources else { return problems }
    func add(_ message: String, _ file: String) {
      problems.append(SigningProblem(.signatureResources, message, file: file))
    }
    switch resources.state {
    case .noList where problems.isEmpty:
      add(
        "\(name) has no CodeResources, so that nothing seals its files; sign it as a bundle", list)
    case .unreadable(let error): add("\(list) cannot be read: \(error.detail)", list)
    case .noList, .checked: break
    }
    if let rule = resources.unknownRules.first {
      let more = resources.unknownRules.count - 1
      let others = more > 0 ? " and \(more) more" : ""
      problems.append(
        SigningProblem(
          .signatureResources,
          "a rule of \(list) is not understood, so files that were added are not looked for: "
            + "\(rule.prefix(100))\(others)",
          file: list, level: .note))
    }
    let shown = resources.problems.prefix(AppSignature.listedFiles)
    for problem in shown {
      add(
        "\(problem.message); sign the app again",
        CodeObject.join(object.folder ?? "", problem.path))
    }
    let rest = resources.problemCount - shown.count
    if rest > 0 { add("\(rest) more files of \(name) are not as they were sealed", list) }
    return problems
  }

  private var directories: [ExecutableSeal.Directory] {
    executable?.slices.flatMap(\.directories) ?? []
  }

  /// The wrong states of a slot, each with the CodeDirectories that it is found in, as words for the end of
  /// a sentence; empty where it is in all.
  private func states(
    of slot: CodeSignatureSlot
  ) -> [(state: ExecutableSeal.SlotState, which: String)] {
    let slices = executable?.slices ?? []
    let found = slices.flatMap { slice in
      slice.directories.compactMap { directory in
        directory.state(of: slot).map { state in
          (
            state: state,
            name: (slices.count > 1 ? "\(slice.slice.architecture) " : "")
              + directory.codeDirectory.hashAlgorithm.name
          )
        }
      }
    }
    return ExecutableSeal.SlotState.allCases.filter { $0 != .valid }.compactMap { state in
      let names = found.filter { $0.state == state }.map(\.name)
      guard !names.isEmpty else { return nil }
      if names.count == directories.count {
        return (state, names.count == 1 ? "" : " (in all \(names.count) CodeDirectories)")
      }
      return (state, " (in the CodeDirectory \(names.joined(separator: ", ")))")
    }
  }
}

extension ExecutableSeal.Directory {
  /// What is wrong, but for the files of the bundle.
  fileprivate var codeProblems: [String] {
    var lines = problems
    if let first = pages.firstWrong.first {
      let count = pages.wrongCount == 1 ? "a page" : "\(pages.wrongCount) pages"
      let place = pages.pageSize.map { " (from byte \($0 * first) of it on)" } ?? ""
      lines.append("\(count) of the code are not as they were signed\(place); sign the app again")
    }
    if pages.unhashed > 0 {
      lines.append("\(pages.unhashed) pages of the code have no hash; sign the app again")
    }
    for slot in slots where slot.slot != .infoPlist && slot.slot != .resources {
      switch slot.state {
      case .valid: break
      case .mismatch: lines.append("\(slot.slot) are not those that were signed")
      case .zero, .absent: lines.append("\(slot.slot) are there and not covered")
      case .missingFile: lines.append("\(slot.slot) were signed and are missing")
      }
    }
    return lines
  }
}
