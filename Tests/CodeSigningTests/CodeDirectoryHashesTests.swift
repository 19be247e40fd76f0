import Testing

@testable import CodeSigning

@Suite struct CodeDirectoryHashesTests {
  struct Row: NamedRow {
    let name: String
    var lists: [[UInt8]] = []
    var sets: [[UInt8]] = []
    var list: [[UInt8]]?
    var set: [CodeDirectoryHashes.Hash] = []
    var problems = 0
  }

  private static func plist(_ inner: String) -> [UInt8] {
    Array("<plist><dict>\(inner)</dict></plist>".utf8)
  }
  private static let oid: [UInt8] = [6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1]

  static let rows = [
    Row(name: "neither"),
    Row(
      name: "both",
      lists: [plist("<key>cdhashes</key><array><data>AQI=</data><data>Aw==</data></array>")],
      sets: [DERBytes.element(0x30, oid, [4, 2, 1, 2])], list: [[1, 2], [3]],
      set: [.init(algorithm: "2.16.840.1.101.3.4.2.1", bytes: [1, 2])]),
    Row(
      name: "a text among the hashes",
      lists: [plist("<key>cdhashes</key><array><string>x</string><data>Aw==</data></array>")],
      list: [[3]]),
    Row(name: "no property list", lists: [[1, 2, 3]], problems: 1),
    Row(name: "another dictionary", lists: [plist("<key>k</key><true/>")], problems: 1),
    Row(name: "hashes of another type", lists: [plist("<key>cdhashes</key><true/>")], problems: 1),
    Row(name: "no bytes", lists: [[]], sets: [[]], problems: 2),
    Row(name: "a hash without algorithm", sets: [DERBytes.element(0x30, [4, 1, 1])], problems: 1),
    Row(
      name: "three parts", sets: [DERBytes.element(0x30, oid, [4, 1, 1], [4, 1, 1])], problems: 1),
    Row(name: "a text as hash", sets: [DERBytes.element(0x30, oid, [0x0C, 1, 1])], problems: 1),
    Row(name: "cut off", sets: [[0x30, 0x0D] + oid], problems: 1),
    Row(name: "an endless length", sets: [[0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF]], problems: 1),
  ]

  @Test(arguments: rows) func read(_ row: Row) throws {
    let hashes = CodeDirectoryHashes(lists: row.lists, sets: row.sets, limits: .standard)
    #expect(hashes.list == row.list)
    #expect(hashes.set == row.set)
    #expect(hashes.problems.count == row.problems)
    #expect(hashes.isEmpty == (row.name == "neither"))
    if row.problems > 0 { #expect(try hashes.mismatches(with: []).count >= row.problems) }
  }
}
