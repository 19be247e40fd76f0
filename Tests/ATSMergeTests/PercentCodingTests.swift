import Testing

@testable import ATSMerge

@Suite struct PercentCodingTests {
  static let rows: [Row<String, String>] = [
    Row("unreserved", "aZ09-._~", "aZ09-._~"), Row("colon and slash", "gh:a/b", "gh%3Aa%2Fb"),
    Row("blank", "a b", "a%20b"), Row("plus", "C++", "C%2B%2B"),
    Row("ampersand", "a&b=c", "a%26b%3Dc"),
    Row("percent", "100%", "100%25"), Row("beyond ASCII", "ü", "%C3%BC"), Row("empty", "", ""),
  ]

  @Test(arguments: rows) func isEncodedAndDecoded(_ row: Row<String, String>) {
    #expect(PercentCoding.encode(row.input) == row.expected)
    #expect(PercentCoding.decode(row.expected[...]) == row.input)
  }

  static let odd: [Row<String, String>] = [
    Row("a form's blank", "a+b", "a b"), Row("cut short", "a%2", "a%2"),
    Row("lone percent", "%", "%"),
    Row("no digits", "%zz", "%zz"), Row("lower case", "%c3%bc", "ü"),
  ]

  @Test(arguments: odd) func isDecodedLeniently(_ row: Row<String, String>) {
    #expect(PercentCoding.decode(row.input[...]) == row.expected)
  }
}
