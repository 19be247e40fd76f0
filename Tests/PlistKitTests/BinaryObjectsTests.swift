import Testing

@testable import PlistKit

/// An object that stands alone in a file, with what it reads as or fails with.
struct ObjectRow: CustomTestStringConvertible, Sendable {
  let name: String
  let object: [UInt8]
  let value: PlistValue?
  let code: PlistError.Code?
  let diagnostic: PlistDiagnostic.Code?

  init(
    _ name: String, _ object: [UInt8], _ value: PlistValue,
    diagnostic: PlistDiagnostic.Code? = nil
  ) {
    self.name = name
    self.object = object
    self.value = value
    code = nil
    self.diagnostic = diagnostic
  }

  init(_ name: String, _ object: [UInt8], _ code: PlistError.Code) {
    self.name = name
    self.object = object
    value = nil
    self.code = code
    diagnostic = nil
  }

  var testDescription: String { name }
}

@Suite struct BinaryObjectsTests {
  static let numbers: [ObjectRow] = [
    ObjectRow("null", [0x00], .null),
    ObjectRow("false", [0x08], false),
    ObjectRow("true", [0x09], true),
    ObjectRow("1-byte integer is unsigned", [0x10, 0xFF], 255),
    ObjectRow("2-byte integer is unsigned", [0x11, 0xFF, 0xFE], 65_534),
    ObjectRow("4-byte integer is unsigned", [0x12] + bigEndian(0xFFFF_FFFF, 4), 4_294_967_295),
    ObjectRow("8-byte integer is signed", [0x13] + bigEndian(.max, 8), -1),
    ObjectRow("8-byte integer wider than it needs", [0x13] + bigEndian(5, 8), 5),
    ObjectRow(
      "16-byte integer of 2^63", [0x14] + bigEndian(1 << 63, 16),
      .integer(PlistInteger(UInt64(1) << 63))),
    ObjectRow(
      "16-byte integer of 2^64 is its low half", [0x14] + bigEndian(1, 8) + bigEndian(0, 8), 0,
      diagnostic: .refusedByApple),
    ObjectRow("32-byte integer", [0x15] + bigEndian(0, 32), .malformed),
    ObjectRow("integer without its last byte", [0x13] + bigEndian(0, 7), .truncated),
    ObjectRow("float", [0x22, 0x3F, 0xC0, 0, 0], .real(PlistReal(Float(1.5)))),
    ObjectRow("double", [0x23] + bigEndian((0.1).bitPattern, 8), .real(PlistReal(0.1))),
    ObjectRow(
      "NaN with a payload", [0x23] + bigEndian(0x7FF8_0000_0000_0123, 8),
      .real(PlistReal(Double(bitPattern: 0x7FF8_0000_0000_0123)))),
    ObjectRow(
      "float that is a signalling NaN", [0x22, 0x7F, 0xA0, 0, 1],
      .real(PlistReal(singleBits: 0x7FA0_0001))),
    ObjectRow("-0.0", [0x23] + bigEndian((-0.0).bitPattern, 8), .real(PlistReal(-0.0))),
    ObjectRow("2-byte real", [0x21, 0, 0], .malformed),
    ObjectRow("16-byte real", [0x24] + bigEndian(0, 16), .malformed),
    ObjectRow("real without its last byte", [0x22, 0, 0, 0], .truncated),
    ObjectRow(
      "date with a fraction", [0x33] + bigEndian((123.456).bitPattern, 8),
      .date(PlistDate(secondsSince2001: 123.456))),
    ObjectRow(
      "date that is no number", [0x33] + bigEndian(Double.nan.bitPattern, 8),
      .date(PlistDate(secondsSince2001: .nan))),
    ObjectRow("4-byte date", [0x32, 0, 0, 0, 0], .malformed),
    ObjectRow("1-byte UID", [0x80, 5], .uid(5)),
    ObjectRow("3-byte UID", [0x82, 1, 0, 0], .uid(65_536)),
    ObjectRow("16-byte UID", [0x8F] + bigEndian(7, 16), .uid(7)),
    ObjectRow("UID of 2^32 - 1", [0x83] + bigEndian(.max, 4), .uid(.max)),
    ObjectRow("UID of 2^32", [0x84] + bigEndian(1 << 32, 5), .malformed),
    ObjectRow("16-byte UID of 2^64", [0x8F] + bigEndian(1, 8) + bigEndian(0, 8), .malformed),
  ]

