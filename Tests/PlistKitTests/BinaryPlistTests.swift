import Foundation
import Testing

@testable import PlistKit

@Suite struct BinaryPlistTests {
  static func serialized(_ value: PlistValue) throws -> [UInt8] {
    try PlistDocument(root: value, format: .binary).serialized()
  }

  @Test func layoutIsCoreFoundations() throws {
    let value: PlistValue = ["b": [1, "b"], "a": ["x": "a"]]
    let expected = BinaryFile(
      [0xD2, 1, 2, 3, 5], ascii("b"), ascii("a"), [0xA2, 4, 1], [0x10, 1], [0xD1, 6, 2], ascii("x"))
    #expect(try Self.serialized(value) == expected.bytes)
  }

  static let leaves: [ObjectRow] = [
    ObjectRow("integer 0", [0x10, 0], 0),
    ObjectRow("integer 255", [0x10, 255], 255),
    ObjectRow("integer 256", [0x11, 1, 0], 256),
    ObjectRow("integer 65536", [0x12, 0, 1, 0, 0], 65_536),
    ObjectRow("integer 2^32", [0x13] + bigEndian(1 << 32, 8), 4_294_967_296),
    ObjectRow("integer -1", [0x13] + bigEndian(.max, 8), -1),
    ObjectRow(
      "integer 2^64 - 1", [0x14] + bigEndian(.max, 16), .integer(PlistInteger(UInt64.max))),
    ObjectRow("float", [0x22, 0x3F, 0xC0, 0, 0], .real(PlistReal(Float(1.5)))),
    ObjectRow(
      "signalling NaN", [0x22, 0x7F, 0xA0, 0, 1], .real(PlistReal(singleBits: 0x7FA0_0001))),
    ObjectRow("double", [0x23] + bigEndian((1.5).bitPattern, 8), .real(PlistReal(1.5))),
    ObjectRow("14 characters", [0x5E] + Array("12345678901234".utf8), "12345678901234"),
    ObjectRow(
      "15 characters", [0x5F, 0x10, 15] + Array("123456789012345".utf8), "123456789012345"),
    ObjectRow("é", [0x61, 0, 0xE9], "\u{e9}"),
    ObjectRow("UID", [0x81, 1, 0], .uid(256)),
    ObjectRow("null", [0x00], .null),
    ObjectRow("set", [0xC0], .set([])),
  ]

  @Test(arguments: leaves) func widthsAreTheSmallest(_ row: ObjectRow) throws {
    #expect(try Self.serialized(try #require(row.value)) == BinaryFile(row.object).bytes)
  }

  @Test(arguments: [255, 256, 65_535, 65_536, 70_000])
  func referencesWidenWithTheNumberOfObjects(_ objects: Int) throws {
    let value = PlistValue.array((1..<objects).map { .integer(PlistInteger(Int64($0))) })
    let bytes = try Self.serialized(value)
    let width = objects < 256 ? 1 : objects < 65_536 ? 2 : 4
    #expect(Int(bytes[bytes.count - 25]) == width)
    #expect(try PlistDocument(parsing: bytes).root == value)
  }

  @Test func valuesThatAreSharedOverAndOverAreABound() throws {
    let root = try PlistDocument(parsing: BinaryParserTests.laughs(levels: 30).bytes).root
    #expect(throws: PlistError(.limit, detail: "")) { try Self.serialized(root) }
    var deep: PlistValue = []
    for _ in 1..<512 { deep = [deep] }
    #expect(try PlistDocument(parsing: Self.serialized(deep)).root == deep)
    #expect(throws: PlistError(.limit, detail: "")) { try Self.serialized([deep]) }
  }

  @Test func equalLeavesAreOneObject() throws {
    let leaves: [PlistValue] = [
      "a text of more than fifteen bytes", "a", "größe", "grö\u{df}e", 7, 300, -1,
      .integer(PlistInteger(UInt64.max)), .real(PlistReal(1.5)), .real(PlistReal(Float(1.5))),
      .date(PlistDate(secondsSince2001: 1.5)), .data([1, 2]), .data([]), "", true, false, .uid(7),
      .null,
    ]
    let once = try Self.serialized(.array([.array(leaves)]))
    let twice = try Self.serialized(.array([.array(leaves), .array(leaves)]))
    // One more container, which holds a reference to each.
    #expect(try objectBytes(twice).count == objectBytes(once).count + 1)
    // The text with a sharp s is there twice, and all others once.
    #expect(try objectBytes(once).count == 2 + leaves.count - 1)
    let root = try PlistDocument(parsing: twice).root
    #expect(root == .array([.array(leaves), .array(leaves)]))
  }

