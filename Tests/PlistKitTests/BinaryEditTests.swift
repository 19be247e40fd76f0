import Foundation
import Testing

@testable import PlistKit

@Suite struct BinaryEditTests {
  /// `{"name": "old", "n": 1, "list": ["x", "y"]}`
  static let file = BinaryFile(
    [0xD3, 1, 2, 3, 4, 5, 6], ascii("name"), ascii("n"), ascii("list"), ascii("old"), [0x10, 1],
    [0xA2, 7, 8], ascii("x"), ascii("y"))

  static func edited(
    _ bytes: [UInt8], _ edit: (PlistValue) throws(PlistError) -> PlistValue
  ) throws -> [UInt8] {
    var document = try PlistDocument(parsing: bytes)
    document.root = try edit(document.root)
    let new = try document.serialized()
    let again = try PlistDocument(parsing: new)
    #expect(again.root == document.root)
    // The same edit once more, and the undo, each change nothing that was not changed.
    #expect(try again.serialized() == new)
    document.root = try PlistDocument(parsing: bytes).root
    #expect(try document.serialized() == bytes)
    return new
  }

  @Test func aLeafOfTheSameLengthIsPutOverTheOldOne() throws {
    let new = try Self.edited(Self.file.bytes) { root throws(PlistError) in
      try root.setting("new", at: PlistKeyPath(keys: "name"))
    }
    var expected = Self.file
    expected.objects[4] = ascii("new")
    #expect(new == expected.bytes)
  }

  @Test func aLongerLeafComesLastUnderItsIndex() throws {
    let new = try Self.edited(Self.file.bytes) { root throws(PlistError) in
      try root.setting("longer", at: PlistKeyPath(keys: "name"))
    }
    var objects = Self.file.objects
    objects[4] = ascii("longer")
    #expect(try objectBytes(new) == objects)
    #expect(!Data(new).contains(Data("old".utf8)))
  }

  @Test func anEqualLeafIsUsedAgain() throws {
    let new = try Self.edited(Self.file.bytes) { root throws(PlistError) in
      try root.setting("y", at: PlistKeyPath(keys: "name"))
    }
    var objects = Self.file.objects
    objects[0] = [0xD3, 1, 2, 3, 8, 5, 6]
    objects[4] = [0x00]
    #expect(try objectBytes(new) == objects)
    #expect(new.count == Self.file.bytes.count)
  }

  @Test func aNewKeyComesAfterAllElse() throws {
    let new = try Self.edited(Self.file.bytes) { root throws(PlistError) in
      try root.setting(["x", true], at: PlistKeyPath(keys: "added"))
    }
    var objects = Self.file.objects
    objects[0] = [0xD4, 1, 2, 3, 9, 4, 5, 6, 10]
    objects += [ascii("added"), [0xA2, 7, 11], [0x09]]
    #expect(try objectBytes(new) == objects)
  }

  @Test func addingAndRemovingByTurnsDoesNotGrowTheFile() throws {
    let path = PlistKeyPath(keys: "added")
    func add(_ bytes: [UInt8]) throws -> [UInt8] {
      try Self.edited(bytes) { root throws(PlistError) in
        try root.setting(["a secret": ["deep": "value"]], at: path)
      }
    }
    func remove(_ bytes: [UInt8]) throws -> [UInt8] {
      try Self.edited(bytes) { root throws(PlistError) in try root.removing(path) }
    }
    let once = try add(Self.file.bytes)
    let without = try remove(once)
    #expect(!Data(without).contains(Data("secret".utf8)))
    #expect(try objectBytes(without) == Self.file.objects)
    #expect(try add(without).count == once.count)
    #expect(try remove(add(without)) == without)
  }

