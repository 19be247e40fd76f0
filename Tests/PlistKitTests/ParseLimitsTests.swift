import Foundation
import Testing

@testable import PlistKit

/// A file that comes to exactly so much of what a bound is on.
struct LimitRow: CustomTestStringConvertible, Sendable {
  let name: String
  let limit: any WritableKeyPath<ParseLimits, Int> & Sendable
  let amount: Int
  let file: [UInt8]
  /// What is made of the file within the bound: an element of a long name is never read.
  let within: PlistError.Code?

  var testDescription: String { name }

  init(
    _ name: String, _ limit: any WritableKeyPath<ParseLimits, Int> & Sendable, _ amount: Int,
    _ file: [UInt8], within: PlistError.Code? = nil
  ) {
    self.name = name
    self.limit = limit
    self.amount = amount
    self.file = file
    self.within = within
  }
}

@Suite struct ParseLimitsTests {
  static let documents = "<dict><key>a</key><array><true/></array><key>b</key><true/></dict>"
  /// The same in the other formats: 4 values, in the binary file also 2 keys.
  static let openStep = Array("{a = (c); b = d;}".utf8)
  static let binary = BinaryFile(
    [0xD2, 1, 2, 3, 4], ascii("a"), ascii("b"), [0xA1, 4], [0x09]
  ).bytes

  static let rows: [LimitRow] = [
    LimitRow("bytes of XML", \.bytes, 24, Array("<plist><dict/>  </plist>".utf8)),
    LimitRow("bytes of a binary file", \.bytes, binary.count, binary),
    LimitRow("bytes of OpenStep text", \.bytes, openStep.count, openStep),
    LimitRow("levels of XML", \.depth, 2, XMLSample.document(documents)),
    LimitRow("levels of a binary file", \.depth, 2, binary),
    LimitRow("levels of OpenStep text", \.depth, 2, openStep),
    LimitRow("values of XML", \.objects, 4, XMLSample.document(documents)),
    LimitRow("objects of a binary file", \.objects, 5, binary),
    LimitRow("values of OpenStep text", \.objects, 4, openStep),
    LimitRow("pairs of XML", \.pairs, 2, XMLSample.document(documents)),
    LimitRow("pairs of a binary file", \.pairs, 2, binary),
    LimitRow("pairs of OpenStep text", \.pairs, 2, openStep),
    LimitRow("pairs of a .strings file", \.pairs, 2, Array("a; b;".utf8)),
    LimitRow(
      "bytes of an element's name", \.nameBytes, 12, Array("<abcdefghijkl/>".utf8),
      within: .malformed),
    LimitRow(
      "attributes", \.attributes, 3, XMLSample.document(#"<true a="" b="" c=""/>"#)),
    LimitRow(
      "bytes of attributes", \.attributeBytes, 15,
      XMLSample.document("<string a='123456789' >a</string>")),
  ]

  @Test(arguments: rows) func isExact(_ row: LimitRow) {
    var limits = ParseLimits.standard
    limits[keyPath: row.limit] = row.amount
    #expect(code(reading: row.file, limits: limits) == row.within)
    limits[keyPath: row.limit] = row.amount - 1
    #expect(code(reading: row.file, limits: limits) == .limit)
  }

  /// Bounds on writing, which a file that is read does not meet: ``PlistSizeTests``.
  static let ofWriting: Set<String> = ["expandedObjects", "expandedBytes"]

  @Test func everyBoundHasItsFile() {
    let names = Mirror(reflecting: ParseLimits.standard).children.compactMap(\.label)
    var shown = Self.ofWriting
    for row in Self.rows {
      var changed = ParseLimits.standard
      changed[keyPath: row.limit] = -1
      let pairs = zip(
        Mirror(reflecting: ParseLimits.standard).children, Mirror(reflecting: changed).children)
      shown.formUnion(
        pairs.compactMap { a, b in a.value as? Int == b.value as? Int ? nil : a.label })
    }
    #expect(shown == Set(names))
  }

  @Test(arguments: [PlistFormat.xml, .binary, .openStep])
  func moreThan128LevelsAreNoted(_ format: PlistFormat) throws {
    func file(levels: Int) throws -> [UInt8] {
      if format == .openStep {
        return Array(String(repeating: "(", count: levels).utf8)
          + Array(String(repeating: ")", count: levels).utf8)
      }
      let value = (1..<levels).reduce(PlistValue.array([])) { value, _ in .array([value]) }
      return try PlistDocument(root: value, format: format).serialized()
    }
    #expect(try PlistDocument(parsing: file(levels: 128)).diagnostics.isEmpty)
    let deep = try PlistDocument(parsing: file(levels: 129))
    #expect(deep.diagnostics.map(\.code) == [.deep])
  }

  @Test(arguments: [ParseStrictness.strict, .apple])
  func nestingWithoutEndIsALimit(_ strictness: ParseStrictness) {
    let levels = 200_000
    let xml = String(repeating: "<array>", count: levels)
    let openStep = String(repeating: "(", count: levels)
    let keys = String(repeating: "{a=", count: levels)
    for text in [xml, openStep, keys] {
      #expect(code(reading: Array(text.utf8), strictness: strictness) == .limit)
    }
  }

  /// Markup that never ends, of which each piece could be looked through to the end of the file.
  @Test(
    .timeLimit(.minutes(3)), arguments: ["<a ", "<a <!--", "</a ", "<!DOCTYPE ", "<?", "<![CDATA["])
  func unendedMarkupIsReadOnce(_ piece: String) {
    let text = "<plist>" + String(repeating: piece, count: 300_000)
    for document in [text, String(repeating: piece, count: 300_000)] {
      let found = code(reading: Array(document.utf8), strictness: .apple)
      #expect(found == .malformed || found == .truncated)
    }
  }

  /// The error stands where the internal subset starts: nothing in it was read.
  @Test func entitiesAreRefusedBeforeTheyAreDeclared() throws {
    let bytes = try EdgeFiles.bytes("x_laughs")
    let error = #expect(throws: PlistError.self) { try PlistDocument(parsing: bytes) }
    let start = try #require(bytes.firstIndex(of: UInt8(ascii: "[")))
    let line = bytes[..<start].filter { $0 == UInt8(ascii: "\n") }.count + 1
    guard case .line(line, let column) = error?.location else {
      Issue.record("the error is at \(String(describing: error?.location))")
      return
    }
    #expect(bytes[..<start].split(separator: UInt8(ascii: "\n")).last?.count == column - 1)
  }

  /// A length is compared with what is there before anything is reserved for it.
  @Test(arguments: [0x4F, 0x5F, 0x6F, 0xAF, 0xCF, 0xDF] as [UInt8])
  func aDeclaredLengthReservesNothing(_ marker: UInt8) {
    for length: UInt64 in [0x7FFF_FFFF, 0x7FFF_FFFF_FFFF_FFFF, .max] {
      let file = BinaryFile([marker, 0x13] + bigEndian(length, 8))
      #expect(file.bytes.count < 60)
      #expect(code(reading: file.bytes) == .truncated)
    }
  }
}
