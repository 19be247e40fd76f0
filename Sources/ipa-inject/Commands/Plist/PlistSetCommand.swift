internal import PlistKit

/// Sets one value.
struct PlistSetCommand: Command {
  static let name = "plist set"
  static let summary = "set one value, and change no other byte of its document"
  static let usage = [
    "INPUT KEYPATH --string VALUE (-o OUTPUT | --in-place) [options]",
    "INPUT KEYPATH --json '{\"a\": [1, 2.0]}' (-o OUTPUT | --in-place)",
  ]
  static let discussion = """
    \(PlistFamily.inputHelp) From standard input the result goes to standard output, unless -o names \
    a file.

    \(PlistFamily.keyPathHelp) A new key comes last in its dictionary; an array takes one more item at \
    an index equal to its count, or at '-'.

    The report is JSON with --output-format json, because --json is a value here.

    Example:
    ipa-inject plist set Info.plist /UIFileSharingEnabled --bool true --in-place
    """
  static let options =
    [
      OptionGroup(
        "The value, exactly one",
        [
          .value("--string", "VALUE", "a text"),
          .value("--integer", "VALUE", "a whole number from -2^63 to 2^64 - 1, also 0x and digits"),
          .value("--real", "VALUE", "a number such as 1.5, 1e9, nan, -inf"),
          .value("--bool", "VALUE", "true, false, yes or no"),
          .value("--date", "VALUE", "a moment in UTC: 2026-11-30T08:00:00Z"),
          .value("--data", "VALUE", "bytes in base 64"),
          .value(
            "--json", "VALUE", "any of JSON: 1 is an integer, 1.0 a real, null only in binary"),
        ]),
      OptionGroup(
        "How it is set",
        [
          .flag("--create-parents", "make dictionaries that are missing on the way"),
          .value("--insert-after", "KEY", "put a new key behind this one of the same dictionary"),
        ]),
    ] + PlistEditing.options + [
      OptionGroup(
        "Report",
        [.choice("--output-format", ["text", "json"], "text, or one JSON document (text)")])
    ]
  static let jsonSpellings = ["--output-format=json"]

  private let keyPath: PlistKeyPath
  private let value: PlistValue
  private let makesParents: Bool
  private let sibling: String?
  private let editing: PlistEditing

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let given = try Self.arguments(arguments, ["INPUT", "KEYPATH"])
    keyPath = try PlistFamily.keyPath(given[1])
    value = try Self.value(arguments)
    makesParents = arguments.has("--create-parents")
    sibling = arguments["--insert-after"]
    editing = try PlistEditing(arguments, input: given[0], Self.jsonSpellings)
  }

  func run(in environment: Environment) throws(Failure) -> any Report {
    do throws(Failure) { return try edited(in: environment) } catch {
      var failure = error
      if failure.message.hasPrefix("a dictionary has no key"), !makesParents, sibling == nil {
        failure.hint = "--create-parents makes the dictionaries on the way"
      }
      throw failure
    }
  }

  private func edited(in environment: Environment) throws(Failure) -> PlistEditReport {
    try editing.run("plist-set", in: environment) { root throws(PlistError) in
      var root = root
      if makesParents { root = try root.makingParents(of: keyPath) }
      let path = root.appendingPath(keyPath)
      if let sibling, root[path] == nil {
        return try root.inserting(value, at: path, after: sibling)
      }
      return try root.setting(root[path].map { $0.keepingWidth(for: value) } ?? value, at: path)
    }
  }

  private static func value(_ arguments: ParsedArguments) throws(UsageError) -> PlistValue {
    let names = ["--string", "--integer", "--real", "--bool", "--date", "--data", "--json"]
    let given = names.filter { arguments.has($0) }
    guard let name = given.first, let text = arguments[name] else {
      throw UsageError("the value is missing", hint: "one of \(names.joined(separator: ", "))")
    }
    guard given.count == 1 else {
      throw UsageError("\(given[0]) and \(given[1]) exclude each other")
    }
    let read: (value: PlistValue?, form: String) =
      switch name {
      case "--integer":
        (PlistInteger(text).map(PlistValue.integer), "a whole number from -2^63 to 2^64 - 1")
      case "--real": (PlistReal(text).map(PlistValue.real), "a number")
      case "--bool": (boolean(text).map(PlistValue.boolean), "true, false, yes or no")
      case "--date":
        (PlistDate(iso8601: text).map(PlistValue.date), "a moment such as 2026-11-30T08:00:00Z")
      case "--data": (PlistValue.bytes(base64: text).map(PlistValue.data), "base 64")
      case "--json": (try json(text), "JSON")
      default: (.string(text), "a text")
      }
    guard let value = read.value else { throw UsageError("\(name) '\(text)' is not \(read.form)") }
    return value
  }

  private static func boolean(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "true", "yes": true
    case "false", "no": false
    default: nil
    }
  }

  private static func json(_ text: String) throws(UsageError) -> PlistValue {
    do throws(PlistError) { return try PlistValue(parsingJSON: Array(text.utf8)) } catch {
      throw UsageError(
        "--json: \(error)",
        hint: text.hasPrefix("--")
          ? "--json takes a value here; the report is JSON with --output-format json"
          : "a text needs its quotation marks: '\"text\"'")
    }
  }
}

extension PlistValue {
  /// The value with an empty dictionary at each step to a path where nothing stands.
  fileprivate func makingParents(of path: PlistKeyPath) throws(PlistError) -> PlistValue {
    var root = self
    for length in 1..<max(1, path.components.count) {
      let parent = root.appendingPath(PlistKeyPath(Array(path.components.prefix(length))))
      if root[parent] == nil { root = try root.setting([:], at: parent) }
    }
    return root
  }

  /// The path with the index behind an array's last item for a `-` at its end (RFC 6901, section 4).
  fileprivate func appendingPath(_ path: PlistKeyPath) -> PlistKeyPath {
    guard case .key("-")? = path.components.last else { return path }
    let parent = PlistKeyPath(Array(path.components.dropLast()))
    guard let items = self[parent]?.array else { return path }
    return parent.appending(index: items.count)
  }

  /// A new value for the place of this one: the same number stays in the width that it is stored in.
  fileprivate func keepingWidth(for new: PlistValue) -> PlistValue {
    guard case .real(let old) = self, case .real(let real) = new,
      old.value.bitPattern == real.value.bitPattern
    else { return new }
    return self
  }
}
