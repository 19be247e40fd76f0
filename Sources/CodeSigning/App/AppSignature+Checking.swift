public import AppBundle

extension AppSignature {
  /// Looks at the signatures of an app.
  ///
  /// - Parameters:
  ///   - app: the app.
  ///   - objects: its ``AppBundle/Application/codeObjects()``.
  ///   - options: what is looked at.
  /// - Throws: ``SigningError`` with code `crypto`. What cannot be read is no error, but a problem of its
  ///   object.
  public init(
    of app: Application, objects: [CodeObject], options: Options = Options()
  ) throws(SigningError) {
    let found = try Self.executables(of: app, objects, options)
    var checked = found
    if options.checksContents {
      let hashes = Dictionary(
        found.map { ($0.object.path, $0.cdHashes) }, uniquingKeysWith: { first, _ in first })
      // Without any signature there is nothing that a list could belong to.
      let bundles = found.indices.filter { found[$0].object.folder != nil && found[$0].isSigned }
      let seals = app.resourceSeals(
        of: bundles.map { found[$0].object }, cdHashes: { hashes[$0] ?? [] },
        limits: options.limits, workers: options.workers)
      for (index, seal) in zip(bundles, seals) { checked[index].resources = seal }
    }
    self.objects = checked
    checksContents = options.checksContents
  }

  /// Bytes of an executable from which all threads hash it together. Smaller ones are hashed a thread
  /// each.
  private static let largeExecutable: UInt64 = 32 << 20

  private static func executables(
    of app: Application, _ objects: [CodeObject], _ options: Options
  ) throws(SigningError) -> [Object] {
    let sizes = objects.map { object in
      object.executablePath.flatMap { app.member(at: $0)?.size } ?? 0
    }
    var results = [Result<Object, SigningError>?](repeating: nil, count: objects.count)
    let small = objects.indices.filter { sizes[$0] < largeExecutable }
    let queue = Monitor(small[...])
    let done = Monitor([(Int, Result<Object, SigningError>)]())
    let work: @Sendable () -> Void = {
      while let index = queue.withLock({ $0.popFirst() }) {
        let result = Self.result(app, objects[index], options, workers: 1)
        done.withLock { $0.append((index, result)) }
      }
    }
    let threads = (1..<max(1, min(options.workers, small.count))).map { _ in SideTask(work) }
    work()
    for thread in threads { thread.value() }
    for (index, result) in done.withLock({ $0 }) { results[index] = result }
    for index in objects.indices where sizes[index] >= largeExecutable {
      results[index] = Self.result(app, objects[index], options, workers: options.workers)
    }
    var found: [Object] = []
    for case let result? in results { found.append(try result.get()) }
    return found
  }

  private static func result(
    _ app: Application, _ object: CodeObject, _ options: Options, workers: Int
  ) -> Result<Object, SigningError> {
    do throws(SigningError) {
      return .success(try Object(object, in: app, options, workers: workers))
    } catch {
      return .failure(error)
    }
  }
}

extension AppSignature.Object {
  /// The first 20 bytes of the hash of each CodeDirectory.
  var cdHashes: [[UInt8]] {
    executable?.slices.flatMap { $0.directories.map(\.cdHash) } ?? []
  }

  fileprivate init(
    _ object: CodeObject, in app: Application, _ options: AppSignature.Options, workers: Int
  ) throws(SigningError) {
    self.object = object
    var seal: ExecutableSeal?
    var failure: SigningError?
    if let path = object.executablePath {
      do throws(SigningError) {
        let resources = try object.codeResourcesPath.flatMap { list throws(SigningError) in
          try Self.contents(of: list, in: app, limit: options.limits.resourcesBytes)
        }
        seal = try ExecutableSeal(
          of: try onMembers { () throws(BundleError) in try app.content(of: path) },
          infoPlist: object.infoPlistBytes,
          codeResources: resources, checksPages: options.checksContents, workers: workers,
          limits: options.limits)
      } catch {
        guard error.code != .crypto else { throw error }
        failure = error.inFile(path)
      }
    }
    executable = seal
    error = failure
    certifications = try (seal?.slices ?? []).map { slice throws(SigningError) in
      try slice.signature.flatMap { signature throws(SigningError) in
        try AppSignature.Certification(of: signature, limits: options.limits)
      }
    }
    resources = nil
  }

  /// The bytes of a file, nil where there is none.
  private static func contents(
    of path: String, in app: Application, limit: Int
  ) throws(SigningError) -> [UInt8]? {
    guard app.member(at: path)?.kind == .file else { return nil }
    return try onMembers { () throws(BundleError) in try app.contents(of: path, limit: limit) }
  }
}

extension AppSignature.Certification {
  /// The CMS of a signature, nil where it has none.
  fileprivate init?(of signature: CodeSignature, limits: SigningLimits) throws(SigningError) {
    do throws(SigningError) {
      guard let cms = try signature.cmsSignature(limits: limits) else { return nil }
      var problems: [String] = []
      if cms.signers.isEmpty { problems.append("the certificate's signature has no signer") }
      for signer in cms.signers {
        if signer.verdict != .valid {
          problems.append("the certificate's signature is wrong: \(signer.verdict.sentence)")
        }
        problems += try signer.codeDirectories.mismatches(with: signature.codeDirectories)
      }
      self.init(signature: cms, problems: problems)
    } catch {
      guard error.code != .crypto else { throw error }
      self.init(
        signature: nil,
        problems: ["the certificate's signature cannot be read: \(error.detail)"])
    }
  }
}
