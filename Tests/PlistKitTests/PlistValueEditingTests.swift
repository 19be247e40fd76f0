import Testing

@testable import PlistKit

/// An edit of the sample, with what comes of it.
struct EditRow: CustomTestStringConvertible, Sendable {
  let name: String
  let edit: @Sendable (PlistValue) throws(PlistError) -> PlistValue
  let result: PlistValue?
  let code: PlistError.Code?

  init(
    _ name: String, _ result: PlistValue,
    _ edit: @escaping @Sendable (PlistValue) throws(PlistError) -> PlistValue
  ) {
    (self.name, self.edit, self.result, code) = (name, edit, result, nil)
  }

  init(
    _ name: String, _ code: PlistError.Code,
    _ edit: @escaping @Sendable (PlistValue) throws(PlistError) -> PlistValue
  ) {
    (self.name, self.edit, result, self.code) = (name, edit, nil, code)
  }

  var testDescription: String { name }
}

@Suite struct PlistValueEditingTests {
  static let sample: PlistValue = ["a": ["x": 1, "y": 2], "list": ["p", "q"], "s": "text"]

  static func path(_ text: String) throws(PlistError) -> PlistKeyPath {
    try PlistKeyPath(parsing: text)
  }

  static let setting: [EditRow] = [
    EditRow(
      "replaces a value in its place", ["a": ["x": 9, "y": 2], "list": ["p", "q"], "s": "text"]
    ) {
      value throws(PlistError) in try value.setting(9, at: path("/a/x"))
    },
    EditRow(
      "adds a key at the end", ["a": ["x": 1, "y": 2, "z": 3], "list": ["p", "q"], "s": "text"]
    ) {
      value throws(PlistError) in try value.setting(3, at: path("/a/z"))
    },
    EditRow("replaces an item", ["a": ["x": 1, "y": 2], "list": ["p", "r"], "s": "text"]) {
      value throws(PlistError) in try value.setting("r", at: path("/list/1"))
    },
    EditRow("appends an item", ["a": ["x": 1, "y": 2], "list": ["p", "q", "r"], "s": "text"]) {
      value throws(PlistError) in
      try value.setting("r", at: PlistKeyPath([.key("list"), .index(2)]))
    },
    EditRow("replaces the root", "new") {
      value throws(PlistError) in try value.setting("new", at: .root)
    },
    EditRow("makes no parents", .keyPath) {
      value throws(PlistError) in try value.setting(1, at: path("/b/c"))
    },
    EditRow("does not step into a string", .keyPath) {
      value throws(PlistError) in try value.setting(1, at: path("/s/c"))
    },
    EditRow("does not step through a string", .keyPath) {
      value throws(PlistError) in try value.setting(1, at: path("/s/c/d"))
    },
    EditRow("index beyond the count", .keyPath) {
      value throws(PlistError) in try value.setting(1, at: path("/list/3"))
    },
    EditRow("negative index", .keyPath) {
      value throws(PlistError) in try value.setting(1, at: path("/list/-1"))
    },
    EditRow("key of an array", .keyPath) {
      value throws(PlistError) in try value.setting(1, at: path("/list/x"))
    },
  ]

  static let others: [EditRow] = [
    EditRow("removes a key", ["a": ["y": 2], "list": ["p", "q"], "s": "text"]) {
      value throws(PlistError) in try value.removing(path("/a/x"))
    },
    EditRow("removes an item", ["a": ["x": 1, "y": 2], "list": ["q"], "s": "text"]) {
      value throws(PlistError) in try value.removing(path("/list/0"))
    },
    EditRow("does not remove the root", .keyPath) {
      value throws(PlistError) in try value.removing(.root)
    },
    EditRow("does not remove what is not there", .keyPath) {
      value throws(PlistError) in try value.removing(path("/a/z"))
    },
    EditRow("does not remove the item after the last", .keyPath) {
      value throws(PlistError) in try value.removing(path("/list/2"))
    },
    EditRow("renames in place", ["a": ["z": 1, "y": 2], "list": ["p", "q"], "s": "text"]) {
      value throws(PlistError) in try value.renaming(path("/a/x"), to: "z")
    },
    EditRow("renames to the same", sample) {
      value throws(PlistError) in try value.renaming(path("/a/x"), to: "x")
    },
    EditRow("does not rename to a key that is there", .duplicateKey) {
      value throws(PlistError) in try value.renaming(path("/a/x"), to: "y")
    },
    EditRow("does not rename an item", .keyPath) {
      value throws(PlistError) in try value.renaming(path("/list/0"), to: "y")
    },
    EditRow("inserts first", ["a": ["w": 0, "x": 1, "y": 2], "list": ["p", "q"], "s": "text"]) {
      value throws(PlistError) in try value.inserting(0, at: path("/a/w"))
    },
    EditRow(
      "inserts after a key", ["a": ["x": 1, "w": 0, "y": 2], "list": ["p", "q"], "s": "text"]
    ) {
      value throws(PlistError) in try value.inserting(0, at: path("/a/w"), after: "x")
    },
    EditRow("inserts an item", ["a": ["x": 1, "y": 2], "list": ["p", "o", "q"], "s": "text"]) {
      value throws(PlistError) in try value.inserting("o", at: path("/list/1"))
    },
    EditRow("does not insert a key twice", .duplicateKey) {
      value throws(PlistError) in try value.inserting(0, at: path("/a/x"))
    },
    EditRow("does not insert after what is not there", .keyPath) {
      value throws(PlistError) in try value.inserting(0, at: path("/a/w"), after: "z")
    },
    EditRow("does not insert after a key of an array", .keyPath) {
      value throws(PlistError) in try value.inserting(0, at: path("/list/0"), after: "x")
    },
  ]

  @Test(arguments: setting + others) func comesToItsResult(_ row: EditRow) throws {
    do throws(PlistError) {
      let edited = try row.edit(Self.sample)
      #expect(edited == row.result)
    } catch {
      #expect(error.code == row.code)
      #expect(error.keyPath != nil)
    }
  }

  @Test func errorsNameThePathAndTheType() throws {
    let error = try #require(throws: PlistError.self) {
      try Self.sample.setting(1, at: Self.path("/s/c"))
    }
    #expect(error.description == "/s/c: 'c' leads into a string, not a container")
    let outside = try #require(throws: PlistError.self) {
      try Self.sample.setting(1, at: Self.path("/list/7"))
    }
    #expect(outside.description == "/list/7: index 7 is outside an array of 2 items")
  }
}
