import Testing

@testable import PlistKit

/// A document and what reading it gives.
struct XMLReadingRow: CustomTestStringConvertible, Sendable {
  enum Outcome: Sendable {
    case value(PlistValue)
    case error(PlistError.Code)
  }

  let name: String
  let bytes: [UInt8]
  let outcome: Outcome
  var testDescription: String { name }

  /// A value inside Apple's header.
  init(_ name: String, _ value: String, _ expected: PlistValue) {
    self.name = name
    bytes = XMLSample.document(value)
    outcome = .value(expected)
  }

  init(_ name: String, _ value: String, _ code: PlistError.Code) {
    self.name = name
    bytes = XMLSample.document(value)
    outcome = .error(code)
  }

  /// A whole document.
  init(_ name: String, whole: String, _ expected: PlistValue) {
    self.init(name, bytes: Array(whole.utf8), expected)
  }

  init(_ name: String, whole: String, _ code: PlistError.Code) {
    self.init(name, bytes: Array(whole.utf8), code)
  }

  init(_ name: String, bytes: [UInt8], _ expected: PlistValue) {
    self.name = name
    self.bytes = bytes
    outcome = .value(expected)
  }

  init(_ name: String, bytes: [UInt8], _ code: PlistError.Code) {
    self.name = name
    self.bytes = bytes
    outcome = .error(code)
  }
}

private func date(_ seconds: Double) -> PlistValue { .date(PlistDate(secondsSince2001: seconds)) }
private func real(_ value: Double) -> PlistValue { .real(PlistReal(value)) }

@Suite struct XMLPlistTests {
  static let structure: [XMLReadingRow] = [
    .init("a dictionary", "<dict><key>a</key><true/></dict>", ["a": true]),
    .init(
      "keys keep their order", "<dict><key>b</key><true/><key>a</key><false/></dict>",
      ["b": true, "a": false]),
    .init("an empty dictionary", "<dict/>", [:]),
    .init("an array in lines", "\n<array>\n\t<true/>\n\t<false/>\n</array>\n", [true, false]),
    .init("an array with comments", "<array><!-- a --><true/><!-- b --></array>", [true]),
    .init("an instruction", "<?foo bar?><true/>", true),
    .init(
      "no wrapper", whole: "<?xml version=\"1.0\"?><dict><key>a</key><true/></dict>", ["a": true]),
    .init("no declaration", whole: "<plist><true/></plist>", true),
    .init("any version", whole: "<plist version=\"2.0\"><true/></plist>", true),
    .init("attributes", "<string a=\"b\" c='&gt;d'>x</string>", "x"),
    .init("an attribute with '>'", "<string a=\">\">x</string>", "x"),
    .init("white space in tags", "<string >a</string >", "a"),
    .init("white space before '/>'", "<true />", true),
    .init("a default namespace", whole: "<plist xmlns=\"x\"><true/></plist>", true),
    .init("a key as an item", "<array><key>a</key></array>", ["a"]),
    .init("a key as a value", "<dict><key>a</key><key>b</key></dict>", ["a": "b"]),
    .init("a key as the root", "<key>a</key>", "a"),
    .init("an empty key", "<dict><key></key><true/></dict>", ["": true]),
    .init("an empty key's short form", "<dict><key/><true/></dict>", ["": true]),
    .init("true with an end tag", "<true></true>", true),
    .init("true with a space", "<true> </true>", .malformed),
    .init("true with text", "<true>x</true>", .malformed),
    .init("a name in capitals", "<TRUE/>", .malformed),
    .init("an unknown element", "<foo/>", .malformed),
    .init("null", "<null/>", .malformed),
    .init("a prefix", whole: "<p:plist xmlns:p=\"x\"><p:true/></p:plist>", .malformed),
    .init("text in a dictionary", "<dict>junk<key>a</key><true/></dict>", .malformed),
    .init("text at the end of a dictionary", "<dict><key>a</key><true/>junk</dict>", .malformed),
    .init("text in an array", "<array>junk<true/></array>", .malformed),
    .init("CDATA in an array", "<array><![CDATA[ ]]><true/></array>", .malformed),
    .init("a character reference in an array", "<array>&#65;<true/></array>", .malformed),
    .init("an unknown entity in an array", "<array>&nbsp;<true/></array>", .entity),
    .init("text in the wrapper", "junk<true/>", .malformed),
    .init("a key without a value", "<dict><key>a</key></dict>", .malformed),
    .init("a value without a key", "<dict><true/></dict>", .malformed),
    .init("two roots", "<string>a</string><string>b</string>", .malformed),
    .init("no root", "", .malformed),
    .init("a wrapper in a wrapper", "<plist><true/></plist>", .malformed),
    .init("an element in text", "<string>a<true/></string>", .malformed),
    .init("tags that do not match", "<array><true/></dict>", .malformed),
    .init("no end", whole: "<plist version=\"1.0\"><dict><key>a</key><true/>", .truncated),
    .init("a duplicate key", "<dict><key>a</key><true/><key>a</key><false/></dict>", .duplicateKey),
    .init(
      "keys that differ in composition",
      "<dict><key>é</key><true/><key>e\u{301}</key><false/></dict>",
      .dictionary(PlistDictionary([("é", true), ("e\u{301}", false)]))),
    .init("a UID", "<dict><key>CF$UID</key><integer>5</integer></dict>", .uid(5)),
    .init(
      "a negative UID wraps", "<dict><key>CF$UID</key><integer>-1</integer></dict>",
      .uid(.max)),
    .init(
      "a UID beyond 32 bits", "<dict><key>CF$UID</key><integer>4294967296</integer></dict>",
      ["CF$UID": 4_294_967_296]),
    .init(
      "a UID's key with a string", "<dict><key>CF$UID</key><string>5</string></dict>",
      ["CF$UID": "5"]),
    .init(
      "a UID's key with another",
      "<dict><key>CF$UID</key><integer>5</integer><key>x</key><true/></dict>",
      ["CF$UID": 5, "x": true]),
  ]

