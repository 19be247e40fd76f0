public import AppBundle
internal import PlistKit

extension Application {
  /// Everything in the app that has a code signature of its own, in the order of signing: what lies in
  /// another comes before it, the main app last; among equals by path.
  ///
  /// All apps, extensions, frameworks and services are among them, those without an executable too;
  /// a `.bundle` only where it has code. Of other files, those that begin as Mach-O code does are:
  /// looked into are `.dylib` and `.so` files, names without an extension, what has an execute bit and
  /// does not name itself a resource, and what lies where the Mac has its helpers. Object files, debug
  /// symbols (`.dSYM`) and symbolic links are no code of the app. None for a property list by itself.
  ///
  /// - Complexity: O(*n* log *n*) in the number of members; a few bytes are read of each file that is
  ///   looked into.
  public func codeObjects() -> [CodeObject] {
    var search = CodeObjectSearch(self)
    return search.objects()
  }
}

/// Goes through an app for what has a signature.
private struct CodeObjectSearch {
  /// Bytes that the Info.plists of all bundles may come to.
  private static let infoPlistBudget = 64 << 20

  private let app: Application
  private var budget = Self.infoPlistBudget

  init(_ app: Application) { self.app = app }

  mutating func objects() -> [CodeObject] {
    guard let root = app.bundlePath else { return [] }
    let main = bundle(
      root, .app, infoPlistPath: app.infoPlistPath)
    var found: [CodeObject] = []
    var executables: Set<String> = []
    if let path = main.executablePath { executables.insert(path) }
    for nested in app.nestedBundles {
      guard let kind = CodeObject.Kind(nested.kind) else { continue }
      let object = bundle(nested.path, kind, infoPlistPath: nested.infoPlistPath)
      if kind == .bundle {
        guard let path = object.executablePath, isCode(path) else { continue }
      }
      if let path = object.executablePath { executables.insert(path) }
      found.append(object)
    }
    found += files(below: root, except: executables)
    return Self.insideOut(found) + [main]
  }

  private static func insideOut(_ objects: [CodeObject]) -> [CodeObject] {
    let measured = objects.map { object in
      (depth: object.path.utf8.count { $0 == 0x2F }, object: object)
    }
    return measured.sorted {
      $0.depth != $1.depth
        ? $0.depth > $1.depth
        : $0.object.path.utf8.lexicographicallyPrecedes($1.object.path.utf8)
    }.map(\.object)
  }

  // MARK: Bundles

  private mutating func bundle(
    _ path: String, _ kind: CodeObject.Kind, infoPlistPath: String?
  ) -> CodeObject {
    let isFramework = kind == .framework
    let folder =
      infoPlistPath.map { BundlePlaces.folder(ofInfoPlist: $0, isFramework: isFramework) }
      ?? folderWithoutInfoPlist(path, isFramework: isFramework)
    let bytes = infoPlistPath.flatMap { contents(of: $0) }
    let values = bytes.flatMap {
      try? PlistDocument(parsing: $0, limits: .infoPlist).root.dictionary
    }
    var object = CodeObject(
      path: path.isEmpty ? "." : path, kind: kind, folder: folder, infoPlistPath: infoPlistPath,
      infoPlistBytes: bytes, infoPlist: values)
    // What names no executable has one that is called as the bundle is (CFBundle).
    let named = values?["CFBundleExecutable"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    let name = named ?? Self.stem(of: path.isEmpty ? app.path : path)
    let place = BundlePlaces.executable(named: name, in: folder, isFramework: isFramework)
    if let member = app.member(at: place), member.kind == .file {
      object.executablePath = member.path
    }
    return object
  }

  /// Where a bundle's files lie that has no Info.plist: of a framework in the version that is the
  /// present one.
  private func folderWithoutInfoPlist(_ path: String, isFramework: Bool) -> String {
    let name = Self.stem(of: path)
    if isFramework {
      let versions = CodeObject.join(path, "Versions")
      if let target = try? app.linkTarget(of: versions + "/Current"), !target.contains("/"),
        app.member(at: "\(versions)/\(target)/\(name)")?.kind == .file
      {
        return "\(versions)/\(target)"
      }
      if app.member(at: CodeObject.join(path, name))?.kind != .file,
        app.member(at: "\(versions)/A/\(name)")?.kind == .file
      {
        return versions + "/A"
      }
    } else if app.member(at: CodeObject.join(path, "Contents/MacOS/\(name)"))?.kind == .file {
      return CodeObject.join(path, "Contents")
    }
    return path
  }

  private mutating func contents(of path: String) -> [UInt8]? {
    guard let bytes = try? app.contents(of: path, limit: min(budget, 16 << 20)) else { return nil }
    budget -= bytes.count
    return bytes
  }

  /// The last component without its extension.
  private static func stem(of path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    guard let point = name.lastIndex(of: "."), point > name.startIndex else { return String(name) }
    return String(name[..<point])
  }

  // MARK: Files

  /// The files of code that are no bundle's executable.
  private func files(below root: String, except executables: Set<String>) -> [CodeObject] {
    let prefix = root.isEmpty ? "" : root + "/"
    return app.members.compactMap { member in
      guard member.kind == .file, member.path.utf8.starts(with: prefix.utf8),
        LooseCode.isWorthALook(member), !executables.contains(member.path), isCode(member.path)
      else { return nil }
      return CodeObject(
        path: member.path, kind: member.path.hasSuffix(".dylib") ? .dynamicLibrary : .tool,
        executablePath: member.path)
    }
  }

  private func isCode(_ path: String) -> Bool {
    (try? app.beginning(of: path, count: LooseCode.headerLength)).map(LooseCode.isCode) == true
  }
}

/// Which files by themselves are code.
enum LooseCode {
  /// The bytes that tell: magic, CPU type and subtype, file type.
  static let headerLength = 16