  @Test func aRemovedKeyLeavesNothingOfItself() throws {
    let new = try Self.edited(Self.file.bytes) { root throws(PlistError) in
      try root.removing(PlistKeyPath(keys: "name"))
    }
    var objects = Self.file.objects
    objects[0] = [0xD2, 2, 3, 5, 6]
    objects[1] = [0x00]
    objects[4] = [0x00]
    #expect(try objectBytes(new) == objects)
    #expect(!Data(new).contains(Data("name".utf8)))
  }

  @Test func aRenamedKeyTakesThePlaceOfTheOldOne() throws {
    let new = try Self.edited(Self.file.bytes) { root throws(PlistError) in
      try root.renaming(PlistKeyPath(keys: "name"), to: "mane")
    }
    var objects = Self.file.objects
    objects[1] = ascii("mane")
    #expect(try objectBytes(new) == objects)
    #expect(new.count == Self.file.bytes.count)
  }

  @Test func anItemInTheMiddleMovesNoOther() throws {
    let new = try Self.edited(Self.file.bytes) { root throws(PlistError) in
      try root.inserting("between", at: PlistKeyPath(keys: "list", "1"))
    }
    var objects = Self.file.objects
    objects[6] = [0xA3, 7, 9, 8]
    objects.append(ascii("between"))
    #expect(try objectBytes(new) == objects)
  }

  @Test func anotherKindTakesTheIndex() throws {
    let new = try Self.edited(Self.file.bytes) { root throws(PlistError) in
      try root.setting(["k": 1], at: PlistKeyPath(keys: "name"))
    }
    var objects = Self.file.objects
    objects[4] = [0xD1, 9, 5]
    objects.append(ascii("k"))
    #expect(try objectBytes(new) == objects)
  }

  static let roots: [PlistValue] = ["leaf", [], [:], ["x"], .set(["x", "y"]), .null, 1]

  @Test(arguments: roots) func theRootKeepsItsIndex(_ root: PlistValue) throws {
    var file = Self.file
    file.objects.swapAt(0, 7)
    file.objects[7] = [0xD3, 1, 2, 3, 4, 5, 6]
    file.objects[6] = [0xA2, 0, 8]
    file.topObject = 7
    let new = try Self.edited(file.bytes) { _ throws(PlistError) in root }
    #expect(new[new.count - 9] == 7)
  }
}

@Suite struct BinaryEditSharingTests {
  /// `{"a": {"k": "v"}, "b": <the same object>}`
  static let shared = BinaryFile(
    [0xD2, 1, 2, 3, 3], ascii("a"), ascii("b"), [0xD1, 4, 5], ascii("k"), ascii("v"))