  static let strings: [XMLReadingRow] = [
    .init("white space", "<string>  a  </string>", "  a  "),
    .init("the short form", "<string/>", ""),
    .init("entities", "<string>&lt;&gt;&amp;&quot;&apos;&#65;&#x1F600;</string>", "<>&\"'A😀"),
    .init("CDATA", "<string>a<![CDATA[<b>&]]>c</string>", "a<b>&c"),
    .init(
      "CDATA that looks like markup", "<string><![CDATA[<!-- <true/> -->]]></string>",
      "<!-- <true/> -->"),
    .init("CR LF", "<string>a\r\nb</string>", "a\r\nb"),
    .init("CR by reference", "<string>a&#13;b</string>", "a\rb"),
    .init("a comment", "<string>a<!-- c -->b</string>", "ab"),
    .init("a comment in a key", "<dict><key>a<!--x-->b</key><true/></dict>", ["ab": true]),
    .init("an entity in a key", "<dict><key>a&amp;b</key><true/></dict>", ["a&b": true]),
    .init("characters of two, three and four bytes", "<string>é€😀</string>", "é€😀"),
    .init("an unknown entity", "<string>&nbsp;</string>", .entity),
    .init("an unknown entity in an attribute", "<string a=\"&nbsp;\">x</string>", .entity),
    .init(
      "an unknown entity without a document type",
      whole: "<plist><string>&nbsp;</string></plist>", .entity),
    .init("an entity without ';'", "<string>a&amp b</string>", .malformed),
    .init("a reference of 8 characters", "<string>&#0000065;</string>", "A"),
    .init("a reference of more", "<string>&#00000000065;</string>", .malformed),
    .init("a reference to NUL", "<string>a&#0;b</string>", .malformed),
    .init("a reference to a control character", "<string>a&#1;b</string>", .malformed),
    .init("a reference to U+FFFE", "<string>&#xFFFE;</string>", .malformed),
    .init("references to surrogates", "<string>&#xD83D;&#xDE00;</string>", .malformed),
    .init("a control character", "<string>a\u{1}b</string>", .malformed),
    .init("a NUL", "<string>a\0b</string>", .malformed),
    .init("']]>'", "<string>a]]>b</string>", .malformed),
    .init(
      "bytes that are no UTF-8",
      bytes: Array("<plist><string>".utf8) + [0xFF, 0xFE] + Array("</string></plist>".utf8),
      .encoding),
    .init(
      "an overlong form",
      bytes: Array("<plist><string>".utf8) + [0xC1, 0x81] + Array("</string></plist>".utf8),
      .encoding),
    .init(
      "an encoded surrogate",
      bytes: Array("<plist><string>".utf8) + [0xED, 0xA0, 0x80] + Array("</string></plist>".utf8),
      .encoding),
  ]

