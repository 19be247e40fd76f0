internal import AppBundle
internal import PlistKit

/// Signs the code objects of one app in a folder.
struct AppSigning {
  private let application: Application
  private let options: AdHocSigner.Options
  private let root: [UInt8]
  private var summary = AdHocSigner.Summary()
  private var remarks = SigningRemarks()
  /// The CDHashes by path of what is signed, for the deep bundles around it.
  private var cdHashes: [String: [[UInt8]]] = [:]
  /// How many files in bundles may still be looked at, one counted for each bundle that it lies in.
  private var visits: Int

  init(_ application: Application, _ options: AdHocSigner.Options) throws(SigningError) {
    self.application = application
    self.options = options
    root = Array(application.path.utf8)
    visits = options.limits.resourceVisits
  }

  mutating func run() throws(SigningError) -> AdHocSigner.Summary {
    let objects = application.codeObjects()
    for (place, object) in objects.enumerated() {
      do throws(SigningError) {
        try sign(object, isMain: place == objects.count - 1)
      } catch {
        throw error.inFile(object.executablePath ?? object.path)
      }
    }
    setFolderTimes()
    summary.notes = remarks.notes
    return summary
  }

  private mutating func sign(_ object: CodeObject, isMain: Bool) throws(SigningError) {
    guard let executable = object.executablePath.flatMap({ application.member(at: $0) }) else {
      guard !isMain else {
        throw SigningError(
          .missing, file: object.path,
          detail:
            "its executable \(object.infoPlist?["CFBundleExecutable"]?.string ?? "") is missing")
      }
      remarks.add(.noCode, object.path)
      return
    }
    guard !object.keepsSignature else {
      remarks.add(.keptSignature, object.path)
      return
    }
    let path = executable.path
    let source = try onMembers { () throws(BundleError) in try application.content(of: path) }
    let file = try MachOFile(source, limits: options.limits)
    let entitlements = try self.entitlements(of: object, isMain, file, source)
    let seal = CodeDirectoryBuilder.Seal(
      identifier: object.signingIdentifier, infoPlist: try infoPlist(of: object),
      codeResources: try sealResources(of: object, executable),
      blobs: try SignatureBlobs(entitlements: entitlements, limits: options.limits))
    let signing = try MachOSigning(
      source, file, seal: seal, entitlements: entitlements, limits: options.limits)
    guard var attributes = FileAttributes(of: place(executable.name)) else {
      throw SigningError(.unreadable, file: path, detail: "it is not there any more")
    }
    if file.slices.contains(where: { $0.fileType == .executable }), !attributes.isExecutable {
      attributes.makeExecutable()
      remarks.add(.madeExecutable, path)
    }
    let output = try ReplacementFile(for: place(executable.name), shown: path)
    let result = try signing.write(to: output.append)
    try output.publish(attributes)
    cdHashes[object.path] = result.cdHashes
    summary.signed.append(
      .init(path: object.path, identifier: seal.identifier, cdHashes: result.cdHashes))
  }

  // MARK: - What is sealed

  /// The entitlements that are given, else those of the present signature.
  private mutating func entitlements(
    of object: CodeObject, _ isMain: Bool, _ file: MachOFile, _ source: any ByteSource
  ) throws(SigningError) -> Entitlements? {
    if let given = options.entitlements(object, isMain) { return given }
    guard ![.framework, .dynamicLibrary, .bundle].contains(object.kind) else { return nil }
    for slice in file.slices {
      do throws(SigningError) {
        let signature = try slice.codeSignature(of: source, limits: options.limits)
        if let found = try signature?.readEntitlements(limits: options.limits) { return found }
      } catch {
        remarks.add(.unreadableSignature, object.path)
      }
    }
    return nil
  }

  private func infoPlist(of object: CodeObject) throws(SigningError) -> [UInt8]? {
    guard let path = object.infoPlistPath else { return nil }
    if let bytes = object.infoPlistBytes { return bytes }
    return try onMembers { () throws(BundleError) in try application.contents(of: path) }
  }

