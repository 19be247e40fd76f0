#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

extension Application {
  /// Opens an input and finds its main application.
  ///
  /// What the input is, is told from its content: an archive with `Payload/`, a folder with
  /// `Payload/`, with `Products/Applications/` or with an Info.plist of its own, or a property list.
  ///
  /// Checked: an archive's central directory fills the place that its end records name, has the
  /// declared count, and its members share no bytes; Info.plist is one regular file that no other
  /// member could be taken for, and no folder above it is a link.
  /// - Parameters:
  ///   - path: the file or folder; a symbolic link is followed.
  ///   - app: the application to take where there are several, with or without `.app`.
  ///   - limits: the bounds to keep.
  /// - Returns: the application, whose input stays open.
  /// - Throws: ``BundleError`` with codes `notFound`, `unreadable`, `notAnArchive`, `noPayload`,
  ///   `noApplication`, `severalApplications`, `noInfoPlist`, `duplicateMember`,
  ///   `infoPlistNotAFile`, `pathEscapes`, `inconsistent`, `overlapping`, `truncated`, `limit`,
  ///   `io`.
  public static func open(
    _ path: String, app: String? = nil, limits: ArchiveLimits = .standard
  ) throws(BundleError) -> Application {
    guard let status = FileStatus.following(path) else {
      throw .reading(errno, "cannot open it")
    }
    switch status.kind {
    case .directory:
      return try Application(folder: Directory(path), path: path, app: app, limits: limits)
    case .file:
      return try Application(
        file: try inputFile(path), path: path, app: app, limits: limits)
    case .symbolicLink, .other:
      throw BundleError(.unreadable, detail: "it is neither a file nor a folder")
    }
  }

  static func inputFile(_ path: String) throws(BundleError) -> InputFile {
    let descriptor = retrying { openForReading(path) }
    guard descriptor >= 0 else { throw .reading(errno, "cannot open it") }
    return try InputFile(descriptor: descriptor, path: path)
  }

  private init(
    file: InputFile, path: String, app: String?, limits: ArchiveLimits
  ) throws(BundleError) {
    let count = Int(min(file.size, UInt64(InputContent.prefixLength)))
    let content = InputContent(prefix: try file.bytes(at: 0, count: count), size: file.size)
    let archive: ArchiveFile?
    do throws(BundleError) {
      archive = try ArchiveFile(file, limits: limits)
    } catch {
      // Bytes that only look like an end record may stand in a property list.
      guard content == .propertyList else { throw error }
      archive = nil
    }
    if let archive {
      try self.init(archive: archive, path: path, app: app, limits: limits)
      return
    }
    switch content {
    case .zip:
      throw .cutShort
    case .other(let what):
      throw BundleError(.notAnArchive, detail: "it is no application archive but \(what)")
    case .propertyList:
      guard app == nil else {
        throw BundleError(
          .noApplication, detail: "it is a property list by itself, with no app to choose")
      }
      self.init(propertyList: file, path: path, limits: limits)
    }
  }

  init(propertyList file: InputFile, path: String, limits: ArchiveLimits) {
    self.init(
      path: path, kind: .plist, byteCount: file.size, bundlePath: nil, layout: .flat,
      infoPlistPath: String(path.split(separator: "/").last ?? "Info.plist"), isSealed: false,
      nestedBundles: [], warnings: [], source: .file(file), names: nil, limits: limits, bundle: [],
      infoPlistIndex: 0, localized: [])
  }

  private init(
    archive: ArchiveFile, path: String, app: String?, limits: ArchiveLimits
  ) throws(BundleError) {
    let locator = AppLocator(table: archive.directory, folder: "Payload")
    guard locator.hasFolder else { throw locator.missingFolder() }
    let bundle = try locator.find(app)
    let names = NameCollisions(archive.directory)
    try self.init(
      path: path, kind: .ipa, byteCount: archive.file.size, bundle: bundle,
      source: .archive(archive), table: archive.directory, names: names, limits: limits,
      warnings: archive.warnings(names))
    try archive.checkOtherNames(of: infoPlistIndex)
    try archive.checkReach(over: infoPlistIndex)
    let record = archive.directory.records[infoPlistIndex]
    guard record.size <= UInt64(limits.infoPlistBytes) else {
      throw BundleError(
        .limit, member: infoPlistPath,
        detail: "it declares \(record.size) bytes, and at most \(limits.infoPlistBytes) are read")
    }
  }

  private init(
    folder: Directory, path: String, app: String?, limits: ArchiveLimits
  ) throws(BundleError) {
    let name = try Self.realName(path)
    guard let kind = FolderKind.kind(of: folder, named: name) else {
      throw FolderKind.unknown(folder, named: name, path: path, limits: limits)
    }
    if kind == .app { try Self.checkIsApplication(name, app) }
    let tree = try FolderTree(folder, limits: limits)
    let bundle: [UInt8] =
      switch kind {
      case .payload: try AppLocator(table: tree, folder: "Payload").find(app)
      case .xcarchive: try AppLocator(table: tree, folder: "Products/Applications").find(app)
      case .app, .ipa, .plist: []
      }
    let size = tree.entries.reduce(UInt64(0)) {
      $1.status.kind == .file ? $0.plus($1.status.size) ?? .max : $0
    }
    try self.init(
      path: path, kind: kind, byteCount: size, bundle: bundle, source: .folder(tree), table: tree,
      names: NameCollisions(tree), limits: limits, warnings: [])
  }