  @Test func editingOneOccurrenceLeavesTheOther() throws {
    let new = try BinaryEditTests.edited(Self.shared.bytes) { root throws(PlistError) in
      try root.setting("w", at: PlistKeyPath(keys: "a", "k"))
    }
    #expect(
      try objectBytes(new) == [
        [0xD2, 1, 2, 7, 3], ascii("a"), ascii("b"), [0xD1, 4, 5], ascii("k"), ascii("v"),
        ascii("w"), [0xD1, 4, 6],
      ])
  }

  @Test func whatIsBelowASharedObjectIsSharedToo() throws {
    let file = BinaryFile([0xA2, 1, 1], [0xA1, 2], [0xA1, 3], ascii("v"))
    let path = PlistKeyPath([.index(1), .index(0), .index(0)])
    let new = try BinaryEditTests.edited(file.bytes) { root throws(PlistError) in
      try root.setting("w", at: path)
    }
    #expect(try PlistDocument(parsing: new).root == [[["v"]], [["w"]]])
  }

  @Test func aLeafThatASecondPlaceTookIsNotChangedUnderIt() throws {
    let file = BinaryFile([0xA2, 1, 2], ascii("x"), ascii("y"))
    for value: PlistValue in [
      ["y", "z"], ["z", "x"], ["y", "x"], ["w", "x", "y"], [["y"], "q"],
    ] {
      let new = try BinaryEditTests.edited(file.bytes) { _ throws(PlistError) in value }
      #expect(try PlistDocument(parsing: new).root == value)
    }
  }

  @Test func oneOfManySharedThousandfoldIsEditedInNoTime() throws {
    let bytes = BinaryParserTests.laughs(levels: 30).bytes
    let path = PlistKeyPath((0..<30).map { _ in .index(9) })
    let clock = ContinuousClock()
    let time = try clock.measure {
      var document = try PlistDocument(parsing: bytes)
      document.root = try document.root.setting("hi", at: path)
      let again = try PlistDocument(parsing: document.serialized())
      #expect(again.root[path] == "hi")
      // An equal value that shares nothing with what was read.
      document.root = try PlistDocument(parsing: bytes).root
      #expect(try document.serialized() == bytes)
    }
    #expect(time < .seconds(1))
  }

  @Test func unreachedObjectsAndPaddingStay() throws {
    var file = BinaryFile([0xA1, 2], ascii("spare"), ascii("a"), [0x7F, 0xAA])
    file.padding = [0xEE, 0xEE]
    file.unused = [1, 2, 3, 4, 5, 6]
    let new = try BinaryEditTests.edited(file.bytes) { _ throws(PlistError) in ["b", "c"] }
    let area = file.bytes[8..<21]
    var expected = Array(area)
    expected[0...1] = [0, 0]
    expected[8...9] = [0x51, UInt8(ascii: "b")]
    #expect(Array(new[8..<21]) == expected)
    #expect(Array(new[(new.count - 32)...].prefix(6)) == [1, 2, 3, 4, 5, 6])
  }

  @Test func theDeepestValueCanBeEdited() throws {
    let bytes = BinaryParserTests.nested(levels: 512).bytes
    let path = PlistKeyPath((0..<511).map { _ in .index(0) })
    let new = try BinaryEditTests.edited(bytes) { root throws(PlistError) in
      try root.setting("leaf", at: path)
    }
    let before = try PlistDocument(parsing: bytes).root
    let after = try PlistDocument(parsing: new).root
    #expect(try PlistChange.changes(from: before, to: after).map(\.path) == [path])
    var document = try PlistDocument(parsing: bytes)
    document.root = try document.root.setting([[]], at: path)
    #expect(throws: PlistError(.limit, detail: "")) { try document.serialized() }
  }

  @Test func whatDidNotCountOfARepeatedKeyGoesWithAnEdit() throws {
    let file = BinaryFile([0xD3, 1, 1, 3, 2, 4, 2], ascii("k"), ascii("x"), ascii("y"), ascii("z"))
    var document = try PlistDocument(
      parsing: file.bytes, strictness: ParseStrictness(allowsDuplicateKeys: true))
    #expect(try document.serialized() == file.bytes)
    document.root = try document.root.setting("w", at: PlistKeyPath(keys: "y"))
    #expect(try PlistDocument(parsing: document.serialized()).root == ["k": "x", "y": "w"])
  }

  @Test func unexplainedBytesStay() throws {
    var file = BinaryEditTests.file
    file.unexplained = Array("extra".utf8)
    let strictness = ParseStrictness(allowsBytesBeforeTrailer: true)
    var document = try PlistDocument(parsing: file.bytes, strictness: strictness)
    document.root = ["a": 1]
    let new = try document.serialized()
    #expect(Array(new[(new.count - 37)...].prefix(5)) == Array("extra".utf8))
    #expect(try PlistDocument(parsing: new, strictness: strictness).root == ["a": 1])
  }
}

@Suite struct BinaryEditGrowthTests {
  /// An array of so many different items, with the next one added.
  static func growing(from objects: Int) throws -> (old: [UInt8], new: [UInt8], PlistValue) {
    let items = (1..<objects).map { PlistValue.string("item \($0)") }
    let inner: PlistValue = .array(items.suffix(3))
    var value = PlistValue.array([inner] + items.dropLast())
    let old = try BinaryPlistTests.serialized(value)
    let new = try BinaryEditTests.edited(old) { root throws(PlistError) in
      try root.setting("one more", at: PlistKeyPath([.index(objects - 1)]))
    }
    value = try value.setting("one more", at: PlistKeyPath([.index(objects - 1)]))
    return (old, new, value)
  }

