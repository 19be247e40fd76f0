import Testing

@testable import PlistKit

/// What one way of reading makes of a document.
private struct Reading: Equatable {
  let root: PlistValue
  let body: Range<Int>
  let nodes: [Node]
  let hasShadowedEntries: Bool
  let diagnostics: [PlistDiagnostic]

  struct Node: Equatable {
    let element: XMLElement
    let range: Range<Int>
    let content: Range<Int>
    let key: Range<Int>?
    let next: Int
    let isShadowed: Bool
  }

  init(_ tree: XMLTree, of source: XMLBytes) {
    root = tree.root
    body = tree.body
    nodes = tree.nodes.map {
      Node(
        element: $0.element, range: $0.range, content: $0.content, key: $0.key, next: $0.next,
        isShadowed: $0.isShadowed)
    }
    hasShadowedEntries = tree.hasShadowedEntries
    diagnostics = tree.notes.diagnostics(in: source)
  }

  static func byScanner(_ text: [UInt8], _ strictness: ParseStrictness = .strict) -> Reading? {
    text.withUnsafeBufferPointer { buffer in
      let source = XMLBytes(buffer)
      return XMLScanner.tree(of: source, limits: .standard, strictness: strictness)
        .map { Reading($0, of: source) }
    }
  }

  static func byLibXML(_ text: [UInt8], _ strictness: ParseStrictness = .strict) -> Reading? {
    text.withUnsafeBufferPointer { buffer in
      let source = XMLBytes(buffer)
      return (try? XMLPlist.readWithLibXML(source, limits: .standard, strictness: strictness))
        .map { Reading($0, of: source) }
    }
  }
}

@Suite struct XMLScannerTests {
  private static var lenient: ParseStrictness {
    var strictness = ParseStrictness.strict
    strictness.allowsDuplicateKeys = true
    strictness.allowsTrailingBytes = true
    return strictness
  }

  /// Every document of the other suites, and the collected ones where they are there.
  private static var documents: [[UInt8]] {
    var documents = XMLPlistTests.allRows.map(\.bytes)
    documents += plain.map { Array($0.text.utf8) }
    documents += unusual.map { Array($0.text.utf8) }
    documents.append(Array(XMLHostileTests.small.utf8))
    for name in SharedFiles.names(in: "plists") {
      if let bytes = try? SharedFiles.bytes("plists/" + name) { documents.append(bytes) }
    }
    return documents.filter { !$0.starts(with: "bplist".utf8) && $0.count < 100_000 }
  }

