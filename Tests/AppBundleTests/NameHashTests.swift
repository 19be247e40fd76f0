import Testing

@testable import AppBundle

/// The hash of names beside the collision key that it stands for.
@Suite struct NameHashTests {
  struct Row: NamedRow {
    let name: String
    let first: String
    let second: String
    let isOne: Bool
  }

  static let rows = [
    Row(name: "the same", first: "a/b.c", second: "a/b.c", isOne: true),
    Row(
      name: "case", first: "Payload/D.app/INFO.PLIST", second: "Payload/D.app/Info.plist",
      isOne: true),
    Row(
      name: "case at every place", first: "ABCDEFGHIJKLMNOPQ", second: "abcdefghijklmnopq",
      isOne: true),
    Row(name: "beside the letters", first: "@[`{", second: "`{@[", isOne: false),
    Row(name: "@ is no `", first: "@", second: "`", isOne: false),
    Row(name: "[ is no {", first: "[", second: "{", isOne: false),
    Row(name: "one more byte", first: "abcdefg", second: "abcdefgh", isOne: false),
    Row(name: "order", first: "abcdefghijklmn", second: "hijklmnabcdefg", isOne: false),
    Row(name: "two slashes", first: "abcdef//b", second: "abcdef/b", isOne: true),
    Row(name: "a point between slashes", first: "abcdef/./b", second: "abcdef/b", isOne: true),
    Row(name: "two points", first: "abc/x/../b", second: "abc/b", isOne: true),
    Row(name: "a slash first", first: "/abc", second: "abc", isOne: true),
    Row(name: "a point first", first: "./abc", second: "abc", isOne: true),
    Row(name: "a slash last", first: "abc/", second: "abc", isOne: true),
    Row(name: "a hidden file", first: "abc/.B", second: "abc/.b", isOne: true),
    Row(name: "backslashes", first: "a\\B\\c", second: "a/b/C", isOne: true),
    Row(name: "a zero byte", first: "abcdefghij\0k", second: "abcdefghij", isOne: true),
    Row(name: "composed and not", first: "e\u{301}/x", second: "\u{E9}/X", isOne: true),
    Row(name: "long s", first: "pli\u{17F}t", second: "PLIST", isOne: true),
    Row(name: "kelvin sign", first: "\u{212A}ey", second: "key", isOne: true),
    Row(name: "Greek question mark", first: "a\u{37E}b", second: "a;b", isOne: true),
    Row(name: "varia", first: "a\u{1FEF}b", second: "a`b", isOne: true),
    Row(name: "sharp s", first: "\u{DF}", second: "ss", isOne: true),
    Row(name: "another letter", first: "\u{E9}", second: "e", isOne: false),
    Row(name: "nothing", first: "", second: "a", isOne: false),
    Row(name: "nothing but points", first: "", second: "./.", isOne: true),
  ]

  @Test(arguments: rows)
  func pairs(_ row: Row) {
    let (first, second) = (Array(row.first.utf8), Array(row.second.utf8))
    let hash = NameHash()
    #expect((hash(first.span) == hash(second.span)) == row.isOne)
    #expect(
      (MemberName.collisionKey(first[...]) == MemberName.collisionKey(second[...])) == row.isOne)
  }

  /// Every byte at every place of names of up to 20 bytes, with each kind of neighbour.
  @Test func agreesWithTheKey() {
    let hash = NameHash()
    var hashes: [String: UInt64] = [:]
    var wrong: [[UInt8]] = []
    for length in 1...20 {
      for place in 0..<length {
        for byte in UInt8(0)...255 {
          for neighbour in [UInt8(ascii: "a"), UInt8(ascii: "/"), UInt8(ascii: "Z")] {
            var name = [UInt8](repeating: UInt8(ascii: "x"), count: length)
            name[place] = byte
            if place > 0 { name[place - 1] = neighbour }
            let key = MemberName.collisionKey(name[...])
            let found = hash(name.span)
            if hashes[key, default: found] != found { wrong.append(name) }
            hashes[key] = found
          }
        }
      }
    }
    #expect(wrong.isEmpty)
    #expect(Set(hashes.values).count == hashes.count)
  }

  /// No other character is canonically equivalent to one of ASCII.
  @Test func charactersThatAreASCII() {
    var plain: [String: UInt8] = [:]
    for byte in UInt8(0)..<128 { plain[String(UnicodeScalar(byte))] = byte }
    let wrong = (UInt32(0)...0x10FFFF).compactMap(UnicodeScalar.init).filter {
      plain[String($0)] != NameHash.ascii($0)
    }
    #expect(wrong.isEmpty)
  }
}
