internal import ATSMerge
internal import AppBundle
internal import NetDiscovery
internal import PlistKit

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// What a project says of itself in `.ipa-inject.json`, for each run in its folders. Options weigh more.
struct Configuration: Sendable {
  static let fileName = ".ipa-inject.json"
  static let option = Option.value(
    "--config", "FILE|none",
    "the project's settings (\(fileName) here or in the nearest folder above)")

  private static let byteLimit = 1 << 20
  private static let depthLimit = 16

  /// The file, as a path from the working folder; nil where there is none.
  var path: String?
  /// Levels of rules.
  var levels: [String: FindingLevel] = [:]
  /// Rules that do not run.
  var disabled: Set<String> = []
  /// The level that makes `verify` fail.
  var failOn: FindingLevel?
  /// Hosts that the app must be able to reach.
  var destinations: [Destination] = []
  /// The OS that the app runs on.
  var os: ATSGeneration?

  /// No settings.
  init() {}

  /// The settings of the file that `--config` names, or of the one that lies in the working folder or,
  /// where that has none, in the nearest folder above that has one; those that a batch has read already.
  static func load(
    _ arguments: ParsedArguments, in environment: Environment
  ) throws(Failure) -> Configuration {
    if let shared = environment.configuration { return shared }
    let named = arguments[option.name]
    if named == "none" { return Configuration() }
    if named == "" { throw Failure.usage(UsageError("\(option.name) is empty")) }
    guard let path = named ?? nearest() else { return Configuration() }
    guard let bytes = try contents(of: path) else {
      throw Failure(
        code: "unreadable", status: .noInput, message: "there is no such file", file: path)
    }
    environment.log.detail("the settings are those of \(path)")
    return try Configuration(parsing: bytes, path: path)
  }

  /// The nearest file from the working folder upward.
  private static func nearest() -> String? {
    guard let folder = getcwd(nil, 0) else { return nil }
    defer { free(folder) }
    let depth = String(cString: folder).utf8.count { $0 == UInt8(ascii: "/") }
    var path = fileName
    for _ in 0...min(depth, 1024) {
      var status = stat()
      // A link that leads nowhere is there too, and an error.
      if lstat(path, &status) == 0 { return path }
      path = "../" + path
    }
    return nil
  }

  private static func contents(of path: String) throws(Failure) -> [UInt8]? {
    do throws(BundleError) {
      return try SettingsFile(path, limit: byteLimit).contents()
    } catch { throw Failure(error, file: path) }
  }
}

extension Configuration {
  /// Reads the file's content.
  /// - Throws: ``Failure`` with status 65, the path, and line and column or a JSON Pointer.
  init(parsing bytes: [UInt8], path: String) throws(Failure) {
    self.path = path
    var limits = ParseLimits.standard
    limits.depth = Self.depthLimit
    let root: PlistValue
    do throws(PlistError) {
      root = try PlistValue(parsingJSON: bytes, limits: limits)
    } catch { throw Failure(error, file: path) }
    let reader = ConfigurationReader(path: path)
    for (key, value) in try reader.members(of: root, at: .root) {
      let place = PlistKeyPath(keys: key)
      switch key {
      case "$schema": _ = try reader.text(value, at: place)
      case "rules": try readRules(value, at: place, reader)
      case "failOn":
        failOn = try reader.choice(
          value, at: place, FindingLevel.allCases.reversed().map { ($0.rawValue, $0) })
      case "destinations": try readDestinations(value, at: place, reader)
      case "os":
        let text = try reader.text(value, at: place)
        guard let generation = ATSGeneration(parsing: text) else {
          throw reader.failure(
            place, "\(quoted(text)) is no OS with App Transport Security",
            hint: ATSGeneration.examples)
        }
        os = generation
      default:
        throw reader.unknown(
          key, "key", at: place, among: ["$schema", "rules", "failOn", "destinations", "os"])
      }
    }
  }

