internal import PlistKit

/// Prints one value alone.
struct PlistGetCommand: Command {
  static let name = "plist get"
  static let summary = "print one value alone, for scripts"
  static let usage = ["INPUT KEYPATH [options]"]
  static let discussion = """
    \(PlistFamily.inputHelp)

    \(PlistFamily.keyPathHelp)

    A string is printed as it is, numbers in decimal, true or false, a date as ISO 8601, data in base \
    64, a dictionary or an array as JSON; each with a line feed. Ends with status 1 where nothing \
    stands at KEYPATH. On a terminal, control characters are shown as escapes.

    Example:
    ipa-inject plist get App.ipa /CFBundleShortVersionString
    """
  static let options = [
    OptionGroup(
      "Options",
      [
        .choice("--format", ["raw", "xml", "json"], "how it is printed (raw)"),
        .flag("--type", "print the type of the value, such as string or dictionary"),
        .flag("--keys", "print the keys of a dictionary, or the indexes of an array, one a line"),
      ]
        + PlistRendering.jsonOptions + PlistInputOptions.options + [
          .showSecrets
        ])
  ]
  static let jsonSpellings = ["--json"]

  private let input: String
  private let keyPath: PlistKeyPath
  private let source: PlistInputOptions
  private let format: String
  private let rendering: PlistRendering
  private let showsSecrets: Bool
  private let showsType: Bool
  private let showsKeys: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let given = try Self.arguments(arguments, ["INPUT", "KEYPATH"])
    input = given[0]
    keyPath = try PlistFamily.keyPath(given[1])
    source = try PlistInputOptions(arguments)
    format = arguments["--format"] ?? "raw"
    rendering = PlistRendering(arguments)
    showsSecrets = arguments.has("--show-secrets")
    let asked = ["--type", "--keys", "--format"].filter { arguments.has($0) }
    guard asked.count <= 1 else {
      throw UsageError("\(asked[0]) and \(asked[1]) exclude each other")
    }
    showsType = arguments.has("--type")
    showsKeys = arguments.has("--keys")
  }

  func run(in environment: Environment) throws(Failure) -> any Report {
    let loaded = try LoadedPlist(input, source, log: environment.log)
    let value = try loaded.value(at: keyPath)
    var text: String
    if showsType {
      text = value.typeWord + "\n"
    } else if showsKeys {
      guard let keys = value.stepTexts else {
        throw Failure(
          code: "keyPath", status: .badInput, message: "\(value.typeName) has no keys",
          file: loaded.shownPath, member: loaded.member, place: keyPath.description.nonEmpty)
      }
      text = keys.map { $0 + "\n" }.joined()
    } else if format == "raw", let raw = value.scriptText {
      text = raw + "\n"
    } else {
      text = try rendering.text(
        of: value, as: format == "xml" ? "xml" : "json", at: keyPath, in: loaded)
    }
    if environment.output.isTerminal {
      text = text.split(separator: "\n", omittingEmptySubsequences: false).map {
        String($0).printable
      }.joined(separator: "\n")
    }
    return PlistValueReport(
      schema: "plist-get", loaded, at: keyPath, value, showsSecrets: showsSecrets
    ) { [text] _ in text }
  }
}

extension PlistValue {
  /// The last steps of the paths to its values, nil for what is no container.
  fileprivate var stepTexts: [String]? {
    switch self {
    case .dictionary(let dictionary): dictionary.entries.map(\.key)
    case .array(let items), .set(let items): items.indices.map { String($0) }
    default: nil
    }
  }

  /// The value as a script takes it, nil for a container.
  fileprivate var scriptText: String? {
    switch self {
    case .dictionary, .array, .set: nil
    case .string(let text): text
    case .integer(let number): number.description
    case .real(let real): real.value.description
    case .boolean(let flag): flag ? "true" : "false"
    case .date(let date): date.exactISO8601 ?? "\(date.secondsSince2001) s since 2001"
    case .data(let bytes): Self.base64(bytes)
    case .uid(let number): String(number)
    case .null: "null"
    }
  }
}
