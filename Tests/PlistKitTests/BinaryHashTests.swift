import Testing

@testable import PlistKit

/// Contents made to collide in the fast hash of a known seed.
enum Collisions {
  /// What the first 8 bytes have to be: then the fold multiplies by 0.
  private static let start = "AAAAAAAA"

  /// A hash by which all of ``texts(_:)`` collide under a salt.
  static func hash(salt: UInt64) -> ByteHash {
    let seed = start.utf8.reversed().reduce(0) { UInt64($0) << 8 | UInt64($1) }
    return ByteHash(seed: seed ^ salt, factor: 1)
  }

  static func texts(_ count: Int) -> [String] {
    (0..<count).map { start + String(10_000_000 + $0) }
  }
}

@Suite struct BinaryHashTests {
  /// Without a change of the hash these would take 200 million steps.
  private static let count = 20_000

  @Test func theContentsDoCollide() {
    let hash = Collisions.hash(salt: 0)
    let codes = Collisions.texts(3).map { text in text.withUTF8Bytes { hash($0, salt: 0) } }
    #expect(Set(codes).count == 1)
  }

  @Test func keysThatCollideTakeLinearTime() {
    var keys = KeyTable(hash: Collisions.hash(salt: 0))
    let texts = Collisions.texts(Self.count)
    let numbers = texts.map { keys.number(of: $0) }
    #expect(numbers == Array(0..<Self.count))
    #expect(texts.map { keys.number(of: $0) } == numbers)
    #expect(keys.steps < 8 * Self.count)
    #expect(keys.text(numbers[77]) == texts[77])
  }

  @Test func leavesThatCollideTakeLinearTime() throws {
    let texts = Collisions.texts(Self.count)
    let value = PlistValue.array((texts + texts + ["end"]).map(PlistValue.string))
    var numbering = BinaryNumbering(limits: .standard, hash: Collisions.hash(salt: 6))
    _ = try numbering.add(value, depth: 0)
    #expect(numbering.steps < 8 * Self.count)
    #expect(numbering.file() == (try BinaryPlistTests.serialized(value)))
  }

  @Test func leavesOfAFileThatCollideAreFoundAllTheSame() throws {
    // As objects of 15 bytes they begin with the same 8, which the seed makes count for nothing.
    let texts = (0..<Self.count).map { "AAAAAAA" + String(1_000_000 + $0) }
    let bytes = try BinaryPlistTests.serialized(.array(texts.map(PlistValue.string)))
    let start = [UInt8](repeating: 0x41, count: 7).reduce(0) { $0 << 8 | UInt64($1) } << 8 | 0x5E
    let hash = ByteHash(seed: start, factor: 1)
    try bytes.withUnsafeBytes { raw in
      let trailer = try BinaryTrailer(reading: raw, limits: .standard, strictness: .strict)
      let objects = BinaryObjects(bytes: raw, trailer: trailer)
      let codes = try [1, 2].map { hash(objects.bytes(of: try objects.object(at: $0)), salt: 0) }
      #expect(codes[0] == codes[1])
      var pool = BinaryPool(objects, hash: hash)
      for index in 1..<objects.count { pool.know(try objects.object(at: index), at: index) }
      #expect(pool.steps < 8 * Self.count)
      #expect(pool.addLeaf(.string(texts[77])) == 78)
      #expect(pool.reused == [78])
      #expect(pool.addLeaf("new") == objects.count)
      #expect(pool.addLeaf("new") == objects.count)
      #expect(!pool.knows("other"))
    }
  }

  static let lengths = Array(0...40)

  @Test(arguments: lengths) func everyByteCounts(_ length: Int) {
    let hash = ByteHash()
    let bytes = [UInt8](repeating: 7, count: length)
    let code = bytes.withUnsafeBytes { hash($0, salt: 0) }
    #expect(bytes.withUnsafeBytes { hash($0, salt: 1) } != code)
    for place in bytes.indices {
      var other = bytes
      other[place] = 8
      #expect(other.withUnsafeBytes { hash($0, salt: 0) } != code, "byte \(place)")
    }
  }
}

@Suite struct BinaryTextTests {
  @Test func utf16IsReadAsTheStandardLibraryDoes() {
    var generator = SeededGenerator(state: 21)
    let kinds: [ClosedRange<UInt16>] = [
      0x20...0x7E, 0x80...0x7FF, 0x800...0xFFFD, 0xD800...0xDBFF, 0xDC00...0xDFFF,
    ]
    for _ in 0..<2000 {
      let units = (0..<Int.random(in: 1...12, using: &generator)).map { _ in
        UInt16.random(in: kinds.randomElement(using: &generator) ?? 0...1, using: &generator)
      }
      let object = [0x60 | UInt8(units.count)] + units.flatMap { bigEndian(UInt64($0), 2) }
      let document = try? PlistDocument(parsing: BinaryFile(object).bytes)
      let expected = String(decoding: units, as: UTF16.self)
      #expect(document?.root == .string(expected))
      let isUnpaired = String(validating: units, as: UTF16.self) == nil
      #expect(document?.diagnostics.isEmpty == !isUnpaired)
    }
  }

  @Test func utf16IsWrittenAsTheStandardLibraryDoes() throws {
    var generator = SeededGenerator(state: 22)
    for _ in 0..<500 {
      let scalars = (0..<Int.random(in: 1...12, using: &generator)).compactMap { _ in
        Unicode.Scalar(UInt32.random(in: 0x80...0x10FFFF, using: &generator))
      }
      guard !scalars.isEmpty else { continue }
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars)
      let units = Array(String(text).utf16)
      let object = try objectBytes(BinaryPlistTests.serialized(.string(String(text))))[0]
      #expect(object.suffix(2 * units.count) == units.flatMap { bigEndian(UInt64($0), 2) }[...])
    }
  }
}
