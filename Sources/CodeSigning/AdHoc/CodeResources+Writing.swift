internal import PlistKit

extension CodeResources {
  /// The XML property list, keys in the order of their bytes: the same lists always give the same bytes.
  /// - Throws: ``SigningError`` with code `unsupported` for a text that XML cannot hold.
  public func serialized() throws(SigningError) -> [UInt8] {
    var pairs: [(String, PlistValue)] = []
    if let version1 {
      pairs.append(("files", .dictionary(PlistDictionary(version1.entries.map(Self.version1)))))
      pairs.append(("rules", .dictionary(PlistDictionary(version1.rules.map(Self.rule)))))
    }
    if let version2 {
      pairs.append(("files2", .dictionary(PlistDictionary(version2.entries.map(Self.version2)))))
      pairs.append(("rules2", .dictionary(PlistDictionary(version2.rules.map(Self.rule)))))
    }
    do throws(PlistError) {
      let root = PlistValue.dictionary(PlistDictionary(pairs)).sortedByKey
      return try PlistDocument(root: root, format: .xml).serialized()
    } catch {
      throw SigningError(.unsupported, detail: "\(error)")
    }
  }

  /// A file that may not be missing is its hash alone in version 1.
  private static func version1(_ entry: Entry) -> (String, PlistValue) {
    guard case .file(let sha1?, _) = entry.content, !entry.isOptional else {
      return version2(entry)
    }
    return (entry.path, .data(sha1))
  }

  private static func version2(_ entry: Entry) -> (String, PlistValue) {
    var pairs: [(String, PlistValue)] = []
    switch entry.content {
    case .file(let sha1, let sha256):
      if let sha1 { pairs.append(("hash", .data(sha1))) }
      if let sha256 { pairs.append(("hash2", .data(sha256))) }
    case .link(let target): pairs.append(("symlink", .string(target)))
    case .code(let cdHash, let requirement):
      if let cdHash { pairs.append(("cdhash", .data(cdHash))) }
      if let requirement { pairs.append(("requirement", .string(requirement))) }
    }
    if entry.isOptional { pairs.append(("optional", .boolean(true))) }
    return (entry.path, .dictionary(PlistDictionary(pairs)))
  }

  /// A rule that seals and has the weight 1 is `true` alone, one that omits with that weight is `false`.
  private static func rule(_ rule: Rule) -> (String, PlistValue) {
    guard rule.weight != 1 || rule.isOptional || rule.isNested else {
      return (rule.pattern, .boolean(!rule.omits))
    }
    var pairs: [(String, PlistValue)] = []
    if rule.isNested { pairs.append(("nested", .boolean(true))) }
    if rule.omits { pairs.append(("omit", .boolean(true))) }
    if rule.isOptional { pairs.append(("optional", .boolean(true))) }
    if rule.weight != 1 { pairs.append(("weight", .real(PlistReal(rule.weight)))) }
    return (rule.pattern, .dictionary(PlistDictionary(pairs)))
  }
}

/// The rules of both lists, as `codesign` writes them.
struct SealingRules {
  let first: [CodeResources.Rule]
  let second: [CodeResources.Rule]

  /// The rules for a bundle whose resources lie beside its code, as those of iOS do.
  ///
  /// Source: what Xcode's `codesign` wrote into apps, and `BundleDiskRep::defaultResourceRules` of Apple's
  /// Security framework.
  static let flat = SealingRules(
    first: [
      .init("^.*"), .init("^.*\\.lproj/", weight: 1000, isOptional: true),
      .init("^.*\\.lproj/locversion.plist$", weight: 1100, omits: true),
      .init("^Base\\.lproj/", weight: 1010), .init("^version.plist$"),
    ],
    second: always + [
      .init("^.*\\.lproj/", weight: 1000, isOptional: true),
      .init("^.*\\.lproj/locversion.plist$", weight: 1100, omits: true),
      .init("^Base\\.lproj/", weight: 1010),
    ])

  /// The rules for a bundle with a folder `Resources`, as those of macOS have: nested code there is sealed by
  /// its CDHash.
  static let deep = SealingRules(
    first: [
      .init("^Resources/"), .init("^Resources/.*\\.lproj/", weight: 1000, isOptional: true),
      .init("^Resources/.*\\.lproj/locversion.plist$", weight: 1100, omits: true),
      .init("^Resources/Base\\.lproj/", weight: 1010), .init("^version.plist$"),
    ],
    second: always + [
      .init(
        "^(Frameworks|SharedFrameworks|PlugIns|Plug-ins|XPCServices|Helpers|MacOS|"
          + "Library/(Automator|Spotlight|LoginItems))/", weight: 10, isNested: true),
      .init("^[^/]+$", weight: 10, isNested: true),
      .init("^Resources/", weight: 20),
      .init("^Resources/.*\\.lproj/", weight: 1000, isOptional: true),
      .init("^Resources/.*\\.lproj/locversion.plist$", weight: 1100, omits: true),
      .init("^Resources/Base\\.lproj/", weight: 1010),
    ])

  private static let always: [CodeResources.Rule] = [
    .init("^.*"), .init(".*\\.dSYM($|/)", weight: 11),
    .init("^(.*/)?\\.DS_Store$", weight: 2000, omits: true),
    .init("^Info\\.plist$", weight: 20, omits: true),
    .init("^PkgInfo$", weight: 20, omits: true),
    .init("^embedded\\.provisionprofile$", weight: 20), .init("^version\\.plist$", weight: 20),
  ]
}
