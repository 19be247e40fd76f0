internal import AppBundle

/// Checks one bundle's files against its list: first what is there, then the hashes that were taken meanwhile.
struct ResourceCheck {
  private(set) var seal: ResourceSeal
  /// The bundle's folder with a slash at its end; empty for the input's root.
  private let prefix: [UInt8]
  private let scope: ResourceScope
  private let list: CodeResources.List
  private let version: Int
  private var rules: ResourceRules
  /// The entries by path; Unicode forms are one.
  private var places: [String: Int] = [:]
  private var isSeen: [Bool]
  /// Whether nested code is sealed, so that folders must be looked up.
  private let hasCode: Bool
  /// Entries of the list whose file has this number, to be compared with its hash.
  private var awaited: [(entry: Int, index: Int)] = []
  private let problemLimit: Int

  init(
    _ seal: ResourceSeal, _ resources: CodeResources, prefix: [UInt8], scope: ResourceScope,
    ruleSteps: Int, problemLimit: Int
  ) {
    self.seal = seal
    self.prefix = prefix
    self.scope = scope
    list = resources.effective
    version = resources.version2 == nil ? 1 : 2
    rules = ResourceRules(list.rules, budget: ruleSteps)
    isSeen = [Bool](repeating: false, count: list.entries.count)
    hasCode = list.entries.contains { if case .code = $0.content { true } else { false } }
    self.problemLimit = problemLimit
    self.seal.entryCount = list.entries.count
    self.seal.unknownRules = rules.unknown
    places.reserveCapacity(list.entries.count)
    for (place, entry) in list.entries.enumerated() where places[entry.path] == nil {
      places[entry.path] = place
    }
    if let first = resources.version1, version == 2 { compare(with: first) }
  }

  var entryCount: Int { list.entries.count }
  /// Steps that matching rules may still take.
  var ruleSteps: Int { rules.budget }

  /// Tells where the SHA-1 hashes of the two versions differ.
  private mutating func compare(with first: CodeResources.List) {
    for entry in first.entries {
      guard case .file(let sha1?, _) = entry.content, let place = places[entry.path],
        case .file(let other?, _) = list.entries[place].content, sha1 != other
      else { continue }
      report(.disagreement, entry.path)
    }
  }

  private mutating func report(
    _ kind: ResourceSeal.Problem.Kind, _ path: String, _ detail: String? = nil
  ) {
    seal.add(.init(kind, path, detail: detail), limit: problemLimit)
  }

  /// Looks at all entries of the bundle's folder, and notes which hashes are wanted.
  /// - Throws: ``SigningError`` with code `limit`.
  mutating func scan(
    _ names: EntryNames, _ range: Range<Int>, in source: any EntrySource, jobs: inout ResourceJobs,
    cdHashes: ((String) -> [[UInt8]])?
  ) throws(SigningError) {
    var folders = CodeFolders()
    for place in range {
      let index = names.entry(at: place)
      let path = names.name(index).dropFirst(prefix.count)
      guard !path.isEmpty, !scope.excludes(path) else { continue }
      if hasCode {
        let code = folders.code(above: path) { codeEntry($0) }
        if let code {
          isSeen[code] = true
          continue
        }
      }
      try look(at: index, path, in: source, jobs: &jobs)
    }
    for (place, entry) in list.entries.enumerated() {
      check(place, entry, cdHashes)
    }
  }

  /// The entry that seals nested code at a path.
  private func codeEntry(_ path: ArraySlice<UInt8>) -> Int? {
    guard let place = self.place(of: path), case .code = list.entries[place].content else {
      return nil
    }
    return place
  }

  /// The entry of a path; what is no UTF-8 has none.
  private func place(of path: ArraySlice<UInt8>) -> Int? {
    guard let text = String(validating: path, as: UTF8.self) else { return nil }
    return places[text]
  }

  private mutating func look(
    at index: Int, _ path: ArraySlice<UInt8>, in source: any EntrySource, jobs: inout ResourceJobs
  ) throws(SigningError) {
    let kind = source.entryKind(index)
    guard let place = self.place(of: path) else {
      if kind != .directory { try lookAtUnsealed(kind, path) }
      return
    }
    let entry = list.entries[place]
    isSeen[place] = true
    switch (entry.content, kind) {
    case (.file(let sha1, let sha256), .file):
      jobs.want(index, sha1: sha256 == nil && sha1 != nil, sha256: sha256 != nil)
      awaited.append((place, index))
    case (.link(let target), .symbolicLink):
      do throws(BundleError) {
        let found = try source.entryLinkTarget(index)
        guard found.elementsEqual(target.utf8) else {
          report(
            .linkChanged, entry.path,
            "it leads to \(String(decoding: found, as: UTF8.self)) and \(target) is sealed")
          return
        }
      } catch {
        report(.unreadable, entry.path, error.detail)
      }
    case (.code, .file), (.code, .directory): break
    default:
      report(.kindChanged, entry.path, Self.difference(entry.content, kind))
    }
  }

