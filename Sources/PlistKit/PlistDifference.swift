/// One value that was added, replaced or removed.
public struct PlistChange: Sendable, Equatable {
  /// What was done.
  public enum Operation: String, Sendable {
    /// A value stands where none stood.
    case add
    /// Another value stands in the place of one.
    case replace
    /// A value is gone.
    case remove
  }

  /// What was done.
  public let op: Operation
  /// Where.
  public let path: PlistKeyPath
  /// The value before, nil for an added one.
  public let old: PlistValue?
  /// The value after, nil for a removed one.
  public let new: PlistValue?

  /// A change of these parts.
  public init(op: Operation, path: PlistKeyPath, old: PlistValue?, new: PlistValue?) {
    self.op = op
    self.path = path
    self.old = old
    self.new = new
  }

  /// The smallest changes, at the deepest paths, that make one value of another.
  ///
  /// Dictionaries are compared by key, their order aside; arrays item by item, with what one has more
  /// at its end added or removed. A new key is one `add` of its whole value, a set is one value.
  /// Applied in order with ``PlistValue/setting(_:at:)`` and ``PlistValue/removing(_:)`` the changes
  /// turn `old` into `new`, the order of keys aside. The time is linear in both values, with a
  /// pair of containers that both sides share compared once if it does not differ.
  /// - Throws: ``PlistError`` with code `limit` where more than 262,144 values differ, it takes more
  ///   than ``ParseLimits/expandedObjects`` comparisons, as values can that share what differs in them,
  ///   or the values are deeper than ``ParseLimits/depth``.
  public static func changes(
    from old: PlistValue, to new: PlistValue, limits: ParseLimits = .standard
  ) throws(PlistError) -> [PlistChange] {
    var difference = Difference(limits: limits)
    try difference.compare(old, new)
    return difference.changes
  }
}

private struct Difference {
  let limits: ParseLimits
  var changes: [PlistChange] = []
  private var path: [PlistKeyPath.Component] = []
  private var compared = 0
  /// The steps of all paths that are kept.
  private var steps = 0
  /// More changes than a person or a program does anything with; each keeps its own path.
  private static let mostChanges = 1 << 18
  private static let mostSteps = 1 << 22
  /// Pairs of containers that do not differ, the order of keys aside.
  private var same: Set<StoragePair> = []

  init(limits: ParseLimits) { self.limits = limits }

  mutating func compare(_ old: PlistValue, _ new: PlistValue) throws(PlistError) {
    compared += 1
    guard compared <= limits.expandedObjects else {
      throw PlistError(
        .limit, keyPath: PlistKeyPath(path),
        detail: "more than \(limits.expandedObjects) values to compare")
    }
    guard path.count <= limits.depth else {
      throw PlistError(.limit, detail: "more than \(limits.depth) levels of containers")
    }
    switch (old, new) {
    case (.dictionary(let from), .dictionary(let to)):
      guard !isKnown(old, new) else { return }
      let before = changes.count
      try compare(from, to)
      if changes.count == before { know(old, new) }
    case (.array(let from), .array(let to)):
      guard !isKnown(old, new) else { return }
      let before = changes.count
      try compare(from, to)
      if changes.count == before { know(old, new) }
    default:
      var comparison = PlistComparison()
      if !comparison.areEqual(old, new) { try note(.replace, old: old, new: new) }
    }
  }

  private func isKnown(_ old: PlistValue, _ new: PlistValue) -> Bool {
    guard let pair = StoragePair(old, new) else { return false }
    return pair.a == pair.b || same.contains(pair)
  }

  private mutating func know(_ old: PlistValue, _ new: PlistValue) {
    if let pair = StoragePair(old, new) { same.insert(pair) }
  }

  private mutating func note(
    _ op: PlistChange.Operation, old: PlistValue?, new: PlistValue?
  ) throws(PlistError) {
    steps += path.count
    guard changes.count < Self.mostChanges, steps <= Self.mostSteps else {
      throw PlistError(
        .limit, keyPath: PlistKeyPath(path), detail: "more than \(changes.count) values differ")
    }
    changes.append(PlistChange(op: op, path: PlistKeyPath(path), old: old, new: new))
  }

  private mutating func compare(
    _ old: PlistDictionary, _ new: PlistDictionary
  ) throws(PlistError) {
    var matcher = KeyMatcher(new)
    var isMatched = [Bool](repeating: false, count: new.count)
    for entry in old.entries {
      path.append(.key(entry.key))
      if let place = matcher.place(of: entry.key) {
        isMatched[place] = true
        try compare(entry.value, new.entries[place].value)
      } else {
        try note(.remove, old: entry.value, new: nil)
      }
      path.removeLast()
    }
    for (place, entry) in new.entries.enumerated() where !isMatched[place] {
      path.append(.key(entry.key))
      try note(.add, old: nil, new: entry.value)
      path.removeLast()
    }
  }

  private mutating func compare(
    _ old: [PlistValue], _ new: [PlistValue]
  ) throws(PlistError) {
    let common = min(old.count, new.count)
    for index in 0..<common {
      path.append(.index(index))
      try compare(old[index], new[index])
      path.removeLast()
    }
    for index in common..<new.count {
      path.append(.index(index))
      try note(.add, old: nil, new: new[index])
      path.removeLast()
    }
    for index in (common..<old.count).reversed() {
      path.append(.index(index))
      try note(.remove, old: old[index], new: nil)
      path.removeLast()
    }
  }
}
