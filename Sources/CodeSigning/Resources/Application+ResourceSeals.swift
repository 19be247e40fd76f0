public import AppBundle

extension Application {
  /// How the files of bundles stand to their CodeResources.
  ///
  /// Each file is read once, however many bundles list it, on several threads, straight from the
  /// archive or folder. A bundle's own executable is no sealed resource: its CodeDirectory seals it.
  /// - Parameters:
  ///   - objects: the code objects; those that are no bundles have no sealed resources and are left out.
  ///   - cdHashes: the CDHashes of the code at a path from the input's root, which is that of a bundle or of
  ///     a file; empty where it has no signature. Asked for nested code that a deep bundle seals.
  ///     Without it, that code is only looked for.
  ///   - limits: the bounds to keep.
  ///   - workers: how many threads read and hash.
  /// - Returns: a seal for each bundle in the order of `objects`.
  public func resourceSeals(
    of objects: [CodeObject], cdHashes: ((String) -> [[UInt8]])? = nil,
    limits: SigningLimits = .standard, workers: Int
  ) -> [ResourceSeal] {
    var survey = ResourceSurvey(self, limits: limits, cdHashes: cdHashes)
    for object in objects { survey.add(object) }
    return survey.finish(workers: workers)
  }
}

/// Goes through the bundles of an app.
private struct ResourceSurvey {
  private enum Item {
    case done(ResourceSeal)
    case check(ResourceCheck)
  }

  private let application: Application
  private let limits: SigningLimits
  private let cdHashes: ((String) -> [[UInt8]])?
  private let names: EntryNames
  private var jobs: ResourceJobs
  private var items: [Item] = []
  /// How many entries may still be looked at, how much of lists be read, and how many steps matching
  /// rules may take.
  private var visits: Int
  private var listBytes: Int
  private var listEntries: Int
  private var ruleSteps: Int

  init(_ application: Application, limits: SigningLimits, cdHashes: ((String) -> [[UInt8]])?) {
    self.application = application
    self.limits = limits
    self.cdHashes = cdHashes
    names = EntryNames(application)
    jobs = ResourceJobs(application)
    visits = limits.resourceVisits
    listBytes = 4 * limits.resourcesBytes
    listEntries = 5 * limits.resourceEntries
    ruleSteps = limits.resourceRuleSteps
  }

  mutating func add(_ object: CodeObject) {
    guard let listPath = object.codeResourcesPath else { return }
    var seal = ResourceSeal(object: object.path, listPath: listPath, state: .noList)
    guard let member = application.member(at: listPath), member.kind == .file else {
      items.append(.done(seal))
      return
    }
    do throws(SigningError) {
      seal.state = .checked
      items.append(.check(try check(object, member, seal)))
    } catch {
      seal.state = .unreadable(error.inFile(listPath))
      items.append(.done(seal))
    }
  }

  private mutating func check(
    _ object: CodeObject, _ member: Member, _ seal: ResourceSeal
  ) throws(SigningError) -> ResourceCheck {
    let bytes = try onMembers { () throws(BundleError) in
      try application.contents(of: member.path, limit: limits.resourcesBytes)
    }
    listBytes -= bytes.count
    guard listBytes >= 0 else { throw Self.tooMany("bytes of CodeResources") }
    let resources = try CodeResources(parsing: bytes, limits: limits)
    let prefix = Array(member.name.dropLast("_CodeSignature/CodeResources".utf8.count))
    let range = names.places(prefix: prefix)
    let executable = object.executablePath.flatMap { application.member(at: $0)?.name }
    let scope = ResourceScope(
      executable: executable.flatMap {
        $0.starts(with: prefix) ? Array($0.dropFirst(prefix.count)) : nil
      })
    var check = ResourceCheck(
      seal, resources, prefix: prefix, scope: scope, ruleSteps: ruleSteps,
      problemLimit: limits.resourceProblems)
    defer { ruleSteps = check.ruleSteps }
    let outside = self.outside(prefix)
    visits -= range.count + outside.count
    listEntries -= check.entryCount
    guard visits >= 0 else { throw Self.tooMany("files in nested bundles") }
    guard listEntries >= 0 else { throw Self.tooMany("entries of CodeResources") }
    try check.scan(names, range, in: application, jobs: &jobs, cdHashes: cdHashes)
    reportOutside(outside, prefix, in: &check)
    return check
  }

  /// The places of what lies in a deep bundle, those in `Contents` among them; none for other bundles.
  private func outside(_ prefix: [UInt8]) -> Range<Int> {
    let bundle = prefix.dropLast(Self.contents.count)
    guard prefix.suffix(Self.contents.count).elementsEqual(Self.contents),
      bundle.last ?? Self.slash == Self.slash
    else { return 0..<0 }
    return names.places(prefix: Array(bundle))
  }

  private static let contents = Array("Contents/".utf8)
  private static let finderFile = Array(".DS_Store".utf8)
  private static let slash = UInt8(ascii: "/")

  private func reportOutside(_ range: Range<Int>, _ prefix: [UInt8], in check: inout ResourceCheck)
  {
    let parent = prefix.count - Self.contents.count
    for place in range {
      let index = names.entry(at: place)
      let name = names.name(index)
      let path = name.dropFirst(parent)
      guard !name.starts(with: prefix), application.entryKind(index) != .directory,
        !path.elementsEqual(Self.finderFile)
      else { continue }
      check.reportOutside(path)
    }
  }

  private static func tooMany(_ what: String) -> SigningError {
    SigningError(.limit, detail: "the app has too many \(what) to check it")
  }

  mutating func finish(workers: Int) -> [ResourceSeal] {
    let digests = jobs.digests(workers: workers)
    return items.map { item in
      switch item {
      case .done(let seal): return seal
      case .check(var check): return check.finish(digests)
      }
    }
  }
}
