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
    do throws(BundleError) {
      let differences = try new.application.memberDifferences(from: old.application)
      return DiffReport(
        old: old, new: new, showsSecrets: showsSecrets,
        members: try differences.map { difference throws(BundleError) in
          try MemberChange(difference, old: old, new: new)
        })
    } catch { throw Failure(error, file: paths[1]) }
  }
}

/// A member that differs; a property list with its changes.
struct MemberChange: Sendable {
  let path: String
  let kind: MemberDifference.Kind
  /// The changes by key, nil where it is no property list.
  let changes: [PlistChange]?

  init(_ difference: MemberDifference, old: LoadedApp, new: LoadedApp) throws(BundleError) {
    path = difference.path
    kind = difference.kind
    let isInfoPlist = path == new.application.infoPlistPath
    guard kind == .contents, isInfoPlist || path.hasSuffix(".plist") || path.hasSuffix(".strings")
    else {
      changes = nil
      return
    }
    let oldPath = isInfoPlist ? old.application.infoPlistPath : path
    let before = try? PlistDocument(parsing: old.application.contents(of: oldPath)).root
    let after = try? PlistDocument(parsing: new.application.contents(of: path)).root
    if let before, let after {
      changes = try? PlistChange.changes(from: before, to: after)
    } else {
      changes = nil
    }
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
            "changes": member.changes.map { .array($0.map(\.diffJSON)) } ?? .null,
          ]
        }),
    ]
  }

  func text(_ style: Style) -> String {
    members.map { member in
      let head = style.bold(member.path.printable) + " \(member.kind.sentence)\n"
      guard let changes = member.changes else { return head }
      if changes.isEmpty { return head + "  the same values in another form\n" }
      return head
        + changes.map { $0.diffText(style, showsSecrets: showsSecrets, indent: "  ") }.joined()
    }.joined()
  }
}
