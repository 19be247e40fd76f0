import Foundation
import Synchronization
import Testing

@testable import PlistKit

@Suite struct BinaryParserTests {
  /// Arrays in one another, the innermost empty.
  static func nested(levels: Int) -> BinaryFile {
    var file = BinaryFile(
      objects: (1..<levels).map { [0xA1] + bigEndian(UInt64($0), 2) } + [[0xA0]])
    file.referenceSize = 2
    file.offsetSize = 4
    return file
  }

  /// Levels of arrays that each refer ten times to the next: 10^levels strings in a small file.
  static func laughs(levels: Int) -> BinaryFile {
    var file = BinaryFile(
      objects: (1...levels).map { [0xAA] + Array(repeating: UInt8($0), count: 10) }
        + [ascii("ha")])
    file.offsetSize = 2
    return file
  }

  @Test func depthIsBoundedAtItsNumberAndNotBeyond() throws {
    let document = try PlistDocument(parsing: Self.nested(levels: 512).bytes)
    #expect(document.diagnostics.map(\.code) == [.deep])
    #expect(code(reading: Self.nested(levels: 513).bytes) == .limit)
    var limits = ParseLimits()
    limits.depth = 100_000
    #expect(code(reading: Self.nested(levels: 513).bytes, limits: limits) == .limit)
    limits.depth = 3
    #expect(code(reading: Self.nested(levels: 3).bytes, limits: limits) == nil)
    #expect(code(reading: Self.nested(levels: 4).bytes, limits: limits) == .limit)
  }

  @Test func theDeepestFileNeedsLittleStack() {
    let bytes = Self.nested(levels: 512).bytes
    let result = Result()
    let thread = Thread {
      result.document.withLock { $0 = try? PlistDocument(parsing: bytes) }
      result.isDone.signal()
    }
    thread.stackSize = 128 << 10
    thread.start()
    result.isDone.wait()
    let document = result.document.withLock { document in
      defer { document = nil }
      return document
    }
    #expect(document?.root.array?.count == 1)
  }

  /// What another thread read. The test takes it out, since freeing it takes stack for each level.
  private final class Result: Sendable {
    let document = Mutex<PlistDocument?>(nil)
    let isDone = DispatchSemaphore(value: 0)
  }

  @Test func depthIsThatOfTheLongestWay() {
    // The root holds object 3 directly, and once more below 1 and 2.
    let file = BinaryFile([0xA2, 3, 1], [0xA1, 2], [0xA1, 3], [0xA1, 4], [0xA0])
    var limits = ParseLimits()
    limits.depth = 5
    #expect(code(reading: file.bytes, limits: limits) == nil)
    limits.depth = 4
    #expect(code(reading: file.bytes, limits: limits) == .limit)
  }

  @Test func aHugeNumberOfLevelsIsAnError() {
    var file = BinaryFile(
      objects: (1..<200_000).map { [0xA1] + bigEndian(UInt64($0), 3) } + [[0xA0]])
    file.referenceSize = 3
    file.offsetSize = 3
    #expect(code(reading: file.bytes) == .limit)
  }

  @Test func cyclesAreErrors() {
    #expect(code(reading: BinaryFile([0xA1, 1], [0xA1, 2], [0xA1, 1]).bytes) == .badReference)
    let file = BinaryFile([0xD1, 1, 2], ascii("a"), [0xC1, 0])
    #expect(code(reading: file.bytes) == .badReference)
  }

  @Test func sharedObjectsAreBuiltOnce() throws {
    let clock = ContinuousClock()
    let bytes = Self.laughs(levels: 30).bytes
    let time = try clock.measure {
      let document = try PlistDocument(parsing: bytes)
      #expect(document.root.array?.count == 10)
      #expect(try document.serialized() == bytes)
    }
    #expect(time < .seconds(1))
  }

  @Test func overlappingObjectsCannotGrowWithoutBound() {
    // 200 indexes for one object of 200 bytes.
    var file = BinaryFile(
      [0xAF, 0x10, 200] + (1...200).map { UInt8($0) }, [0x4F, 0x10, 200])
    file.objects[1] += [UInt8](repeating: 0, count: 200)
    file.offsets = [8] + [Int](repeating: 8 + 203, count: 200)
    file.offsetSize = 2
    #expect(code(reading: file.bytes) == .limit)
    let twoAtOnePlace = BinaryFile([0xA2, 1, 2], ascii("a"))
    var small = twoAtOnePlace
    small.offsets = [8, 11, 11]
    #expect(code(reading: small.bytes) == nil)
  }

