import Foundation
import Testing

@testable import PlistKit

@Suite struct XMLWriterTests {
  /// A value of each kind that XML holds.
  private static let everything: PlistValue = [
    "text": "a < b & c > \"d\" 'e'\n\té😀\r\n",
    "key & <more>": "",
    "number": -5,
    "great": .integer(PlistInteger(UInt64.max)),
    "least": .integer(PlistInteger(Int64.min)),
    "tenth": .real(PlistReal(0.1)),
    "whole": .real(PlistReal(5.0)),
    "minus zero": .real(PlistReal(-0.0)),
    "tiny": .real(PlistReal(Double.leastNonzeroMagnitude)),
    "huge": .real(PlistReal(1.7976931348623157e308)),
    "infinite": .real(PlistReal(-Double.infinity)),
    "leap day": .date(PlistDate(secondsSince2001: 604_670_400)),
    "long ago": .date(PlistDate(secondsSince2001: -63_113_904_000)),
    "year 9999": .date(PlistDate(secondsSince2001: 252_423_993_599)),
    "no bytes": .data([]),
    "one byte": .data([255]),
    "bytes": .data((0..<200).map { UInt8($0) }),
    "yes": true,
    "no": false,
    "empty": [:],
    "none": [],
    "nested": [["a": [1, ["b": .data(Array(repeating: 7, count: 100))]]], "x"],
  ]

