import Testing

@testable import PlistKit

/// Files made to crash a reader, to keep it busy, or to fill the memory.
@Suite struct XMLHostileTests {
  struct LimitRow: CustomTestStringConvertible, Sendable {
    let name: String
    /// A document that comes to the number.
    let document: @Sendable (Int) -> String
    let limits: @Sendable (Int) -> ParseLimits
    let most: Int
    var testDescription: String { name }
  }

  private static func limits(_ path: any WritableKeyPath<ParseLimits, Int> & Sendable)
    -> @Sendable (Int) -> ParseLimits
  {
    { number in
      var limits = ParseLimits()
      limits[keyPath: path] = number
      return limits
    }
  }

  private static func nested(_ name: String, _ depth: Int) -> String {
    "<plist>" + String(repeating: "<\(name)>", count: depth)
      + String(repeating: "</\(name)>", count: depth) + "</plist>"
  }

  static let limits: [LimitRow] = [
    .init(name: "depth", document: { nested("array", $0) }, limits: limits(\.depth), most: 512),
    .init(
      name: "a small depth", document: { nested("array", $0) }, limits: limits(\.depth), most: 3),
    .init(
      name: "objects",
      document: { "<array>" + String(repeating: "<true/>", count: $0 - 1) + "</array>" },
      limits: limits(\.objects), most: 100),
    .init(
      name: "attributes",
      document: { count in
        "<true" + (0..<count).map { " a\($0)=\"\"" }.joined() + "/>"
      }, limits: limits(\.attributes), most: 16),
    .init(
      name: "namespaces",
      document: { count in
        "<true" + (0..<count).map { " xmlns:a\($0)=\"x\"" }.joined() + "/>"
      }, limits: limits(\.attributes), most: 16),
    .init(
      name: "bytes", document: { "<true/>" + String(repeating: " ", count: $0 - 7) },
      limits: limits(\.bytes), most: 1000),
  ]

