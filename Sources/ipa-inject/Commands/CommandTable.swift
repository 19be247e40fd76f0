internal import ATSMerge

/// Commands of two words that share the first: `plist print`, `plist get`.
struct CommandFamily: Sendable {
  /// The first word. The commands' names begin with it and a blank.
  let name: String
  /// What they do, in one line without capital and full stop.
  let summary: String
  let commands: [any Command.Type]
  /// What other tools call the commands, for "did you mean".
  var synonyms: [String: String] = [:]

  /// What the commands are called behind the first word.
  var words: [String] { commands.map { String($0.name.dropFirst(name.count + 1)) } }
}

/// Everything that can follow the program's name.
enum CommandTable {
  /// A line of the overview.
  enum Entry: Sendable {
    case command(any Command.Type)
    case family(CommandFamily)

    var name: String {
      switch self {
      case .command(let type): type.name
      case .family(let family): family.name
      }
    }

    var summary: String {
      switch self {
      case .command(let type): type.summary
      case .family(let family): family.summary
      }
    }
  }

  /// What a command line begins with.
  enum Found {
    case command(any Command.Type, arguments: [String])
    /// The first word of a family, and whether help is asked for or the second word is missing.
    case family(CommandFamily, isHelp: Bool)
  }

  static let groups: [(title: String, entries: [Entry])] = [
    ("Prepare an app", [.command(InjectCommand.self), .command(StripCommand.self)]),
    (
      "Look into an app",
      [
        .command(InspectCommand.self), .command(VerifyCommand.self), .command(ATSCommand.self),
        .command(DiffCommand.self),
      ]
    ),
    ("Work on many apps", [.family(BatchFamily.family)]),
    ("Sign an app", [.command(PlanCommand.self), .command(SignCommand.self)]),
    ("Pack and unpack", [.command(PackCommand.self), .command(UnpackCommand.self)]),
    ("Work on property lists", [.family(PlistFamily.family)]),
    ("Look at this machine", [.command(DiscoverCommand.self)]),
  ]

  /// What some words name.
  static func find(_ words: [String]) throws(Failure) -> Found {
    let name = words.first ?? ""
    let rest = Array(words.dropFirst())
    let entries = groups.flatMap(\.entries)
    switch entries.first(where: { $0.name == name }) {
    case .command(let type)?: return .command(type, arguments: rest)
    case .family(let family)?: return try find(rest, in: family)
    case nil:
      throw unknown(
        name, what: "command", near: Spelling.nearest(to: name, in: entries.map(\.name)))
    }
  }

  private static func find(
    _ words: [String], in family: CommandFamily
  ) throws(Failure) -> Found {
    guard let word = words.first else { return .family(family, isHelp: false) }
    if ["-h", "--help", "help"].contains(word) {
      let named = family.commands.first {
        $0.name == "\(family.name) \(words.dropFirst().first ?? "")"
      }
      return named.map { .command($0, arguments: ["--help"]) } ?? .family(family, isHelp: true)
    }
    let name = "\(family.name) \(word)"
    if let type = family.commands.first(where: { $0.name == name }) {
      return .command(type, arguments: Array(words.dropFirst()))
    }
    let near = (family.synonyms[word] ?? Spelling.nearest(to: word, in: family.words))
      .map { "\(family.name) \($0)" }
    throw unknown(word, what: "'\(family.name)' command", near: near, help: "\(family.name) --help")
  }

  private static func unknown(
    _ word: String, what: String, near: String?, help: String = "--help"
  ) -> Failure {
    // Somebody may know the second word alone.
    let families = groups.flatMap(\.entries).compactMap { entry in
      if case .family(let family) = entry, family.words.contains(word) { family } else { nil }
    }
    let meant = families.first.map { "\($0.name) \(word)" } ?? near
    return Failure.usage(
      UsageError(
        word.hasPrefix("-")
          ? "options stand after the command, and '\(word)' is none" : "unknown \(what) '\(word)'",
        hint: meant.map { "did you mean '\($0)'?" } ?? "'ipa-inject \(help)' lists the commands"))
  }
}
