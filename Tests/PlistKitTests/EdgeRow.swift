import Testing

@testable import PlistKit

/// A file of the edge cases, with what PlistKit makes of it by default and what Apple's reader does.
struct EdgeRow: CustomTestStringConvertible, Sendable {
  /// The file's name without extension: `b_` binary, `x_` text.
  let file: String
  let verdict: Verdict
  /// What Apple's reader makes of it, nil where it does not come back.
  let apple: Verdict?
  /// The property that makes the difference, where one alone does.
  let property: StrictnessProperty?
  /// Words of Documentation/plist-differences.md that explain a difference which none alone makes.
  let reason: String?

  var testDescription: String { file }

  /// A file of which Apple's reader makes the same.
  init(_ file: String, _ verdict: Verdict) {
    self.init(file, verdict, apple: verdict, property: nil, reason: nil)
  }

  /// A file on which one property decides.
  init(_ file: String, _ verdict: Verdict, apple: Verdict, by property: StrictnessProperty) {
    self.init(file, verdict, apple: apple, property: property, reason: nil)
  }

  /// A file on which PlistKit differs for a reason that the page of differences gives.
  init(_ file: String, _ verdict: Verdict, apple: Verdict?, because reason: String) {
    self.init(file, verdict, apple: apple, property: nil, reason: reason)
  }

  private init(
    _ file: String, _ verdict: Verdict, apple: Verdict?, property: StrictnessProperty?,
    reason: String?
  ) {
    self.file = file
    self.verdict = verdict
    self.apple = apple
    self.property = property
    self.reason = reason
  }

  static let all: [EdgeRow] =
    binaryLeaves + binaryContainers + binaryLayout + xmlScalars + xmlText + xmlDocuments

  /// The compact text of a value in so many arrays.
  fileprivate static func text(nested levels: Int, around value: String) -> String {
    String(repeating: "[", count: levels) + value + String(repeating: "]", count: levels)
  }
}

extension Verdict {
  /// A value in so many arrays, each of one item.
  static func reads(arrays levels: Int, around value: String) -> Verdict {
    .reads(EdgeRow.text(nested: levels, around: value))
  }
}
