import Testing

@testable import PlistKit

@Suite struct PlistValueTests {
  /// One value of each type, no two equal.
  static let values: [(name: String, value: PlistValue)] = [
    ("a dictionary", ["k": 1]), ("an array", [1]), ("a string", "1"), ("an integer", 1),
    ("a real", .real(PlistReal(1.0))), ("a date", .date(PlistDate(secondsSince2001: 1))),
    ("data", .data([1])), ("a boolean", true), ("a UID", .uid(1)), ("null", .null),
    ("a set", .set([1])),
  ]

  @Test func eachTypeHasItsNameAndEqualsOnlyItself() {
    for (place, row) in Self.values.enumerated() {
      #expect(row.value.typeName == row.name)
      for (other, candidate) in Self.values.enumerated() {
        #expect((row.value == candidate.value) == (place == other))
        var comparison = PlistComparison()
        #expect(comparison.areEqual(row.value, candidate.value) == (place == other))
      }
    }
  }

  @Test func accessorsTakeNoOtherType() {
    let values = Self.values.map(\.value)
    #expect(values.compactMap(\.dictionary).count == 1)
    #expect(values.compactMap(\.array) == [[1]])
    #expect(values.compactMap(\.string) == ["1"])
    #expect(values.compactMap(\.boolean) == [true])
  }

  @Test func textComparesByItsBytes() {
    #expect(PlistValue.string("\u{e9}") != PlistValue.string("e\u{301}"))
  }

  @Test func comparisonOfWhatIsSharedIsFast() throws {
    let bytes = BinaryParserTests.laughs(levels: 30).bytes
    let clock = ContinuousClock()
    let time = try clock.measure {
      var comparison = PlistComparison()
      let root = try PlistDocument(parsing: bytes).root
      #expect(comparison.areEqual(root, try PlistDocument(parsing: bytes).root))
    }
    #expect(time < .seconds(1))
  }
}
