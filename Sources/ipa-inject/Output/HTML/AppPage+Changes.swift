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
            [HTML.path(member.path), HTML.text(member.message)]
          }),
      HTML.more(than: Self.mostRows, of: changes.members.count, "files"),
    ])
  }

  private func plistChanges(_ whole: [PlistChange]?) -> HTML {
    guard let whole else { return tag(.p, text: "More values differ than are compared.") }
    guard !whole.isEmpty else { return tag(.p, text: "No value differs.") }
    let changes = whole.flatMap(\.leaves)
    return .group([
      HTML.table(
        "changes",
        caption: "Values that differ", columns: ["Key path", "Change", "Before", "After"],
        rows: changes.prefix(Self.mostRows).map { change in
          [
            HTML.path(change.path.description), HTML.text(change.op.word),
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

extension PlistChange {
  /// What came or went, value by value, as long as it is not much.
  fileprivate var leaves: [PlistChange] {
    guard op != .replace, let value = new ?? old, PlistSize.fits(value, values: 64, bytes: 1 << 16)
    else { return [self] }
    let parts: [(path: PlistKeyPath, value: PlistValue)]
    switch value {
    case .dictionary(let dictionary) where !dictionary.isEmpty:
      parts = dictionary.entries.map { (path.appending(key: $0.key), $0.value) }
    case .array(let items) where !items.isEmpty:
      parts = items.enumerated().map { (path.appending(index: $0), $1) }
    default: return [self]
    }
    return parts.flatMap { part in
      PlistChange(
        op: op, path: part.path, old: op == .add ? nil : part.value,
        new: op == .add ? part.value : nil
      ).leaves
    }
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
