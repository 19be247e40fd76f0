import CodeSigning
import PlistKit
import Testing

@Suite struct EntitlementsTests {
  struct Row: NamedRow {
    let name: String
    let values: PlistValue
    let der: [UInt8]
  }

  static let rows = [
    Row(name: "none", values: [:], der: [0x70, 5, 2, 1, 1, 0xB0, 0]),
    Row(
      name: "booleans", values: ["a": true, "b": false],
      der: DERBytes.entitlements(
        DERBytes.pair("a", [1, 1, 0xFF]), DERBytes.pair("b", [1, 1, 0]))),
    Row(
      name: "keys by their bytes", values: ["b": "x", "a.b": "", "a": "ü", "B": "x"],
      der: DERBytes.entitlements(
        DERBytes.pair("B", DERBytes.text("x")), DERBytes.pair("a", DERBytes.text("ü")),
        DERBytes.pair("a.b", DERBytes.text("")), DERBytes.pair("b", DERBytes.text("x")))),
    Row(
      name: "arrays and dictionaries", values: ["k": ["x", [], ["z": 1, "y": true]]],
      der: DERBytes.entitlements(
        DERBytes.pair(
          "k",
          DERBytes.element(
            0x30, DERBytes.text("x"), [0x30, 0],
            DERBytes.element(
              0xB0, DERBytes.pair("y", [1, 1, 0xFF]), DERBytes.pair("z", [2, 1, 1])))))),
    Row(
      name: "data", values: ["k": .data([1, 2])],
      der: DERBytes.entitlements(DERBytes.pair("k", [4, 2, 1, 2]))),
    Row(
      name: "a long text", values: ["k": .string(String(repeating: "a", count: 300))],
      der: DERBytes.entitlements(
        DERBytes.pair("k", DERBytes.text(String(repeating: "a", count: 300))))),
    integer(0, [0]), integer(127, [0x7F]), integer(128, [0, 0x80]), integer(-1, [0xFF]),
    integer(-128, [0x80]), integer(-129, [0xFF, 0x7F]), integer(65_536, [1, 0, 0]),
    integer(.max, [0x7F] + [UInt8](repeating: 0xFF, count: 7)),
    integer(.min, [0x80] + [UInt8](repeating: 0, count: 7)),
    Row(
      name: "2^64 - 1",
      values: ["k": .integer(PlistInteger(UInt64.max))],
      der: DERBytes.entitlements(
        DERBytes.pair("k", [2, 9, 0] + [UInt8](repeating: 0xFF, count: 8)))),
  ]

  private static func integer(_ value: Int64, _ bytes: [UInt8]) -> Row {
    Row(
      name: "\(value)", values: ["k": .integer(PlistInteger(value))],
      der: DERBytes.entitlements(DERBytes.pair("k", DERBytes.element(2, bytes))))
  }