  /// Whether a file may be code, by its name, size and mode.
  static func isWorthALook(_ member: Member) -> Bool {
    let path = member.path
    let start = path.utf8.lastIndex(of: 0x2F).map { path.utf8.index(after: $0) }
    let name = path[(start ?? path.startIndex)...]
    guard member.size >= 28, mayBeCode(name, path, member.permissions) else { return false }
    return name != "PkgInfo" && !path.contains("_CodeSignature/") && !path.contains(".dSYM/")
  }

  private static func mayBeCode(_ name: Substring, _ path: String, _ permissions: UInt16?) -> Bool {
    guard let point = name.utf8.lastIndex(of: 0x2E) else { return true }
    let type = name[name.utf8.index(after: point)...]
    if type == "dylib" || type == "so" { return true }
    if resourceTypes.contains(type.lowercased()) { return false }
    // Bits that an archive does not tell say nothing.
    return permissions.map { $0 & 0o111 != 0 } == true
      || helperFolders.contains { path.utf8.dropLast(name.utf8.count).hasSuffix($0.utf8) }
  }

  /// Whether the beginning of a file is that of Mach-O code that is signed by itself.
  ///
  /// A fat file is one where it has slices, and not as many as the version of a Java class file is.
  static func isCode(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= headerLength else { return false }
    func word(_ place: Int) -> UInt32 {
      bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
    typealias Magic = MachOFile.Magic
    switch word(0) {
    case Magic.fat, Magic.fat64: return (1..<Magic.javaVersions).contains(word(4))
    case Magic.thin32, Magic.thin64: return !isUnsigned(word(12))
    case Magic.thin32.byteSwapped, Magic.thin64.byteSwapped:
      return !isUnsigned(word(12).byteSwapped)
    default: return false
    }
  }

  private static func isUnsigned(_ type: UInt32) -> Bool {
    [.object, .core, .dynamicLibraryStub, .debugSymbols].contains(MachOFileType(rawValue: type))
  }

  /// Where the Mac has helpers, whose names may hold points (Technical Note TN2206, "Nested Code").
  private static let helperFolders = [
    "/MacOS/", "/Helpers/", "/LaunchServices/", "/Executables/",
  ]

  /// Archives are made that have an execute bit on everything.
  private static let resourceTypes: Set<String> = [
    "a", "aac", "aiff", "bin", "caf", "car", "conf", "css", "csv", "dat", "data", "db", "gif", "gz",
    "h", "heic", "html", "icns", "ico", "jpeg", "jpg", "js", "json", "ktx", "lproj", "m4a", "md",
    "metallib", "mobileprovision", "mom", "mov", "mp3", "mp4", "nib", "o", "omo", "otf", "pdf",
    "pem",
    "plist", "png", "provisionprofile", "ps1", "py", "rb", "rtf", "scn", "sh", "sqlite",
    "storyboard",
    "strings", "stringsdict", "supp", "svg", "swift", "tbd", "tiff", "ttf", "txt", "wav", "webp",
    "xib",
    "xcprivacy", "xml", "yaml", "yml", "zip",
  ]
}

extension Substring.UTF8View {
  fileprivate func hasSuffix(_ suffix: String.UTF8View) -> Bool {
    reversed().starts(with: suffix.reversed())
  }
}

extension CodeObject.Kind {
  /// Nil for a library, which is a file and is looked for among those.
  fileprivate init?(_ kind: BundleKind) {
    switch kind {
    case .app: self = .app
    case .watchApp: self = .watchApp
    case .appClip: self = .appClip
    case .appex: self = .appExtension
    case .framework: self = .framework
    case .xpcService: self = .xpcService
    case .systemExtension: self = .systemExtension
    case .driverExtension: self = .driverExtension
    case .bundle: self = .bundle
    case .dynamicLibrary: return nil
    }
  }
}
