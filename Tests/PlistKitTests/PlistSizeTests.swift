import Testing

@testable import PlistKit

@Suite struct PlistSizeTests {
  /// Levels of ten references to the same array: each level means ten times as many values.
  private static func shared(levels: Int, leaf: PlistValue) -> PlistValue {
    (0..<levels).reduce(leaf) { value, _ in .array(Array(repeating: value, count: 10)) }
  }

  @Test func sharedContainersAreNotWrittenOutWithoutEnd() {
    for format in [PlistFormat.xml, .binary] {
      let document = PlistDocument(root: Self.shared(levels: 30, leaf: "lol"), format: format)
      let error = #expect(throws: PlistError.self) { try document.serialized() }
      #expect(error?.code == .limit, "\(format)")
    }
  }

  @Test func aLongTextThatIsSharedCountsEachTime() {
    let text = PlistValue.string(String(repeating: "x", count: 1 << 20))
    let document = PlistDocument(root: Self.shared(levels: 4, leaf: text), format: .xml)
    let error = #expect(throws: PlistError.self) { try document.serialized() }
    #expect(error?.code == .limit)
  }

  @Test(arguments: ["/new", "/a", "/list/0", "/list/1", "/empty/x"])
  func sharedContainersThatComeInByAnEditAreNotWrittenOutWithoutEnd(_ path: String) throws {
    let bytes = XMLSample.document(
      "<dict><key>a</key><true/><key>list</key><array><true/></array><key>empty</key><dict/></dict>"
    )
    var document = try PlistDocument(parsing: bytes)
    document.root = try document.root.setting(
      Self.shared(levels: 30, leaf: "lol"), at: PlistKeyPath(parsing: path))
    let error = #expect(throws: PlistError.self) { try document.serialized() }
    #expect(error?.code == .limit)
  }

  @Test func boundsAreExact() {
    let value: PlistValue = ["ab": ["c", .data([1, 2, 3])]]
    // A dictionary, an array, a string, data; two bytes of key, one of text, three of data.
    #expect(PlistSize.fits(value, values: 4, bytes: 6))
    #expect(!PlistSize.fits(value, values: 3, bytes: 6))
    #expect(!PlistSize.fits(.array([value, "x"]), values: 100, bytes: 5))
  }

  @Test func manyChangesAreALimit() {
    // Two trees that share all but their leaf differ in every place that the leaf stands in.
    let error = #expect(throws: PlistError.self) {
      try PlistChange.changes(
        from: Self.shared(levels: 6, leaf: "a"), to: Self.shared(levels: 6, leaf: "b"))
    }
    #expect(error?.code == .limit)
  }
}
