import Testing

@testable import PlistKit

@Suite struct PlistValueTextTests {
  static let integers: [(text: String, number: PlistInteger?)] = [
    ("0", PlistInteger(Int64(0))), ("-1", PlistInteger(Int64(-1))), ("+7", PlistInteger(Int64(7))),
    ("18446744073709551615", PlistInteger(UInt64.max)), ("0xfF", PlistInteger(Int64(255))),
    ("-0x8000000000000000", PlistInteger(Int64.min)),
    ("-9223372036854775808", PlistInteger(Int64.min)),
    ("18446744073709551616", nil), ("-9223372036854775809", nil), ("", nil), ("-", nil),
    ("0x", nil),
    ("--1", nil), ("+-1", nil), ("0x+1", nil), ("1.0", nil), (" 1", nil), ("1 ", nil), ("ff", nil),
    ("\u{FF11}", nil), ("1\u{301}", nil),
  ]

  @Test(arguments: integers) func isAnInteger(_ text: String, _ number: PlistInteger?) {
    #expect(PlistInteger(text) == number)
  }

  static let dates: [(text: String, seconds: Double?)] = [
    ("2001-01-01T00:00:00Z", 0), ("2000-12-31T23:59:59Z", -1), ("2001-01-01T00:00:00.5Z", 0.5),
    ("2000-12-31T23:59:59.75Z", -0.25), ("2024-02-29T12:00:00Z", 730_900_800),
    ("2023-02-29T12:00:00Z", nil), ("2001-13-01T00:00:00Z", nil), ("2001-01-01T24:00:00Z", nil),
    ("2001-01-01T00:00:60Z", nil), ("2001-01-01", nil), ("2001-01-01T00:00:00", nil),
    ("2001-01-01T00:00:00.Z", nil), ("2001-01-01T00:00:00.-5Z", nil),
    ("2001-01-01T00:00:00.5.5Z", nil),
    ("2001-01-01T00:00:00+01:00", nil), ("", nil), ("1-01-01T00:00:00Z", nil),
  ]

  @Test(arguments: dates) func isADate(_ text: String, _ seconds: Double?) {
    #expect(PlistDate(iso8601: text)?.secondsSince2001 == seconds)
  }

  @Test(arguments: [0, 0.5, -0.25, 1e9 + 0.125, 0.1, 700_000_000.123456, 1e-9, 0.999_999_999_9])
  func aDatesTextTellsItsFraction(_ seconds: Double) throws {
    let date = PlistDate(secondsSince2001: seconds)
    let text = try #require(date.exactISO8601)
    let read = try #require(PlistDate(iso8601: text))
    #expect(abs(read.secondsSince2001 - seconds) < 1e-9)
  }

  @Test func aDateWithoutFractionHasNone() {
    #expect(PlistDate(secondsSince2001: 5).exactISO8601 == "2001-01-01T00:00:05Z")
    #expect(PlistDate(secondsSince2001: .infinity).exactISO8601 == nil)
  }

  static let encodings: [(text: String, bytes: [UInt8]?)] = [
    ("", []), ("AA==", [0]), ("AAE=", [0, 1]), (" AA\nEC ", [0, 1, 2]), ("AAE", nil), ("AA=", nil),
    ("A", nil), ("A!A=", nil), ("AB==", nil), ("AA==AA==", nil), ("é", nil), ("-_==", nil),
  ]

  @Test(arguments: encodings) func isBase64(_ text: String, _ bytes: [UInt8]?) {
    #expect(PlistValue.bytes(base64: text) == bytes)
  }
}