  /// Writes the CodeResources of a bundle, and returns its bytes; nil for a file by itself.
  private mutating func sealResources(
    of object: CodeObject, _ executable: Member
  ) throws(SigningError) -> [UInt8]? {
    guard let folder = object.folder, let listPath = object.codeResourcesPath else { return nil }
    let folderName = try name(ofFolder: folder)
    let prefix = folderName.isEmpty ? [] : folderName + [0x2F]
    guard let whole = String(validating: place(folderName), as: UTF8.self) else {
      throw SigningError(
        .unsupported, file: folder, detail: "a folder whose name is no UTF-8 cannot be sealed")
    }
    note(object)
    let sealing = ResourceSealing(
      folder: whole,
      executable: executable.name.starts(with: prefix)
        ? Array(executable.name.dropFirst(prefix.count)) : nil,
      isDeep: object.isDeep, nested: object.isDeep ? nestedCode(in: prefix) : [],
      limits: options.limits,
      workers: options.workers)
    let resources = try sealing.resources()
    visits -= max(1, resources.version1?.entries.count ?? 0)
    visits -= resources.version2?.entries.count ?? 0
    guard visits >= 0 else {
      throw SigningError(
        .limit, detail: "the app has too many files in nested bundles to seal them")
    }
    let bytes = try resources.serialized()
    try write(bytes, to: prefix, listPath, timeOf: object.infoPlistPath ?? executable.path)
    return bytes
  }

  private func nestedCode(in prefix: [UInt8]) -> [ResourceSealing.NestedCode] {
    cdHashes.compactMap { path, hashes in
      guard let name = application.member(at: path)?.name, name.starts(with: prefix) else {
        return nil
      }
      return .init(path: Array(name.dropFirst(prefix.count)), cdHashes: hashes)
    }
  }

  private mutating func note(_ object: CodeObject) {
    guard let profile = object.profilePath, application.member(at: profile) != nil else { return }
    remarks.add(.profile, profile)
  }

  // MARK: - Files

  /// Writes a list into `_CodeSignature`, which must be no link.
  private func write(
    _ bytes: [UInt8], to prefix: [UInt8], _ shown: String, timeOf sibling: String
  ) throws(SigningError) {
    let folder = prefix + Array("_CodeSignature".utf8)
    let shownFolder = String(shown.dropLast("/CodeResources".utf8.count))
    if let member = application.member(at: shownFolder), member.kind != .directory {
      throw SigningError(.unsupported, file: shownFolder, detail: "it is no folder")
    }
    try makeFolder(place(folder), shown: shownFolder)
    let path = place(folder + Array("/CodeResources".utf8))
    let siblingName = application.member(at: sibling)?.name ?? []
    guard var attributes = FileAttributes(of: path) ?? FileAttributes(of: place(siblingName)) else {
      throw SigningError(.unreadable, file: sibling, detail: "it is not there any more")
    }
    attributes.permissions = 0o644
    let file = try ReplacementFile(for: path, shown: shown)
    try file.append(bytes)
    try file.publish(attributes)
  }

  /// Folders get the time of the main app's Info.plist: those of an archive need not have one there, and
  /// would have that of the unpacking.
  private func setFolderTimes() {
    let infoPlist = application.member(at: application.infoPlistPath)?.name ?? []
    guard let attributes = FileAttributes(of: place(infoPlist)) else { return }
    let lists = application.members.filter { $0.kind == .directory }
      .map(\.name)
    for folder in lists.reversed() {
      attributes.setTime(ofFolder: place(folder + Array("/_CodeSignature".utf8)))
      attributes.setTime(ofFolder: place(folder))
    }
    attributes.setTime(ofFolder: place(Array("_CodeSignature".utf8)))
    attributes.setTime(ofFolder: root)
  }

  /// The bytes of a folder's name, from the root.
  private func name(ofFolder folder: String) throws(SigningError) -> [UInt8] {
    guard !folder.isEmpty else { return [] }
    guard let member = application.member(at: folder), member.kind == .directory else {
      throw SigningError(.unreadable, file: folder, detail: "it is no folder")
    }
    return member.name
  }

  /// A path on this machine.
  private func place(_ name: [UInt8]) -> [UInt8] { name.isEmpty ? root : root + [0x2F] + name }
}

/// What a person should know, a line for each kind whatever their number.
private struct SigningRemarks {
  enum Kind: CaseIterable {
    case profile, noCode, keptSignature, madeExecutable, unreadableSignature
  }

  private var found: [Kind: (first: String, count: Int)] = [:]

  mutating func add(_ kind: Kind, _ path: String) {
    found[kind, default: (path, 0)].count += 1
  }

  var notes: [String] {
    Kind.allCases.compactMap { kind in
      guard let (first, count) = found[kind] else { return nil }
      let more = count > 1 ? " (and \(count - 1) more)" : ""
      return switch kind {
      case .profile: "left as it is, though an ad hoc signature has no use for it: \(first)\(more)"
      case .noCode: "not signed, for it has no code: \(first)\(more)"
      case .keptSignature: "not signed, for it is Apple's and keeps its signature: \(first)\(more)"
      case .madeExecutable: "got the execute bit, without which it does not start: \(first)\(more)"
      case .unreadableSignature:
        "its earlier signature cannot be read, so no entitlements were taken from it: \(first)\(more)"
      }
    }
  }
}