  @Test(arguments: [254, 255, 256, 65_534, 65_535, 65_536])
  func referencesWidenOnlyWhereTheyMust(_ objects: Int) throws {
    let (old, new, value) = try Self.growing(from: objects)
    let document = try PlistDocument(parsing: new)
    #expect(document.root == value)
    func width(_ bytes: [UInt8]) -> UInt8 { bytes[bytes.count - 25] }
    let count = Int(bytes64(old) + 1)
    #expect(Int(bytes64(new)) == count)
    #expect(Int(width(new)) == (count < 256 ? 1 : count < 65_536 ? 2 : 4))
    // Leaves keep their bytes under their indexes, whatever the width.
    let pairs = try zip(objectBytes(old), objectBytes(new))
    #expect(pairs.allSatisfy { old, new in old == new || old[0] >> 4 == 0xA })
  }

  private func bytes64(_ bytes: [UInt8]) -> UInt64 {
    bytes[(bytes.count - 24)...].prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  @Test func offsetsWidenWithTheFile() throws {
    let new = try BinaryEditTests.edited(BinaryEditTests.file.bytes) { root throws(PlistError) in
      try root.setting(.data([UInt8](repeating: 7, count: 70_000)), at: PlistKeyPath(keys: "n"))
    }
    #expect(new[new.count - 26] == 4)
    #expect(new[new.count - 25] == 1)
  }
}

@Suite struct BinaryEditPropertyTests {
  /// Random edits: the values are right, plistlib agrees, and no more objects changed than the
  /// containers on the way and what is new.
  @Test(.enabled(if: OtherReaders.python != nil, "python3 is missing"))
  func randomEditsAreReadByPlistlib() throws {
    var generator = SeededGenerator(state: 11)
    var files: [String] = []
    var expected: [String] = []
    for _ in 0..<150 {
      let value = PlistValue.random(using: &generator)
      var bytes = try BinaryPlistTests.serialized(value)
      for _ in 0..<3 {
        bytes = try BinaryEditTests.edited(bytes) { root throws(PlistError) in
          try root.randomlyEdited(using: &generator)
        }
        files.append(hexBytes(bytes))
        expected.append(try PlistDocument(parsing: bytes).root.canonical)
      }
    }
    let script = "for line in lines: print(canonical(plistlib.loads(bytes.fromhex(line))))"
    #expect(try OtherReaders.python(script, lines: files) == expected)
  }

  @Test(
    .enabled(
      if: OtherReaders.python != nil && OtherReaders.plutil != nil, "python3 or plutil is missing"))
  func randomEditsAreReadByCoreFoundation() throws {
    var generator = SeededGenerator(state: 13)
    var lines: [String] = []
    while lines.count < 20 {
      let value = PlistValue.random(using: &generator)
      var bytes = try BinaryPlistTests.serialized(value)
      for _ in 0..<3 {
        bytes = try BinaryEditTests.edited(bytes) { root throws(PlistError) in
          try root.randomlyEdited(using: &generator)
        }
      }
      let root = try PlistDocument(parsing: bytes).root
      // The tool takes a composed and a decomposed accent for the same key.
      guard root.isContainer, !root.canonical.contains("65CC81") else { continue }
      let xml = try OtherReaders.output(
        of: OtherReaders.plutil, ["-convert", "xml1", "-o", "-", "-"], input: Data(bytes))
      lines.append("\(hexBytes(bytes)) \(hexBytes(xml))")
    }
    let script = """
      for line in lines:
        one, other = (plistlib.loads(bytes.fromhex(x)) for x in line.split())
        print(one == other)
      """
    #expect(try OtherReaders.python(script, lines: lines) == lines.map { _ in "True" })
  }

