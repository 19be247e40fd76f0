import Testing

@testable import PlistKit

@Suite struct PlistDictionaryTests {
  @Test func keysKeepTheirPlaces() {
    var dictionary = PlistDictionary([("b", 1), ("a", 2), ("b", 3)])
    #expect(dictionary.keys == ["b", "a"])
    #expect(dictionary["b"] == 3)
    dictionary["b"] = 4
    dictionary["c"] = 5
    #expect(dictionary.keys == ["b", "a", "c"])
    dictionary["b"] = nil
    dictionary["none"] = nil
    #expect(dictionary.keys == ["a", "c"])
    #expect(dictionary.count == 2)
    #expect(PlistDictionary().isEmpty)
  }

  @Test func keysCompareByTheirBytes() {
    let dictionary = PlistDictionary([("\u{e9}", 1), ("e\u{301}", 2)])
    #expect(dictionary.count == 2)
    #expect(dictionary["e\u{301}"] == 2)
  }

  @Test func orderCountsInEquality() {
    #expect(PlistDictionary([("a", 1), ("b", 2)]) != PlistDictionary([("b", 2), ("a", 1)]))
  }
}