  private mutating func lookAtUnsealed(
    _ kind: Member.Kind, _ path: ArraySlice<UInt8>
  ) throws(SigningError) {
    // Version 1 does not see links.
    guard seal.unknownRules.isEmpty, version == 2 || kind != .symbolicLink,
      try rules.verdict(on: path) != .omitted, !ResourceScope.isKey(path)
    else { return }
    guard !path.elementsEqual(Self.profile) else {
      seal.leavesProfileOut = true
      return
    }
    report(.added, Member.shownPath(path))
  }

  private static let profile = Array("embedded.mobileprovision".utf8)

  private static func difference(
    _ content: CodeResources.Content, _ kind: Member.Kind
  ) -> String {
    let sealed =
      switch content {
      case .file: "a file"
      case .link: "a symbolic link"
      case .code: "code"
      }
    let found =
      switch kind {
      case .file: "a file"
      case .directory: "a folder"
      case .symbolicLink: "a symbolic link"
      case .other: "a device, a pipe or a socket"
      }
    return "\(sealed) is sealed, and it is \(found)"
  }

  /// What can be told of an entry once all that is there was seen.
  private mutating func check(
    _ place: Int, _ entry: CodeResources.Entry, _ cdHashes: ((String) -> [[UInt8]])?
  ) {
    guard places[entry.path] == place else {
      report(.disagreement, entry.path, "two entries name one file in different Unicode forms")
      return
    }
    guard isSeen[place] else {
      if !entry.isOptional, !scope.excludes(Array(entry.path.utf8)[...]) {
        report(.missing, entry.path)
      }
      return
    }
    guard case .code(let cdHash?, _) = entry.content, let cdHashes else { return }
    let found = cdHashes(Member.shownPath(prefix[...]) + entry.path)
    guard !found.contains(where: { $0.prefix(cdHash.count).elementsEqual(cdHash) }) else { return }
    report(.codeChanged, entry.path, found.isEmpty ? "it has no code signature" : nil)
  }

  /// Compares the hashes.
  mutating func finish(_ digests: [Int: FileDigests.Digest]) -> ResourceSeal {
    for (place, index) in awaited {
      let entry = list.entries[place]
      guard case .file(let sha1, let sha256) = entry.content, let digest = digests[index] else {
        continue
      }
      if let failure = digest.failure {
        report(.unreadable, entry.path, failure.detail)
      } else if let sha256 {
        if digest.sha256 != sha256 { report(.changed, entry.path) }
      } else if digest.sha1 != sha1 {
        report(.changed, entry.path)
      }
    }
    seal.close(limit: problemLimit)
    return seal
  }

  /// Reports entries beside a deep bundle's `Contents`, where nothing is sealed.
  mutating func reportOutside(_ path: ArraySlice<UInt8>) {
    report(.added, "../" + Member.shownPath(path))
  }
}

extension ResourceSeal {
  /// Counts a problem, and keeps it while there are few.
  mutating func add(_ problem: Problem, limit: Int) {
    counts[problem.kind, default: 0] += 1
    problems.append(problem)
    if problems.count >= 2 * max(limit, 64) { close(limit: limit) }
  }

  /// Keeps the first problems by path.
  mutating func close(limit: Int) {
    problems.sort { ($0.path, $0.kind.rawValue) < ($1.path, $1.kind.rawValue) }
    problems.removeLast(max(0, problems.count - limit))
  }
}

/// The hashes that the bundles of an app want, an entry once.
struct ResourceJobs {
  private var jobs: [Int: FileDigests.Job] = [:]
  private let source: any EntrySource

  init(_ source: any EntrySource) { self.source = source }

  mutating func want(_ index: Int, sha1: Bool, sha256: Bool) {
    var job =
      jobs[index]
      ?? FileDigests.Job(
        index: index, size: source.entrySize(index), wantsSHA1: false, wantsSHA256: false)
    job.wantsSHA1 = job.wantsSHA1 || sha1
    job.wantsSHA256 = job.wantsSHA256 || sha256
    jobs[index] = job
  }

  /// The hashes by entry.
  func digests(workers: Int) -> [Int: FileDigests.Digest] {
    FileDigests.of(Array(jobs.values), in: source, workers: workers)
  }
}
