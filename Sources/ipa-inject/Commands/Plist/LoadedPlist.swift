internal import ATSMerge
internal import AppBundle
internal import PlistKit

/// Which property list of an input is meant.
struct PlistInputOptions: Sendable {
  static let options: [Option] = [
    LoadedApp.appOption,
    .value("--member", "PATH", "another property list of INPUT than the main app's Info.plist"),
  ]

  let app: String?
  let member: String?
  /// Whether keys that stand twice and bytes behind the end are let pass.
  var strictness = ParseStrictness.strict

  init(_ arguments: ParsedArguments) throws(UsageError) {
    app = arguments["--app"]
    member = arguments["--member"]
    if member == "" { throw UsageError("--member is empty") }
  }
}

/// A property list, or JSON to make one of, with where it came from.
struct LoadedPlist: Sendable {
  enum Content: Sendable {
    case plist(PlistDocument)
    case json(PlistValue)
  }

  /// As it was given.
  let path: String
  /// What it lies in; nil for standard input.
  let application: Application?
  let bytes: [UInt8]
  let content: Content

  /// Bytes that are read, of a file by itself as of a member.
  private static let limit = ParseLimits.standard.bytes
  /// Keys of a dictionary among which the one that was meant is looked for.
  private static let searchedKeys = 1000

  /// Reads an input, as JSON or not; nil tells that from its content.
  init(
    _ path: String, _ options: PlistInputOptions, isJSON: Bool? = nil, log: Log
  ) throws(Failure) {
    guard !path.isEmpty else { throw Failure.usage(UsageError("the path of an input is empty")) }
    self.path = path
    var doubt: BundleError?
    if path == "-" {
      guard options.app == nil, options.member == nil else {
        throw Failure.usage(UsageError("standard input is a property list by itself, with no app"))
      }
      application = nil
      bytes = try InputFile.readStandardInput(limit: Self.limit)
    } else {
      var isByItself = false
      do throws(BundleError) {
        let (found, error) = try Self.open(path, options)
        application = found
        isByItself = found.kind == .plist
        doubt = error
        bytes = try found.infoPlist()
      } catch {
        var failure = Failure(error, file: path)
        if isByItself { failure.member = nil }
        if error.detail == "it is neither a file nor a folder" {
          failure.hint = "'-' reads standard input, which may be a pipe"
        }
        throw failure
      }
    }
    let member = Self.member(of: application)
    do throws(PlistError) {
      content =
        isJSON ?? PlistValue.looksLikeJSON(bytes)
        ? .json(try PlistValue(parsingJSON: bytes))
        : .plist(try PlistDocument(parsing: bytes, strictness: options.strictness))
    } catch {
      let first = bytes.first { $0 > 0x20 && $0 < 0x80 }
      if let doubt, !bytes.isEmpty, !Self.isText(bytes) || first == UInt8(ascii: "<") {
        throw Failure(
          code: "\(doubt.code)", status: .badInput,
          message: doubt.detail.replacing(
            "no application archive", with: "neither a property list nor an app"), file: path)
      }
      throw Failure(error, file: Self.shown(path), member: member)
    }
    log.detail("\(shownPath): \(name) is \(formatName), \(bytes.count) bytes")
  }

  private static func open(
    _ path: String, _ options: PlistInputOptions
  ) throws(BundleError) -> (Application, doubt: BundleError?) {
    var limits = ArchiveLimits.standard
    limits.infoPlistBytes = limit
    do throws(BundleError) {
      let application = try Application.open(path, app: options.app, limits: limits)
      guard let member = options.member else { return (application, nil) }
      return (try application.editing(member), nil)
    } catch {
      guard error.code == .notAnArchive, options.app == nil, options.member == nil else {
        throw error
      }
      return (try Application.openPropertyList(path, limits: limits), error)
    }
  }

  /// Whether the beginning is text of some kind.
  private static func isText(_ bytes: [UInt8]) -> Bool {
    let start = bytes.prefix(4096)
    return start.starts(with: [0xFE, 0xFF]) || start.starts(with: [0xFF, 0xFE])
      || start.allSatisfy { $0 >= 0x20 || (0x09...0x0D).contains($0) }
  }

  private static func shown(_ path: String) -> String { path == "-" ? "standard input" : path }
  private static func member(of application: Application?) -> String? {
    application.flatMap { $0.kind == .plist ? nil : $0.infoPlistPath }
  }

  var shownPath: String { Self.shown(path) }
  /// The member that it is, nil for a file by itself.
  var member: String? { Self.member(of: application) }
  /// Its path in the input or its own name, nil for standard input.
  var plistPath: String? { application?.infoPlistPath }
  /// What it is called in changes and differences.
  var name: String { plistPath ?? "standard input" }
  /// Whether it lies in an app that was signed.
  var isSealed: Bool { application?.isSealed == true }
  /// What the app has that is no error.
  var containerWarnings: [String] { application?.warnings ?? [] }

  var root: PlistValue {
    switch content {
    case .plist(let document): document.root
    case .json(let value): value
    }
  }

  var formatName: String {
    switch content {
    case .plist(let document): document.format.rawValue
    case .json: "json"
    }
  }

  var diagnostics: [PlistDiagnostic] {
    if case .plist(let document) = content { document.diagnostics } else { [] }
  }

  /// The document, for commands that take no JSON.
  func propertyList() throws(Failure) -> PlistDocument {
    guard case .plist(let document) = content else {
      throw Failure(
        code: "unknownFormat", status: .badInput, message: "it is JSON, not a property list",
        file: shownPath, member: member, hint: "'plist convert --to xml' makes one of it")
    }
    return document
  }

  /// The document, for commands that edit one.
  func document() throws(Failure) -> PlistDocument {
    let document = try propertyList()
    guard document.format != .openStep else {
      throw Failure(
        code: "unknownFormat", status: .badInput,
        message: "it is OpenStep text, which is only read", file: shownPath, member: member,
        hint: "'plist convert --to xml' makes XML of it")
    }
    return document
  }

  func failure(_ error: PlistError) -> Failure { Failure(error, file: shownPath, member: member) }

  /// The value at a path.
  /// - Throws: ``Failure`` with status 1 where nothing stands there.
  func value(at path: PlistKeyPath) throws(Failure) -> PlistValue {
    guard let value = root[path] else {
      throw Failure(
        code: "keyPath", status: .findings, message: "nothing stands there", file: shownPath,
        member: member, place: path.description, hint: hint(forMissing: path))
    }
    return value
  }

  /// What stands near a path at which nothing does.
  private func hint(forMissing path: PlistKeyPath) -> String? {
    let parent = PlistKeyPath(Array(path.components.dropLast()))
    switch (root[parent], path.components.last) {
    case (.dictionary(let dictionary)?, .key(let key)?)
    where key.count > 3 && dictionary.count <= Self.searchedKeys:
      return Spelling.nearest(to: key, in: dictionary.entries.map(\.key))
        .map { "did you mean \(parent.appending(key: $0))?" }
    case (.array(let items)?, _):
      return "the array has \(items.count) \(items.count == 1 ? "item" : "items")"
    default: return nil
    }
  }
}

extension PlistValue {
  /// What the type is called in JSON output.
  var typeWord: String {
    switch self {
    case .dictionary: "dictionary"
    case .array: "array"
    case .string: "string"
    case .integer: "integer"
    case .real: "real"
    case .date: "date"
    case .data: "data"
    case .boolean: "boolean"
    case .uid: "uid"
    case .null: "null"
    case .set: "set"
    }
  }
}