  private mutating func readRules(
    _ value: PlistValue, at place: PlistKeyPath, _ reader: ConfigurationReader
  ) throws(Failure) {
    let choices: [(String, FindingLevel?)] =
      FindingLevel.allCases.reversed().map { ($0.rawValue, $0) } + [("off", nil)]
    for (id, value) in try reader.members(of: value, at: place) {
      let place = place.appending(key: id)
      guard RuleTable.rule(id) != nil else {
        throw reader.unknown(id, "rule", at: place, among: RuleTable.rules.map(\.id))
      }
      if let level = try reader.choice(value, at: place, choices) {
        levels[id] = level
      } else {
        disabled.insert(id)
      }
    }
  }

  private mutating func readDestinations(
    _ value: PlistValue, at place: PlistKeyPath, _ reader: ConfigurationReader
  ) throws(Failure) {
    guard let items = value.array else {
      throw reader.failure(place, "it is \(value.typeName), not an array of strings")
    }
    for (index, item) in items.enumerated() {
      let place = place.appending(index: index)
      let text = try reader.text(item, at: place)
      do throws(HostError) {
        destinations.append(try Destination(parsing: text, defaultPort: Listener.defaultPort))
      } catch { throw reader.failure(place, "\(quoted(text)): \(error.detail)") }
    }
  }
}

/// Takes the values of a configuration file apart.
private struct ConfigurationReader {
  let path: String

  func failure(_ place: PlistKeyPath, _ message: String, hint: String? = nil) -> Failure {
    Failure(
      code: "config", status: .badInput, message: message, file: path,
      place: place.description.cut(to: 200).nonEmpty, hint: hint)
  }

  func members(
    of value: PlistValue, at place: PlistKeyPath
  ) throws(Failure) -> [(String, PlistValue)] {
    guard let dictionary = value.dictionary else {
      throw failure(place, "it is \(value.typeName), not an object")
    }
    return dictionary.entries.map { ($0.key, $0.value) }
  }

  func text(_ value: PlistValue, at place: PlistKeyPath) throws(Failure) -> String {
    guard let text = value.string else {
      throw failure(place, "it is \(value.typeName), not a string")
    }
    return text
  }

  func choice<Choice>(
    _ value: PlistValue, at place: PlistKeyPath, _ choices: [(String, Choice)]
  ) throws(Failure) -> Choice {
    let text = try text(value, at: place)
    if let choice = choices.first(where: { $0.0 == text }) { return choice.1 }
    let names = choices.map(\.0)
    let list = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    throw failure(
      place, "\(quoted(text)) is not \(list)",
      hint: Spelling.nearest(to: text, in: names).map { "did you mean '\($0)'?" })
  }

  func unknown(
    _ key: String, _ what: String, at place: PlistKeyPath, among known: [String]
  ) -> Failure {
    failure(
      place, "there is no \(what) \(quoted(key))",
      hint: Spelling.nearest(to: key, in: known).map { "did you mean '\($0)'?" })
  }
}

/// A text for a message, cut where it is too long for one.
private func quoted(_ text: String) -> String { "'\(text.cut(to: 60))'" }

extension VerifySettings {
  /// What options say, and where they say nothing, the configuration file.
  init(_ configuration: Configuration, options: VerifyOptions) {
    config = configuration.path
    rules.levels = configuration.levels.merging(options.rules.levels) { $1 }
    offByConfig = configuration.disabled.filter {
      options.rules.levels[$0] == nil && !options.rules.disabled.contains($0)
    }
    rules.disabled = offByConfig.union(options.rules.disabled)
    failOn = options.failOn ?? configuration.failOn ?? .error
    os = options.os ?? configuration.os ?? .newest
    destinations =
      options.destinations.isEmpty ? configuration.destinations : options.destinations
  }
}

/// What the options of `verify` say, as far as a configuration file can say it too.
struct VerifyOptions: Sendable {
  var rules = RuleSettings()
  var failOn: FindingLevel?
  var os: ATSGeneration?
  var destinations: [Destination] = []

  /// The options that set levels of rules.
  static let ruleOptions = [
    Option.value("--disable", "RULE", repeatable: true, "a rule that does not run"),
    .value("--rule", "RULE=LEVEL", repeatable: true, "error, warning or note for a rule"),
  ]
  static let failOnOption = Option.choice(
    "--fail-on", FindingLevel.allCases.reversed().map(\.rawValue),
    "the level that makes it fail (error)")
}
