internal import ATSMerge
internal import AppBundle
internal import PlistKit

extension Finding {
  /// Scalars of a message, and of each step of a key path, that a report has. An app can have keys of
  /// any length.
  private static let textLimit = 1000

  /// The message, cut where it is too long for anybody to read.
  var shownMessage: String { message.cut(to: Self.textLimit) }

  /// The key path as a JSON Pointer, each step cut where it is too long.
  var pathText: String? {
    guard let path else { return nil }
    let isShort = path.components.allSatisfy { component in
      if case .key(let key) = component { key.utf8.count <= Self.textLimit } else { true }
    }
    if isShort { return path.description }
    return PlistKeyPath(
      path.components.map { component in
        if case .key(let key) = component { .key(key.cut(to: Self.textLimit)) } else { component }
      }
    ).description
  }

  /// Whether the message begins with the key path.
  var namesItsPath: Bool {
    guard let text = path?.description, text.utf8.count > 1 else { return false }
    return shownMessage.utf8.starts(with: text.utf8)
  }

  /// Whether the message begins with the file, and the finding leads to no place in it.
  var isOfWholeFile: Bool {
    guard let file, path == nil, place == nil else { return false }
    return message.utf8.starts(with: (file + " ").utf8)
  }

  /// Line and column, or object and byte, for people; nil where that is not known.
  var placeText: String? {
    switch place?.location {
    case .line(let line, let column)?: "\(line):\(column)"
    case .offset(let offset)?: place?.object.map { "object \($0) (byte \(offset))" }
    case nil: nil
    }
  }
}

extension [Finding] {
  /// The findings, the worst first, each level in the order that they have.
  var worstFirst: [Finding] {
    FindingLevel.allCases.reversed().flatMap { level in filter { $0.level == level } }
  }
}

extension VerifyReport {
  /// How many findings there are of each level, the worst first.
  var countsText: String {
    let counts = FindingLevel.allCases.reversed().compactMap { level in
      self.counts[level].map { "\($0.grouped) \(level.rawValue)\($0 == 1 ? "" : "s")" }
    }
    return counts.isEmpty ? "nothing found" : counts.joined(separator: ", ")
  }

  /// The file of a finding as a path from the working folder, and the member of it where it is an
  /// archive.
  func file(of finding: Finding) -> (path: String, member: String?) {
    guard let file = finding.file, kind != .plist else { return (input, nil) }
    if kind == .ipa { return (input, file) }
    return (input.hasSuffix("/") ? input + file : "\(input)/\(file)", nil)
  }
}

extension Rule {
  /// The first sentence of the help.
  var firstOfHelp: String {
    help.firstRange(of: ". ").map { help[..<$0.lowerBound] + "." } ?? help
  }
}
