import Foundation
import Testing

@testable import PlistKit

/// A text with what it reads as or fails with.
struct OpenStepRow: CustomTestStringConvertible, Sendable {
  let name: String
  let text: String
  let value: PlistValue?
  let code: PlistError.Code?

  init(_ name: String, _ text: String, _ value: PlistValue) {
    (self.name, self.text, self.value, code) = (name, text, value, nil)
  }

  init(_ name: String, _ text: String, _ code: PlistError.Code) {
    (self.name, self.text, value, self.code) = (name, text, nil, code)
  }

  var testDescription: String { name }
}

@Suite struct OpenStepPlistTests {
  static let containers: [OpenStepRow] = [
    OpenStepRow("dictionary", "{ a = b; \"c d\" = 'e f'; }", ["a": "b", "c d": "e f"]),
    OpenStepRow("empty dictionary", "{}", [:]),
    OpenStepRow("array", "( a, \"b\", (c) )", ["a", "b", ["c"]]),
    OpenStepRow("array with a comma at its end", "(a,b,)", ["a", "b"]),
    OpenStepRow("empty array", "()", []),
    OpenStepRow(
      "data", "(<0fbd77 1C2735AE>)", [.data([0x0F, 0xBD, 0x77, 0x1C, 0x27, 0x35, 0xAE])]),
    OpenStepRow("empty data", "(<>)", [.data([])]),
    OpenStepRow("numbers stay text", "{ n = 12; v = 1.2.3; }", ["n": "12", "v": "1.2.3"]),
    OpenStepRow("words", "(a_b$c/d:e.f-G9)", ["a_b$c/d:e.f-G9"]),
    OpenStepRow("quoted string alone", "\"a b\"", "a b"),
    OpenStepRow(".strings", "\"a\" = \"b\";\nc = d;\n", ["a": "b", "c": "d"]),
    OpenStepRow(".strings with a key for both", "\"a\";", ["a": "a"]),
    OpenStepRow(".strings of comments", " /* a */ // b\n", [:]),
    OpenStepRow(
      "comments", "/* x */ { // y\r a /**/ = b /* * / */; }// z", ["a": "b"]),
    OpenStepRow("line separator ends a comment", "(// x\u{2028}a)", ["a"]),
  ]

