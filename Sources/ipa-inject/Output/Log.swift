/// Says on standard error what is being done, where that was asked for.
struct Log: Sendable {
  /// Where it is said; nil where nobody wants to know.
  let messages: Messages?

  /// Says one thing.
  func detail(_ text: @autoclosure () -> String) {
    messages?.say(text())
  }
}
