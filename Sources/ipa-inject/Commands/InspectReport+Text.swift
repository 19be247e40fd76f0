internal import ATSMerge
internal import AppBundle
internal import PlistKit

extension InspectReport {
  func text(_ style: Style) -> String {
    let sections: [(String, [String])] = [
      (name ?? loaded.path, identity), ("Update metadata", metadataLines(style)),
      ("App Transport Security", transportLines), ("Local network", localNetworkLines),
      ("Signature", signing.signatureLines(style)),
      ("Provisioning profile", signing.profileLines(style)),
      ("Nested bundles", bundleLines),
    ]
    return
      sections.filter { !$0.1.isEmpty }
      .map { title, lines in
        style.bold(title.printable) + "\n" + lines.map { "  \($0)\n" }.joined()
      }
      .joined(separator: "\n")
  }

  private var identity: [String] {
    let version = [
      loaded.text("CFBundleShortVersionString"), loaded.text("CFBundleVersion").map { "(\($0))" },
    ]
    let rows: [(String, String?)] = [
      ("identifier", loaded.text("CFBundleIdentifier")),
      ("version", version.compactMap(\.self).joined(separator: " ")),
      ("platforms", platforms.joined(separator: ", ")),
      ("needs", minimumOSVersion.map { "version \($0) or later" }),
      ("executable", loaded.text("CFBundleExecutable")),
      ("Info.plist", "\(loaded.application.infoPlistPath), \(loaded.document.format.rawValue)"),
      ("container", "\(loaded.application.kind.rawValue), \(loaded.size)"),
    ]
    return TextTable(
      rows: rows.compactMap { label, value in
        value?.nonEmpty.map { [label, $0.printable] }
      }
    ).lines()
  }

  private func metadataLines(_ style: Style) -> [String] {
    guard metadata.state != .absent else { return ["none; 'ipa-inject inject' adds it"] }
    let fields: [(String, String?)] = [
      ("source", metadata.source), ("filter", metadata.filter), ("team", metadata.team),
      ("release", metadata.release),
      ("unknown", metadata.unknownKeys.joined(separator: ", ").nonEmpty),
    ]
    let state =
      metadata.state == .valid
      ? style.green("valid") : style.red("malformed: update clients ignore it")
    let rows = fields.compactMap { label, value in value.map { [label, $0.printable] } }
    let urls = metadata.entries.map { ($0.text ?? "an item that is no string").printable }
    return [state] + TextTable(rows: rows).lines() + urls
      + metadata.problems.map { style.red("problem: ") + $0.printable }
  }

  private var transportLines: [String] {
    guard loaded.root.dictionary?[ATSKey.transportSecurity] != nil else {
      return ["no settings of its own"]
    }
    let updateHosts = updateHosts
    let settings = settings.map { [$0.key.shortened.printable, $0.value.oneLine] }
    let domains = exceptions.map { entry in
      [
        entry.key.shortened.printable, entry.value.oneLine,
        updateHosts.contains(entry.key) ? "for updates" : "",
      ]
    }
    return TextTable(rows: settings).lines() + TextTable(rows: domains).lines().map(\.trimmedEnd)
  }

  private var localNetworkLines: [String] {
    let base = loaded.root.dictionary?[LocalNetworkText.key].map { $0.string ?? $0.typeName }
    let services = bonjourServices
    let rows: [[String]] =
      [["text", base.map { LocalNetworkText.isBlank($0) ? "blank" : $0.printable } ?? "none"]]
      + localizedTexts.map { ["text, \($0.language.printable)", $0.text.printable] }
      + (services.isEmpty ? [] : [["Bonjour", services.joined(separator: ", ").printable]])
    return TextTable(rows: rows).lines()
  }

  private var bundleLines: [String] {
    TextTable(
      rows: nested.map { nested in
        [
          nested.bundle.path.printable, nested.bundle.kind.rawValue,
          (nested.text("CFBundleIdentifier") ?? "").printable,
          signing.isSigned(nested.bundle) ? "signed" : "",
        ]
      }
    ).lines().map(\.trimmedEnd)
  }
}

extension String {
  /// The text, of a very long one its start: a column is as wide as its widest cell.
  fileprivate var shortened: String {
    utf8.count > 500 ? "\(cut(to: 200)) (\(utf8.count) bytes in all)" : self
  }
}

extension PlistValue {
  /// The value in one line for people.
  var oneLine: String {
    guard PlistSize.fits(self, values: 1000, bytes: 1 << 16) else {
      return "a value too large to show"
    }
    return switch self {
    case .boolean(let flag): "\(flag)"
    case .string(let text): "\"\(text.printable)\""
    case .integer(let number): number.description
    case .dictionary(let dictionary):
      dictionary.entries.map { entry in
        let value = entry.value.oneLine
        let isNested = entry.value.dictionary?.isEmpty == false
        return "\(entry.key.printable) \(isNested ? "{\(value)}" : value)"
      }.joined(separator: ", ").nonEmpty ?? "empty"
    case .array(let items): items.count == 1 ? "1 item" : "\(items.count) items"
    default: typeName
    }
  }
}
