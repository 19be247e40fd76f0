/// What came of one input, for a report that may be on many.
enum VerifiedInput: Sendable {
  case report(VerifyReport)
  /// The input could not be looked at.
  case failure(input: String, Failure)
}

/// A report that is put together piece by piece, so that one on thousands of inputs is never in the
/// memory as a whole.
protocol ReportDocument: Sendable {
  /// What stands before the first input.
  mutating func head() -> String
  /// What is said of an input.
  mutating func piece(of input: VerifiedInput) -> String
  /// What stands behind the last input; the status is that of the whole run.
  mutating func tail(status: ExitStatus) -> String
}

extension ReportDocument {
  /// The document on one input.
  func text(of input: VerifiedInput, status: ExitStatus) -> String {
    var document = self
    return document.head() + document.piece(of: input) + document.tail(status: status)
  }
}
