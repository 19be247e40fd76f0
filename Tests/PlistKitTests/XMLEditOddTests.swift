import Testing

@testable import PlistKit

/// Edits of documents that only some readers take, and of such that are made to grow.
@Suite struct XMLEditOddTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let name: String
    let text: String
    var testDescription: String { name }

    init(_ name: String, _ text: String) { (self.name, self.text) = (name, text) }
  }

  /// The dictionary of "a", a true boolean, and "b", the text "x".
  private static func document(_ attributes: String) -> String {
    """
    <plist><dict\(attributes)>
      <key\(attributes)>a</key>
      <true\(attributes)/>
      <key\(attributes)><![CDATA[b]]></key> <!-- " ' > -->
      <string\(attributes)>x</string>
    </dict></plist>
    """
  }

  static let looseTags: [Row] = [
    .init("no attribute", document("")),
    .init("an attribute", document(" a=\"b\"")),
    .init("an attribute without quotes", document(" a=b")),
    .init("one double quote", document(" a=\"")),
    .init("one single quote", document(" '")),
    .init("a quote in the first tag alone", "<plist \">" + document("").dropFirst(7)),
    .init("a line break", document("\n")),
    .init(
      "all in one line",
      "<dict '><key '>a</key><true/><key \">b</key><string \">x</string></dict>"),
    .init("CR LF", document(" \"").replacing("\n", with: "\r\n")),
  ]

  private static let original: PlistDictionary = PlistDictionary([("a", true), ("b", "x")])

  static let edits: [PlistValue] = [
    ["a": true, "c": "x"], ["c": true, "b": "x"], ["b": "x"], ["a": true], [:], "x",
    ["b": "x", "a": true], ["c": [1, "<"], "a": true, "b": "x"], ["a": true, "b": "x", "c": [:]],
    ["a": "y", "b": "y"], ["a": true, "d": 1, "b": ["x"]],
  ]

  /// The edited text has the edited value for the same reader, and the edit can be undone.
  @Test(arguments: looseTags, edits) func changesALooseDocument(
    _ row: Row, _ edited: PlistValue
  ) throws {
    let bytes = Array(row.text.utf8)
    var document = try PlistDocument(parsing: bytes, strictness: .apple)
    #expect(document.root == .dictionary(Self.original))
    document.root = edited
    let text = try document.serialized()
    #expect(
      try PlistDocument(parsing: text, strictness: .apple).root == edited,
      "\(String(decoding: text, as: UTF8.self))")
    document.root = .dictionary(Self.original)
    #expect(try document.serialized() == bytes)
  }

  /// As Core Foundation has it: it looks at the dictionary when all is read.
  @Test func aRepeatedReferenceIsAReference() throws {
    let strictness = ParseStrictness(allowsDuplicateKeys: true)
    let bytes = Array(
      """
      <array><dict><key>CF$UID</key><true/><key>CF$UID</key><integer>2</integer></dict></array>
      """.utf8)
    var document = try PlistDocument(parsing: bytes, strictness: strictness)
    #expect(document.root == [.uid(2)])
    document.root = [.uid(2), true]
    #expect(try PlistDocument(parsing: document.serialized()).root == document.root)
    document.root = [.uid(7)]
    #expect(try PlistDocument(parsing: document.serialized()).root == document.root)
    document.root = [.uid(2)]
    #expect(try document.serialized() == bytes)
  }

  private static let blanks = String(repeating: " ", count: 1 << 20)

  static let wide: [Row] = [
    .init("before a key", "<dict>\n\(blanks)<key>a</key>\n <true/></dict>"),
    .init("before a value", "<dict>\n <key>a</key>\n\(blanks)<true/></dict>"),
    .init("between a key and its value", "<dict>\n <key>a</key>\(blanks)<true/></dict>"),
    .init("lines before a value", "<dict>\n <key>a</key>\(blanks)\n<true/></dict>"),
    .init("before the dictionary", "<plist>\n\(blanks)<dict><key>a</key><true/></dict></plist>"),
    .init("before an empty dictionary", "<plist>\n\(blanks)<dict>\n</dict></plist>"),
  ]

  @Test(arguments: wide) func doesNotCopyMegabytesOfBlanks(_ row: Row) throws {
    let bytes = Array(row.text.utf8)
    var document = try PlistDocument(parsing: bytes)
    for number in 0..<20 {
      document.root = try document.root.setting(
        [["c": [1, 2, 3]]], at: PlistKeyPath(keys: "new \(number)"))
    }
    let text = try document.serialized()
    #expect(text.count < bytes.count + 2 << 19)
    #expect(try PlistDocument(parsing: text).root == document.root)
  }
}