  /// Expects that the scanner takes nothing that libxml2 refuses, and reads the same where it takes
  /// a document. Returns whether it does.
  @discardableResult private static func compare(_ text: [UInt8]) -> Bool {
    var isTaken = false
    for strictness in [ParseStrictness.strict, lenient, .apple] {
      guard let own = Reading.byScanner(text, strictness) else { continue }
      isTaken = true
      #expect(
        own == Reading.byLibXML(text, strictness),
        "\(String(decoding: text.prefix(4000), as: UTF8.self))")
    }
    return isTaken
  }

  @Test func agreesWithLibXMLOnEveryDocument() {
    var taken = 0
    for document in Self.documents where Self.compare(document) { taken += 1 }
    #expect(taken > 60)
  }

  /// Documents with one to three changes each, the same in every run.
  @Test func agreesWithLibXMLOnChangedDocuments() {
    var random = SeededGenerator(state: 0x5EED)
    let documents = Self.documents.filter { $0.count < 2000 && Reading.byScanner($0) != nil }
    var taken = 0
    for _ in 0..<Self.changedCount {
      guard var text = documents.randomElement(using: &random) else { return }
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        Self.change(&text, using: &random)
      }
      if Self.compare(text) { taken += 1 }
    }
    #expect(taken > Self.changedCount / 10)
  }

  private static let changedCount = 4000

  private static let snippets: [[UInt8]] =
    [
      "<", ">", "/", "&", ";", "\"", "'", "=", "-", "--", "]", "]]>", "!", "?", " ", "\n", "\r",
      "\r\n",
      "\t", "\0", "\u{1}", "\u{7F}", "é", "\u{FFFE}", "\u{FFFF}", "\u{FFFD}", "\u{1F600}", "&amp;",
      "&lt;", "&apos;", "&nbsp;", "&#65;", "&#0;", "&#x41;", "&#X41;", "&#+65;", "&#xD800;",
      "&#xFFFE;", "&#1114111;", "&#1114112;", "&#0000065;", "&#00000065;", "<!-- c -->", "<!---->",
      "<!-->", "<!--->", "<!-- -- -->", "<!-- é -->", "<?p i?>", "<![CDATA[<x>]]>", "<true/>",
      "<true />", "<true></true >", "<false/>", "<key>a</key>", "<key>a</key><true/>", "<string/>",
      "<string>x]]y</string>", "<dict>", "</dict>", "<array/>", "<dict />", "<plist>", "</plist>",
      "<integer>-1</integer>", "<integer> 1</integer>", "<real>1.5e3</real>", "<data>AA==</data>",
      "<date>2001-01-01T00:00:00Z</date>", " a='b'", " xmlns='u'", "<!DOCTYPE plist>", "1", "+",
      ".",
      "CF$UID", "x:", "key", "<key>CF$UID</key><integer>1</integer>", "<?xml version='1.0'?>",
    ].map { Array($0.utf8) } + [
      [0x80], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xFF], [0xEF, 0xBF],
    ]

  private static func change(_ text: inout [UInt8], using random: inout SeededGenerator) {
    let place = Int.random(in: 0...text.count, using: &random)
    let end = min(text.count, place + Int.random(in: 0...12, using: &random))
    switch Int.random(in: 0..<6, using: &random) {
    case 0: text.removeSubrange(place..<end)
    case 1: text.insert(contentsOf: text[place..<end], at: place)
    case 2 where place < text.count: text[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
    case 3:
      let other = Int.random(in: 0...text.count, using: &random)
      text.insert(contentsOf: text[place..<end], at: other)
    default:
      let snippet = snippets.randomElement(using: &random) ?? []
      // Markup is most telling where markup is.
      let near = text[..<place].lastIndex(of: UInt8(ascii: "<")) ?? place
      text.insert(contentsOf: snippet, at: Bool.random(using: &random) ? near : place)
    }
  }

  struct Row: CustomTestStringConvertible, Sendable {
    let name: String
    let text: String
    var testDescription: String { name }
  }

  static let plain: [Row] = [
    .init(
      name: "Apple's form", text: XMLSample.header + "<plist version=\"1.0\">\n<dict/>\n</plist>\n"),
    .init(name: "no header", text: "<dict><key>a</key><true/></dict>"),
    .init(name: "a declaration in quotes of the other kind", text: "<?xml version='1.0'?><true/>"),
    .init(
      name: "a document by itself",
      text: "<?xml version=\"1.0\" encoding=\"utf-8\" standalone=\"yes\" ?><array/>"),
    .init(
      name: "comments between elements",
      text: "<!-- a --><plist><!-- é --><dict><!----><key>a</key><!-- b\n --><true/></dict></plist>"
    ),
    .init(
      name: "entities and character references",
      text: "<dict><key>a&amp;b</key><string>&lt;&gt;&quot;&apos;&#65;&#x1F600;</string></dict>"),
    .init(
      name: "every type",
      text: """
        <plist version="1.0">\r
        <array><string>é \u{1F600}</string><string/><string></string><integer>-7</integer>
        <integer>0x1F</integer><real>1.5</real><real>-0.1e-3</real><real>nan</real><true/><false></false>
        <date>2026-11-30T08:00:00Z</date><data>
        \tAAEC
        </data><dict><key>CF$UID</key><integer>3</integer></dict><dict ></dict ><array/></array>
        </plist>
        """),
    .init(
      name: "keys in many dictionaries",
      text: "<array>"
        + String(
          repeating:
            "<dict><key>a long key of an application</key><true/><key>b</key><dict/></dict>",
          count: 20) + "</array>"),
    .init(
      name: "a hundred keys",
      text: "<dict>"
        + (0..<100).map { "<key>key\($0)</key><integer>\($0)</integer>" }.joined() + "</dict>"),
  ]

  @Test(arguments: plain) func takesThePlainForm(_ row: Row) throws {
    let text = Array(row.text.utf8)
    let own = try #require(Reading.byScanner(text))
    #expect(own == Reading.byLibXML(text))
  }

  @Test func takesReferencesInEveryStrictness() throws {
    let text = Array("<string>&#9;&#13;&#x41;&#65;&#xFFFD;&#x10FFFF;</string>".utf8)
    for strictness in [ParseStrictness.strict, Self.lenient, .apple] {
      let own = try #require(Reading.byScanner(text, strictness))
      #expect(own == Reading.byLibXML(text, strictness))
      #expect(own.diagnostics.isEmpty)
    }
  }

  static let unusual: [Row] = [
    .init(name: "an internal subset", text: "<!DOCTYPE plist [<!ENTITY a 'b'>]><true/>"),
    .init(name: "another version", text: "<?xml version=\"1.1\"?><true/>"),
    .init(name: "another encoding", text: "<?xml version=\"1.0\" encoding=\"latin1\"?><true/>"),
    .init(name: "white space before the declaration", text: " <?xml version=\"1.0\"?><true/>"),
    .init(name: "an attribute", text: "<plist><dict a=\"b\"/></plist>"),
    .init(name: "a namespace", text: "<plist xmlns=\"a\"><true/></plist>"),
    .init(name: "two attributes", text: "<plist version=\"1.0\" version=\"1.0\"><true/></plist>"),
    .init(name: "CDATA", text: "<string><![CDATA[a]]></string>"),
    .init(name: "an instruction", text: "<plist><?a b?><true/></plist>"),
    .init(name: "a comment in text", text: "<string>a<!-- b --></string>"),
    .init(name: "two hyphens in a comment", text: "<!-- a -- b --><true/>"),
    .init(name: "two hyphens in a comment at the end", text: "<true/><!-- a -- b -->"),
    .init(name: "an end of CDATA in text", text: "<string>a]]>b</string>"),
    .init(name: "a control character", text: "<string>\u{1}</string>"),
    .init(name: "a noncharacter", text: "<string>\u{FFFF}</string>"),
    .init(name: "a noncharacter in a comment", text: "<!-- \u{FFFE} --><true/>"),
    .init(name: "a reference to no character", text: "<string>&#xFFFF;</string>"),
    .init(name: "a reference with a sign", text: "<string>&#+65;</string>"),
    .init(name: "an entity that is not predefined", text: "<string>&nbsp;</string>"),
    .init(name: "a reference in an integer", text: "<integer>&#49;</integer>"),
    .init(name: "the wrong end tag", text: "<array><true/></dict>"),
    .init(name: "no end", text: "<array><true/>"),
    .init(name: "a second root", text: "<true/><true/>"),
    .init(name: "a key twice", text: "<dict><key>a</key><true/><key>a</key><true/></dict>"),
    .init(
      name: "a key twice in two spellings",
      text: "<dict><key>a</key><true/><key>&#97;</key><true/></dict>"),
    .init(name: "text between elements", text: "<dict>a<key>a</key><true/></dict>"),
    .init(name: "no value", text: "<dict><key>a</key></dict>"),
    .init(name: "an empty plist", text: "<plist></plist>"),
    .init(name: "an unknown element", text: "<null/>"),
    .init(name: "zero bytes at the end", text: "<true/>\n\0\0"),
  ]

  @Test(arguments: unusual) func leavesToLibXML(_ row: Row) {
    #expect(Reading.byScanner(Array(row.text.utf8)) == nil)
  }

  @Test func takesWhatTheWriterWrites() throws {
    let value: PlistValue = [
      "text": "a & b < c\r\n é", "list": [1, -2, true, [:]], "data": .data([0, 1, 2]),
      "real": .real(PlistReal(1.0 / 7)), "uid": .uid(7),
    ]
    let text = try PlistDocument(root: value, format: .xml).serialized()
    #expect(Reading.byScanner(text)?.root == value)
  }

  @Test func takesTheCollectedInfoPlists() throws {
    let names = SharedFiles.names(in: "plists").filter { $0.contains("Info") }
    for name in names {
      let bytes = try SharedFiles.bytes("plists/" + name)
      guard bytes.starts(with: "<?xml".utf8) else { continue }
      #expect(Reading.byScanner(bytes) != nil, "\(name)")
    }
  }

  @Test func findsRepetitionsAmongManyKeys() {
    for count in [2, 64, 65, 5000] {
      var text = "<dict>" + (0..<count).map { "<key>\($0)</key><true/>" }.joined()
      #expect(Reading.byScanner(Array((text + "</dict>").utf8)) != nil, "\(count) keys")
      text += "<key>\(count / 2)</key><true/></dict>"
      #expect(Reading.byScanner(Array(text.utf8)) == nil, "\(count) keys and one again")
    }
  }
}
