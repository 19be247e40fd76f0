import Testing

@testable import PlistKit

extension PlistValue {
  /// The value with the changes made in their order.
  fileprivate func applying(_ changes: [PlistChange]) throws(PlistError) -> PlistValue {
    var value = self
    for change in changes {
      if let new = change.new {
        value = try value.setting(new, at: change.path)
      } else {
        value = try value.removing(change.path)
      }
    }
    return value
  }

  /// With the keys of all dictionaries in order.
  fileprivate var sorted: PlistValue {
    switch self {
    case .array(let items): .array(items.map(\.sorted))
    case .dictionary(let dictionary):
      .dictionary(
        PlistDictionary(
          dictionary.entries.map { ($0.key, $0.value.sorted) }
            .sorted { Array($0.0.utf8).lexicographicallyPrecedes(Array($1.0.utf8)) }))
    default: self
    }
  }
}

/// Two values and the changes from one to the other, as text.
struct DifferenceRow: CustomTestStringConvertible, Sendable {
  let name: String
  let old: PlistValue
  let new: PlistValue
  let changes: [String]

  init(_ name: String, _ old: PlistValue, _ new: PlistValue, _ changes: String...) {
    (self.name, self.old, self.new, self.changes) = (name, old, new, changes)
  }

  var testDescription: String { name }
}

@Suite struct PlistDifferenceTests {
  static let rows: [DifferenceRow] = [
    DifferenceRow("equal", ["a": [1, "x"]], ["a": [1, "x"]]),
    DifferenceRow("another order of keys", ["a": 1, "b": 2], ["b": 2, "a": 1]),
    DifferenceRow("a value", ["a": 1, "b": 2], ["a": 1, "b": 3], "replace /b"),
    DifferenceRow("a value below", ["a": ["b": [1, 2]]], ["a": ["b": [1, 3]]], "replace /a/b/1"),
    DifferenceRow("a new key is one change", ["a": 1], ["a": 1, "b": ["c": [1]]], "add /b"),
    DifferenceRow("a key less", ["a": 1, "b": 2], ["b": 2], "remove /a"),
    DifferenceRow("a key renamed", ["a": 1], ["b": 1], "remove /a", "add /b"),
    DifferenceRow("items added", ["p"], ["p", "q", "r"], "add /1", "add /2"),
    DifferenceRow("items removed", ["p", "q", "r"], ["p"], "remove /2", "remove /1"),
    DifferenceRow("another type", ["a": [1]], ["a": ["b": 1]], "replace /a"),
    DifferenceRow("integer and real", ["a": 1], ["a": .real(PlistReal(1.0))], "replace /a"),
    DifferenceRow("the root", "a", ["a"], "replace "),
    DifferenceRow("a set is one value", [.set([1, 2])], [.set([1, 3])], "replace /0"),
    DifferenceRow("accents", ["é": 1], ["e\u{301}": 1], "remove /é", "add /e\u{301}"),
  ]

  @Test(arguments: rows) func isTheSmallest(_ row: DifferenceRow) throws {
    let changes = try PlistChange.changes(from: row.old, to: row.new)
    let texts = changes.map { "\($0.op.rawValue) \($0.path)" }
    #expect(texts.count == row.changes.count)
    #expect(zip(texts, row.changes).allSatisfy { $0.isIdenticalText(to: $1) })
    for change in changes {
      #expect(change.old == row.old[change.path])
      #expect(change.new == row.new[change.path])
    }
    #expect(try row.old.applying(changes).sorted == row.new.sorted)
  }

  @Test func appliedChangesMakeTheOtherValue() throws {
    var generator = SeededGenerator(state: 21)
    for _ in 0..<300 {
      let old = PlistValue.random(using: &generator)
      var new = old
      for _ in 0..<Int.random(in: 1...5, using: &generator) {
        new = try new.randomlyEdited(using: &generator)
      }
      let changes = try PlistChange.changes(from: old, to: new)
      #expect(try old.applying(changes).sorted == new.sorted)
      let back = try PlistChange.changes(from: new, to: old)
      #expect(try new.applying(back).sorted == old.sorted)
    }
  }

  @Test func sharedValuesAreComparedOnce() throws {
    let bytes = BinaryParserTests.laughs(levels: 30).bytes
    let root = try PlistDocument(parsing: bytes).root
    let again = try PlistDocument(parsing: bytes).root
    #expect(try PlistChange.changes(from: root, to: again).isEmpty)
    let path = PlistKeyPath((0..<30).map { _ in .index(3) })
    let edited = try again.setting("hi", at: path)
    #expect(try PlistChange.changes(from: root, to: edited).map(\.path) == [path])
  }

  @Test func differencesOfWhatIsSharedOverAndOverAreABound() throws {
    let root = try PlistDocument(parsing: BinaryParserTests.laughs(levels: 30).bytes).root
    var file = BinaryParserTests.laughs(levels: 30)
    file.objects[30] = ascii("hi")
    let other = try PlistDocument(parsing: file.bytes).root
    var limits = ParseLimits()
    limits.expandedObjects = 100_000
    #expect(throws: PlistError(.limit, detail: "")) {
      try PlistChange.changes(from: root, to: other, limits: limits)
    }
  }

  @Test func boundsHoldAtTheirNumberAndNotOneBeyond() throws {
    var limits = ParseLimits()
    limits.expandedObjects = 3
    limits.depth = 1
    #expect(try PlistChange.changes(from: [1, 2], to: [1, 3], limits: limits).count == 1)
    limits.expandedObjects = 2
    #expect(throws: PlistError(.limit, detail: "")) {
      try PlistChange.changes(from: [1, 2], to: [1, 3], limits: limits)
    }
    limits.expandedObjects = 3
    limits.depth = 0
    #expect(throws: PlistError(.limit, detail: "")) {
      try PlistChange.changes(from: [1, 2], to: [1, 3], limits: limits)
    }
  }
}
