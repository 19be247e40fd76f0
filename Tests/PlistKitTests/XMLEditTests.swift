import Testing

@testable import PlistKit

/// An edit of a document, and the text that must come of it.
struct XMLEditRow: CustomTestStringConvertible, Sendable {
  let name: String
  let source: String
  let edited: PlistValue
  let expected: String
  var testDescription: String { name }

  init(_ name: String, _ source: String, _ edited: PlistValue, _ expected: String) {
    self.name = name
    self.source = source
    self.edited = edited
    self.expected = expected
  }
}

@Suite struct XMLEditTests {
  /// A plist as people write it: comments, an odd indentation, an entity, a CDATA section.
  private static let handmade = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!-- made by hand -->
    <plist version="1.0">
    <dict>
      <!-- the name -->
      <key>name</key>   <string>a &quot;b&quot;</string> <!-- shown -->
      <key>list</key>
         <array>
          <string><![CDATA[<x>]]></string>

          <integer>0x10</integer>
        </array>

      <key>last</key> <true/>
      <!-- the end -->
    </dict>
    </plist>
    """

  private static let handmadeValue: PlistValue = [
    "name": "a \"b\"", "list": ["<x>", 16], "last": true,
  ]

  static let dictionaries: [XMLEditRow] = [
    .init("nothing", handmade, handmadeValue, handmade),
    .init(
      "a new entry at the end", handmade,
      ["name": "a \"b\"", "list": ["<x>", 16], "last": true, "new": 1],
      handmade.replacing(
        "<key>last</key> <true/>\n",
        "<key>last</key> <true/>\n  <key>new</key> <integer>1</integer>\n")),
    .init(
      "a new entry after one with a comment", handmade,
      ["name": "a \"b\"", "new": 1, "list": ["<x>", 16], "last": true],
      handmade.replacing(
        "<!-- shown -->\n",
        "<!-- shown -->\n  <key>new</key>   <integer>1</integer>\n")),
    .init(
      "a new entry at the start", handmade,
      ["new": 1, "name": "a \"b\"", "list": ["<x>", 16], "last": true],
      handmade.replacing(
        "<dict>\n", "<dict>\n  <key>new</key>   <integer>1</integer>\n")),
    .init(
      "a removed entry", handmade, ["name": "a \"b\"", "list": ["<x>", 16]],
      handmade.replacing("  <key>last</key> <true/>\n", "")),
    .init(
      "a removed entry with a comment", handmade, ["list": ["<x>", 16], "last": true],
      handmade.replacing("\n  <key>name</key>   <string>a &quot;b&quot;</string>", "")),
    .init(
      "a replaced string", handmade, ["name": "c & d", "list": ["<x>", 16], "last": true],
      handmade.replacing("a &quot;b&quot;", "c &amp; d")),
    .init(
      "a value of another type", handmade, ["name": false, "list": ["<x>", 16], "last": true],
      handmade.replacing("<string>a &quot;b&quot;</string>", "<false/>")),
    .init(
      "a renamed key", handmade, ["title <1>": "a \"b\"", "list": ["<x>", 16], "last": true],
      handmade.replacing("<key>name</key>", "<key>title &lt;1&gt;</key>")),
    .init(
      "an item in the array", handmade,
      ["name": "a \"b\"", "list": ["<x>", "y", 16], "last": true],
      handmade.replacing(
        "</string>\n\n", "</string>\n      <string>y</string>\n\n")),
    .init(
      "a container as an entry", handmade,
      ["name": "a \"b\"", "list": ["<x>", 16], "last": true, "new": ["a": [1]]],
      handmade.replacing(
        "<key>last</key> <true/>\n",
        """
        <key>last</key> <true/>
          <key>new</key> <dict>
            <key>a</key>
            <array>
              <integer>1</integer>
            </array>
          </dict>

