import Testing

@testable import ATSMerge

@Suite struct SpellingTests {
  @Test(arguments: [
    ("--ouput", "--output"), ("--oputut", "--output"), ("--OUTPUT", "--output"),
    ("--in-plcae", "--in-place"),
  ]) func findsTheWordThatWasMeant(word: String, meant: String) {
    #expect(Spelling.nearest(to: word, in: ["--output", "--in-place", "--force"]) == meant)
  }

  @Test func nothingIsNearEnough() {
    #expect(Spelling.nearest(to: "--xyzzy", in: ["--output", "--force"]) == nil)
    #expect(Spelling.nearest(to: "", in: ["--output"]) == nil)
  }

  @Test(arguments: [
    ("", "", 0), ("a", "", 1), ("abc", "abc", 0), ("abc", "acb", 1), ("kitten", "sitting", 3),
  ])
  func countsEdits(a: String, b: String, edits: Int) {
    #expect(Spelling.distance(a, b) == edits)
  }
}