  static let numbers: [XMLReadingRow] = [
    .init("an integer", "<integer>5</integer>", 5),
    .init("space before", "<integer> 5</integer>", 5),
    .init("space after", "<integer>5 </integer>", .badValue),
    .init("a plus sign", "<integer>+5</integer>", 5),
    .init("leading zeros", "<integer>007</integer>", 7),
    .init("minus zero", "<integer>-0</integer>", 0),
    .init("hexadecimal", "<integer>0xFf</integer>", 255),
    .init("negative hexadecimal", "<integer>-0x10</integer>", -16),
    .init("0x alone", "<integer>0x</integer>", .badValue),
    .init("a sign alone", "<integer>-</integer>", .badValue),
    .init(
      "the least", "<integer>-9223372036854775808</integer>", .integer(PlistInteger(Int64.min))),
    .init("below the least", "<integer>-9223372036854775809</integer>", .badValue),
    .init(
      "the greatest", "<integer>18446744073709551615</integer>",
      .integer(PlistInteger(UInt64.max))),
    .init("above the greatest", "<integer>18446744073709551616</integer>", .badValue),
    .init("a point", "<integer>1.5</integer>", .badValue),
    .init("no digits", "<integer></integer>", .badValue),
    .init("the short form", "<integer/>", .badValue),
    .init("a reference", "<integer>&#49;</integer>", .badValue),
    .init("CDATA", "<integer><![CDATA[5]]></integer>", .badValue),
    .init("a comment", "<integer>1<!-- c -->2</integer>", 12),
    .init("a real", "<real>1.5</real>", real(1.5)),
    .init("a real without a point", "<real>5</real>", real(5)),
    .init("a real that starts with its point", "<real>.5</real>", real(0.5)),
    .init("an exponent", "<real>-1.5E-3</real>", real(-0.0015)),
    .init("a long real", "<real>0.1000000000000000055511151231257827</real>", real(0.1)),
    .init("a real that is too great", "<real>1e400</real>", real(.infinity)),
    .init("minus zero as a real", "<real>-0.0</real>", real(-0.0)),
    .init("nan", "<real>NaN</real>", real(.nan)),
    .init("inf", "<real>inf</real>", real(.infinity)),
    .init("+infinity", "<real>+infinity</real>", real(.infinity)),
    .init("-Infinity", "<real>-Infinity</real>", real(-.infinity)),
    .init("a real in white space", "<real> 1.5 </real>", .badValue),
    .init("a hexadecimal real", "<real>0x1p3</real>", .badValue),
    .init("a comma", "<real>1,5</real>", .badValue),
    .init("an empty real", "<real></real>", .badValue),
    .init("two signs", "<real>--inf</real>", .badValue),
    .init("words after a real", "<real>1.5x</real>", .badValue),
  ]

