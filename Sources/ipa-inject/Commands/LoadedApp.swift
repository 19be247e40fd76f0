internal import AppBundle
internal import PlistKit

/// An opened input with its main Info.plist read.
struct LoadedApp: Sendable {
  let application: Application
  let infoPlistBytes: [UInt8]
  let document: PlistDocument

  static let appOption = Option.value(
    "--app", "NAME", "the app to take where the input holds several")
  static let noHashingOption = Option.flag(
    "--no-hashing", "do not hash code and sealed resources, which takes time in large apps")

  /// Bytes that the Info.plists of all nested bundles may come to, and the texts of all languages.
  private static let smallFilesBudget = 32 << 20
  /// What bundles that are no apps say they are.
  private static let otherPackageTypes: Set = ["FMWK", "BNDL", "XPC!"]

  /// Opens an input and reads the Info.plist of its main app.
  init(_ path: String, app: String?, log: Log) throws(Failure) {
    guard !path.isEmpty else { throw Failure.usage(UsageError("the path of an input is empty")) }
    do throws(BundleError) {
      application = try Application.open(path, app: app)
      infoPlistBytes = try application.infoPlist()
    } catch { throw Failure(error, file: path) }
    let member = Self.member(of: application)
    do throws(PlistError) {
      document = try PlistDocument(parsing: infoPlistBytes, limits: .infoPlist)
    } catch { throw Failure(error, file: path, member: member) }
    guard document.root.dictionary != nil else {
      throw Failure(
        PlistError(.malformed, detail: "it holds \(document.root.typeName), not a dictionary"),
        file: path, member: member)
    }
    if let type = document.root.dictionary?["CFBundlePackageType"]?.string,
      Self.otherPackageTypes.contains(type)
    {
      throw Failure(
        code: "noApplication", status: .badInput,
        message: "it is the Info.plist of a bundle of type \(type), not of an app", file: path,
        member: member, place: "/CFBundlePackageType")
    }
    guard document.format != .openStep else {
      throw Failure(
        PlistError(.unknownFormat, detail: "it is OpenStep text, which no app's Info.plist is"),
        file: path, member: member)
    }
    log.detail("\(path) is of kind \(application.kind.rawValue), \(size)")
    if let bundlePath { log.detail("the main app is \(bundlePath == "." ? path : bundlePath)") }
    log.detail("\(application.infoPlistPath) is \(document.format.rawValue)")
  }

  var path: String { application.path }

  /// The Info.plist's path for messages, nil where the input is that file itself.
  var plistMember: String? { Self.member(of: application) }

  /// How large the input is.
  var size: String {
    let entries = application.entryCount
    return "\(application.byteCount) bytes, \(entries) \(entries == 1 ? "entry" : "entries")"
  }

  private static func member(of application: Application) -> String? {
    application.kind == .plist ? nil : application.infoPlistPath
  }
  var root: PlistValue { document.root }

  /// A text of the Info.plist.
  func text(_ key: String) -> String? { root.dictionary?[key]?.string }

  /// The app's path in the input, `.` where the input is the app itself, nil for a bare plist.
  var bundlePath: String? { application.bundlePath.map { $0.isEmpty ? "." : $0 } }

  /// Nested bundles that a device refuses the app for, because they have no Info.plist.
  var bundlesWithoutInfoPlist: [NestedBundle] {
    application.nestedBundles.filter { $0.infoPlistPath == nil && $0.kind.needsInfoPlist }
  }

  /// The Info.plists of the nested bundles that have one that can be read, and what is wrong with the
  /// others.
  func nestedInfoPlists() -> (read: [(bundle: NestedBundle, root: PlistValue)], problems: [String])
  {
    var problems = bundlesWithoutInfoPlist.map {
      "\($0.path) has no Info.plist; a device refuses the app"
    }
    let all = nestedInfoPlistResults()
    let read = all.compactMap { bundle, result -> (NestedBundle, PlistValue)? in
      switch result {
      case .success(let root): return (bundle, root)
      case .failure(let problem):
        problems.append(problem.line)
        return nil
      }
    }
    return (read, problems)
  }

  /// The nested bundles with an Info.plist, each with its value or why it cannot be read.
  func nestedInfoPlistResults() -> [(bundle: NestedBundle, result: Result<PlistValue, Unreadable>)]
  {
    let bundles = application.nestedBundles.filter { $0.infoPlistPath != nil }
    return Array(zip(bundles, propertyLists(at: bundles.compactMap(\.infoPlistPath))))
  }

  /// A property list that cannot be read.
  struct Unreadable: Error {
    let path: String
    let reason: String

    var line: String { "\(path) cannot be read: \(reason)" }
  }

  /// The localized texts, and what is wrong with files that cannot be read.
  func localizedTexts(
    of key: String
  ) -> (texts: [(language: String, path: String, text: String)], problems: [String]) {
    let (values, problems) = localizedValues(of: key)
    let texts = values.compactMap { value in
      value.value.string.map { (value.language, value.path, $0) }
    }
    return (texts, problems)
  }

  /// What stands under a key in each language, and what is wrong with files that cannot be read.
  func localizedValues(
    of key: String
  ) -> (values: [(language: String, path: String, value: PlistValue)], problems: [String]) {
    var problems: [String] = []
    let files = application.localizedInfoPlistStrings()
    let values = zip(files, propertyLists(at: files.map(\.path))).compactMap {
      file, result -> (language: String, path: String, value: PlistValue)? in
      switch result {
      case .success(let root):
        return root.dictionary?[key].map { (file.language, file.path, $0) }
      case .failure(let problem):
        problems.append(problem.line)
        return nil
      }
    }
    return (values, problems)
  }

  /// The property lists at some paths; one that all before it leave no room for cannot be read.
  private func propertyLists(at paths: [String]) -> [Result<PlistValue, Unreadable>] {
    var budget = Self.smallFilesBudget
    return paths.map { path in
      do {
        let bytes = try application.contents(of: path, limit: budget)
        budget -= bytes.count
        return .success(try PlistDocument(parsing: bytes, limits: .infoPlist).root)
      } catch { return .failure(Unreadable(path: path, reason: "\(error)")) }
    }
  }
}

extension BundleKind {
  /// Whether installing fails where the bundle has no Info.plist. A dynamic library is one file, and
  /// a resource bundle may do without.
  var needsInfoPlist: Bool {
    switch self {
    case .dynamicLibrary, .bundle: false
    default: true
    }
  }
}
