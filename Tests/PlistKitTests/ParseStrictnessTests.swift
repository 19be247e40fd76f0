import Foundation
import Testing

@testable import PlistKit

typealias StrictnessProperty = any WritableKeyPath<ParseStrictness, Bool> & Sendable

/// A file on which one property decides.
struct StrictnessRow: CustomTestStringConvertible, Sendable {
  let name: String
  let property: StrictnessProperty
  let file: [UInt8]
  /// What is made of the file with the property off and on, all else as in `strict`.
  let off: Verdict
  let on: Verdict
  /// Whether an edit keeps all of the file: of a key that stands twice one value goes.
  let keepsAll: Bool

  var testDescription: String { name }

  init(
    _ name: String, _ property: StrictnessProperty,
    _ file: [UInt8], off: Verdict, on: Verdict, keepsAll: Bool = true
  ) {
    self.name = name
    self.property = property
    self.file = file
    self.off = off
    self.on = on
    self.keepsAll = keepsAll
  }

  init(
    _ name: String, _ property: StrictnessProperty,
    _ text: String, off: PlistError.Code, on: String, keepsAll: Bool = true
  ) {
    self.init(
      name, property, Array(text.utf8), off: .refuses(off), on: .reads(on), keepsAll: keepsAll)
  }
}

@Suite struct ParseStrictnessTests {
  static let all: [StrictnessRow] = binary + documents + prolog + encodings + text + openStep

  @Test(arguments: all) func decides(_ row: StrictnessRow) throws {
    var strictness = ParseStrictness.strict
    strictness[keyPath: row.property] = false
    #expect(Verdict(reading: row.file, strictness: strictness) == row.off)
    strictness[keyPath: row.property] = true
    #expect(Verdict(reading: row.file, strictness: strictness) == row.on)
  }

  @Test(arguments: all) func losesNothing(_ row: StrictnessRow) throws {
    var strictness = ParseStrictness.strict
    strictness[keyPath: row.property] = row.on.isRead
    var document = try PlistDocument(parsing: row.file, strictness: strictness)
    #expect(try document.serialized() == row.file)
    guard document.format != .openStep, document.root.dictionary != nil else { return }
    let original = document.root
    document.root = try document.root.setting(true, at: PlistKeyPath(keys: "added"))
    let edited = try document.serialized()
    let again = try PlistDocument(parsing: edited, strictness: strictness)
    #expect(again.root == document.root)
    if row.keepsAll {
      #expect(again.diagnostics.map(\.code) == document.diagnostics.map(\.code))
    }
    if row.keepsAll, document.format == .xml {
      let start = zip(edited, row.file).prefix { $0 == $1 }.count
      let end = zip(edited.reversed(), row.file.reversed()).prefix { $0 == $1 }.count
      #expect(start + end >= row.file.count)
    }
    document.root = original
    #expect(try document.serialized() == row.file)
  }

  @Test func everyPropertyHasItsFile() {
    let names = Mirror(reflecting: ParseStrictness.strict).children.compactMap(\.label)
    var shown: Set<String> = []
    for row in Self.all {
      var flipped = ParseStrictness.strict
      flipped[keyPath: row.property].toggle()
      shown.formUnion(Self.differences(.strict, flipped))
    }
    #expect(shown == Set(names))
  }

  /// The page has one row for each property, with its true values.
  @Test func thePageIsInStep() throws {
    let page = try DifferencesPage.rows
    let cell = { (value: Any) in value as? Bool == true ? "✓" : "–" }
    let rows = zip(
      Mirror(reflecting: ParseStrictness.strict).children,
      Mirror(reflecting: ParseStrictness.apple).children
    ).map { strict, apple in [strict.label ?? "", cell(strict.value), cell(apple.value)] }
    #expect(page.map { [$0.property, $0.strict, $0.apple] } == rows)
    for property in page.map(\.property) {
      #expect(try DifferencesPage.text.components(separatedBy: "`\(property)`").count == 2)
    }
  }

  /// The names of the properties in which two differ.
  static func differences(_ a: ParseStrictness, _ b: ParseStrictness) -> [String] {
    zip(Mirror(reflecting: a).children, Mirror(reflecting: b).children).compactMap { a, b in
      a.value as? Bool == b.value as? Bool ? nil : a.label
    }
  }
}

// MARK: - Binary

