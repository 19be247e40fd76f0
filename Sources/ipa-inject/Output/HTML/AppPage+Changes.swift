internal import ATSMerge
internal import PlistKit

extension AppPage {
  /// What differs from the app as it was before.
  var changes: HTML {
    guard let changes = verification?.changes else { return .empty }
    return .group([
      tag(.p) {
        "Compared with "
        HTML.own(Self.name(ofFile: changes.original), limit: 200)
        "."
      },
      tag(.h3, text: "Info.plist"),
      plistChanges(changes.plist),
      tag(.h3, text: "Other files"),
      changes.members.isEmpty
        ? tag(.p, text: "All other files are the same, byte for byte.")
        : HTML.table(
          "files",
          caption: "Files that differ", columns: ["File", "Difference"],
          rows: changes.members.prefix(Self.mostRows).map { member in
            [HTML.code(member.path), HTML.text(member.message)]
          }),
      HTML.more(than: Self.mostRows, of: changes.members.count, "files"),
    ])
  }

  private func plistChanges(_ changes: [PlistChange]?) -> HTML {
    guard let changes else { return tag(.p, text: "More values differ than are compared.") }
    guard !changes.isEmpty else { return tag(.p, text: "No value differs.") }
    return .group([
      HTML.table(
        "changes",
        caption: "Values that differ", columns: ["Key path", "Change", "Before", "After"],
        rows: changes.prefix(Self.mostRows).map { change in
          [
            HTML.code(change.path.description), HTML.text(change.op.word),
            HTML.value(change.old), HTML.value(change.new),
          ]
        }),
      HTML.more(than: Self.mostRows, of: changes.count, "values"),
    ])
  }
}

extension HTML {
  /// A property-list value in one line.
  static func value(_ value: PlistValue?) -> HTML {
    value.map { HTML.code($0.oneLine, limit: 300) }
      ?? tag(.span, .class("nothing"), text: "nothing")
  }
}

extension PlistChange.Operation {
  /// What was done, in a word.
  fileprivate var word: String {
    switch self {
    case .add: "+ added"
    case .remove: "− removed"
    case .replace: "~ replaced"
    }
  }
}