  @Test(arguments: rows) func der(_ row: Row) throws {
    let entitlements = Entitlements(try #require(row.values.dictionary))
    #expect(try entitlements.der() == row.der)
    #expect(try Entitlements(der: row.der) == entitlements)
    #expect(try Entitlements(parsing: entitlements.xml()) == entitlements)
  }

  /// `openssl asn1parse` takes what is written.
  @Test func asn1parse() throws {
    let folder = try AppFolder()
    for row in Self.rows {
      let path = try folder.write(
        "der", try Entitlements(try #require(row.values.dictionary)).der())
      let result = try Tool.run(["openssl", "asn1parse", "-inform", "DER", "-in", path])
      #expect(result.status == 0 && result.output.contains("appl [ 16 ]"), "\(row.name)")
    }
  }

  @Test func olderForm() throws {
    let inner = DERBytes.element(0x31, DERBytes.pair("y", [1, 1, 0xFF]))
    let bytes = DERBytes.element(0x31, DERBytes.pair("k", inner), DERBytes.pair("a", [2, 1, 7]))
    #expect(Entitlements.derForm(of: bytes) == .older)
    #expect(try Entitlements(der: bytes) == .of(["a": 7, "k": ["y": true]]))
  }

  // MARK: Property lists

  struct Text: NamedRow {
    let name: String
    let bytes: [UInt8]
    /// The value under `k`, nil where there are none.
    var value: PlistValue?
    var code: SigningError.Code?
  }

  private static let list = #"<plist version="1.0"><dict><key>k</key><true/></dict></plist>"#
  private static let doctype =
    #"<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">"#
  private static let binary =
    Array("bplist00".utf8) + [0xD1, 1, 2, 0x51, 0x6B, 0x09, 8, 11, 13]
    + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 3] + [UInt8](repeating: 0, count: 8)
    + [0, 0, 0, 0, 0, 0, 0, 14]

  static let texts = [
    Text(name: "no bytes", bytes: []),
    Text(name: "white space", bytes: Array(" \r\n\t".utf8)),
    Text(name: "a byte-order mark alone", bytes: [0xEF, 0xBB, 0xBF, 0x0A]),
    Text(name: "zeros", bytes: [0, 0, 0, 0]),
    Text(name: "an empty dictionary", bytes: Array("<plist><dict/></plist>".utf8)),
    Text(name: "XML", bytes: Array(list.utf8), value: true),
    Text(
      name: "a document type", bytes: Array(("<?xml version=\"1.0\"?>\n" + doctype + list).utf8),
      value: true),
    Text(
      name: "a byte-order mark", bytes: [0xEF, 0xBB, 0xBF] + Array((doctype + list).utf8),
      value: true),
    Text(
      name: "white space before the declaration",
      bytes: Array(("\n  <?xml version=\"1.0\" encoding=\"UTF-8\"?>" + list).utf8), value: true),
    Text(name: "zeros behind it", bytes: Array(list.utf8) + [0, 0, 0], value: true),
    Text(name: "binary", bytes: binary, value: true),
    Text(name: "an array", bytes: Array("<plist><array/></plist>".utf8), code: .wrongKind),
    Text(name: "OpenStep text", bytes: Array("{ k = 1; }".utf8), code: .wrongKind),
    Text(name: "a word", bytes: Array("garbage".utf8), code: .wrongKind),
    Text(name: "cut off", bytes: Array(list.utf8.prefix(30)), code: .malformed),
    Text(name: "DER", bytes: [0x70, 5, 2, 1, 1, 0xB0, 0], code: .malformed),
    Text(
      name: "100 deep",
      bytes: Array(
        ("<plist><dict><key>k</key>" + String(repeating: "<array>", count: 100)
          + String(repeating: "</array>", count: 100) + "</dict></plist>").utf8), code: .limit),
  ]

  @Test(arguments: texts) func propertyLists(_ row: Text) {
    let code = signingErrorCode { () throws(SigningError) in
      let entitlements = try Entitlements(parsing: row.bytes)
      #expect(entitlements["k"] == row.value)
      #expect(entitlements.isEmpty == (row.value == nil))
    }
    #expect(code == row.code)
  }

  @Test func differences() throws {
    let first = Entitlements.of(["b": ["x": 1, "y": 2], "a": true, "only": "first"])
    let second = Entitlements.of(["a": 1, "other": [], "b": ["y": 2, "x": 1]])
    let found = first.differences(to: second)
    #expect(found.map(\.key) == ["a", "only", "other"])
    #expect(found.map(\.first) == [true, "first", nil])
    #expect(found.map(\.second) == [1, nil, []])
    #expect(first != second && first.differences(to: first) == [])
  }

  @Test func whatDERCannotHold() {
    for value: PlistValue in [.real(PlistReal(1.5)), .date(PlistDate(secondsSince2001: 0)), .null] {
      let entitlements = Entitlements.of(["outer": ["inner": value]])
      #expect(
        signingErrorCode { () throws(SigningError) in _ = try entitlements.der() } == .unsupported)
    }
  }

  // MARK: Hostile DER

  static let good = DERBytes.entitlements(
    DERBytes.pair("application-identifier", DERBytes.text("T.a")),
    DERBytes.pair("groups", DERBytes.element(0x30, DERBytes.text("x"), DERBytes.text("y"))),
    DERBytes.pair("nested", DERBytes.element(0xB0, DERBytes.pair("n", [2, 1, 5]))),
    DERBytes.pair("z", [1, 1, 0xFF]))

  @Test func truncations() throws {
    #expect(try Entitlements(der: Self.good).values.count == 4)
    for count in 0..<Self.good.count {
      let code = signingErrorCode { () throws(SigningError) in
        _ = try Entitlements(der: Array(Self.good.prefix(count)))
      }
      #expect(code == (count == 0 ? .wrongKind : .truncated), "\(count) bytes")
    }
  }

  /// Whatever a changed byte makes of it, what is read can be written and read again.
  @Test func changedBytes() throws {
    for index in Self.good.indices {
      for mask in UInt8(1)...255 {
        var changed = Self.good
        changed[index] ^= mask
        guard let read = try? Entitlements(der: changed) else { continue }
        #expect(try Entitlements(der: read.der()) == read, "byte \(index), mask \(mask)")
      }
    }
  }

  struct Hostile: NamedRow {
    let name: String
    let bytes: [UInt8]
    let code: SigningError.Code
  }

  private static func nested(_ count: Int, _ tag: UInt8) -> [UInt8] {
    let inner = (0..<count).reduce([UInt8]()) { inner, _ in
      tag == 0x30
        ? DERBytes.element(0x30, inner)
        : DERBytes.element(tag, inner.isEmpty ? [] : DERBytes.pair("k", inner))
    }
    return DERBytes.entitlements(DERBytes.pair("k", inner))
  }

  static let hostileRows = [
    Hostile(name: "text", bytes: Array("<plist/>".utf8), code: .wrongKind),
    Hostile(name: "a sequence", bytes: [0x30, 0], code: .wrongKind),
    Hostile(name: "nothing inside", bytes: [0x70, 0], code: .truncated),
    Hostile(name: "a version alone", bytes: [0x70, 3, 2, 1, 1], code: .truncated),
    Hostile(name: "version 2", bytes: [0x70, 5, 2, 1, 2, 0xB0, 0], code: .unsupported),
    Hostile(
      name: "version of two bytes", bytes: [0x70, 6, 2, 2, 0, 1, 0xB0, 0], code: .unsupported),
    Hostile(name: "a text as version", bytes: [0x70, 5, 0x0C, 1, 1, 0xB0, 0], code: .malformed),
    Hostile(name: "bytes behind it", bytes: good + [0], code: .malformed),
    Hostile(
      name: "bytes behind the dictionary", bytes: [0x70, 7, 2, 1, 1, 0xB0, 0, 5, 0],
      code: .malformed),
    Hostile(name: "a set as dictionary", bytes: [0x70, 5, 2, 1, 1, 0x31, 0], code: .malformed),
    Hostile(
      name: "an indefinite length", bytes: [0x70, 0x80, 2, 1, 1, 0xB0, 0, 0, 0], code: .malformed),
    Hostile(
      name: "a length of 4 GiB", bytes: [0x70, 0x84, 0xFF, 0xFF, 0xFF, 0xFF, 2, 1, 1],
      code: .truncated),
    Hostile(
      name: "a length of 2^64",
      bytes: [0x70, 0x88] + [UInt8](repeating: 0xFF, count: 8) + [2, 1, 1],
      code: .truncated),
    Hostile(
      name: "an inner length behind the outer end",
      bytes: DERBytes.entitlements(DERBytes.element(0x30, [0x0C, 0x20, 0x61])), code: .truncated),
    Hostile(
      name: "no pair", bytes: DERBytes.entitlements(DERBytes.text("k")), code: .malformed),
    Hostile(
      name: "a pair without value", bytes: DERBytes.entitlements(DERBytes.pair("k", [])),
      code: .truncated),
    Hostile(
      name: "a pair of three",
      bytes: DERBytes.entitlements(DERBytes.pair("k", [1, 1, 0, 1, 1, 0])), code: .malformed),
    Hostile(
      name: "a number as key",
      bytes: DERBytes.entitlements(DERBytes.element(0x30, [2, 1, 1, 1, 1, 0])), code: .malformed),
    Hostile(
      name: "a key twice",
      bytes: DERBytes.entitlements(
        DERBytes.pair("k", [1, 1, 0]), DERBytes.pair("k", [1, 1, 0xFF])), code: .malformed),
    Hostile(
      name: "a boolean of two bytes",
      bytes: DERBytes.entitlements(DERBytes.pair("k", [1, 2, 0, 0])), code: .malformed),
    Hostile(
      name: "an empty integer", bytes: DERBytes.entitlements(DERBytes.pair("k", [2, 0])),
      code: .malformed),
    Hostile(
      name: "an integer of 9 bytes",
      bytes: DERBytes.entitlements(
        DERBytes.pair("k", [2, 9, 1] + [UInt8](repeating: 0, count: 8))), code: .malformed),
    Hostile(
      name: "text that is no UTF-8",
      bytes: DERBytes.entitlements(DERBytes.pair("k", [0x0C, 2, 0xC3, 0x28])), code: .malformed),
    Hostile(
      name: "a null", bytes: DERBytes.entitlements(DERBytes.pair("k", [5, 0])), code: .unsupported),
    Hostile(
      name: "a context tag of another number",
      bytes: DERBytes.entitlements(DERBytes.pair("k", [0xA1, 0])), code: .unsupported),
    Hostile(name: "arrays 1,000 deep", bytes: nested(1000, 0x30), code: .limit),
    Hostile(name: "dictionaries 1,000 deep", bytes: nested(1000, 0xB0), code: .limit),
    Hostile(
      name: "400,000 values",
      bytes: DERBytes.entitlements(
        DERBytes.pair(
          "k",
          DERBytes.element(
            0x30,
            [UInt8](repeating: 0x0C, count: 1)
              + [UInt8]((0..<400_000).flatMap { _ in [UInt8](arrayLiteral: 0, 0x0C) }) + [0]))),
      code: .limit),
    Hostile(
      name: "more bytes than are read",
      bytes: DERBytes.entitlements(
        DERBytes.pair("k", DERBytes.element(4, [UInt8](repeating: 0, count: 9 << 20)))),
      code: .limit),
  ]

  @Test(.timeLimit(.minutes(1)), arguments: hostileRows) func hostile(_ row: Hostile) {
    let code = signingErrorCode { () throws(SigningError) in
      _ = try Entitlements(der: row.bytes)
    }
    #expect(code == row.code)
  }

  /// As deep as is read, and one more.
  @Test func depth() throws {
    let limit = SigningLimits.standard.depth
    for tag: UInt8 in [0x30, 0xB0] {
      let read = try Entitlements(der: Self.nested(limit - 1, tag))
      #expect(try Entitlements(der: read.der()) == read)
      let code = signingErrorCode { () throws(SigningError) in
        _ = try Entitlements(der: Self.nested(limit, tag))
      }
      #expect(code == .limit)
    }
  }
}