  static let texts: [ObjectRow] = [
    ObjectRow("empty string", [0x50], ""),
    ObjectRow("string with NUL", [0x53, 0x61, 0x00, 0x62], "a\0b"),
    ObjectRow(
      "bytes above 0x7F", [0x52, 0xC3, 0xA9], "\u{c3}\u{a9}", diagnostic: .refusedByApple),
    ObjectRow(
      "a byte above 0x7F beyond the eighth", [0x59] + Array("12345678".utf8) + [0xE9],
      "12345678\u{e9}", diagnostic: .refusedByApple),
    ObjectRow("string that runs into the table", [0x52, 0x61], .truncated),
    ObjectRow("length in an integer, not minimal", [0x5F, 0x13] + bigEndian(1, 8) + [0x61], "a"),
    ObjectRow("16-byte length", [0x5F, 0x14] + bigEndian(1, 16) + [0x61], "a"),
    ObjectRow(
      "16-byte length of 2^64 + 1", [0x5F, 0x14] + bigEndian(1, 8) + bigEndian(1, 8) + [0x61],
      .truncated),
    ObjectRow("length of 2^64 - 1", [0x4F, 0x13] + bigEndian(.max, 8), .truncated),
    ObjectRow("2^63 UTF-16 units", [0x6F, 0x13] + bigEndian(1 << 63, 8), .truncated),
    ObjectRow("length that is no integer", [0x5F, 0x51, 0x61], .malformed),
    ObjectRow("length in a 32-byte integer", [0x5F, 0x15] + bigEndian(0, 32), .malformed),
    ObjectRow("length without its last byte", [0x5F, 0x11, 0x00], .truncated),
    ObjectRow("marker without length", [0x5F], .truncated),
    ObjectRow("data", [0x43, 1, 2, 3], .data([1, 2, 3])),
    ObjectRow("data that runs into the table", [0x43, 1, 2], .truncated),
    ObjectRow("UTF-16", [0x62, 0x65, 0xE5, 0x67, 0x2C], "日本"),
    ObjectRow("UTF-16 of nothing", [0x60], "", diagnostic: .refusedByApple),
    ObjectRow("UTF-16 of ASCII", [0x61, 0x00, 0x61], "a"),
    ObjectRow("UTF-16 with a mark", [0x61, 0xFE, 0xFF], "\u{feff}"),
    ObjectRow("surrogate pair", [0x62, 0xD8, 0x3D, 0xDE, 0x00], "😀"),
    ObjectRow(
      "high surrogate alone", [0x62, 0xD8, 0x3D, 0x00, 0x61], "\u{fffd}a",
      diagnostic: .unpairedSurrogate),
    ObjectRow(
      "low surrogate alone", [0x61, 0xDE, 0x00], "\u{fffd}", diagnostic: .unpairedSurrogate),
    ObjectRow("UTF-16 that runs into the table", [0x62, 0x00, 0x61, 0x00], .truncated),
  ]

  static let others: [ObjectRow] = [
    ObjectRow("fill byte", [0x0F], .malformed),
    ObjectRow("URL", [0x0C, 0x51, 0x61], .malformed),
    ObjectRow("URL with base", [0x0D, 0x51, 0x61], .malformed),
    ObjectRow("UUID", [0x0E] + bigEndian(0, 16), .malformed),
    ObjectRow("UTF-8 string", [0x71, 0x61], .malformed),
    ObjectRow("ordered set", [0xB0], .malformed),
    ObjectRow("type 9", [0x90], .malformed),
    ObjectRow("type E", [0xE0], .malformed),
    ObjectRow("type F", [0xF0], .malformed),
    ObjectRow("empty array", [0xA0], []),
    ObjectRow("empty set", [0xC0], .set([])),
    ObjectRow("empty dictionary", [0xD0], [:]),
    ObjectRow("array that runs into the table", [0xA2, 0], .truncated),
    ObjectRow("dictionary that runs into the table", [0xD1, 0], .truncated),
    ObjectRow("2^63 pairs", [0xDF, 0x13] + bigEndian(1 << 63, 8), .truncated),
    ObjectRow("reference to the count", [0xA1, 1], .badReference),
    ObjectRow("array in itself", [0xA1, 0], .badReference),
    ObjectRow("set in itself", [0xC1, 0], .badReference),
    ObjectRow("dictionary as its own key", [0xD1, 0, 0], .badReference),
  ]

  @Test(arguments: numbers + texts + others) func isRead(_ row: ObjectRow) throws {
    let bytes = BinaryFile(row.object).bytes
    guard let value = row.value else {
      #expect(code(reading: bytes) == row.code)
      return
    }
    let document = try PlistDocument(parsing: bytes)
    #expect(document.root == value)
    #expect(document.diagnostics.map(\.code) == (row.diagnostic.map { [$0] } ?? []))
    #expect(try document.serialized() == bytes)
  }
}
