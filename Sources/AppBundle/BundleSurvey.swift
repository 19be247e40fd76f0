/// What a main application's folder holds.
struct BundleSurvey {
  let layout: BundleLayout
  /// The index of Info.plist among the entries.
  let infoPlist: Int
  let isSealed: Bool
  let nested: [NestedBundle]
  let localized: [(language: String, path: String)]
  let warnings: [String]

  /// Looks through all entries; `bundle` is the application's path, empty where the input is it.
  /// - Throws: ``BundleError`` with codes `noInfoPlist`, `infoPlistNotAFile`, `duplicateMember`,
  ///   `pathEscapes`, `inconsistent`, `limit`.
  init(
    _ table: any MemberTable, bundle: [UInt8], collisions: NameCollisions, limits: ArchiveLimits
  ) throws(BundleError) {
    let prefix = bundle.isEmpty ? [] : bundle + [MemberName.slash]
    let flat = prefix + Array("Info.plist".utf8)
    let deep = prefix + Array("Contents/Info.plist".utf8)
    let found = InfoPlistSearch(table: table, collisions: collisions)
    let flatIndex = try found.index(of: flat)
    let deepIndex = try found.index(of: deep)
    guard let index = flatIndex ?? deepIndex else {
      throw found.missing(flat, in: bundle)
    }
    infoPlist = index
    layout = flatIndex == nil ? .deep : .flat
    warnings =
      flatIndex != nil && deepIndex != nil
      ? ["there are Info.plist and Contents/Info.plist; the first one counts"] : []
    let content = try BundleContent(table, prefix: prefix, limits: limits)
    isSealed = content.holds(
      prefix + Array((layout == .flat ? "" : "Contents/").utf8)
        + Array("_CodeSignature/CodeResources".utf8))
    nested = content.bundles()
    localized = content.localized(
      prefix + Array((layout == .flat ? "" : "Contents/Resources/").utf8))
  }
}

/// Finds the Info.plist that is edited, and refuses it where there is any doubt about it.
private struct InfoPlistSearch {
  let table: any MemberTable
  let collisions: NameCollisions

  func index(of path: [UInt8]) throws(BundleError) -> Int? {
    let alike = collisions.indices(path)
    let same = alike.filter { table.name($0).elementsEqual(path) }
    guard let index = same.first else { return nil }
    let shown = MemberName.display(path)
    if let other = alike.first(where: { $0 != index }) {
      let name = table.display(other)
      throw BundleError(
        .duplicateMember, member: shown,
        detail: name == shown ? "it is there twice" : "\(name) stands beside it")
    }
    guard table.kind(index) == .file else {
      throw BundleError(
        .infoPlistNotAFile, member: shown, detail: "it is \(Self.article(table.kind(index)))")
    }
    try checkFolders(above: path)
    return index
  }

  /// Each folder above must be one: an entry that makes it a link would lead readers elsewhere.
  private func checkFolders(above path: [UInt8]) throws(BundleError) {
    for end in path.indices where path[end] == MemberName.slash {
      for index in collisions.indices(Array(path[..<end])) where table.kind(index) != .directory {
        throw BundleError(
          table.kind(index) == .symbolicLink ? .pathEscapes : .inconsistent,
          member: table.display(index),
          detail: "it is \(Self.article(table.kind(index))), yet Info.plist lies below it")
      }
    }
  }

  func missing(_ path: [UInt8], in bundle: [UInt8]) -> BundleError {
    let member = bundle.isEmpty ? nil : MemberName.display(bundle)
    if let other = collisions.indices(path).first {
      return BundleError(
        .noInfoPlist, member: member, detail: "there is no Info.plist, only \(table.display(other))"
      )
    }
    return BundleError(.noInfoPlist, member: member, detail: "there is no Info.plist in it")
  }

  private static func article(_ kind: Member.Kind) -> String {
    switch kind {
    case .file: "a file"
    case .directory: "a folder"
    case .symbolicLink: "a symbolic link"
    case .other: "a special file"
    }
  }
}

/// The entries of an application that make bundles.
private struct BundleContent {
  private var folders: [[UInt8]: BundleKind] = [:]
  private var libraries: [[UInt8]] = []
  /// Files that tell about bundles: Info.plist, CodeResources.
  private var markers: Set<[UInt8]> = []
  /// For a framework with `Versions/`, its first version that has an Info.plist.
  private var versions: [[UInt8]: [UInt8]] = [:]
  private var strings: [[UInt8]] = []
  /// The bundle that was noted last; those above it are noted too.
  private var lastBundle: [UInt8] = []
  private var pathBytes = 0

  init(_ table: any MemberTable, prefix: [UInt8], limits: ArchiveLimits) throws(BundleError) {
    let prefixDepth = prefix.count { $0 == MemberName.slash }
    try table.forEachName { (index, name) throws(BundleError) in
      guard name.count > prefix.count, name.starts(with: prefix.span) else { return }
      let depth = addFolders(name, after: prefix.count) { table.kind(index) == .directory }
      guard prefixDepth + depth <= limits.depth else {
        throw BundleError(
          .limit, member: table.display(index), detail: "it lies deeper than \(limits.depth) levels"
        )
      }
      if Self.couldMark(name), table.kind(index) == .file { addFile(Array(name)[...]) }
      guard pathBytes <= limits.bundlePathBytes else {
        throw BundleError(
          .limit,
          detail: "the paths of nested bundles take more than \(limits.bundlePathBytes) bytes")
      }
    }
  }

