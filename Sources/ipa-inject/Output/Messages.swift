internal import ATSMerge

/// What is said to people on standard error, a line each, without credentials and control characters.
struct Messages: Sendable {
  let console: Console
  var style = Style.plain
  /// Whether nothing but errors is said.
  var isQuiet = false
  /// The bars that may stand below the last line.
  var display: ProgressDisplay?
  /// What all that is said is about, where several things go on at once.
  var subject: String?

  /// The same, about one of several things.
  func about(_ subject: String) -> Messages {
    var messages = self
    messages.subject = subject
    return messages
  }

  /// Says what is being done.
  func say(_ text: String) { write([line(text)]) }

  /// Says what a person should know.
  func warn(of texts: [String]) {
    if !isQuiet { write(texts.map { line($0, style.yellow("warning:") + " ") }) }
  }

  /// Says what was decided for the person.
  func note(_ texts: [String]) {
    if !isQuiet { write(texts.map { line($0, style.dim("note:") + " ") }) }
  }

  /// Says what went wrong. The text names what it is about.
  func error(_ text: String) {
    write(["ipa-inject: \(style.red("error:")) \(shown(text))\n"])
  }

  /// Says what came of it all.
  func close(_ text: String) { if !isQuiet { write([line(text)]) } }

  private func line(_ text: String, _ mark: String = "") -> String {
    // A text that begins with what it is about need not be told so.
    let about = subject.flatMap { text.hasPrefix($0 + " ") ? nil : $0 + ": " }
    let whole = (about ?? "") + text
    return "ipa-inject: \(mark)\(shown(whole))\n"
  }

  private func shown(_ text: String) -> String { Redaction.hidingIDs(in: text).printable }

  private func write(_ lines: [String]) {
    if lines.isEmpty { return }
    let text = lines.joined()
    guard let display else {
      console.write(text)
      return
    }
    _ = display.interrupted { console.write(text) }
  }
}
