internal import AppBundle

/// Makes the CodeResources of a bundle from the files in its folder.
struct ResourceSealing {
  /// Code with a signature of its own, as a deep bundle seals it.
  struct NestedCode {
    /// From the bundle's folder.
    let path: [UInt8]
    /// Of each slice.
    let cdHashes: [[UInt8]]
  }

  /// The folder from which paths are counted.
  let folder: String
  /// The bundle's own executable, from that folder; nil where it lies elsewhere.
  let executable: [UInt8]?
  /// Whether rules and nested code are those of a deep bundle.
  let isDeep: Bool
  let nested: [NestedCode]
  let limits: SigningLimits
  let workers: Int

  /// Something in the folder that may be sealed, with what the rules of both lists say of it.
  private struct Candidate {
    let index: Int
    let path: String
    let kind: Member.Kind
    /// Whether it may be missing, by list; nil where the list leaves it out.
    var first: Bool?
    var second: Bool?
  }

  /// Both lists; links and nested code are in version 2 alone.
  /// - Throws: ``SigningError`` with codes `unsupported` for names and files that no list can hold, `limit`,
  ///   and those of reading.
  func resources() throws(SigningError) -> CodeResources {
    let entries = try onMembers { () throws(BundleError) in try FolderEntries(folder) }
    let rules = isDeep ? SealingRules.deep : .flat
    let code = try sealedCode(rules.second)
    let candidates = try self.candidates(in: entries, rules, code)
    let jobs = candidates.filter { $0.kind == .file }.map { candidate in
      FileDigests.Job(
        index: candidate.index, size: entries.entrySize(candidate.index),
        wantsSHA1: candidate.first != nil, wantsSHA256: candidate.second != nil)
    }
    let digests = FileDigests.of(jobs, in: entries, workers: workers)
    var first = CodeResources.List(rules: rules.first)
    var second = CodeResources.List(rules: rules.second)
    for candidate in candidates {
      let path = candidate.path
      if candidate.kind == .symbolicLink {
        let content = CodeResources.Content.link(target: try target(of: candidate, entries))
        second.add(path, content, isOptional: candidate.second)
        continue
      }
      guard let digest = digests[candidate.index] else { continue }
      if let failure = digest.failure { throw failure.inFile(path) }
      first.add(path, .file(sha1: digest.sha1, sha256: nil), isOptional: candidate.first)
      second.add(path, .file(sha1: nil, sha256: digest.sha256), isOptional: candidate.second)
    }
    second.entries += code.map(Self.entry)
    return CodeResources(version1: first, version2: second)
  }

  private func candidates(
    in entries: FolderEntries, _ rules: SealingRules, _ code: [NestedCode]
  ) throws(SigningError) -> [Candidate] {
    var first = ResourceRules(rules.first, budget: limits.resourceRuleSteps)
    var second = ResourceRules(rules.second, budget: limits.resourceRuleSteps)
    let scope = ResourceScope(executable: executable)
    let sealed = Self.places(code)
    var folders = CodeFolders()
    var found: [Candidate] = []
    // Equal strings are one file to systems that take Unicode's forms for one.
    var paths: Set<String> = []
    for index in 0..<entries.entryCount {
      let name = entries.entryName(index)
      let kind = entries.entryKind(index)
      guard kind != .directory, !name.isEmpty, !scope.excludes(name[...]),
        sealed[Array(name)] == nil,
        sealed.isEmpty || folders.code(above: name, { sealed[Array($0)] }) == nil
      else { continue }
      let shown = Member.shownPath(name)
      guard let path = String(validating: name, as: UTF8.self) else {
        throw SigningError(
          .unsupported, file: shown, detail: "a name that is no UTF-8 cannot be sealed")
      }
      var candidate = Candidate(index: index, path: path, kind: kind)
      if kind != .symbolicLink { candidate.first = try first.verdict(on: name).isOptional }
      candidate.second = try second.verdict(on: name).isOptional
      guard candidate.first != nil || candidate.second != nil else { continue }
      guard kind != .other else {
        throw SigningError(
          .unsupported, file: shown, detail: "a device, a pipe or a socket cannot be sealed")
      }
      guard paths.insert(path).inserted else {
        throw SigningError(
          .unsupported, file: shown,
          detail: "another name differs from it in its Unicode form alone, so it cannot be sealed")
      }
      found.append(candidate)
      guard found.count <= limits.resourceEntries else {
        throw SigningError(
          .limit,
          detail: "the bundle has more files than the \(limits.resourceEntries) that are sealed")
      }
    }
    return found
  }

  /// The nested code that rules seal by its CDHash. What lies in other such code is sealed there.
  private func sealedCode(
    _ rules: [CodeResources.Rule]
  ) throws(SigningError) -> [NestedCode] {
    guard isDeep else { return [] }
    var rules = ResourceRules(rules, budget: limits.resourceRuleSteps)
    var sealed: [NestedCode] = []
    for code in nested {
      guard case .sealed(_, isNested: true) = try rules.verdict(on: code.path[...]) else {
        continue
      }
      sealed.append(code)
    }
    let places = Self.places(sealed)
    var folders = CodeFolders()
    return sealed.filter { folders.code(above: $0.path[...]) { places[Array($0)] } == nil }
  }

  private static func places(_ code: [NestedCode]) -> [[UInt8]: Int] {
    Dictionary(
      code.enumerated().map { ($1.path, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// An ad hoc signature fulfils no requirement but that of its own CDHashes.
  private static func entry(_ code: NestedCode) -> CodeResources.Entry {
    let hashes = code.cdHashes.map { "cdhash " + RequirementText.hash($0[...]) }
    return .init(
      path: String(decoding: code.path, as: UTF8.self),
      content: .code(cdHash: code.cdHashes.first, requirement: hashes.joined(separator: " or ")))
  }

  private func target(
    of candidate: Candidate, _ entries: FolderEntries
  ) throws(SigningError) -> String {
    let bytes = try onMembers { () throws(BundleError) in
      try entries.entryLinkTarget(candidate.index)
    }
    guard let target = String(validating: bytes, as: UTF8.self) else {
      throw SigningError(
        .unsupported, file: candidate.path,
        detail: "the target of a link that is no UTF-8 cannot be sealed")
    }
    return target
  }
}

extension CodeResources.List {
  /// Adds an entry, where the list does not leave it out.
  fileprivate mutating func add(
    _ path: String, _ content: CodeResources.Content, isOptional: Bool?
  ) {
    guard let isOptional else { return }
    entries.append(.init(path: path, content: content, isOptional: isOptional))
  }
}

extension ResourceRules.Verdict {
  /// Whether what is sealed may be missing; nil where it is left out.
  fileprivate var isOptional: Bool? {
    if case .sealed(let isOptional, _) = self { isOptional } else { nil }
  }
}