  /// Notes the bundles that a name lies in or is, and returns how many slashes it has behind the prefix.
  ///
  /// The last component is a folder only where the entry says so.
  private mutating func addFolders(
    _ name: Span<UInt8>, after prefix: Int, isFolder: () -> Bool
  ) -> Int {
    var depth = 0
    var parent = 0..<0
    var start = prefix
    var hasPoint = false
    for place in prefix..<name.count {
      let byte = name[place]
      // A point or a slash; most bytes are neither, and these are neighbours.
      guard byte &- MemberName.dot <= 1 else { continue }
      guard byte == MemberName.slash else {
        hasPoint = true
        continue
      }
      if hasPoint { addFolder(name, start..<place, parent: parent) { true } }
      depth += 1
      parent = start..<place
      start = place + 1
      hasPoint = false
    }
    if hasPoint { addFolder(name, start..<name.count, parent: parent, isFolder: isFolder) }
    return depth
  }

  @inline(__always)
  private mutating func addFolder(
    _ name: Span<UInt8>, _ part: Range<Int>, parent: Range<Int>, isFolder: () -> Bool
  ) {
    guard
      let kind = BundleKind(
        folder: name.extracting(part),
        parent: parent.isEmpty ? nil : name.extracting(parent)),
      isFolder()
    else { return }
    let path = name.extracting(..<part.upperBound)
    // Neighbours mostly lie in the same bundle: it need not be noted again.
    if path.isPath(above: lastBundle.span) { return }
    lastBundle = Array(path)
    folders[lastBundle] = kind
    pathBytes += path.count
  }

  /// Whether a name may be one that ``addFile(_:)`` notes; nearly all others end here.
  @inline(__always)
  private static func couldMark(_ name: Span<UInt8>) -> Bool {
    switch name[name.count - 1] {
    case UInt8(ascii: "b"): name.hasSuffix(".dylib")
    case UInt8(ascii: "t"): name.hasSuffix("/Info.plist")
    case UInt8(ascii: "s"):
      name.hasSuffix("/CodeResources") || name.hasSuffix("/InfoPlist.strings")
    default: false
    }
  }

  private mutating func addFile(_ name: ArraySlice<UInt8>) {
    if name.hasSuffix(".dylib") {
      libraries.append(Array(name))
      pathBytes += name.count
    } else if name.hasSuffix("/Info.plist") || name.hasSuffix("/CodeResources") {
      markers.insert(Array(name))
      addVersion(name)
    } else if name.hasSuffix(".lproj/InfoPlist.strings") {
      strings.append(Array(name))
    }
  }

  /// Notes `X.framework/Versions/A/Resources/Info.plist`.
  private mutating func addVersion(_ name: ArraySlice<UInt8>) {
    let tail = "/Resources/Info.plist"
    guard name.hasSuffix(tail) else { return }
    let path = name.dropLast(tail.utf8.count)
    guard let slash = path.lastIndex(of: MemberName.slash),
      path[..<slash].hasSuffix("/Versions")
    else { return }
    let bundle = Array(path[..<slash].dropLast("/Versions".utf8.count))
    let version = Array(path)
    guard let known = versions[bundle], known.lexicographicallyPrecedes(version) else {
      versions[bundle] = version
      return
    }
  }

  func holds(_ path: [UInt8]) -> Bool { markers.contains(path) }

  /// All nested bundles, those before which others must be signed last.
  func bundles() -> [NestedBundle] {
    let all =
      folders.map { (path: $0.key, kind: $0.value) }
      + libraries.map { (path: $0, kind: BundleKind.dynamicLibrary) }
    let measured = all.map { (depth: $0.path.count { $0 == MemberName.slash }, bundle: $0) }
    return measured.sorted {
      $0.depth != $1.depth
        ? $0.depth > $1.depth
        : $0.bundle.path.lexicographicallyPrecedes($1.bundle.path)
    }.map { nested($0.bundle.path, $0.bundle.kind) }
  }

  private func nested(_ path: [UInt8], _ kind: BundleKind) -> NestedBundle {
    func at(_ rest: String) -> [UInt8] { path + Array(rest.utf8) }
    var layout = BundleLayout.flat
    var info: [UInt8]?
    var seal = at("/_CodeSignature/CodeResources")
    if kind == .dynamicLibrary || holds(at("/Info.plist")) {
      info = kind == .dynamicLibrary ? nil : at("/Info.plist")
    } else if holds(at("/Contents/Info.plist")) {
      layout = .deep
      info = at("/Contents/Info.plist")
      seal = at("/Contents/_CodeSignature/CodeResources")
    } else if let version = versions[path] {
      layout = .deep
      info = version + Array("/Resources/Info.plist".utf8)
      seal = version + Array("/_CodeSignature/CodeResources".utf8)
    }
    return NestedBundle(
      path: MemberName.display(path), kind: kind, layout: layout,
      infoPlistPath: info.map { MemberName.display($0) },
      isSealed: kind != .dynamicLibrary && holds(seal))
  }

  /// The `InfoPlist.strings` of languages directly in a folder.
  func localized(_ prefix: [UInt8]) -> [(language: String, path: String)] {
    strings.compactMap { path in
      guard path.starts(with: prefix) else { return nil }
      let language = path.dropFirst(prefix.count).dropLast(".lproj/InfoPlist.strings".utf8.count)
      guard !language.isEmpty, !language.contains(MemberName.slash) else { return nil }
      return (MemberName.display(language), MemberName.display(path))
    }.sorted { $0.language < $1.language }
  }
}
