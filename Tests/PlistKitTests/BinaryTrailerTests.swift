import Testing

@testable import PlistKit

@Suite struct BinaryTrailerTests {
  /// `["a"]` with a 3-byte gap between objects and table.
  static let good: BinaryFile = {
    var file = BinaryFile([0xA1, 0x01], ascii("a"))
    file.padding = [0xFF, 0xFF, 0xFF]
    return file
  }()

  static let mutations: [Mutation] = [
    Mutation("nothing", nil) { _ in },
    Mutation("any eighth byte", nil) { $0.header[7] = 0x78 },
    Mutation("version 1x", .unknownFormat) { $0.header[6] = UInt8(ascii: "1") },
    Mutation("unused bytes and sort version", nil) { $0.unused = [1, 2, 3, 4, 5, 6] },
    Mutation("offsets of 3 bytes", nil) { $0.offsetSize = 3 },
    Mutation("offsets of 16 bytes", nil) { $0.offsetSize = 16 },
    Mutation("offsets of 0 bytes", .malformed) { $0.offsetSize = 0 },
    Mutation("references of 0 bytes", .malformed) { $0.referenceSize = 0 },
    Mutation("references of 3 bytes", nil) {
      $0.referenceSize = 3
      $0.objects[0] = [0xA1, 0, 0, 1]
    },
    Mutation("references of 9 bytes, the first ignored", nil) {
      $0.referenceSize = 9
      $0.objects[0] = [0xA1, 0xFF, 0, 0, 0, 0, 0, 0, 0, 1]
    },
    Mutation("no objects", .malformed) { $0.objectCount = 0 },
    Mutation("one object fewer", .trailingBytes) { $0.objectCount = 1 },
    Mutation("one object more", .truncated) { $0.objectCount = 3 },
    Mutation("2^32 objects", .truncated) { $0.objectCount = 1 << 32 },
    Mutation("2^64 - 1 objects", .truncated) { $0.objectCount = .max },
    Mutation("top object is the count", .badReference) { $0.topObject = 2 },
    Mutation("top object is the last", nil) { $0.topObject = 1 },
    Mutation("table in the header", .malformed) { $0.tableOffset = 8 },
    Mutation("table at 2^63", .truncated) { $0.tableOffset = 1 << 63 },
    Mutation("table at 2^64 - 1", .truncated) { $0.tableOffset = .max },
    Mutation("table one byte later", .truncated) { $0.tableOffset = 16 },
    Mutation("table one byte earlier", .trailingBytes) { $0.tableOffset = 14 },
    Mutation("an offset at the table", .badReference) { $0.offsets = [8, 15] },
    Mutation("an offset in the header", .badReference) { $0.offsets = [8, 7] },
    Mutation("a byte after the table", .trailingBytes) { $0.unexplained = [0] },
    Mutation("1-byte references for 255 objects", nil) {
      $0.objects += Array(repeating: [0x08], count: 253)
      $0.offsetSize = 2
    },
    Mutation("1-byte references for 256 objects", .malformed) {
      $0.objects += Array(repeating: [0x08], count: 254)
      $0.offsetSize = 2
    },
    Mutation("1-byte offsets for a table at 255", nil) {
      $0.padding = Array(repeating: 0, count: 243)
    },
    Mutation("1-byte offsets for a table at 256", .malformed) {
      $0.padding = Array(repeating: 0, count: 244)
    },
  ]

  @Test(arguments: mutations) func isChecked(_ mutation: Mutation) {
    var file = Self.good
    mutation.change(&file)
    #expect(code(reading: file.bytes) == mutation.code)
  }

  @Test func aCountThatFitsIsHeldToTheLimit() {
    var file = Self.good
    file.objects += Array(repeating: [0x08], count: 100)
    var limits = ParseLimits()
    limits.objects = 101
    #expect(code(reading: file.bytes, limits: limits) == .limit)
  }

  @Test func aFileWithoutItsEndIsCutOffAndNotTooLarge() {
    var file = Self.good
    file.objects += (0..<100).map { ascii("text \($0)") }
    file.offsetSize = 2
    let bytes = file.bytes
    #expect(code(reading: bytes) == nil)
    for count in 1..<bytes.count {
      let code = code(reading: Array(bytes.dropLast(count)))
      #expect(code != nil && code != .limit, "without the last \(count) bytes")
    }
  }

  @Test func lettingTrailingBytesPassSaysSo() throws {
    var file = Self.good
    file.unexplained = [1, 2, 3]
    let document = try PlistDocument(
      parsing: file.bytes, strictness: ParseStrictness(allowsBytesBeforeTrailer: true))
    #expect(document.root == ["a"])
    #expect(document.diagnostics.map(\.code) == [.surroundingBytes])
  }

  @Test func boundsHoldAtTheirNumberAndNotOneBeyond() {
    let file = Self.good.bytes
    var limits = ParseLimits()
    limits.objects = 2
    #expect(code(reading: file, limits: limits) == nil)
    limits.objects = 1
    #expect(code(reading: file, limits: limits) == .limit)
    limits = ParseLimits()
    limits.bytes = file.count
    #expect(code(reading: file, limits: limits) == nil)
    limits.bytes = file.count - 1
    #expect(code(reading: file, limits: limits) == .limit)
  }

  /// The smallest widths that Core Foundation's rule 2^(8n) > number lets hold a number.
  @Test(arguments: [(0, 1), (255, 1), (256, 2), (65_535, 2), (65_536, 4), (1 << 32, 8)])
  func widthIsTheSmallest(_ number: Int, _ width: Int) {
    #expect(BinaryTrailer.width(for: number) == width)
  }
}