  @Test(arguments: limits) func keepsLimit(_ row: LimitRow) {
    let limits = row.limits(row.most)
    #expect(throws: Never.self) {
      try PlistDocument(parsing: Array(row.document(row.most).utf8), limits: limits)
    }
    let error = #expect(throws: PlistError.self) {
      try PlistDocument(parsing: Array(row.document(row.most + 1).utf8), limits: limits)
    }
    #expect(error?.code == .limit)
  }

  @Test(arguments: [(64, PlistError.Code.malformed), (65, .limit)])
  func limitsNames(_ length: Int, _ code: PlistError.Code) {
    let document = "<" + String(repeating: "a", count: length) + "/>"
    let error = #expect(throws: PlistError.self) {
      try PlistDocument(parsing: Array(document.utf8))
    }
    #expect(error?.code == code)
  }

  struct Row: CustomTestStringConvertible, Sendable {
    let name: String
    let text: @Sendable () -> String
    let code: PlistError.Code
    var testDescription: String { name }
  }

  private static func repeated(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: count)
  }

  static let files: [Row] = [
    .init(name: "200,000 levels", text: { nested("array", 200_000) }, code: .limit),
    .init(
      name: "200,000 levels of dictionaries",
      text: { "<plist>" + repeated("<dict><key>a</key>", 200_000) }, code: .limit),
    .init(
      name: "200,000 levels of an unknown element", text: { nested("a", 200_000) }, code: .malformed
    ),
    .init(
      name: "an error before 200,000 levels", text: { "<array>&" + nested("array", 200_000) },
      code: .malformed),
    .init(
      name: "an error before nested namespaces",
      text: { "<array>&" + repeated("<a xmlns:b='c'>", 1 << 19) }, code: .malformed),
    .init(
      name: "an entity bomb",
      text: {
        "<!DOCTYPE plist [<!ENTITY a0 \"ha\">"
          + (1...20).map { "<!ENTITY a\($0) \"\(repeated("&a\($0 - 1);", 10))\">" }.joined()
          + "]><plist><string>&a20;</string></plist>"
      }, code: .entity),
    .init(
      name: "a parameter entity",
      text: { "<!DOCTYPE plist [<!ENTITY % a SYSTEM \"/dev/zero\"> %a;]>" },
      code: .entity),
    .init(
      name: "400,000 attributes",
      text: { "<plist><true" + (0..<400_000).map { " a\($0)=\"\"" }.joined() + "/></plist>" },
      code: .limit),
    .init(
      name: "400,000 namespaces",
      text: {
        "<plist><true" + (0..<400_000).map { " xmlns:a\($0)=\"x\"" }.joined() + "/></plist>"
      },
      code: .limit),
    .init(
      name: "an error before many attributes",
      text: {
        "<plist>&"
          + (0..<100).map { "<a" + (0..<2000).map { " b\($0)=\"\"" }.joined() + "/>\($0)" }.joined()
      }, code: .limit),
    .init(
      name: "a name of a megabyte", text: { "<" + repeated("a", 1 << 20) + "/>" }, code: .limit),
    .init(
      name: "duplicates without end",
      text: { "<dict>" + repeated("<key>a</key><true/>", 100_000) + "</dict>" }, code: .duplicateKey
    ),
    .init(name: "a million '<'", text: { repeated("<", 1 << 20) }, code: .truncated),
    .init(
      name: "a million comments that do not end", text: { "<plist>" + repeated("<!--", 1 << 20) },
      code: .truncated),
    .init(
      name: "a million hyphens in a comment",
      text: { "<plist><!--" + repeated("- ", 1 << 20) + repeated("--", 1 << 20) + "--><true>" },
      code: .truncated),
    .init(
      name: "many names that do not end",
      text: { repeated("<" + repeated("a", 767), 10_000) }, code: .truncated),
    .init(
      name: "many attributes' names that do not end",
      text: { repeated("<a\t" + repeated("b", 766), 10_000) }, code: .truncated),
    .init(
      name: "half a million quotes", text: { "<plist>" + repeated("<a b=\"", 1 << 19) },
      code: .truncated),
  ]

  @Test(.timeLimit(.minutes(1)), arguments: files) func refuses(_ row: Row) {
    let bytes = Array(row.text().utf8)
    let error = #expect(throws: PlistError.self) { try PlistDocument(parsing: bytes) }
    #expect(error?.code == row.code, "\(error?.description.prefix(300) ?? "")")
  }

  @Test func attributesLookAlikeIsText() throws {
    let lookAlike = "<a" + (0..<200).map { " b\($0)=\"\"" }.joined() + ">"
    let bytes = XMLSample.document(
      "<!-- \(lookAlike) --><string><![CDATA[\(lookAlike)]]></string>")
    #expect(try PlistDocument(parsing: bytes).root == .string(lookAlike))
  }

  @Test func manyDuplicatesAreReadWhereAllowed() throws {
    var strictness = ParseStrictness.strict
    strictness.allowsDuplicateKeys = true
    let text = "<dict>" + Self.repeated("<key>a</key><true/>\n", 100_000) + "</dict>"
    let document = try PlistDocument(parsing: Array(text.utf8), strictness: strictness)
    #expect(document.root == ["a": true])
    #expect(document.diagnostics.count == 100)
  }

  static let small = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0"><!-- c --><dict><key>a&amp;é</key><array><true/><false></false></array>
    <key>b</key><data>AAEC</data><key>c</key><date>2001-01-01T00:00:00Z</date><key>d</key><real>1.5</real>
    <key>e</key><integer>0x10</integer><key>f</key><string>x<![CDATA[<y>]]>&#65;</string><key>g</key>
    <dict><key>CF$UID</key><integer>5</integer></dict><?p i?></dict></plist>
    """

  @Test func truncationAtEveryByteIsAnError() throws {
    let bytes = Array(Self.small.utf8)
    #expect(throws: Never.self) { try PlistDocument(parsing: bytes) }
    for length in 1..<bytes.count {
      let error = #expect(throws: PlistError.self, "\(length) bytes") {
        try PlistDocument(parsing: Array(bytes.prefix(length)))
      }
      #expect(error?.code == .truncated, "\(length) bytes: \(error?.description ?? "")")
    }
  }

  /// A document with one byte changed either fails with an error or is read and written as it is.
  @Test func noChangedByteCrashes() throws {
    let bytes = Array(Self.small.utf8)
    for index in bytes.indices {
      for value: UInt8 in [
        0, 0x20, 0x26, 0x3C, 0x3E, 0x2F, 0x2D, 0x80, 0xC3, 0xFF, bytes[index] ^ 1,
      ] {
        var changed = bytes
        changed[index] = value
        guard let document = try? PlistDocument(parsing: changed) else { continue }
        #expect(try document.serialized() == changed)
      }
    }
  }

  @Test func errorsSayWhereTheyAre() throws {
    let text = "<plist>\r\n<dict>\n<key>a</key>\n<array>\n<true/>\n  <integer>x</integer>"
    let error = #expect(throws: PlistError.self) {
      try PlistDocument(parsing: Array(text.utf8))
    }
    #expect(error?.location == .line(6, column: 12))
    #expect(error?.keyPath?.description == "/a/1")
    #expect(
      error?.description
        == "line 6, column 12: /a/1: 'x' is no integer from -2^63 to 2^64 - 1")
  }

  @Test func duplicateNamesBothPlaces() throws {
    let text = "<dict>\n<key>a</key><true/>\n<key>b</key><true/>\n<key>a</key><true/></dict>"
    let error = #expect(throws: PlistError.self) {
      try PlistDocument(parsing: Array(text.utf8))
    }
    #expect(
      error?.description
        == "line 4, column 1: /a: the key 'a' stands twice, first at line 2, column 1")
  }
}