  @Test func dictionariesWithTheSameKeysShareThem() throws {
    let keys = ["a", "a key of more than fifteen bytes", "größe", "e\u{301}"]
    let others = ["a", "a key of more than fifteen bytes", "größe", "\u{e9}"]
    let value = PlistValue.array(
      [keys, keys, others, keys].map { keys in
        .dictionary(PlistDictionary(keys.map { ($0, 1) }))
      })
    let bytes = try Self.serialized(value)
    #expect(try PlistDocument(parsing: bytes).root == value)
    #expect(try objectBytes(bytes).count == 1 + 4 + 5 + 1)
  }

  @Test func whatIsWrittenReadsTheSame() throws {
    var generator = SeededGenerator(state: 1)
    for _ in 0..<200 {
      let value = PlistValue.random(using: &generator)
      #expect(try PlistDocument(parsing: Self.serialized(value)).root == value)
    }
  }
}

/// Against readers and writers that share no code with this one.
@Suite struct BinaryOtherReadersTests {
  static func values(seed: UInt64, count: Int) -> [PlistValue] {
    var generator = SeededGenerator(state: seed)
    return (0..<count).map { _ in .random(using: &generator) }
  }

  /// plistlib reads the values, and writes them again as the very same bytes.
  @Test(.enabled(if: OtherReaders.python != nil, "python3 is missing"))
  func plistlibReadsAndWritesTheSame() throws {
    let values = Self.values(seed: 2, count: 150)
    let files = try values.map { hexBytes(try BinaryPlistTests.serialized($0)) }
    let script = """
      for line in lines:
        data = bytes.fromhex(line)
        value = plistlib.loads(data)
        print(canonical(value))
        print(plistlib.dumps(value, fmt=plistlib.FMT_BINARY, sort_keys=False) == data)
      """
    let output = try OtherReaders.python(script, lines: files)
    #expect(output == values.flatMap { [$0.canonical, "True"] })
  }

  @Test(.enabled(if: OtherReaders.python != nil, "python3 is missing"))
  func whatPlistlibWritesIsRead() throws {
    let script = """
      random.seed(3)
      def value(depth):
        kind = random.randrange(12 if depth else 9)
        if kind == 0: return random.choice([True, False])
        if kind == 1: return random.randrange(-2**63, 2**64)
        if kind == 2: return random.randrange(-300, 70000)
        if kind == 3: return random.random() * 1e9
        if kind == 4: return datetime.datetime(2001, 1, 1) + datetime.timedelta(
          seconds=random.randrange(-10**9, 10**9))
        if kind == 5: return random.randbytes(random.randrange(40))
        if kind == 6: return plistlib.UID(random.randrange(2**random.randrange(1, 32)))
        if kind < 9: return ''.join(random.choice('ab\\x00éß日😀') for _ in range(random.randrange(30)))
        if kind == 9: return [value(depth - 1) for _ in range(random.randrange(20))]
        return {'k%d' % random.randrange(30): value(depth - 1) for _ in range(random.randrange(20))}
      for _ in range(150):
        v = value(4)
        print(plistlib.dumps(v, fmt=plistlib.FMT_BINARY, sort_keys=False).hex())
        print(canonical(v))
      """
    let output = try OtherReaders.python(script, lines: [])
    #expect(output.count == 300)
    for index in stride(from: 0, to: output.count - 1, by: 2) {
      let document = try PlistDocument(parsing: bytes(hex: output[index]))
      #expect(document.root.canonical == output[index + 1])
    }
  }

  @Test(
    .enabled(
      if: OtherReaders.python != nil && OtherReaders.plistutil != nil,
      "python3 or plistutil is missing"))
  func libplistReadsTheSame() throws {
    let values = Self.values(seed: 4, count: 25).filter { $0.isContainer }
    let files = try values.map { value in
      let xml = try OtherReaders.output(
        of: OtherReaders.plistutil, ["-i", "-", "-o", "-", "-f", "xml"],
        input: Data(try BinaryPlistTests.serialized(value.withoutReals)))
      return hexBytes(xml)
    }
    let script = "for line in lines: print(canonical(plistlib.loads(bytes.fromhex(line))))"
    #expect(
      try OtherReaders.python(script, lines: files) == values.map(\.withoutReals.canonical))
  }
}

extension PlistValue {
  /// Without reals, which libplist 2.2 prints with fewer digits.
  fileprivate var withoutReals: PlistValue {
    switch self {
    case .real: "real"
    case .array(let items): .array(items.map(\.withoutReals))
    case .dictionary(let dictionary):
      .dictionary(PlistDictionary(dictionary.entries.map { ($0.key, $0.value.withoutReals) }))
    default: self
    }
  }
}
