import Testing

@testable import PlistKit

@Suite struct PlistKeyPathTests {
  static let texts: [(text: String, keys: [String])] = [
    ("", []), ("/", [""]), ("/a/b", ["a", "b"]), ("/a~1b/c~0d", ["a/b", "c~d"]),
    ("/~01", ["~1"]), ("/a~", ["a~"]), ("/a/", ["a", ""]), ("/my-mac.local", ["my-mac.local"]),
    (":", []), (":a:0:b", ["a", "0", "b"]), (":a\\:b", ["a:b"]), (":a\\", ["a\\"]),
    // A combining mark makes one character of itself and the sign before it.
    ("/a~1\u{301}b", ["a/\u{301}b"]), (":a:\u{301}b", ["a", "\u{301}b"]), ("/\u{301}", ["\u{301}"]),
  ]

  @Test(arguments: texts) func isRead(_ text: String, _ keys: [String]) throws {
    #expect(try PlistKeyPath(parsing: text) == PlistKeyPath(keys.map { .key($0) }))
  }

  @Test func otherTextsAreErrors() {
    #expect(throws: PlistError(.keyPath, detail: "")) { try PlistKeyPath(parsing: "a/b") }
  }

  @Test func isWrittenAsAPointer() throws {
    let path = PlistKeyPath.root.appending(key: "a/b").appending(index: 2).appending(key: "c~d")
    #expect(path.description == "/a~1b/2/c~0d")
    #expect(PlistKeyPath.root.description == "")
    let marked = PlistKeyPath(keys: "a/\u{301}b", "~\u{301}")
    #expect(marked.description == "/a~1\u{301}b/~0\u{301}")
    #expect(try PlistKeyPath(parsing: marked.description) == marked)
  }

  @Test(arguments: [(32, 64), (33, 18)]) func isShortInMessages(_ steps: Int, _ length: Int) {
    let path = PlistKeyPath((0..<steps).map { .index($0 % 10) })
    #expect(path.brief.count == length, "\(path.brief)")
    #expect(PlistError(.limit, keyPath: path, detail: "x").description == "\(path.brief): x")
  }

  @Test func leadsToAValue() throws {
    let value: PlistValue = ["a": ["x", ["k": true]], "0": "zero"]
    #expect(value[PlistKeyPath(keys: "a", "1", "k")] == true)
    #expect(value[PlistKeyPath([.key("a"), .index(0)])] == "x")
    #expect(value[PlistKeyPath([.index(0)])] == "zero")
    #expect(value[.root] == value)
    for text in ["/b", "/a/2", "/a/-1", "/a/01", "/a/00", "/a/+1", "/a/", "/a/x", "/a/0/k"] {
      #expect(value[try PlistKeyPath(parsing: text)] == nil, "\(text)")
    }
  }

  @Test func keysCompareByTheirBytes() {
    #expect(PlistKeyPath(keys: "\u{e9}") != PlistKeyPath(keys: "e\u{301}"))
    #expect(PlistKeyPath([.index(0)]) != PlistKeyPath([.key("0")]))
  }
}
