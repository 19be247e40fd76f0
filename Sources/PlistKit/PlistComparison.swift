/// Compares values that may share containers, each pair of containers once; `==` would compare a
/// shared container each time it is met, which a hostile binary file can make take for ever.
struct PlistComparison {
  /// Pairs of storages that hold the same.
  private var same: Set<StoragePair> = []

  /// Whether both are equal.
  mutating func areEqual(_ a: PlistValue, _ b: PlistValue) -> Bool {
    switch (a, b) {
    case (.dictionary(let x), .dictionary(let y)):
      guard x.count == y.count else { return false }
      return unlessKnown(a, b) { comparison in
        zip(x.entries, y.entries).allSatisfy { x, y in
          x.key.isIdenticalText(to: y.key) && comparison.areEqual(x.value, y.value)
        }
      }
    case (.array(let x), .array(let y)), (.set(let x), .set(let y)):
      guard x.count == y.count else { return false }
      return unlessKnown(a, b) { comparison in
        zip(x, y).allSatisfy { comparison.areEqual($0, $1) }
      }
    default: return !a.isContainer && a == b
    }
  }

  private mutating func unlessKnown(
    _ a: PlistValue, _ b: PlistValue, compare: (inout PlistComparison) -> Bool
  ) -> Bool {
    guard let pair = StoragePair(a, b) else { return true }
    if pair.a == pair.b || same.contains(pair) { return true }
    guard compare(&self) else { return false }
    same.insert(pair)
    return true
  }
}

/// The storages of two containers.
struct StoragePair: Hashable {
  let a: UInt
  let b: UInt

  /// Nil where one of them is empty or no container.
  init?(_ a: PlistValue, _ b: PlistValue) {
    guard let a = a.storage, let b = b.storage else { return nil }
    self.a = a
    self.b = b
  }
}

/// Finds the keys of a dictionary: at once where they come in its order, else through an index.
struct KeyMatcher {
  private let entries: [PlistDictionary.Entry]
  private var next = 0
  private var places: [ExactText: Int] = [:]

  init(_ dictionary: PlistDictionary) { entries = dictionary.entries }

  /// Where a key stands.
  mutating func place(of key: String) -> Int? {
    if next < entries.count, entries[next].key.isIdenticalText(to: key) {
      next += 1
      return next - 1
    }
    if places.isEmpty {
      for (place, entry) in entries.enumerated() { places[ExactText(entry.key)] = place }
    }
    guard let place = places[ExactText(key)] else { return nil }
    next = place + 1
    return place
  }
}