  static let keys: [Mutation] = [
    Mutation("string key", nil) { _ in },
    Mutation("integer key", .malformed) { $0.objects[1] = [0x10, 7] },
    Mutation("null key", .malformed) { $0.objects[1] = [0x00] },
    Mutation("array key", .malformed) { $0.objects[1] = [0xA0] },
    Mutation("one key object twice", .duplicateKey) { $0.objects[0] = [0xD2, 1, 1, 2, 3] },
    Mutation("two equal key objects", .duplicateKey) { $0.objects[3] = ascii("key") },
    Mutation("an equal key in UTF-16", .duplicateKey) {
      $0.objects[3] = [0x63, 0, 0x6B, 0, 0x65, 0, 0x79]
    },
    Mutation("composed and decomposed keys", nil) {
      $0.objects[1] = [0x61, 0x00, 0xE9]
      $0.objects[3] = [0x62, 0x00, 0x65, 0x03, 0x01]
    },
  ]

  @Test(arguments: keys) func keysAreChecked(_ mutation: Mutation) {
    var file = BinaryFile([0xD2, 1, 3, 2, 2], ascii("key"), ascii("x"), ascii("y"))
    mutation.change(&file)
    #expect(code(reading: file.bytes) == mutation.code)
  }

  static let sharing: [ParserRow] = [
    ParserRow("a key that is a value too", BinaryFile([0xD1, 1, 1], ascii("k")), ["k": "k"]),
    ParserRow(
      "a value that is a key later", BinaryFile([0xA2, 1, 2], ascii("k"), [0xD1, 1, 1]),
      ["k", ["k": "k"]]),
    ParserRow(
      "a key that is a value later", BinaryFile([0xA2, 1, 2], [0xD1, 2, 2], ascii("k")),
      [["k": "k"], "k"]),
    ParserRow(
      "the same keys in another order",
      BinaryFile(
        [0xA3, 1, 2, 1], [0xD2, 3, 4, 5, 6], [0xD2, 4, 3, 5, 6], ascii("a"), ascii("b"), [0x10, 1],
        [0x10, 2]),
      [["a": 1, "b": 2], ["b": 1, "a": 2], ["a": 1, "b": 2]]),
    ParserRow(
      "a dictionary in one with the same keys",
      BinaryFile(
        [0xD2, 1, 2, 4, 3], ascii("a"), ascii("b"), [0x10, 1], [0xD2, 1, 2, 3, 3]),
      ["a": ["a": 1, "b": 1], "b": 1]),
    ParserRow(
      "a text of several objects", BinaryFile([0xA3, 1, 2, 1], ascii("a"), ascii("a")),
      ["a", "a", "a"]),
  ]

  @Test(arguments: sharing) func sharedObjectsHaveTheirValues(_ row: ParserRow) throws {
    let document = try PlistDocument(parsing: row.file.bytes)
    #expect(document.root == row.value)
    #expect(document.diagnostics.isEmpty)
  }

  @Test func aRepeatedKeyIsFoundWhateverIsBetween() {
    // The second "a" comes after a dictionary of the same keys.
    let file = BinaryFile(
      [0xA2, 4, 1], [0xD2, 2, 2, 4, 3], ascii("a"), [0x10, 1], [0xD2, 2, 5, 3, 3], ascii("b"))
    #expect(code(reading: file.bytes) == .duplicateKey)
  }

  @Test func whatDoesNotCountOfARepeatedKeyIsReadAllTheSame() {
    let file = BinaryFile([0xD2, 1, 1, 2, 3], ascii("k"), ascii("x"), [0x0F])
    let strictness = ParseStrictness(allowsDuplicateKeys: true)
    #expect(code(reading: file.bytes, strictness: strictness) == .malformed)
  }

  @Test func theFirstOfARepeatedKeyCounts() throws {
    let file = BinaryFile([0xD3, 1, 1, 3, 2, 3, 2], ascii("k"), ascii("x"), ascii("y"))
    let document = try PlistDocument(
      parsing: file.bytes, strictness: ParseStrictness(allowsDuplicateKeys: true))
    #expect(document.root == ["k": "x", "y": "x"])
    #expect(document.diagnostics.map(\.code) == [.duplicateKey])
    #expect(document.diagnostics.first?.keyPath == PlistKeyPath(keys: "k"))
    #expect(document.location(of: PlistKeyPath(keys: "y")) == .offset(17))
  }