  @Test func laysOutAsApplesWriter() throws {
    let value: PlistValue = [
      "b": ["x", 1, .real(PlistReal(0.1)), true],
      "a": ["data": .data(Array(repeating: 0, count: 51)), "none": [:], "empty": []],
      "date": .date(PlistDate(secondsSince2001: 0.9)),
      "uid": .uid(3),
    ]
    let expected = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      \t<key>b</key>
      \t<array>
      \t\t<string>x</string>
      \t\t<integer>1</integer>
      \t\t<real>0.10000000000000001</real>
      \t\t<true/>
      \t</array>
      \t<key>a</key>
      \t<dict>
      \t\t<key>data</key>
      \t\t<data>
      \t\tAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
      \t\tAAAAAAAA
      \t\t</data>
      \t\t<key>none</key>
      \t\t<dict/>
      \t\t<key>empty</key>
      \t\t<array/>
      \t</dict>
      \t<key>date</key>
      \t<date>2001-01-01T00:00:00Z</date>
      \t<key>uid</key>
      \t<dict>
      \t\t<key>CF$UID</key>
      \t\t<integer>3</integer>
      \t</dict>
      </dict>
      </plist>

      """
    let text = String(decoding: try XMLPlist.serialize(value), as: UTF8.self)
    #expect(text == expected)
  }

  @Test func readsBackWhatItWrites() throws {
    let bytes = try XMLPlist.serialize(Self.everything)
    #expect(try PlistDocument(parsing: bytes).root == Self.everything)
  }

  @Test(.enabled(if: OtherReaders.python != nil)) func pythonReadsTheSame() throws {
    let bytes = try XMLPlist.serialize(Self.everything)
    let script = "print(canonical(plistlib.load(sys.stdin.buffer)), end='')"
    let output = try OtherReaders.output(
      of: OtherReaders.python, ["-c", XMLOracle.canonicalScript + script], input: Data(bytes))
    #expect(String(decoding: output, as: UTF8.self) == Self.everything.canonicalText)
  }

  /// Python's writer follows Apple's layout but for its own form of reals.
  @Test(.enabled(if: OtherReaders.python != nil)) func pythonWritesTheSame() throws {
    let value: PlistValue = [
      "z": [1, [2, ["k": .data((0..<255).map { UInt8($0) })]], []], "a": ["b": [:], "c": "<&>é"],
      "d": .date(PlistDate(secondsSince2001: 1)),
    ]
    let bytes = try XMLPlist.serialize(value)
    let output = try OtherReaders.output(
      of: OtherReaders.python,
      [
        "-c",
        """
        import sys, plistlib
        value = plistlib.load(sys.stdin.buffer)
        sys.stdout.buffer.write(plistlib.dumps(value, sort_keys=False))
        """,
      ], input: Data(bytes))
    #expect(Array(output) == bytes)
  }

  @Test(.enabled(if: OtherReaders.plistutil != nil)) func plistutilReadsTheSame() throws {
    // libplist knows dates of the years 1900 on and writes minus zero as zero.
    var value = Self.everything
    if case .dictionary(var dictionary) = value {
      for key in ["long ago", "year 9999", "tiny", "minus zero"] { dictionary[key] = nil }
      value = .dictionary(dictionary)
    }
    let bytes = try XMLPlist.serialize(value)
    func converted(_ input: Data, to format: String) throws -> Data {
      try OtherReaders.output(
        of: OtherReaders.plistutil, ["-i", "-", "-o", "-", "-f", format], input: input)
    }
    let xml = try converted(converted(Data(bytes), to: "bin"), to: "xml")
    #expect(try PlistDocument(parsing: Array(xml)).root.canonicalText == value.canonicalText)
  }

  static let dates: [String] = [
    "0001-01-01T00:00:00Z", "0000-02-29T00:00:00Z", "-0001-12-31T23:59:59Z",
    "-0044-03-15T12:00:00Z", "9999-12-31T23:59:59Z", "10000-01-01T00:00:00Z",
    "144683-05-23T00:00:00Z", "2147481647-01-01T00:00:00Z", "-2147481647-01-01T00:00:00Z",
  ]

  @Test(arguments: dates) func writesEachYear(_ text: String) throws {
    let value = try PlistDocument(parsing: XMLSample.document("<date>\(text)</date>")).root
    let written = String(decoding: try XMLPlist.serialize(value), as: UTF8.self)
    #expect(written.contains("<date>\(text)</date>"))
  }

  @Test(.enabled(if: OtherReaders.plutil != nil, "no plutil"))
  func appleReadsEachYearBack() throws {
    let documents = Self.dates.map { "<date>\($0)</date>" }.joined()
    let value = try PlistDocument(parsing: XMLSample.document("<array>\(documents)</array>")).root
    let bytes = try XMLPlist.serialize(value)
    let binary = try OtherReaders.output(
      of: OtherReaders.plutil, ["-convert", "binary1", "-o", "-", "-"], input: Data(bytes))
    #expect(try PlistDocument(parsing: Array(binary)).root == value)
  }

  struct UnwritableRow: CustomTestStringConvertible, Sendable {
    let name: String
    let value: PlistValue
    var testDescription: String { name }
  }

  static let unwritable: [UnwritableRow] = [
    .init(name: "null", value: .null),
    .init(name: "a set", value: .set([1])),
    .init(name: "a date that is no number", value: .date(PlistDate(secondsSince2001: .nan))),
    .init(name: "an infinite date", value: .date(PlistDate(secondsSince2001: .infinity))),
    .init(
      name: "a date in the year -2^31", value: .date(PlistDate(secondsSince2001: -6.7769e16))),
    .init(name: "a date in the year 2^31", value: .date(PlistDate(secondsSince2001: 6.7768e16))),
    .init(name: "a control character", value: "a\u{1}"),
    .init(name: "NUL", value: "\0"),
    .init(name: "U+FFFE", value: "\u{FFFE}"),
    .init(name: "U+FFFF", value: "\u{FFFF}"),
    .init(name: "a control character in a key", value: ["\u{1B}": true]),
  ]

  @Test(arguments: unwritable) func refuses(_ row: UnwritableRow) throws {
    let error = #expect(throws: PlistError.self) {
      try XMLPlist.serialize(["a": [true, row.value]])
    }
    #expect(error?.code == .unrepresentable)
    #expect(error?.keyPath?.description.hasPrefix("/a/1") == true)
  }

  @Test func writesCharactersNearTheForbiddenOnes() throws {
    let text = "\u{7F}\u{FFFD}\u{FFBE}\u{EFBF}\u{FFBF}\u{10FFFF}"
    let bytes = try XMLPlist.serialize(.string(text))
    #expect(try PlistDocument(parsing: bytes).root == .string(text))
  }

  @Test(arguments: [0, 1, 7, 8, 9, 15, 16, 17, 8191, 8192, 8193, 20_000])
  func writesTextOfEveryLength(_ length: Int) throws {
    for character in ["x", "é", "<", "&", "\u{FFFD}"] {
      let text = String(repeating: "x", count: length) + character
      let bytes = try XMLPlist.serialize([.string(text), .string(character + text)])
      let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      #expect(String(decoding: bytes, as: UTF8.self).contains("<string>\(escaped)</string>"))
      #expect(try PlistDocument(parsing: bytes).root == [.string(text), .string(character + text)])
    }
  }

  @Test(arguments: [
    (1.0, "1"), (-3, "-3"), (999_999_999_999_999, "999999999999999"), (1e15, "1000000000000000"),
    (1e17, "1e+17"), (0.1, "0.10000000000000001"), (-0.0, "-0.0"),
    (-1e-5, "-1.0000000000000001e-05"),
  ]) func writesReals(_ number: Double, _ text: String) throws {
    let bytes = try XMLPlist.serialize(.real(PlistReal(number)))
    #expect(String(decoding: bytes, as: UTF8.self).contains("<real>\(text)</real>"))
  }

  @Test(arguments: [0, 9, 10, .max]) func writesIntegers(_ number: UInt64) throws {
    let bytes = try XMLPlist.serialize([
      .integer(PlistInteger(number)), .integer(PlistInteger(Int64.min)),
    ])
    #expect(String(decoding: bytes, as: UTF8.self).contains("<integer>\(number)</integer>"))
    #expect(String(decoding: bytes, as: UTF8.self).contains("<integer>\(Int64.min)</integer>"))
  }

  @Test(arguments: [(512, true), (513, false)]) func stopsAtDepth(_ depth: Int, _ passes: Bool) {
    var value: PlistValue = []
    for _ in 1..<depth { value = [value] }
    let bytes = try? XMLPlist.serialize(value)
    #expect((bytes != nil) == passes)
    if let bytes { #expect((try? PlistDocument(parsing: bytes))?.root == value) }
  }

  @Test(arguments: [(24, true), (23, false)])
  func stopsAtIndentation(_ most: Int, _ passes: Bool) throws {
    // Before the 7 come a line feed for each of nine elements and 15 tabs.
    let value: PlistValue = [[1, 2, 3, 4, 5, 6], 7]
    var code: PlistError.Code?
    var writer = XMLWriter()
    writer.mostBlanks = most
    do throws(PlistError) { try writer.write(value) } catch { code = error.code }
    #expect(code == (passes ? nil : .limit))
  }
}
