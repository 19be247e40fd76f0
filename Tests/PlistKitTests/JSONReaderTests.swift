import Testing

@testable import PlistKit

/// A text and what reading it must come to.
private struct Row: CustomTestStringConvertible, Sendable {
  let name: String
  let text: [UInt8]
  let value: PlistValue?
  let code: PlistError.Code?
  let place: String?

  init(_ name: String, _ text: String, _ value: PlistValue) {
    (self.name, self.text, self.value, code, place) = (name, Array(text.utf8), value, nil, nil)
  }

  init(_ name: String, _ text: String, _ code: PlistError.Code, _ place: String? = nil) {
    self.init(name, Array(text.utf8), code, place)
  }

  init(_ name: String, _ text: [UInt8], _ code: PlistError.Code, _ place: String? = nil) {
    (self.name, self.text, value, self.code, self.place) = (name, text, nil, code, place)
  }

  var testDescription: String { name }
}

@Suite struct JSONReaderTests {
  private static let accepted: [Row] = [
    Row("an object", #"{"b": 1, "a": "x"}"#, ["b": 1, "a": "x"]),
    Row("the empty object", "{}", [:]),
    Row("an empty object with space", " { \t\r\n} ", [:]),
    Row("the empty array", "[]", []),
    Row("nested arrays", "[[],[[ ]]]", [[], [[]]]),
    Row("a word at the top", "true", true),
    Row("all words", "[true,false,null]", [true, false, .null]),
    Row("an empty name", #"{"": 0}"#, ["": 0]),
    Row("zero", "0", 0),
    Row("minus zero", "-0", 0),
    Row("the least integer", "-9223372036854775808", .integer(PlistInteger(Int64.min))),
    Row("the largest integer", "18446744073709551615", .integer(PlistInteger(UInt64.max))),
    Row("18 digits", "-999999999999999999", -999_999_999_999_999_999),
    Row("19 digits", "1000000000000000000", 1_000_000_000_000_000_000),
    Row("a real that is whole", "1.0", .real(PlistReal(1.0))),
    Row("a real minus zero", "-0.0", .real(PlistReal(-0.0))),
    Row("an exponent", "1e3", .real(PlistReal(1000.0))),
    Row("an exponent with sign", "[1E+3,1e-3]", [.real(PlistReal(1e3)), .real(PlistReal(1e-3))]),
    Row("an exponent with zeros", "1e0003", .real(PlistReal(1000.0))),
    Row(
      "the largest real", "1.7976931348623157e308", .real(PlistReal(Double.greatestFiniteMagnitude))
    ),
    Row("the least real", "5e-324", .real(PlistReal(Double.leastNonzeroMagnitude))),
    Row("a real below the least", "1e-400", .real(PlistReal(0.0))),
    Row("every escape", #""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
    Row("hexadecimal escapes", #""\u00e9\u00C9\u0000""#, "é\u{C9}\0"),
    Row("a surrogate pair", #""\ud83d\ude00""#, "😀"),
    Row(
      "the outermost surrogate pairs", #""\ud800\udc00\uDBFF\uDFFF""#, "\u{10000}\u{10FFFF}"),
    Row("the neighbours of surrogates", #""\ud7ff\ue000\uffff""#, "\u{D7FF}\u{E000}\u{FFFF}"),
    Row("text beyond ASCII", "\"é😀\u{2028}\u{FFFE}\"", "é😀\u{2028}\u{FFFE}"),
    Row("DEL is no control character of JSON", "\"\u{7F}\"", "\u{7F}"),
    Row("a byte-order mark", "\u{FEFF}[1]", [1]),
    Row(
      "names of two Unicode forms", "{\"\u{E9}\": 1, \"e\u{301}\": 2}",
      .dictionary(PlistDictionary([("\u{E9}", 1), ("e\u{301}", 2)]))),
  ]

  private static let rejected: [Row] = [
    Row("nothing", "", .truncated, "line 1, column 1"),
    Row("only space", " \n ", .truncated, "line 2, column 2"),
    Row("only a byte-order mark", "\u{FEFF}", .truncated),
    Row("two byte-order marks", "\u{FEFF}\u{FEFF}1", .malformed),
    Row("a trailing comma in an array", "[1,]", .malformed, "line 1, column 4: /1"),
    Row("a trailing comma in an object", #"{"a":1,}"#, .malformed, "line 1, column 8"),
    Row("a comma alone", "[,]", .malformed),
    Row("two commas", "[1,,2]", .malformed),
    Row("no comma", "[1 2]", .malformed, "line 1, column 4"),
    Row("no colon", #"{"a" 1}"#, .malformed),
    Row("two colons", #"{"a"::1}"#, .malformed),
    Row("a name without quotation marks", "{a:1}", .malformed),
    Row("a name in single ones", "{'a':1}", .malformed),
    Row("a number for a name", "{1:1}", .malformed),
    Row("a name alone", #"{"a"}"#, .malformed),
    Row("a value that is missing", #"{"a":}"#, .malformed, "line 1, column 6: /a"),
    Row("an array that is open", "[1", .truncated),
    Row("an object that is open", #"{"a":1"#, .truncated),
    Row("an object open at a name", #"{"a":1,"#, .truncated),
    Row("the wrong bracket", "[1}", .malformed),
    Row("a bracket too many", "[]]", .trailingBytes, "line 1, column 3"),
    Row("two values", "1 2", .trailingBytes),
    Row("a zero byte behind it", "1\0", .trailingBytes),
    Row("a comment", "/* c */ 1", .malformed),
    Row("a comment behind it", "1 // c", .trailingBytes),
    Row("a vertical tab", "[\u{B}1]", .malformed),
    Row("a no-break space", "[\u{A0}1]", .malformed),
    Row("a word in capitals", "True", .malformed),
    Row("half a word", "[tru]", .malformed),
    Row("a word with more", "truex", .trailingBytes),
    Row("NaN", "NaN", .malformed),
    Row("Infinity", "-Infinity", .malformed),
    Row("a plus sign", "+1", .malformed),
    Row("two minus signs", "--1", .malformed),
    Row("a minus sign alone", "-", .truncated),
    Row("leading zeros", "01", .trailingBytes),
    Row("leading zeros behind minus", "-012", .trailingBytes),
    Row("a point first", ".5", .malformed),
    Row("a point last", "1.", .truncated),
    Row("a point before an exponent", "1.e3", .malformed),
    Row("an exponent without digits", "[1e]", .malformed),
    Row("an exponent of two signs", "1e+-2", .malformed),
    Row("a hexadecimal number", "0x1", .trailingBytes),
    Row("a fullwidth digit", "\u{FF11}", .malformed),
    Row("an integer too large", "18446744073709551616", .badValue),
    Row("an integer too small", "-9223372036854775809", .badValue),
    Row("a real too large", "1e400", .badValue),
    Row("text without end", #""abc"#, .truncated, "line 1, column 1"),
    Row("text that ends in a backslash", "\"\\", .truncated),
    Row("an escape that is none", #""\x41""#, .malformed, "line 1, column 2"),
    Row("an escape of a capital", #""\U0041""#, .malformed),
    Row("too few digits", #""\u12""#, .malformed),
    Row("digits that are none", #""\u12g4""#, .malformed),
    Row("a sign among digits", #""\u+123""#, .malformed),
    Row("a high surrogate alone", #""\ud800""#, .encoding),
    Row("a low surrogate alone", #""\udc00""#, .encoding),
    Row("two high surrogates", #""\ud800\ud800""#, .encoding),
    Row("a high surrogate before text", #""\ud800x""#, .encoding),
    Row("a high surrogate before another escape", #""\ud800\n""#, .encoding),
    Row("a high surrogate before half an escape", #""\ud800\u12"#, .malformed),
    Row("a high surrogate before the end", #""\ud800\"#, .encoding),
    Row("a line feed in text", "\"a\nb\"", .malformed, "line 1, column 3"),
    Row("a tab in text", "\"\t\"", .malformed),
    Row("a zero byte in text", "\"\0\"", .malformed),
    Row("bytes that are no UTF-8", [0x22, 0xFF, 0x22], .encoding),
    Row("an overlong form", [0x22, 0xC0, 0x80, 0x22], .encoding),
    Row("a surrogate in UTF-8", [0x22, 0xED, 0xA0, 0x80, 0x22], .encoding),
    Row("UTF-16", [0xFE, 0xFF, 0x00, 0x31], .malformed),
    Row("a name twice", #"{"a":1,"# + "\n" + #""a":1}"#, .duplicateKey, "line 2, column 1: /a"),
    Row(
      "a name twice, once escaped", #"[{"a":1,"\u0061":1}]"#, .duplicateKey,
      "line 1, column 9: /0/a"),
  ]

  @Test(arguments: accepted) private func isRead(_ row: Row) throws {
    #expect(try PlistValue(parsingJSON: row.text) == row.value)
  }

  @Test(arguments: rejected) private func isRefused(_ row: Row) throws {
    let error = try #require(throws: PlistError.self) { try PlistValue(parsingJSON: row.text) }
    #expect(error.code == row.code, "\(error)")
    if let place = row.place { #expect(error.description.hasPrefix(place + ": "), "\(error)") }
  }

  /// Every beginning of a text is an error with a place, never more.
  @Test func everyBeginningIsRefused() throws {
    let text = Array(#"{"a":[1.5e+3,"\ud83d\ude00é",null,{"b":-0}]}"#.utf8)
    for length in 0..<text.count {
      let error = try #require(throws: PlistError.self) {
        try PlistValue(parsingJSON: Array(text[..<length]))
      }
      #expect(error.location != nil, "\(length)")
    }
  }

  @Test func limitsAreKept() throws {
    var limits = ParseLimits.standard
    limits.depth = 3
    #expect(try PlistValue(parsingJSON: Array("[[[]]]".utf8), limits: limits) == [[[]]])
    #expect(throws: PlistError(.limit, detail: "")) {
      try PlistValue(parsingJSON: Array("[[[[]]]]".utf8), limits: limits)
    }
    limits.objects = 3
    #expect(try PlistValue(parsingJSON: Array("[1,2]".utf8), limits: limits) == [1, 2])
    #expect(throws: PlistError(.limit, detail: "")) {
      try PlistValue(parsingJSON: Array("[1,2,3]".utf8), limits: limits)
    }
    limits.bytes = 5
    #expect(try PlistValue(parsingJSON: Array("[1,2]".utf8), limits: limits) == [1, 2])
    #expect(throws: PlistError(.limit, detail: "")) {
      try PlistValue(parsingJSON: Array("[1,2] ".utf8), limits: limits)
    }
  }

  /// Many names are looked up in another way than a few.
  @Test func manyNamesDiffer() throws {
    let names = (0..<40).map { #""n\#($0)": \#($0)"# }.joined(separator: ",")
    let value = try PlistValue(parsingJSON: Array("{\(names)}".utf8))
    #expect(value.dictionary?.keys == (0..<40).map { "n\($0)" })
    for again in [0, 15, 16, 39] {
      let error = try #require(throws: PlistError.self) {
        try PlistValue(parsingJSON: Array("{\(names),\n\"n\(again)\":0}".utf8))
      }
      #expect(error.code == .duplicateKey && error.location == .line(2, column: 1))
      #expect(error.keyPath == PlistKeyPath(keys: "n\(again)"))
    }
  }

  @Test func aMillionLevelsAreAnError() {
    for start in ["[", "{\"a\":"] {
      let text = Array(String(repeating: start, count: 1_000_000).utf8)
      #expect(throws: PlistError(.limit, detail: "")) { try PlistValue(parsingJSON: text) }
    }
  }

  @Test func aNumberHasABound() throws {
    let most = String(repeating: "1", count: 4094)
    #expect(
      try PlistValue(parsingJSON: Array("0.\(most)".utf8)) == .real(PlistReal(0.1111111111111111)))
    #expect(throws: PlistError(.limit, detail: "")) {
      try PlistValue(parsingJSON: Array("0.\(most)1".utf8))
    }
  }

  static let looks: [(text: String, isJSON: Bool)] = [
    ("[1]", true), (" \n{ \"a\" : 1", true), ("\u{FEFF}{\"a\":1}", true), (#"{"a\"=": 1}"#, true),
    ("{}", false), ("{ a = 1; }", false), (#"{ "a" = 1; }"#, false), (#""a" = "b";"#, false),
    ("", false), ("{\"a", false), ("<plist/>", false), ("( 1 )", false),
  ]

  @Test(arguments: looks) func isToldFromOpenStep(_ text: String, _ isJSON: Bool) {
    #expect(PlistValue.looksLikeJSON(Array(text.utf8)) == isJSON)
  }
}