  @Test func diagnosticsAreBounded() throws {
    var file = BinaryFile(objects: [[0xAF, 0x10, 150] + (1...150).map { UInt8($0) }])
    file.objects += Array(repeating: [0x51, 0xE9], count: 150)
    file.offsetSize = 2
    #expect(try PlistDocument(parsing: file.bytes).diagnostics.count == 100)
  }

  @Test func messagesAreOneShortLine() throws {
    let key = "line\n" + String(repeating: "x", count: 200)
    let object = [0x5F, 0x10, UInt8(key.utf8.count)] + Array(key.utf8)
    let file = BinaryFile([0xD2, 1, 1, 2, 2], object, ascii("x"))
    let error = try #require(throws: PlistError.self) { try PlistDocument(parsing: file.bytes) }
    #expect(error.detail.hasPrefix("key 'line\\nxxx"))
    #expect(error.detail.utf8.count < 110)
  }

  @Test func errorsSayWhere() throws {
    let file = BinaryFile([0xD1, 1, 2], ascii("list"), [0xA2, 1, 3], [0x0F])
    let error = try #require(throws: PlistError.self) {
      try PlistDocument(parsing: file.bytes)
    }
    #expect(error.location == .offset(19))
    #expect(error.keyPath == PlistKeyPath([.key("list"), .index(1)]))
    #expect(
      error.description
        == "byte 19: /list/1: object 3 starts with 0x0F, which is no type of version 0")
  }

  @Test func placesOfValuesAreKnown() throws {
    let file = BinaryFile([0xD1, 1, 2], ascii("list"), [0xA2, 1, 3], ascii("end"))
    let document = try PlistDocument(parsing: file.bytes)
    #expect(document.location(of: .root) == .offset(8))
    #expect(document.location(of: PlistKeyPath(keys: "list")) == .offset(16))
    #expect(document.location(of: PlistKeyPath(keys: "list", "1")) == .offset(19))
    #expect(document.location(of: PlistKeyPath(keys: "list", "2")) == nil)
    #expect(document.location(of: PlistKeyPath(keys: "other")) == nil)
  }
}

@Suite struct BinaryHostileTests {
  static func sample() throws -> [UInt8] {
    try PlistDocument(
      root: [
        "CFBundleName": "Sample", "list": [1, 2, "grün", ["deep": true]],
        "data": .data([1, 2, 3]), "date": .date(PlistDate(secondsSince2001: 5)),
        "real": .real(PlistReal(1.5)), "uid": .uid(3), "none": .null, "set": .set(["a"]),
        "long": "a text of more than fifteen bytes",
      ], format: .binary
    ).serialized()
  }

  @Test func everyTruncationIsAnError() throws {
    let bytes = try Self.sample()
    for length in 0..<bytes.count {
      #expect(code(reading: Array(bytes.prefix(length))) != nil, "\(length) bytes")
    }
  }

  /// A damaged file is read or refused, and what is read can be edited and read again.
  @Test func damageNeverCrashes() throws {
    let bytes = try Self.sample()
    var generator = SeededGenerator(state: 7)
    var read = 0
    for _ in 0..<6000 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        damaged[place] = UInt8.random(in: 0...255, using: &generator)
      }
      let strictness = ParseStrictness(allowsDuplicateKeys: true, allowsBytesBeforeTrailer: true)
      guard var document = try? PlistDocument(parsing: damaged, strictness: strictness)
      else { continue }
      read += 1
      #expect(try document.serialized() == damaged)
      guard document.root.dictionary != nil else { continue }
      let path = PlistKeyPath(keys: "new")
      document.root = try document.root.setting(["edited": [true]], at: path)
      let again = try PlistDocument(parsing: document.serialized(), strictness: strictness)
      #expect(again.root == document.root)
    }
    #expect(read > 500)
  }
}

/// A file with the value that it holds.
struct ParserRow: CustomTestStringConvertible, Sendable {
  let name: String
  let file: BinaryFile
  let value: PlistValue

  init(_ name: String, _ file: BinaryFile, _ value: PlistValue) {
    self.name = name
    self.file = file
    self.value = value
  }

  var testDescription: String { name }
}
