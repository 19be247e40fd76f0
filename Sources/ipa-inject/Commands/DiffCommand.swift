internal import AppBundle
internal import PlistKit

/// Says what differs between two apps.
struct DiffCommand: Command {
  static let name = "diff"
  static let summary = "say what differs between two apps: plists by key, other members by content"
  static let usage = ["A B"]
  static let options = [
    OptionGroup(
      "Options",
      [
        LoadedApp.appOption,
        .showSecrets,
      ])
  ]

  private let paths: [String]
  private let app: String?
  private let showsSecrets: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = try Self.arguments(arguments, ["A", "B"])
    app = arguments["--app"]
    showsSecrets = arguments.has("--show-secrets")
  }

  func run(in environment: Environment) throws(Failure) -> any Report {
    let old = try LoadedApp(paths[0], app: app, log: environment.log)
    let new = try LoadedApp(paths[1], app: app, log: environment.log)
    return DiffReport(
      old: old, new: new, showsSecrets: showsSecrets,
      members: try AppComparison(old: old, new: new).members)
  }
}

/// What differs between two apps.
struct DiffReport: Report {
  let old: LoadedApp
  let new: LoadedApp
  let showsSecrets: Bool
  let members: [MemberChange]

  var revealsCredentials: Bool { showsSecrets }

  var status: ExitStatus { members.isEmpty ? .success : .findings }

  var json: JSONValue {
    [
      "schema": "ipa-inject/diff/1",
      "a": .string(old.path), "b": .string(new.path),
      "members": .array(
        members.map { member in
          [
            "path": .string(member.path), "kind": .string(member.kind.rawValue),
            "old": member.old?.json ?? .null, "new": member.new?.json ?? .null,
            "changes": member.changes.map { .array($0.map(\.diffJSON)) } ?? .null,
          ]
        }),
    ]
  }

  func text(_ style: Style) -> String {
    members.map { member in
      let head = style.bold(member.path.printable) + " \(member.headline.printable)\n"
      return head
        + (member.changes ?? []).map {
          $0.diffText(style, showsSecrets: showsSecrets, indent: "  ")
        }.joined()
    }.joined()
  }
}
