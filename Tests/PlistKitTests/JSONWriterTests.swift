import Testing

@testable import PlistKit

@Suite struct JSONWriterTests {
  private func text(_ value: PlistValue, _ options: JSONOptions = JSONOptions()) throws -> String {
    String(decoding: try value.json(options), as: UTF8.self)
  }

  @Test func isLaidOutInLines() throws {
    let value: PlistValue = ["b": [1, [:], []], "a": ["k": true], "n": .null]
    #expect(
      try text(value) == """
        {
          "b" : [
            1,
            {},
            []
          ],
          "a" : {
            "k" : true
          },
          "n" : null
        }
        """)
    #expect(
      try text(value, JSONOptions(isCompact: true)) == #"{"b":[1,{},[]],"a":{"k":true},"n":null}"#)
  }

  static let leaves: [(value: PlistValue, text: String)] = [
    (
      "\"\\/\u{8}\u{C}\n\r\t\0\u{1F}\u{7F}é\u{2028}",
      #""\"\\/\b\f\n\r\t\u0000\u001f"# + "\u{7F}é\u{2028}\""
    ),
    (.integer(PlistInteger(Int64.min)), "-9223372036854775808"),
    (.integer(PlistInteger(UInt64.max)), "18446744073709551615"),
    (.real(PlistReal(1.0)), "1.0"), (.real(PlistReal(-0.0)), "-0.0"),
    (.real(PlistReal(0.1)), "0.1"), (.real(PlistReal(1e22)), "1e+22"),
    (.real(PlistReal(Double.leastNonzeroMagnitude)), "5e-324"),
    (.real(PlistReal(Float(0.1))), "0.10000000149011612"),
    (.boolean(false), "false"),
  ]

  @Test(arguments: leaves) func isWritten(_ value: PlistValue, _ text: String) throws {
    #expect(try self.text(value) == text)
    if case .real(let real) = value, real.isSinglePrecision { return }
    #expect(try PlistValue(parsingJSON: Array(text.utf8)) == value)
  }

  static let refused: [(name: String, value: PlistValue)] = [
    ("a UID", .uid(1)), ("a set", .set([])), ("data", .data([1])),
    ("a date", .date(PlistDate(secondsSince2001: 0))), ("NaN", .real(PlistReal(Double.nan))),
    ("infinity", .real(PlistReal(-Double.infinity))),
  ]

  @Test(arguments: refused) func isRefused(_ name: String, _ value: PlistValue) throws {
    let error = try #require(throws: PlistError.self) { try text(["a": [0, value]]) }
    #expect(error.code == .unrepresentable)
    #expect(error.keyPath?.description == "/a/1")
  }

  @Test func datesAndDataBecomeTextOnRequest() throws {
    let options = JSONOptions(isCompact: true, writesDatesAndDataAsText: true)
    let value: PlistValue = [
      .data([0, 0xFF]), .date(PlistDate(secondsSince2001: 0)),
      .date(PlistDate(secondsSince2001: 0.25)),
    ]
    #expect(
      try text(value, options) == #"["AP8=","2001-01-01T00:00:00Z","2001-01-01T00:00:00.25Z"]"#)
    let error = try #require(throws: PlistError.self) {
      try text(["k": .date(PlistDate(secondsSince2001: .nan))], options)
    }
    #expect(error.code == .unrepresentable && error.keyPath?.description == "/k")
  }

  @Test func keysOfTwoUnicodeFormsStayTwo() throws {
    let value = PlistValue.dictionary(PlistDictionary([("\u{E9}", 1), ("e\u{301}", 2)]))
    #expect(try PlistValue(parsingJSON: value.json()) == value)
  }

  /// Some hundred bytes can mean more values than any memory holds.
  @Test func sharedValuesAreCountedFirst() {
    var value: PlistValue = ["x"]
    for _ in 0..<40 { value = .array(Array(repeating: value, count: 10)) }
    #expect(throws: PlistError(.limit, detail: "")) { try value.json() }
  }

  @Test func depthHasABound() throws {
    var value: PlistValue = []
    for _ in 1..<512 { value = [value] }
    #expect(try value.json(JSONOptions(isCompact: true)).count == 1024)
    #expect(throws: PlistError(.limit, detail: "")) { try PlistValue.array([value]).json() }
  }
}