  static let strings: [OpenStepRow] = [
    OpenStepRow(
      "escapes", #"("\a\b\f\n\r\t\v\"\'\\")"#, ["\u{7}\u{8}\u{c}\n\r\t\u{b}\"'\\"]),
    OpenStepRow("unknown escape", #"("\q\é")"#, ["qé"]),
    OpenStepRow("escaped line end", "(\"a\\\nb\")", ["a\nb"]),
    OpenStepRow("line end in quotes", "(\"a\nb\")", ["a\nb"]),
    OpenStepRow("octal", #"("\101\60x\0")"#, ["A0x\0"]),
    OpenStepRow("octal is NeXTSTEP's", #"("\341\200")"#, ["\u{c6}\u{a0}"]),
    OpenStepRow("Unicode", #"("\U00e9\U65E5x\U41")"#, ["é日xA"]),
    OpenStepRow("surrogate pair", #"("\Ud83d\Ude00")"#, ["😀"]),
    OpenStepRow("high surrogate alone", #"("\Ud83dx")"#, ["\u{fffd}x"]),
    OpenStepRow("low surrogate alone", #"("\Ude00")"#, ["\u{fffd}"]),
    OpenStepRow("text beyond ASCII", "(\"日本 😀\")", ["日本 😀"]),
  ]

  static let refused: [OpenStepRow] = [
    OpenStepRow("word without quotes", "hello", .unknownFormat),
    OpenStepRow("words", "hello world", .unknownFormat),
    OpenStepRow("JSON", "[1, 2]", .unknownFormat),
    OpenStepRow("binary header alone, cut", "xbplist00", .unknownFormat),
    OpenStepRow("quoted string and a word", "\"a\" b", .unknownFormat),
    OpenStepRow("text after the end", "{} x", .trailingBytes),
    OpenStepRow("dictionary without end", "{ a = b;", .truncated),
    OpenStepRow("array without end", "(a,", .truncated),
    OpenStepRow("array without end after an item", "(a", .truncated),
    OpenStepRow("no semicolon", "{ a = b }", .malformed),
    OpenStepRow("no semicolon at the end of .strings", "\"a\" = \"b\"", .truncated),
    OpenStepRow("no equals sign", "{ a b; }", .malformed),
    OpenStepRow("no value", "{ a = ; }", .malformed),
    OpenStepRow("no comma", "(a b)", .malformed),
    OpenStepRow("only a comma", "(,)", .malformed),
    OpenStepRow("wrong bracket", "(a}", .malformed),
    OpenStepRow("quote without end", "(\"a", .truncated),
    OpenStepRow("backslash at the end", "(\"a\\", .truncated),
    OpenStepRow("comment without end", "( /* a", .truncated),
    OpenStepRow("key that is data", "{ <00> = a; }", .malformed),
    OpenStepRow("odd data", "(<0fb>)", .badValue),
    OpenStepRow("GNUstep's typed value", "(<*I5>)", .badValue),
    OpenStepRow("data without end", "(<0f", .truncated),
    OpenStepRow("key twice", "{ a = 1; a = 2; }", .duplicateKey),
    OpenStepRow("letter that needs quotes", "(é)", .malformed),
    OpenStepRow("NUL", "(a, \0)", .malformed),
  ]

  @Test(arguments: containers + strings + refused) func isRead(_ row: OpenStepRow) throws {
    let bytes = Array(row.text.utf8)
    guard let value = row.value else {
      #expect(code(reading: bytes) == row.code)
      return
    }
    let document = try PlistDocument(parsing: bytes)
    #expect(document.format == .openStep)
    #expect(document.root == value)
    #expect(try document.serialized() == bytes)
  }

  @Test func encodingsAreToldFromTheirMarks() throws {
    let text = "{ \"é\" = \"😀\"; }"
    let expected: PlistValue = ["é": "😀"]
    let units = Array(text.utf16)
    let big: [UInt8] = [0xFE, 0xFF] + units.flatMap { bigEndian(UInt64($0), 2) }
    let little: [UInt8] =
      [0xFF, 0xFE] + units.flatMap { [UInt8](bigEndian(UInt64($0), 2).reversed()) }
    for bytes in [[0xEF, 0xBB, 0xBF] + Array(text.utf8), big, little] {
      let document = try PlistDocument(parsing: bytes)
      #expect(document.root == expected)
      #expect(try document.serialized() == bytes)
    }
    #expect(code(reading: big + [0]) == .encoding)
    #expect(code(reading: big + [0xD8, 0x00]) == .encoding)
    #expect(code(reading: Array("{ a = \"".utf8) + [0xE9] + Array("\"; }".utf8)) == .encoding)
    #expect(code(reading: [0xFF, 0xFE, 0, 0, 0x7B, 0, 0, 0]) == .truncated)
    #expect(code(reading: Array("a=b;".utf16.flatMap { [UInt8($0), 0] })) == .encoding)
  }

  @Test func anEditCannotBeWritten() throws {
    var document = try PlistDocument(parsing: Array("{ a = b; }".utf8))
    document.root = ["a": "c"]
    #expect(throws: PlistError(.unrepresentable, detail: "")) { try document.serialized() }
    document.root = ["a": "b"]
    #expect(try document.serialized() == Array("{ a = b; }".utf8))
  }

  @Test func theLastOfARepeatedKeyCounts() throws {
    let document = try PlistDocument(
      parsing: Array("a = 1; b = 2;\na = 3;".utf8),
      strictness: ParseStrictness(allowsDuplicateKeys: true))
    #expect(document.root == ["a": "3", "b": "2"])
    #expect(document.diagnostics.map(\.code) == [.duplicateKey])
    #expect(document.location(of: PlistKeyPath(keys: "a")) == .line(2, column: 5))
  }

  @Test func diagnosticsSayWhereAndAreBounded() throws {
    let document = try PlistDocument(
      parsing: Array(String(repeating: "a = \"\\Ud800\";\r\n", count: 1000).utf8),
      strictness: ParseStrictness(allowsDuplicateKeys: true))
    #expect(document.diagnostics.count == 100)
    let halves = document.diagnostics.filter { $0.code == .unpairedSurrogate }
    #expect(halves.count == 51)
    for (index, half) in halves.enumerated() {
      #expect(half.location == .line(index + 1, column: 5))
      #expect(half.keyPath == PlistKeyPath(keys: "a"))
    }
  }

  @Test func errorsSayWhere() throws {
    let error = try #require(throws: PlistError.self) {
      try PlistDocument(parsing: Array("{\n  a = (x,\r\n  (y z));\n}".utf8))
    }
    #expect(error.location == .line(3, column: 6))
    #expect(error.keyPath == PlistKeyPath([.key("a"), .index(1), .index(1)]))
  }

  @Test func placesOfValuesAreKnown() throws {
    let document = try PlistDocument(parsing: Array("{ a = b;\n  c = (d, e); }".utf8))
    #expect(document.location(of: .root) == .line(1, column: 1))
    #expect(document.location(of: PlistKeyPath(keys: "c", "1")) == .line(2, column: 11))
    #expect(document.location(of: PlistKeyPath(keys: "x")) == nil)
  }

  @Test func boundsHoldAtTheirNumberAndNotOneBeyond() {
    var limits = ParseLimits()
    limits.depth = 3
    #expect(code(reading: Array("(((a)))".utf8), limits: limits) == nil)
    #expect(code(reading: Array("((((a))))".utf8), limits: limits) == .limit)
    limits.objects = 4
    #expect(code(reading: Array("(a, b, <00>)".utf8), limits: limits) == nil)
    #expect(code(reading: Array("(a, b, <00>, ())".utf8), limits: limits) == .limit)
    #expect(code(reading: [UInt8](repeating: UInt8(ascii: "("), count: 1_000_000)) == .limit)
  }

  @Test func octalEscapesAreThoseOfFoundation() throws {
    for byte in UInt8(0x80)...0xFD {
      let text = "(\"\\\(String(byte, radix: 8))\")"
      let root = try PlistDocument(parsing: Array(text.utf8)).root
      #expect(root.array?.first?.string == String(data: Data([byte]), encoding: .nextstep))
    }
  }

  @Test func damageNeverCrashes() throws {
    let text = #"{ a = "b\U00e9\101"; /* c */ d = (e, <0f 1a>, { f = 'g'; },); // h"# + "\n}"
    let bytes = Array(text.utf8)
    var generator = SeededGenerator(state: 5)
    var read = 0
    for _ in 0..<4000 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        damaged[place] =
          Bool.random(using: &generator)
          ? bytes.randomElement(using: &generator) ?? 0
          : UInt8.random(in: 0...255, using: &generator)
      }
      guard let document = try? PlistDocument(parsing: damaged) else { continue }
      if document.format == .openStep { read += 1 }
      #expect(try document.serialized() == damaged)
    }
    #expect(read > 300)
  }
}

@Suite(.enabled(if: SharedFiles.root != nil, "the sample files are not on this machine"))
struct OpenStepSampleTests {
  static let files = ["swift-foundation", "libplist/test-data"].flatMap { folder in
    SharedFiles.names(in: "plists/\(folder)").map { "plists/\(folder)/\($0)" }
  }.filter { $0.contains("oldStyle") || $0.hasSuffix(".strings") }

  @Test(arguments: files) func isRead(_ file: String) throws {
    let bytes = try SharedFiles.bytes(file)
    guard !file.contains("expected") else { return }
    let document = try PlistDocument(parsing: bytes)
    #expect(document.root.isContainer)
    #expect(try document.serialized() == bytes)
  }
}
