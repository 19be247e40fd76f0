public import PlistKit

/// How much a finding matters.
public enum FindingLevel: String, Sendable, Comparable, CaseIterable {
  /// Worth knowing.
  case note
  /// Probably not what was meant.
  case warning
  /// The app will not work as it should.
  case error

  public static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// One result of a rule.
public struct Finding: Sendable, Equatable {
  /// The rule's ID.
  public var rule: String
  /// How much it matters.
  public var level: FindingLevel
  /// What was found and what to do, as a sentence. Installation IDs are hidden in it.
  public var message: String
  /// The member it was found in, relative to the input.
  public var file: String?
  /// The value it was found at.
  public var path: PlistKeyPath?
  /// Where that value, or the nearest container of it that is there, stands in the file; nil until
  /// somebody who has the file looked.
  public var place: PlistPlace?
  /// How many findings it stands for: more than one where it tells that there are so many more.
  public var standsFor = 1
}

/// What a rule's check returns; the rule adds its ID and level.
struct Observation: Sendable {
  var message: String
  var file: String?
  var path: PlistKeyPath?
  /// The level, where it is not the rule's own.
  var level: FindingLevel?

  init(
    _ message: String, file: String? = nil, at path: PlistKeyPath? = nil, level: FindingLevel? = nil
  ) {
    self.message = message
    self.file = file
    self.path = path
    self.level = level
  }
}
