import Testing

@testable import PlistKit

@Suite struct PlistDocumentTests {
  private static let source = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0">
    <dict>
    \t<key>name</key>
    \t<string>é</string> <key>list</key> <array><true/>
    \t\t<dict><key>a/b</key><integer>1</integer></dict></array>
    </dict>
    </plist>

    """

  struct LocationRow: CustomTestStringConvertible, Sendable {
    let path: PlistKeyPath
    let location: PlistLocation?
    var testDescription: String { path.description }
  }

  static let locations: [LocationRow] = [
    .init(path: .root, location: .line(3, column: 1)),
    .init(path: PlistKeyPath(keys: "name"), location: .line(5, column: 2)),
    .init(path: PlistKeyPath(keys: "list"), location: .line(5, column: 38)),
    .init(path: PlistKeyPath(keys: "list").appending(index: 0), location: .line(5, column: 45)),
    .init(path: PlistKeyPath(keys: "list", "1", "a/b"), location: .line(6, column: 23)),
    .init(path: PlistKeyPath(keys: "list").appending(index: 2), location: nil),
    .init(path: PlistKeyPath(keys: "name", "x"), location: nil),
    .init(path: PlistKeyPath(keys: "other"), location: nil),
  ]

  @Test(arguments: locations) func locates(_ row: LocationRow) throws {
    let document = try PlistDocument(parsing: Array(Self.source.utf8))
    #expect(document.location(of: row.path) == row.location)
  }

  @Test func tellsTheFormatFromTheContent() throws {
    #expect(try PlistDocument(parsing: Array(Self.source.utf8)).format == .xml)
    let error = #expect(throws: PlistError.self) { try PlistDocument(parsing: []) }
    #expect(error?.code == .unknownFormat)
  }

  @Test func newDocumentIsWrittenInItsFormat() throws {
    let document = PlistDocument(root: ["a": true], format: .xml)
    #expect(document.location(of: .root) == nil)
    let bytes = try document.serialized()
    #expect(try PlistDocument(parsing: bytes).root == ["a": true])
  }

  struct DiagnosticRow: CustomTestStringConvertible, Sendable {
    let name: String
    let source: String
    let code: PlistDiagnostic.Code
    let location: PlistLocation
    var testDescription: String { name }
  }

  static let diagnostics: [DiagnosticRow] = [
    .init(
      name: "white space before the declaration",
      source: "\n<?xml version='1.0'?><plist><true/></plist>",
      code: .surroundingBytes, location: .line(1, column: 1)),
    .init(
      name: "zero bytes after", source: "<plist><true/></plist>\n\0", code: .surroundingBytes,
      location: .line(1, column: 23)),
    .init(
      name: "a comment", source: "<plist>\n<!-- c --><true/></plist>", code: .refusedInEntitlements,
      location: .line(2, column: 11)),
    .init(
      name: "two hyphens", source: "<plist/><!-- -- -->".replacing("<plist/>", with: "<true/>"),
      code: .refusedInEntitlements, location: .line(1, column: 13)),
    .init(
      name: "a comment in text", source: "<plist><string>a<?i?></string></plist>",
      code: .refusedByApple,
      location: .line(1, column: 17)),
    .init(
      name: "129 levels",
      source: String(repeating: "<array>", count: 129) + String(repeating: "</array>", count: 129),
      code: .deep, location: .line(1, column: 897)),
  ]

  @Test(arguments: diagnostics) func notes(_ row: DiagnosticRow) throws {
    let document = try PlistDocument(parsing: Array(row.source.utf8))
    let diagnostic = try #require(document.diagnostics.first)
    #expect(document.diagnostics.count == 1)
    #expect(diagnostic.code == row.code)
    #expect(diagnostic.location == row.location)
  }

  @Test func plainDocumentHasNoDiagnostics() throws {
    let source =
      "<plist>" + String(repeating: "<array>", count: 128)
      + String(repeating: "</array>", count: 128)
      + "</plist>\n"
    #expect(try PlistDocument(parsing: Array(source.utf8)).diagnostics.isEmpty)
  }

  @Test func trailingBytesPassWhereAllowed() throws {
    var strictness = ParseStrictness.strict
    strictness.allowsTrailingBytes = true
    let source = Array("<plist><true/></plist>junk".utf8) + [0xFF]
    var document = try PlistDocument(parsing: source, strictness: strictness)
    #expect(document.diagnostics.map(\.code) == [.surroundingBytes])
    document.root = false
    #expect(try document.serialized() == Array("<plist><false/></plist>junk".utf8) + [0xFF])
  }
}
