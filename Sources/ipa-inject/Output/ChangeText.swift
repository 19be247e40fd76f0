internal import ATSMerge
internal import PlistKit

/// How a difference of two property lists is shown.
extension PlistChange {
  /// How much of a value is printed.
  private static let shownLength = 200

  var diffJSON: JSONValue {
    [
      "op": .string(op.rawValue), "path": .string(path.description),
      "old": old.map { JSONValue($0) } ?? .null,
      "new": new.map { JSONValue($0) } ?? .null,
    ]
  }

  /// One line for each leaf that came, went or changed.
  func diffText(_ style: Style, showsSecrets: Bool, indent: String) -> String {
    let text = { (value: PlistValue?) in Self.text(of: value, showsSecrets: showsSecrets) }
    let lines = { (sign: String, value: PlistValue?) in
      Self.leaves(value, at: path, showsSecrets: showsSecrets).map { "\(indent)\(sign) \($0)" }
    }
    return switch op {
    case .add: lines("+", new).map { style.green($0) + "\n" }.joined()
    case .remove: lines("-", old).map { style.red($0) + "\n" }.joined()
    case .replace:
      style.yellow("\(indent)~ \(path.shown)") + " \(text(old))\(type(of: old)) -> "
        + "\(text(new))\(type(of: new))\n"
    }
  }

  /// The type behind a value, where it is what differs.
  private func type(of value: PlistValue?) -> String {
    guard let value, let old, let new, old.typeWord != new.typeWord else { return "" }
    return " (\(value.typeWord))"
  }

  private static func leaves(
    _ value: PlistValue?, at path: PlistKeyPath, showsSecrets: Bool
  ) -> [String] {
    let isShown = value.map { PlistSize.fits($0, values: 1 << 17, bytes: 32 << 20) } ?? true
    return switch isShown ? value : nil {
    case .dictionary(let dictionary)? where !dictionary.isEmpty:
      dictionary.entries.flatMap {
        leaves($0.value, at: path.appending(key: $0.key), showsSecrets: showsSecrets)
      }
    case .array(let items)? where !items.isEmpty:
      items.enumerated().flatMap {
        leaves($1, at: path.appending(index: $0), showsSecrets: showsSecrets)
      }
    default:
      [
        "\(path.shown) "
          + (isShown ? text(of: value, showsSecrets: showsSecrets) : "a value too large to show")
      ]
    }
  }

  private static func text(of value: PlistValue?, showsSecrets: Bool) -> String {
    guard let value else { return "" }
    // What is cut off in the middle of an ID is no longer known for one.
    let whole = JSONValue(value)
    return (showsSecrets ? whole : whole.hidingIDs).compact.printable.cut(to: shownLength)
  }
}

extension PlistKeyPath {
  /// The path for people.
  var shown: String { description.printable }
}
