/// A command line for the shell with places for what is signed.
package struct ShellTemplate: Sendable, Equatable {
  /// What can stand in braces.
  package enum Placeholder: String, Sendable, CaseIterable {
    /// The input; where there is no `{output}`, a copy of it that is signed in place.
    case input = "{input}"
    /// Where the signed app goes, of the form that the output has.
    case output = "{output}"
    /// The app's folder, unpacked, in a copy that is signed in place where there is no `{output}`.
    case bundle = "{bundle}"
    /// The profile of the main app.
    case profile = "{profile}"
    /// The entitlements of the main app, a property list.
    case entitlements = "{entitlements}"
    /// A file that holds the password, for its owner alone.
    case passwordFile = "{password-file}"
  }

  package let text: String

  /// - Throws: ``SigningError`` with code `unsupported` where it does not say what is signed.
  package init(_ text: String) throws(SigningError) {
    self.text = text
    guard uses(.input) || uses(.bundle) else {
      throw SigningError(
        .unsupported, detail: "it names neither {input} nor {bundle}",
        hint: "--command 'signer {input} {output}'")
    }
  }

  package func uses(_ placeholder: Placeholder) -> Bool { text.contains(placeholder.rawValue) }

  /// The command line with each placeholder as one word of the shell.
  package func line(_ values: [Placeholder: String]) -> String {
    var line = ""
    var rest = text[...]
    while let brace = rest.firstIndex(of: "{") {
      line += rest[..<brace]
      rest = rest[brace...]
      let found = Placeholder.allCases.first { rest.hasPrefix($0.rawValue) }
      line += found.map { Self.quoted(values[$0] ?? "") } ?? "{"
      rest = rest.dropFirst(found?.rawValue.count ?? 1)
    }
    return line + rest
  }

  /// A text as one word (POSIX, Shell Command Language, 2.2.2).
  package static func quoted(_ text: String) -> String {
    let plain = text.utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "/._-+=:,@%".utf8.contains($0)
      }
    }
    if plain, !text.isEmpty { return text }
    return "'"
      + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }
}
