/// Renders help from the tables.
struct Help: Sendable {
  /// Columns to wrap at.
  let width: Int

  init(width: Int) { self.width = min(max(width, 40), 120) }

  /// The list of commands by what they are for.
  var overview: String {
    var text = """
      ipa-inject prepares iOS apps for update delivery and re-signing.

      Usage: ipa-inject COMMAND [OPTIONS] [ARGUMENTS]


      """
    for group in CommandTable.groups {
      text += "\(group.title):\n"
      for entry in group.entries { text += self.entry(entry.name, entry.summary, column: 14) }
      text += "\n"
    }
    return text + """
      'ipa-inject COMMAND --help' shows what a command takes, 'ipa-inject --version' the version.

      """
  }

  /// The list of commands that share a first word.
  func family(_ family: CommandFamily) -> String {
    var text = wrapped(family.summary.capitalizedFirst + ".", indent: 0) + "\n"
    text += "Usage: ipa-inject \(family.name) COMMAND [OPTIONS] [ARGUMENTS]\n\nCommands:\n"
    for (word, command) in zip(family.words, family.commands) {
      text += entry(word, command.summary, column: 14)
    }
    return text + "\n"
      + wrapped("'ipa-inject \(family.name) COMMAND --help' shows what a command takes.", indent: 0)
  }

  /// The help of one command.
  func command(_ command: any Command.Type) -> String {
    var text = wrapped(command.summary.capitalizedFirst + ".", indent: 0) + "\n"
    text += command.usage.enumerated().map { index, usage in
      (index == 0 ? "Usage: " : "       ") + "ipa-inject \(command.name) \(usage)\n"
    }.joined()
    if !command.discussion.isEmpty {
      text +=
        "\n"
        + command.discussion.split(separator: "\n", omittingEmptySubsequences: false)
        .map { wrapped(String($0), indent: 0) }.joined()
    }
    for group in command.options + [Tool.commonOptions(beside: command)] {
      text += "\n\(group.title):\n"
      for option in group.options {
        let repeats = option.isRepeatable ? "; repeatable" : ""
        text += entry(option.usage, option.help + repeats, column: 30)
      }
    }
    return text
  }

  private func entry(_ term: String, _ help: String, column: Int) -> String {
    let start = "  " + term
    let body = wrapped(help, indent: column)
    return start.count + 2 > column
      ? start + "\n" + body : start + body.dropFirst(start.count)
  }

  /// Text broken at blanks, each line indented.
  private func wrapped(_ text: String, indent: Int) -> String {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, indent + line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    lines.append(line)
    let margin = String(repeating: " ", count: indent)
    return lines.map { $0.isEmpty ? "\n" : margin + $0 + "\n" }.joined()
  }
}

extension String {
  /// The text with its first letter in upper case.
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
