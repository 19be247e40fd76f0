import Testing

@testable import AppBundle

@Suite struct NameCollisionsTests {
  /// A table of names alone.
  private struct Names: MemberTable {
    let names: [[UInt8]]

    init(_ names: [String]) { self.names = names.map { Array($0.utf8) } }

    var count: Int { names.count }
    func name(_ index: Int) -> ArraySlice<UInt8> { names[index][...] }
    func kind(_ index: Int) -> Member.Kind { .file }
    func member(_ index: Int) -> Member {
      Member(name: name(index), kind: .file, size: 0, permissions: nil, checksum: nil)
    }
    func forEachName<Failure>(
      _ body: (Int, Span<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
      for index in names.indices {
        let name = names[index]
        try body(index, name.span)
      }
    }
  }

  @Test func findsAllOfOneKey() {
    let names = NameCollisions(Names(["a", "B", "c", "A", "b", "a", "./b", "d"]))
    #expect(names.indices(Array("a".utf8)) == [0, 3, 5])
    #expect(names.indices(Array("B".utf8)) == [1, 4, 6])
    #expect(names.indices(Array("d".utf8)) == [7])
    #expect(names.indices(Array("e".utf8)) == [])
    #expect(names.indices(named: Array("a".utf8)) == [0, 5])
    #expect(names.indices(named: Array("D".utf8)) == [])
  }

  @Test func looksUpWhatIsShown() throws {
    let table = Names(["a\rb", "a\\x0Db", "c\rd", "e\\f", "plain", "\u{E9}\r", "g\rh", "g\rh"])
    let names = NameCollisions(table)
    #expect(try names.index(of: "c\\x0Dd") == 2)
    #expect(try names.index(of: "e\\f") == 3)
    #expect(try names.index(of: "plain") == 4)
    #expect(try names.index(of: "e\u{301}\\x0D") == 5)
    // The one that is called so goes before one that is only shown so.
    #expect(try names.index(of: "a\\x0Db") == 1)
    #expect(code { _ = try names.index(of: "g\\x0Dh") } == .duplicateMember)
    #expect(code { _ = try names.index(of: "c\\x0De") } == .noMember)
    #expect(code { _ = try names.index(of: "PLAIN") } == .noMember)
  }

  /// Thousands of names that end alike, differ in one place, or are there again in another case.
  @Test func manyNames() {
    let first = (0..<5000).map { "Payload/D.app/s/\($0 % 7)/file\($0).png" }
    let names = NameCollisions(Names(first + first.prefix(100).map { $0.uppercased() }))
    let wrong = first.indices.filter {
      names.indices(Array(first[$0].utf8)) != ($0 < 100 ? [$0, 5000 + $0] : [$0])
    }
    #expect(wrong.isEmpty)
    #expect(
      names.warnings() == [
        "members that fall on one file where case does not count: PAYLOAD/D.APP/S/0/FILE0.PNG and "
          + "Payload/D.app/s/0/file0.png; PAYLOAD/D.APP/S/1/FILE1.PNG and "
          + "Payload/D.app/s/1/file1.png; PAYLOAD/D.APP/S/2/FILE2.PNG and "
          + "Payload/D.app/s/2/file2.png and 97 more"
      ])
  }

  /// A look at one name does not go through all that are there again.
  @Test(.timeLimit(.minutes(1))) func looksAmongManyRepeats() {
    let first = (0..<20_000).map { "\($0)" }
    let names = NameCollisions(Names(first + [String](repeating: "same", count: 100_000)))
    #expect(first.indices.allSatisfy { names.indices(Array(first[$0].utf8)) == [$0] })
    #expect(names.indices(Array("same".utf8)).count == 100_000)
  }

  @Test func noNames() {
    let names = NameCollisions(Names([]))
    #expect(names.indices([]) == [])
    #expect(names.warnings() == [])
  }
}