  @Test func onlyWhatChangesChangesItsBytes() throws {
    var generator = SeededGenerator(state: 12)
    for _ in 0..<200 {
      let value = PlistValue.random(using: &generator)
      let old = try BinaryPlistTests.serialized(value)
      let path = value.randomPath(using: &generator)
      let new = try BinaryEditTests.edited(old) { root throws(PlistError) in
        try root.setting("a value that is new to it", at: path)
      }
      let before = try objectBytes(old)
      let after = try objectBytes(new)
      guard new[new.count - 25] == old[old.count - 25] else { continue }
      let changed = zip(before, after).filter { $0 != $1 && $1 != [0x00] }.count
      #expect(changed <= path.components.count + 1)
    }
  }
}

extension PlistValue {
  /// A path to some value in it.
  func randomPath(using generator: inout some RandomNumberGenerator) -> PlistKeyPath {
    var path = PlistKeyPath.root
    var value = self
    while path.components.isEmpty || Int.random(in: 0..<4, using: &generator) > 0 {
      switch value {
      case .dictionary(let dictionary):
        guard let entry = dictionary.entries.randomElement(using: &generator) else { return path }
        path = path.appending(key: entry.key)
        value = entry.value
      case .array(let items):
        guard let index = items.indices.randomElement(using: &generator) else { return path }
        path = path.appending(index: index)
        value = items[index]
      default: return path
      }
    }
    return path
  }

  /// With some value of it replaced, removed, or joined by another.
  func randomlyEdited(
    using generator: inout some RandomNumberGenerator
  ) throws(PlistError) -> PlistValue {
    let path = randomPath(using: &generator)
    let other = PlistValue.random(using: &generator, depth: 2)
    switch (Int.random(in: 0..<4, using: &generator), path.components.last, self[path]) {
    case (0, .some, _): return try removing(path)
    case (1, _, .dictionary): return try setting(other, at: path.appending(key: "joined"))
    case (1, _, .array): return try inserting(other, at: path.appending(index: 0))
    case (2, .key, _): return (try? renaming(path, to: "renamed")) ?? self
    default: return try setting(other, at: path)
    }
  }
}

/// The binary Info.plists of real apps.
@Suite(
  .enabled(
    if: SharedFiles.root != nil && OtherReaders.python != nil,
    "the apps or python3 are not on this machine"))
struct BinaryEditRealAppsTests {
  @Test func onlyTheEditedKeysDiffer() throws {
    let find = """
      import zipfile, glob, fnmatch
      for name in sorted(glob.glob(lines[0] + '/ipas/*')):
        try: archive = zipfile.ZipFile(name)
        except zipfile.BadZipFile: continue
        for member in archive.namelist():
          if member.endswith('Info.plist'):
            data = archive.read(member)
            if data[:6] == b'bplist': print(data.hex())
      """
    let files = try OtherReaders.python(find, lines: [SharedFiles.root ?? ""])
    #expect(files.count > 5)
    var lines: [String] = []
    for file in files {
      let old = bytes(hex: file)
      guard try PlistDocument(parsing: old).root.dictionary != nil else { continue }
      let new = try BinaryEditTests.edited(old) { root throws(PlistError) in
        try root.setting(["updateURL": ["http://a.local:1/x"]], at: PlistKeyPath(keys: "IPAHub"))
          .setting("Edited", at: PlistKeyPath(keys: "CFBundleName"))
      }
      lines.append("\(file) \(hexBytes(new))")
    }
    let compare = """
      for line in lines:
        old, new = (plistlib.loads(bytes.fromhex(x)) for x in line.split())
        old['IPAHub'] = {'updateURL': ['http://a.local:1/x']}
        old['CFBundleName'] = 'Edited'
        print(list(old.items()) == list(new.items()))
      """
    let verdicts = try OtherReaders.python(compare, lines: lines)
    #expect(verdicts == lines.map { _ in "True" })
  }
}