extension ParseStrictnessTests {
  /// A dictionary of the key "k" and a value, as objects.
  private static func pair(_ value: [UInt8]) -> BinaryFile {
    BinaryFile([0xD1, 1, 2], ascii("k"), value)
  }

  static let binary: [StrictnessRow] = [
    StrictnessRow(
      "a key twice in a binary file", \.allowsDuplicateKeys,
      BinaryFile([0xD2, 1, 1, 2, 3], ascii("k"), [0x10, 1], [0x10, 2]).bytes,
      off: .refuses(.duplicateKey), on: .reads(#"{"k": 1}"#), keepsAll: false),
    StrictnessRow(
      "half of a surrogate pair", \.allowsUnpairedSurrogates,
      pair([0x61, 0xD8, 0x3D]).bytes,
      off: .refuses(.encoding), on: .reads(#"{"k": "\u{fffd}"}"#)),
    StrictnessRow(
      "bytes before the trailer", \.allowsBytesBeforeTrailer,
      {
        var file = pair([0x10, 1])
        file.unexplained = Array("extra".utf8)
        return file.bytes
      }(), off: .refuses(.trailingBytes), on: .reads(#"{"k": 1}"#)),
    StrictnessRow(
      "256 objects with references of one byte", \.allowsNarrowReferences,
      {
        var file = pair([0x10, 1])
        file.objects += Array(repeating: [0x08], count: 253)
        file.offsetSize = 2
        return file.bytes
      }(), off: .refuses(.malformed), on: .reads(#"{"k": 1}"#)),
    StrictnessRow(
      "an integer as key", \.allowsNonStringKeys,
      BinaryFile([0xD2, 1, 2, 3, 4], [0x10, 7], ascii("k"), [0x10, 1], [0xA1, 5], [0x10, 2]).bytes,
      off: .refuses(.malformed), on: .reads(#"{"k": [2]}"#)),
    StrictnessRow(
      "null as key", \.allowsNonStringKeys,
      BinaryFile([0xD1, 1, 2], [0x00], [0x10, 1]).bytes,
      off: .refuses(.malformed), on: .reads("{}")),
    StrictnessRow(
      "a null object", \.allowsNullsAndSets, pair([0x00]).bytes,
      off: .refuses(.malformed), on: .reads(#"{"k": null}"#)),
    StrictnessRow(
      "a set", \.allowsNullsAndSets, pair([0xC1, 1]).bytes,
      off: .refuses(.malformed), on: .reads(#"{"k": set["k"]}"#)),
    StrictnessRow(
      "an integer beyond 64 bits", \.allowsWideIntegers,
      pair([0x14] + bigEndian(1, 8) + bigEndian(5, 8)).bytes,
      off: .refuses(.badValue), on: .reads(#"{"k": 5}"#)),
    StrictnessRow(
      "a high byte in an ASCII string", \.allowsHighBytesInASCII, pair([0x51, 0xE9]).bytes,
      off: .refuses(.encoding), on: .reads(#"{"k": "\u{e9}"}"#)),
    StrictnessRow(
      "text that starts as a binary file does", \.readsDamagedBinaryAsText, "bplist00 = a;",
      off: .truncated, on: #"{"bplist00": "a"}"#),
  ]
}

// MARK: - XML

extension ParseStrictnessTests {
  private static let head = #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"

  private static func document(_ value: String, after: String = "\n") -> String {
    head + "<plist version=\"1.0\">\n<dict>\n\t<key>k</key>\n\t\(value)\n</dict>\n</plist>" + after
  }

  static let documents: [StrictnessRow] = [
    StrictnessRow(
      "a key twice in XML", \.allowsDuplicateKeys,
      document("<true/>\n\t<key>k</key>\n\t<false/>"),
      off: .duplicateKey, on: #"{"k": false}"#, keepsAll: false),
    StrictnessRow(
      "text after XML", \.allowsTrailingBytes, document("<true/>", after: "\njunk <&"),
      off: .trailingBytes, on: #"{"k": true}"#),
    StrictnessRow(
      "bytes that are no text after XML", \.allowsTrailingBytes,
      Array(document("<true/>").utf8) + [0xFF, 0x00, 0x80],
      off: .refuses(.trailingBytes), on: .reads(#"{"k": true}"#)),
    StrictnessRow(
      "a comment in a string", \.allowsCommentsInText, document("<string>a<!-- c -->b</string>"),
      off: .malformed, on: #"{"k": "ab"}"#),
    StrictnessRow(
      "an instruction in a string", \.allowsCommentsInText, document("<string>a<?p q?>b</string>"),
      off: .malformed, on: #"{"k": "ab"}"#),
    StrictnessRow(
      "a comment in an integer", \.allowsCommentsInText,
      document("<integer>1<!-- c -->2</integer>"), off: .malformed, on: #"{"k": 12}"#),
    StrictnessRow(
      "two hyphens in a comment", \.allowsHyphensInComments, document("<!-- a -- b --><true/>"),
      off: .malformed, on: #"{"k": true}"#),
    StrictnessRow(
      "a control character in a comment", \.allowsAnyBytesInComments,
      document("<!-- \u{1} --><true/>"), off: .malformed, on: #"{"k": true}"#),
    StrictnessRow(
      "bytes that are no UTF-8 in a comment", \.allowsAnyBytesInComments,
      Array(head.utf8) + Array("<!-- ".utf8) + [0xFF]
        + Array(" --><plist><dict></dict></plist>".utf8),
      off: .refuses(.encoding), on: .reads("{}")),
  ]

  static let prolog: [StrictnessRow] = [
    StrictnessRow(
      "a space before the declaration", \.allowsSpaceBeforeDeclaration, " " + document("<true/>"),
      off: .malformed, on: #"{"k": true}"#),
    StrictnessRow(
      "a comment before the declaration", \.allowsLooseProlog,
      "<!-- c -->" + document("<true/>"), off: .malformed, on: #"{"k": true}"#),
    StrictnessRow(
      "a declaration without a version", \.allowsLooseProlog,
      "<?xml?><plist><dict></dict></plist>", off: .malformed, on: "{}"),
    StrictnessRow(
      "two document types", \.allowsLooseProlog,
      "<!DOCTYPE plist><!DOCTYPE plist><plist><dict></dict></plist>", off: .malformed, on: "{}"),
    StrictnessRow(
      "an attribute without quotes", \.allowsLooseTags,
      document("<integer ID=1 size='64'>5</integer>"), off: .malformed, on: #"{"k": 5}"#),
    StrictnessRow(
      "an attribute with an entity", \.allowsLooseTags, document(#"<true a="&b;"/>"#),
      off: .entity, on: #"{"k": true}"#),
    StrictnessRow(
      "an attribute twice", \.allowsLooseTags, document(#"<true a="" a=""/>"#),
      off: .malformed, on: #"{"k": true}"#),
    StrictnessRow(
      "a greater-than sign in an attribute", \.allowsLooseTags,
      Array(document(#"<string a="x>y">z</string>"#).utf8),
      off: .reads(#"{"k": "z"}"#), on: .reads(#"{"k": "y\u{22}>z"}"#)),
  ]

  private static func utf16(_ text: String, mark: [UInt8]) -> [UInt8] {
    mark + text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
  }

  static let encodings: [StrictnessRow] = [
    StrictnessRow(
      "UTF-16 that declares UTF-8", \.allowsContradictingEncoding,
      utf16(document("<true/>"), mark: [0xFF, 0xFE]),
      off: .refuses(.encoding), on: .reads(#"{"k": true}"#)),
    StrictnessRow(
      "a UTF-8 mark and another declaration", \.allowsContradictingEncoding,
      [0xEF, 0xBB, 0xBF]
        + Array(#"<?xml version="1.0" encoding="latin1"?><plist><dict></dict></plist>"#.utf8),
      off: .refuses(.encoding), on: .reads("{}")),
    StrictnessRow(
      "UTF-16 without a mark", \.allowsUnmarkedUTF16,
      utf16("<plist><dict></dict></plist>", mark: []), off: .refuses(.encoding), on: .reads("{}")),
    StrictnessRow(
      "UTF-32 without a mark", \.allowsUnmarkedUTF16,
      "<plist><dict></dict></plist>".utf8.flatMap { [0, 0, 0, $0] },
      off: .refuses(.encoding), on: .reads("{}")),
    StrictnessRow(
      "XML in UTF-32", \.allowsUTF32,
      [0, 0, 0xFE, 0xFF] + "<plist><dict></dict></plist>".utf8.flatMap { [0, 0, 0, $0] },
      off: .refuses(.encoding), on: .reads("{}")),
    StrictnessRow(
      "OpenStep text in UTF-32", \.allowsUTF32,
      [0xFF, 0xFE, 0, 0] + "a = b;".utf8.flatMap { [$0, 0, 0, 0] },
      off: .refuses(.encoding), on: .reads(#"{"a": "b"}"#)),
  ]

  static let text: [StrictnessRow] = [
    StrictnessRow(
      "a control character", \.allowsControlCharacters, document("<string>a\u{1}b</string>"),
      off: .malformed, on: #"{"k": "a\u{1}b"}"#),
    StrictnessRow(
      "NUL", \.allowsControlCharacters, document("<string>a\u{0}b</string>"),
      off: .malformed, on: #"{"k": "a\u{0}b"}"#),
    StrictnessRow(
      "U+FFFE in a CDATA section", \.allowsControlCharacters,
      document("<string><![CDATA[\u{FFFE}]]></string>"),
      off: .malformed, on: #"{"k": "\u{fffe}"}"#),
    StrictnessRow(
      "a control character in a key", \.allowsControlCharacters,
      document("<true/><key>\u{1F}</key><true/>"),
      off: .malformed, on: #"{"k": true, "\u{1f}": true}"#),
    StrictnessRow(
      "a reference to NUL", \.allowsControlCharacterReferences,
      document("<string>a&#0;b</string>"), off: .malformed, on: #"{"k": "a\u{0}b"}"#),
    StrictnessRow(
      "a reference to U+FFFE", \.allowsControlCharacterReferences,
      document("<string>&#xFFFE;&amp;</string>"), off: .malformed, on: #"{"k": "\u{fffe}&"}"#),
    StrictnessRow(
      "a reference without digits", \.allowsControlCharacterReferences,
      document("<string>&#;</string>"), off: .malformed, on: #"{"k": "\u{0}"}"#),
    StrictnessRow(
      "a long decimal reference", \.allowsLongCharacterReferences,
      document("<string>&#000000065;</string>"), off: .malformed, on: #"{"k": "A"}"#),
    StrictnessRow(
      "a long hexadecimal reference", \.allowsLongCharacterReferences,
      document("<string>&#x000000041;</string>"), off: .malformed, on: #"{"k": "A"}"#),
    StrictnessRow(
      "the end of a CDATA section in text", \.allowsCDATAEndInText,
      document("<string>a]]>b</string>"), off: .malformed, on: #"{"k": "a]]>b"}"#),
    StrictnessRow(
      "February 30", \.allowsDatesOutOfRange, document("<date>2021-02-30T00:00:00Z</date>"),
      off: .badValue, on: #"{"k": t636336000.0}"#),
    StrictnessRow(
      "second 60", \.allowsDatesOutOfRange, document("<date>2000-12-31T23:59:60Z</date>"),
      off: .badValue, on: #"{"k": t0.0}"#),
    StrictnessRow(
      "month 0", \.allowsDatesOutOfRange, document("<date>2001-00-01T00:00:00Z</date>"),
      off: .badValue, on: #"{"k": t-2678400.0}"#),
  ]
}

// MARK: - OpenStep

extension ParseStrictnessTests {
  static let openStep: [StrictnessRow] = [
    StrictnessRow(
      "a key twice in OpenStep text", \.allowsDuplicateKeys, "{a = 1; b = 2; a = 3;}",
      off: .duplicateKey, on: #"{"a": "3", "b": "2"}"#),
    StrictnessRow(
      "text after a .strings file", \.allowsTrailingBytes, "a = b; )( junk",
      off: .malformed, on: #"{"a": "b"}"#),
    StrictnessRow(
      "an escape for half of a surrogate pair", \.allowsUnpairedSurrogates, #"{a = "\Ud83d";}"#,
      off: .encoding, on: #"{"a": "\u{fffd}"}"#),
    StrictnessRow(
      "a word without quotes", \.allowsBareWord, "word\n", off: .unknownFormat, on: #""word""#),
    StrictnessRow(
      "white space alone", \.allowsBlankText, " \n", off: .unknownFormat, on: "{}"),
    StrictnessRow(
      "comments alone", \.allowsBlankText, "/* c */ // d", off: .unknownFormat, on: "{}"),
    StrictnessRow(
      "a comment without end", \.allowsUnclosedComments, "{a = b;} /* c",
      off: .truncated, on: #"{"a": "b"}"#),
  ]
}