        """)),
    .init(
      "entries in another order",
      "<dict>\n\t<key>a</key>\n\t<integer>0x1</integer>\n\t<key>b</key>\n\t<true/>\n\t<key>c</key>\n\t<true/>\n</dict>",
      ["b": true, "c": true, "a": 1],
      "<dict>\n\t<key>b</key>\n\t<true/>\n\t<key>c</key>\n\t<true/>\n\t<key>a</key>\n\t<integer>0x1</integer>\n</dict>"
    ),
    .init(
      "an entry that moves and changes",
      "<dict>\n\t<key>a</key>\n\t<true/>\n\t<key>b</key>\n\t<true/>\n</dict>",
      ["b": true, "a": false],
      "<dict>\n\t<key>b</key>\n\t<true/>\n\t<key>a</key>\n\t<false/>\n</dict>"),
    .init(
      "all entries gone", "<dict>\n\t<key>a</key>\n\t<true/>\n\t<!-- c -->\n</dict>", [:],
      "<dict>\n\t<!-- c -->\n</dict>"),
    .init(
      "all entries replaced", "<dict>\n\t<key>a</key>\n\t<true/>\n</dict>", ["b": "x", "c": "y"],
      "<dict>\n\t<key>b</key>\n\t<string>x</string>\n\t<key>c</key>\n\t<string>y</string>\n</dict>"),
    .init(
      "an empty dictionary filled", "<plist>\n<dict/>\n</plist>", ["a": true],
      "<plist>\n<dict>\n\t<key>a</key>\n\t<true/>\n</dict>\n</plist>"),
    .init(
      "a nested empty dictionary filled",
      "<dict>\n  <key>a</key>\n  <dict />\n</dict>", ["a": ["b": [true]]],
      "<dict>\n  <key>a</key>\n  <dict>\n    <key>b</key>\n    <array>\n      <true/>\n    </array>\n  </dict>\n</dict>"
    ),
    .init(
      "tags without entries filled", "<plist>\n<dict></dict>\n</plist>", ["a": true],
      "<plist>\n<dict>\n\t<key>a</key>\n\t<true/>\n</dict>\n</plist>"),
    .init(
      "tags on two lines filled", "<plist>\n<dict>\n</dict>\n</plist>", ["a": true],
      "<plist>\n<dict>\n\t<key>a</key>\n\t<true/>\n</dict>\n</plist>"),
    .init(
      "a comment alone, and an entry", "<plist>\n<dict> <!-- c -->\n</dict>\n</plist>", ["a": true],
      "<plist>\n<dict> <!-- c -->\n\t<key>a</key>\n\t<true/>\n</dict>\n</plist>"),
    .init(
      "a key's short form renamed", "<dict><key/><true/></dict>", ["a": true],
      "<dict><key>a</key><true/></dict>"),
  ]

  static let lines: [XMLEditRow] = [
    .init(
      "one line", "<plist><dict><key>a</key><true/></dict></plist>",
      ["a": true, "b": ["c": [1, .data([0])]]],
      "<plist><dict><key>a</key><true/><key>b</key><dict><key>c</key><array>"
        + "<integer>1</integer><data>AA==</data></array></dict></dict></plist>"),
    .init(
      "one line with spaces, an entry gone",
      "<dict> <key>a</key> <true/> <key>b</key> <true/> </dict>", ["a": true],
      "<dict> <key>a</key> <true/> </dict>"),
    .init(
      "one line, filled", "<plist><dict/></plist>", ["a": true],
      "<plist><dict><key>a</key><true/></dict></plist>"),
    .init(
      "entries that share a line", "<dict>\n\t<key>a</key><true/><key>b</key><true/>\n</dict>",
      ["b": true], "<dict>\n\t<key>b</key><true/>\n</dict>"),
    .init(
      "CR LF",
      "<plist>\r\n<dict>\r\n    <key>a</key>\r\n    <string>x\r\ny</string>\r\n</dict>\r\n</plist>\r\n",
      ["a": "x\r\ny", "b": ["c": true]],
      "<plist>\r\n<dict>\r\n    <key>a</key>\r\n    <string>x\r\ny</string>\r\n    <key>b</key>\r\n"
        + "    <dict>\r\n        <key>c</key>\r\n        <true/>\r\n    </dict>\r\n</dict>\r\n</plist>\r\n"
    ),
    .init(
      "CR LF, an entry gone",
      "<dict>\r\n\t<key>a</key>\r\n\t<true/>\r\n\t<key>b</key>\r\n\t<true/>\r\n</dict>",
      ["a": true],
      "<dict>\r\n\t<key>a</key>\r\n\t<true/>\r\n</dict>"),
    .init(
      "CR LF, an empty dictionary", "<plist>\r\n<dict/>\r\n</plist>", ["a": true],
      "<plist>\r\n<dict>\r\n\t<key>a</key>\r\n\t<true/>\r\n</dict>\r\n</plist>"),
    .init(
      "CR alone", "<plist>\r<dict>\r\t<key>a</key>\r\t<true/>\r</dict>\r</plist>",
      ["a": true, "b": true],
      "<plist>\r<dict>\r\t<key>a</key>\r\t<true/>\r\t<key>b</key>\r\t<true/>\r</dict>\r</plist>"),
    .init(
      "keys less indented than values",
      "<dict>\n  <key>a</key>\n      <true/>\n</dict>", ["a": true, "b": ["c": true]],
      "<dict>\n  <key>a</key>\n      <true/>\n  <key>b</key>\n      <dict>\n        <key>c</key>\n"
        + "        <true/>\n      </dict>\n</dict>"),
  ]

  static let arrays: [XMLEditRow] = [
    .init(
      "an item at the end", "<array>\n\t<true/>\n</array>", [true, "x"],
      "<array>\n\t<true/>\n\t<string>x</string>\n</array>"),
    .init(
      "an item at the start", "<array>\n\t<true/>\n</array>", ["x", true],
      "<array>\n\t<string>x</string>\n\t<true/>\n</array>"),
    .init(
      "an item gone", "<array>\n\t<true/>\n\t<integer>0x1</integer>\n\t<false/>\n</array>",
      [true, false], "<array>\n\t<true/>\n\t<false/>\n</array>"),
    .init(
      "items replaced and added",
      "<array>\n\t<true/>\n\t<string>a</string>\n\t<false/>\n</array>",
      [true, "b", "c", "d", false],
      "<array>\n\t<true/>\n\t<string>b</string>\n\t<string>c</string>\n\t<string>d</string>\n\t<false/>\n</array>"
    ),
    .init(
      "an empty array filled", "<plist>\n<array/>\n</plist>", [1],
      "<plist>\n<array>\n\t<integer>1</integer>\n</array>\n</plist>"),
    .init("emptied", "<array>\n\t<true/>\n</array>", [], "<array>\n</array>"),
    .init(
      "a change deep inside",
      "<array><array><dict><key>a</key><array><!-- c --><true/></array></dict></array></array>",
      [[["a": [false]]]],
      "<array><array><dict><key>a</key><array><!-- c --><false/></array></dict></array></array>"),
    .init(
      "another root", "<plist>\n<array/>\n</plist>", ["a": true],
      "<plist>\n<dict>\n\t<key>a</key>\n\t<true/>\n</dict>\n</plist>"),
  ]

  static let leaves: [XMLEditRow] = [
    .init("attributes stay", "<string a=\"b\">x</string>", "y", "<string a=\"b\">y</string>"),
    .init("a short form", "<string a=\"b\" />", "y", "<string>y</string>"),
    .init("a string emptied", "<string>x</string>", "", "<string></string>"),
    .init("a string with a comment", "<string>x<!-- c -->y</string>", "z", "<string>z</string>"),
    .init("an integer", "<integer> 0x10</integer>", 17, "<integer>17</integer>"),
    .init(
      "a key as a string", "<dict><key>a</key><key>b</key></dict>", ["a": "c"],
      "<dict><key>a</key><string>c</string></dict>"),
    .init(
      "a UID", "<dict><key>CF$UID</key> <integer>5</integer></dict>", .uid(6),
      "<dict><key>CF$UID</key> <integer>6</integer></dict>"),
    .init(
      "data in lines", "<dict>\n\t<key>a</key>\n\t<data>\n\tAAEC\n\t</data>\n</dict>",
      ["a": .data([0])], "<dict>\n\t<key>a</key>\n\t<data>\n\tAA==\n\t</data>\n</dict>"),
    .init(
      "data in one line", "<dict>\n\t<key>a</key>\n\t<data>AAEC</data>\n</dict>",
      ["a": .data([0])], "<dict>\n\t<key>a</key>\n\t<data>AA==</data>\n</dict>"),
    .init(
      "what stands around",
      "\n <?xml version='1.0'?>\n<!-- a -- b -->\n<plist><true/></plist>\n<!-- c -->\0", false,
      "\n <?xml version='1.0'?>\n<!-- a -- b -->\n<plist><false/></plist>\n<!-- c -->\0"),
  ]

  @Test(arguments: dictionaries + lines + arrays + leaves)
  func changesOnlyWhatDiffers(_ row: XMLEditRow) throws {
    var document = try PlistDocument(parsing: Array(row.source.utf8))
    let original = document.root
    document.root = row.edited
    let bytes = try document.serialized()
    #expect(String(decoding: bytes, as: UTF8.self) == row.expected)
    let reread = try PlistDocument(parsing: bytes)
    #expect(reread.root == row.edited)
    document.root = original
    #expect(try document.serialized() == Array(row.source.utf8))
  }

  @Test func duplicateKeysGoWithAnyEdit() throws {
    var strictness = ParseStrictness.strict
    strictness.allowsDuplicateKeys = true
    let source = """
      <dict>
      \t<key>a</key>
      \t<integer>1</integer>
      \t<key>b</key>
      \t<dict>
      \t\t<key>x</key>
      \t\t<true/>
      \t\t<key>x</key>
      \t\t<false/>
      \t</dict>
      \t<key>a</key>
      \t<integer>2</integer>
      </dict>
      """
    var document = try PlistDocument(parsing: Array(source.utf8), strictness: strictness)
    #expect(document.root == ["b": ["x": false], "a": 2])
    #expect(document.diagnostics.map(\.code) == [.duplicateKey, .duplicateKey])
    #expect(document.diagnostics.map(\.location) == [.line(2, column: 2), .line(6, column: 3)])
    #expect(document.diagnostics.last?.keyPath == PlistKeyPath(keys: "b", "x"))
    #expect(try document.serialized() == Array(source.utf8))
    document.root = ["b": ["x": false], "a": 3]
    let expected = """
      <dict>
      \t<key>b</key>
      \t<dict>
      \t\t<key>x</key>
      \t\t<false/>
      \t</dict>
      \t<key>a</key>
      \t<integer>3</integer>
      </dict>
      """
    #expect(String(decoding: try document.serialized(), as: UTF8.self) == expected)
    // Moved and replaced values hold no key twice either.
    document.root = ["a": 2, "b": ["x": false]]
    #expect(try PlistDocument(parsing: document.serialized()).root == document.root)
    document.root = ["b": 1]
    #expect(try PlistDocument(parsing: document.serialized()).root == document.root)
  }

  struct EncodingRow: CustomTestStringConvertible, Sendable {
    let name: String
    let encode: @Sendable (String) -> [UInt8]
    let declaration: String
    var testDescription: String { name }
  }

  static let encodings: [EncodingRow] = [
    .init(name: "UTF-8", encode: { Array($0.utf8) }, declaration: "UTF-8"),
    .init(
      name: "UTF-8 with a mark", encode: { [0xEF, 0xBB, 0xBF] + $0.utf8 }, declaration: "UTF-8"),
    .init(
      name: "UTF-16LE",
      encode: { [0xFF, 0xFE] + $0.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } },
      declaration: "UTF-16"),
    .init(
      name: "UTF-16BE without a mark",
      encode: { $0.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } }, declaration: "UTF-16"),
    .init(
      name: "UTF-32BE",
      encode: {
        [0, 0, 0xFE, 0xFF]
          + $0.unicodeScalars.flatMap { scalar in
            (0..<4).map { UInt8(scalar.value >> (24 - 8 * $0) & 0xFF) }
          }
      }, declaration: "UTF-32"),
    .init(
      name: "ISO-8859-1", encode: { $0.unicodeScalars.map { UInt8($0.value) } },
      declaration: "ISO-8859-1"),
  ]

  @Test(arguments: encodings) func keepsEncoding(_ row: EncodingRow) throws {
    let text = { (value: String) in
      """
      <?xml version="1.0" encoding="\(row.declaration)"?>
      <plist>
      <dict>
      \t<key>é</key>
      \t<string>\(value)</string> <!-- ü -->
      </dict>
      </plist>
      """
    }
    let source = row.encode(text("ä"))
    var document = try PlistDocument(
      parsing: source, strictness: ParseStrictness(allowsUnmarkedUTF16: true))
    #expect(document.root == ["é": "ä"])
    #expect(try document.serialized() == source)
    document.root = ["é": "öß"]
    #expect(try document.serialized() == row.encode(text("öß")))
    #expect(document.location(of: PlistKeyPath(keys: "é")) == .line(5, column: 2))
  }

  @Test func characterThatTheEncodingLacksBecomesAReference() throws {
    let source = Array(
      "<?xml version='1.0' encoding='ISO-8859-1'?><plist><string>a</string></plist>".utf8)
    var document = try PlistDocument(parsing: source)
    document.root = "é€"
    let bytes = try document.serialized()
    #expect(bytes.contains(0xE9))
    #expect(try PlistDocument(parsing: bytes).root == "é€")
  }

  @Test func errorsNameTheKeyPath() throws {
    var document = try PlistDocument(
      parsing: Array("<dict><key>a</key><array><true/></array></dict>".utf8))
    for value: PlistValue in [
      ["a": [.null]], ["a": [true, .null]], ["a": [true], "b": [["c": .null]]],
    ] {
      document.root = value
      let error = #expect(throws: PlistError.self) { try document.serialized() }
      #expect(error?.code == .unrepresentable)
      #expect(value[error?.keyPath ?? .root] == .null, "\(error?.description ?? "")")
    }
  }

  /// Edits chosen by a fixed sequence of numbers on a document of all shapes.
  @Test func anyEditReadsBack() throws {
    let source = Array(Self.handmade.utf8)
    let document = try PlistDocument(parsing: source)
    var random = SplitMix(state: 7)
    for _ in 0..<400 {
      var changed = document
      for _ in 0...random.next(3) { changed.root = Self.mutated(changed.root, &random) }
      let bytes = try changed.serialized()
      #expect(try PlistDocument(parsing: bytes).root == changed.root)
      var again = try PlistDocument(parsing: bytes)
      again.root = document.root
      #expect(try PlistDocument(parsing: again.serialized()).root == document.root)
    }
  }

  private struct SplitMix {
    var state: UInt64

    mutating func next(_ bound: Int) -> Int {
      state &+= 0x9E37_79B9_7F4A_7C15
      var bits = state
      bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
      bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
      return Int((bits ^ (bits >> 31)) % UInt64(bound))
    }
  }

  /// A value with one random change in it.
  private static func mutated(_ value: PlistValue, _ random: inout SplitMix) -> PlistValue {
    let fresh: [PlistValue] = ["new", 5, [:], [], ["k": [1, 2]], true, .data([1, 2]), .uid(9)]
    let new = fresh[random.next(fresh.count)]
    switch value {
    case .array(var items):
      let index = random.next(items.count + 1)
      switch random.next(4) {
      case 0: items.insert(new, at: index)
      case 1 where index < items.count: items.remove(at: index)
      case 2: items.reverse()
      default: if index < items.count { items[index] = mutated(items[index], &random) }
      }
      return .array(items)
    case .dictionary(let dictionary):
      var pairs = dictionary.entries.map { ($0.key, $0.value) }
      let index = random.next(pairs.count + 1)
      switch random.next(6) {
      case 0: pairs.insert(("n\(random.next(1000))", new), at: index)
      case 1 where index < pairs.count: pairs.remove(at: index)
      case 2: pairs.reverse()
      case 3 where index < pairs.count: pairs[index].0 = "r\(random.next(1000))"
      case 4 where index < pairs.count: pairs.append(pairs.remove(at: index))
      default: if index < pairs.count { pairs[index].1 = mutated(pairs[index].1, &random) }
      }
      return .dictionary(PlistDictionary(pairs))
    default: return new
    }
  }

  @Test func manyEditsOfALargeDocumentTakeLinearTime() throws {
    let pairs: [(String, PlistValue)] = (0..<100_000).map { ("key \($0)", .string("value \($0)")) }
    let source = try XMLPlist.serialize(
      .dictionary(
        PlistDictionary(
          uniqueEntries: pairs.map {
            PlistDictionary.Entry(key: $0.0, value: $0.1)
          })))
    var document = try PlistDocument(parsing: source)
    let edited = pairs.enumerated().compactMap { index, pair -> PlistDictionary.Entry? in
      switch index % 4 {
      case 0: PlistDictionary.Entry(key: pair.0, value: pair.1)
      case 1: PlistDictionary.Entry(key: pair.0, value: .integer(PlistInteger(Int64(index))))
      case 2: PlistDictionary.Entry(key: pair.0 + "!", value: pair.1)
      default: nil
      }
    }
    document.root = .dictionary(PlistDictionary(uniqueEntries: edited.reversed()))
    #expect(try PlistDocument(parsing: document.serialized()).root == document.root)
    document.root = .dictionary(PlistDictionary(uniqueEntries: edited))
    #expect(try PlistDocument(parsing: document.serialized()).root == document.root)
  }
}

extension String {
  fileprivate func replacing(_ part: String, _ replacement: String) -> String {
    replacing(part, with: replacement)
  }
}