  /// Sees to it that a folder with an Info.plist is an application, as far as its name tells, and the
  /// one that was asked for.
  private static func checkIsApplication(
    _ name: [UInt8], _ wanted: String?
  ) throws(BundleError) {
    if let kind = BundleKind(folder: name.span), kind != .app {
      throw BundleError(
        .noApplication, detail: "it is a bundle of kind \(kind.rawValue), which is never edited",
        hint: "give the app that it belongs to")
    }
    let shown = MemberName.display(name)
    if let wanted, wanted != shown, wanted + ".app" != shown {
      throw BundleError(.noApplication, detail: "it is \(shown), not \(wanted)")
    }
  }

  /// The name of what a path leads to.
  static func realName(_ path: String) throws(BundleError) -> [UInt8] {
    guard let whole = realPath(path)?.utf8 else { throw .reading(errno, "cannot find it") }
    return Array(
      whole.suffix(
        from: whole.lastIndex(of: MemberName.slash).map(whole.index(after:)) ?? whole.startIndex))
  }

  private init(
    path: String, kind: InputKind, byteCount: UInt64, bundle: [UInt8], source: Source,
    table: any MemberTable, names: NameCollisions, limits: ArchiveLimits, warnings: [String]
  ) throws(BundleError) {
    let survey = try BundleSurvey(table, bundle: bundle, collisions: names, limits: limits)
    self.init(
      path: path, kind: kind, byteCount: byteCount, bundlePath: MemberName.display(bundle),
      layout: survey.layout, infoPlistPath: table.display(survey.infoPlist),
      isSealed: survey.isSealed, nestedBundles: survey.nested,
      warnings: warnings + survey.warnings + names.warnings(), source: source,
      names: names, limits: limits, bundle: bundle, infoPlistIndex: survey.infoPlist,
      localized: survey.localized)
  }
}

/// Opens without waiting for a writer, should a pipe have taken the file's place.
private func openForReading(_ path: String) -> Int32 {
  open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
}

/// What kind of input a folder is.
enum FolderKind {
  static func kind(of folder: Directory, named name: [UInt8]) -> InputKind? {
    func has(_ path: String, _ kind: Member.Kind) -> Bool {
      let parts = path.utf8.split(separator: MemberName.slash)
      guard let name = parts.last,
        let parent = try? folder.directory(at: Array(parts.dropLast().joined(separator: [0x2F])))
      else { return false }
      return parent.status(name)?.kind == kind
    }
    if has("Products/Applications", .directory) { return .xcarchive }
    // An app may have folders of its own with the names of containers, and an unpacked IPA an
    // Info.plist beside its Payload. What is in the way of a file is refused later, with its own words.
    let isNamedApp = name[...].hasSuffix(".app")
    let holdsApps =
      (try? folder.directory(at: "Payload".utf8).names().contains { $0[...].hasSuffix(".app") })
      ?? false
    if holdsApps && !isNamedApp { return .payload }
    for path in ["Info.plist", "Contents/Info.plist"] {
      for kind in [Member.Kind.file, .symbolicLink, .directory, .other] where has(path, kind) {
        return isXcodeArchive(folder, named: name) ? nil : .app
      }
    }
    return has("Payload", .directory) ? .payload : nil
  }

  /// Whether a folder is an archive of something else than an application.
  private static func isXcodeArchive(_ folder: Directory, named name: [UInt8]) -> Bool {
    name[...].hasSuffix(".xcarchive") && folder.status("Products".utf8)?.kind == .directory
  }

  static func unknown(
    _ folder: Directory, named name: [UInt8], path: String, limits: ArchiveLimits
  ) -> BundleError {
    let names = (try? folder.names()) ?? []
    if let app = names.first(where: { $0[...].hasSuffix(".app") }) {
      let name = MemberName.display(app)
      return BundleError(
        .noPayload, detail: "the folder holds no Payload/, and \(name) lies directly in it",
        hint: "give \(name) itself")
    }
    if isXcodeArchive(folder, named: name) {
      return BundleError(
        .noApplication,
        detail: "it is an archive of something else than an application: there is "
          + "no Products/Applications/ in it")
    }
    if path.split(separator: "/").last?.hasSuffix(".app") == true {
      return BundleError(.noInfoPlist, detail: "there is no Info.plist in it")
    }
    if let other = names.first(where: { MemberName.display($0).lowercased() == "payload" }) {
      return BundleError(
        .noPayload, detail: "there is no Payload/ folder, only \(MemberName.display(other))/",
        hint: "the name must be Payload")
    }
    for name in names {
      guard let inner = try? folder.directory(name, path: ""),
        inner.status("Payload".utf8)?.kind == .directory
      else { continue }
      let shown = MemberName.display(name)
      return BundleError(
        .noPayload, detail: "Payload/ is not in the folder itself, it lies in \(shown)/",
        hint: "give \(shown)")
    }
    return BundleError(
      .noPayload,
      detail: "the folder holds no Payload/, no Products/Applications/ and no Info.plist, "
        + (names.isEmpty ? "it is empty" : "it holds \(AppLocator.list(names))"))
  }
}

extension ArchiveFile {
  /// What an archive has that is no error.
  func warnings(_ names: NameCollisions) -> [String] {
    var warnings: [String] = []
    if end.trailingCount > 0 {
      warnings.append("\(end.trailingCount) bytes stand behind the archive's end; they stay")
    }
    if let first = directory.nextOffset(after: 0), directory.records.allSatisfy({ $0.offset > 0 }) {
      warnings.append("\(first) bytes stand before the first member; they stay")
    }
    if UInt64(directory.count) != end.count {
      warnings.append(
        "the end record counts \(end.count) of \(directory.count) members (modulo 65536); it stays")
    }
    if !names.indices(named: Array("META-INF/com.apple.ZipMetadata.plist".utf8)).isEmpty {
      warnings.append(
        "META-INF/com.apple.ZipMetadata.plist stays, and its TotalUncompressedBytes is no longer "
          + "exact")
    }
    return warnings
  }
}