  static let datesAndData: [XMLReadingRow] = [
    .init("a date", "<date>2020-02-29T12:00:00Z</date>", date(604_670_400)),
    .init("the start of 2001", "<date>2001-01-01T00:00:00Z</date>", date(0)),
    .init("a second before", "<date>2000-12-31T23:59:59Z</date>", date(-1)),
    .init("February 30", "<date>2021-02-30T00:00:00Z</date>", date(636_336_000)),
    .init("month 13", "<date>2021-13-01T00:00:00Z</date>", date(662_688_000)),
    .init("second 60", "<date>2016-12-31T23:59:60Z</date>", date(504_921_600)),
    .init("a fraction", "<date>2020-02-29T12:00:00.5Z</date>", .badValue),
    .init("an offset", "<date>2020-02-29T12:00:00+01:00</date>", .badValue),
    .init("no Z", "<date>2020-02-29T12:00:00</date>", .badValue),
    .init("one digit", "<date>2020-2-9T1:2:3Z</date>", .badValue),
    .init("white space", "<date> 2020-02-29T12:00:00Z</date>", .badValue),
    .init("a day without a time", "<date>2020-02-29</date>", .badValue),
    .init("no date", "<date></date>", .badValue),
    .init("a year of 2^31", "<date>2147483648-01-01T00:00:00Z</date>", .badValue),
    .init("data", "<data>AAEC</data>", .data([0, 1, 2])),
    .init("padding", "<data>AAECAw==</data>", .data([0, 1, 2, 3])),
    .init("padding in the middle", "<data>AA==AAEC</data>", .data([0, 0, 1, 2])),
    .init("data in lines", "<data>\n\tAA\n\tEC\n\t</data>", .data([0, 1, 2])),
    .init("other characters", "<data>A!A*EC</data>", .data([0, 1, 2])),
    .init("no padding", "<data>AAECAw</data>", .data([0, 1, 2])),
    .init("the alphabet of URLs", "<data>-_8=</data>", .data([])),
    .init("empty data", "<data></data>", .data([])),
    .init("the short form", "<data/>", .badValue),
    .init("characters beyond ASCII", "<data>AAéEC</data>", .badValue),
    .init("a comment in data", "<data>AA<!-- c -->EC</data>", .data([0, 1, 2])),
  ]

  static let surroundings: [XMLReadingRow] = [
    .init(
      "white space before the declaration",
      whole: "\n <?xml version='1.0'?><plist><true/></plist>", true),
    .init("white space without a declaration", whole: "\r\n\t<plist><true/></plist>", true),
    .init("zero bytes after", bytes: XMLSample.document("<true/>") + [0, 0], true),
    .init("a comment after", bytes: XMLSample.document("<true/>") + Array("<!-- c -->".utf8), true),
    .init("text after", bytes: XMLSample.document("<true/>") + Array("junk".utf8), .trailingBytes),
    .init(
      "a second document", bytes: XMLSample.document("<true/>") + XMLSample.document("<true/>"),
      .trailingBytes),
    .init("two hyphens in a comment", "<!-- a -- b --><true/>", true),
    .init("a comment that ends in three hyphens", "<!-- a ---><true/>", true),
    .init(
      "two hyphens and CDATA", "<!-- -- --><string><![CDATA[<!-- -- -->]]></string>",
      "<!-- -- -->"),
    .init("a comment without an end", "<!-- a -- b <true/>", .truncated),
    .init("only a declaration", whole: "<?xml version=\"1.0\"?>", .truncated),
    .init(
      "an entity declared",
      whole: "<!DOCTYPE plist [<!ENTITY e \"x\">]><plist><string>&e;</string></plist>", .entity),
    .init(
      "an external entity declared",
      whole:
        "<!DOCTYPE plist [<!ENTITY e SYSTEM \"/etc/passwd\">]><plist><string>&e;</string></plist>",
      .entity),
    .init(
      "an internal subset after an identifier",
      whole: "<!DOCTYPE plist SYSTEM \"x.dtd\" [ ]><plist><true/></plist>", .entity),
    .init(
      "a document type without identifiers", whole: "<!DOCTYPE plist><plist><true/></plist>", true),
  ]

  static var allRows: [XMLReadingRow] {
    structure + strings + numbers + datesAndData + surroundings + encodings
  }

  @Test(arguments: structure + strings + numbers + datesAndData + surroundings)
  func reads(_ row: XMLReadingRow) throws {
    try check(row)
  }

  @Test(arguments: encodings)
  func readsEncoding(_ row: XMLReadingRow) throws {
    try check(row)
  }

  private func check(_ row: XMLReadingRow) throws {
    switch row.outcome {
    case .value(let expected):
      let document = try PlistDocument(parsing: row.bytes)
      #expect(document.root == expected)
      #expect(try document.serialized() == row.bytes)
    case .error(let code):
      let error = #expect(throws: PlistError.self) { try PlistDocument(parsing: row.bytes) }
      #expect(error?.code == code, "\(error?.description ?? "")")
    }
  }

