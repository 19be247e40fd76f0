internal import ATSMerge

/// Says on standard error what is being done, where that was asked for.
struct Log: Sendable {
  /// The stream; nil where nobody wants to know.
  let console: Console?

  /// Says one thing.
  func detail(_ text: @autoclosure () -> String) {
    console?.write("ipa-inject: \(Redaction.hidingIDs(in: text()).printable)\n")
  }
}