  private static func utf16(_ text: String, bigEndian: Bool, mark: Bool) -> [UInt8] {
    ((mark ? "\u{FEFF}" : "") + text).utf16.flatMap { unit in
      let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
      return bigEndian ? [high, low] : [low, high]
    }
  }

  private static func utf32(_ text: String, bigEndian: Bool, mark: Bool) -> [UInt8] {
    ((mark ? "\u{FEFF}" : "") + text).unicodeScalars.flatMap { scalar in
      let bytes = (0..<4).map { UInt8(scalar.value >> (24 - 8 * $0) & 0xFF) }
      return bigEndian ? bytes : bytes.reversed()
    }
  }

  private static func declared(_ encoding: String) -> String {
    "<?xml version=\"1.0\" encoding=\"\(encoding)\"?><plist><string>é😀</string></plist>"
  }

  private static func latin(_ encoding: String, _ byte: UInt8) -> [UInt8] {
    Array("<?xml version='1.0' encoding='\(encoding)'?><plist><string>".utf8) + [byte]
      + Array("</string></plist>".utf8)
  }

  static let encodings: [XMLReadingRow] = [
    .init("UTF-8 with a mark", bytes: [0xEF, 0xBB, 0xBF] + Array(declared("UTF-8").utf8), "é😀"),
    .init("UTF-8 in small letters", whole: declared("utf-8"), "é😀"),
    .init(
      "UTF-16BE with a mark",
      bytes: utf16(declared("UTF-16"), bigEndian: true, mark: true), "é😀"),
    .init(
      "UTF-16LE with a mark",
      bytes: utf16(declared("UTF-16"), bigEndian: false, mark: true), "é😀"),
    .init(
      "UTF-16BE without one",
      bytes: utf16(declared("UTF-16"), bigEndian: true, mark: false), .encoding),
    .init(
      "UTF-16LE by its full name",
      bytes: utf16(declared("UTF-16LE"), bigEndian: false, mark: true), "é😀"),
    .init(
      "UTF-16 without a declaration",
      bytes: utf16("<plist><true/></plist>", bigEndian: false, mark: true), true),
    .init("UTF-32BE", bytes: utf32(declared("UTF-32"), bigEndian: true, mark: true), "é😀"),
    .init("UTF-32LE", bytes: utf32(declared("UTF-32"), bigEndian: false, mark: true), "é😀"),
    .init(
      "UTF-32LE without a mark",
      bytes: utf32(declared("UCS-4"), bigEndian: false, mark: false), .encoding),
    .init("ISO-8859-1", bytes: latin("ISO-8859-1", 0xE9), "é"),
    .init("windows-1252", bytes: latin("windows-1252", 0x80), "€"),
    .init("Shift_JIS", bytes: latin("Shift_JIS", 0xB1), "ｱ"),
    .init("US-ASCII", bytes: latin("US-ASCII", 0x41), "A"),
    .init("US-ASCII with more", bytes: latin("US-ASCII", 0xE9), .encoding),
    .init(
      "a lone surrogate",
      bytes: utf16("<plist><string>", bigEndian: true, mark: true) + [0xD8, 0x3D]
        + utf16("</string></plist>", bigEndian: true, mark: false), .encoding),
    .init(
      "half a unit",
      bytes: utf16("<plist><true/></plist>", bigEndian: true, mark: true) + [0], .encoding),
    .init("an unknown name", whole: declared("x-foo"), .encoding),
    .init("a name that is none", whole: declared("//TRANSLIT"), .encoding),
    .init("UTF-16 declared, UTF-8 there", whole: declared("UTF-16"), .encoding),
    .init(
      "UTF-8 declared, UTF-16 there",
      bytes: utf16(declared("UTF-8"), bigEndian: true, mark: true), .encoding),
    .init(
      "UTF-16LE declared, UTF-16BE there",
      bytes: utf16(declared("UTF-16LE"), bigEndian: true, mark: true), .encoding),
    .init(
      "ISO-8859-1 declared, a mark of UTF-8 there",
      bytes: [0xEF, 0xBB, 0xBF] + Array(declared("ISO-8859-1").utf8), .encoding),
  ]
}
