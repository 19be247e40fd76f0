import Foundation
import Testing

@testable import AppBundle

@Suite struct MemberDifferenceTests {
  struct Row: NamedRow {
    let name: String
    let expected: [MemberDifference]
    let bytes: [UInt8]

    init(
      _ name: String, _ expected: [(String, MemberDifference.Kind)],
      _ change: (inout ArchiveBuilder) -> Void
    ) {
      self.name = name
      self.expected = expected.map { MemberDifference(path: $0.0, kind: $0.1) }
      bytes = Sample.archive(change).bytes()
    }
  }

  private static let last = "Payload/Demo.app/z.txt"
  private static let app = "Payload/Demo.app"

  /// The extra field that gives a member another name.
  private static func unicodePath(_ name: String) -> [UInt8] {
    var field: [UInt8] = []
    field.little(UInt16(0x7075))
    field.little(UInt16(name.utf8.count + 5))
    field.append(1)
    field.little(ArchiveBuilder.Entry.crc32(Array(last.utf8)))
    return field + Array(name.utf8)
  }

  static let rows = [
    Row("nothing", []) { _ in },
    Row("other packing only", []) { $0.change(last) { $0.method = 0 } },
    Row("other framing only", []) { $0.change(last) { $0.hasDescriptor = true } },
    Row("added", [("new", .added)]) { $0.add(.init("new", "x")) },
    Row("removed", [(last, .removed)]) { $0.entries.removeLast() },
    Row("folder entry removed", [("Payload", .removed)]) { $0.entries.removeFirst() },
    Row("contents", [(last, .contents)]) { $0.change(last) { $0.data = Array("LAST".utf8) } },
    Row("contents behind the same record", [(last, .contents)]) {
      $0.change(last) {
        $0.checksum = $0.realChecksum
        $0.method = 99
      }
    },
    Row("permissions", [(last, .permissions)]) { $0.change(last) { $0.mode = 0o100600 } },
    Row("permissions gone", [(last, .permissions)]) { $0.change(last) { $0.mode = 0 } },
    Row("link", [("Payload/Demo.app/link", .linkTarget)]) {
      $0.change("Payload/Demo.app/link") { $0.data = Array("z.txt".utf8) }
    },
    Row("kind", [("Payload/Demo.app/link", .kind)]) {
      $0.change("Payload/Demo.app/link") { $0.mode = 0o100755 }
    },
    Row("order", [("Payload/Demo.app/Demo", .order)]) {
      $0.entries.append($0.entries.remove(at: 2))
    },
    Row("renamed in case", [("Payload/Demo.app/Z.txt", .added), (last, .removed)]) {
      $0.change(last) { $0.name = Array("Payload/Demo.app/Z.txt".utf8) }
    },
    Row(
      "the app's folder renamed",
      [
        ("Payload/Other.app", .added), ("Payload/Demo.app", .removed),
      ]
    ) { archive in
      for index in archive.entries.indices {
        let name = String(decoding: archive.entries[index].name, as: UTF8.self)
        archive.entries[index].name = Array(
          name.replacingOccurrences(of: "Payload/Demo.app", with: "Payload/Other.app").utf8)
      }
    },
    Row("another name in an extra field", [(last, .otherName)]) {
      $0.change(last) { $0.extra = unicodePath("Payload/Demo.app/evil") }
    },
    Row("its own name in an extra field", []) { $0.change(last) { $0.extra = unicodePath(last) } },
    Row("bytes behind the archive", [(app, .outside)]) { $0.trailer = Array("more".utf8) },
    Row("a comment", [(app, .outside)]) { $0.comment = Array("more".utf8) },
    Row("bytes before the archive", [(app, .outside)]) { $0.prefix = Array("more".utf8) },
    Row("bytes between the members", [(app, .outside)]) { $0.gaps = [Sample.infoPath: 50] },
    Row("bytes behind the last member", [(app, .outside)]) { $0.gaps = [last: 50] },
    Row("one more of a name", [(last, .added)]) { $0.add(.init(last, "last")) },
  ]

  @Test(arguments: rows)
  func betweenArchives(_ row: Row) throws {
    let place = try Workplace()
    let old = try Application.open(place.write("a.ipa", Sample.archive().bytes()))
    var found: [MemberDifference] = []
    let new = try Application.open(place.write("b.ipa", row.bytes))
    let failure = code { found = try new.memberDifferences(from: old) }
    #expect(failure == nil)
    #expect(found == row.expected)
  }

  /// What the original has outside its members stays through an edit, and is no difference then.
  @Test(arguments: rows) func whatAnEditKeepsIsNoDifference(_ row: Row) throws {
    let place = try Workplace()
    let path = try place.write("a.ipa", row.bytes)
    let old = try Application.open(path)
    guard
      code({ _ = try old.commit(Sample.edited, to: .path(place.at("b.ipa"), replace: false)) })
        == nil
    else { return }
    let new = try Application.open(place.at("b.ipa"))
    let found = try new.memberDifferences(from: old)
    #expect(found == [MemberDifference(path: old.infoPlistPath, kind: .contents)])
  }

  @Test func bytesOutsideThatAreGone() throws {
    let place = try Workplace()
    let old = try Application.open(
      place.write(
        "a.ipa",
        Sample.archive {
          $0.prefix = Array("more".utf8)
          $0.comment = Array("more".utf8)
          $0.gaps = [Sample.infoPath: 50]
        }.bytes()))
    let new = try Application.open(place.write("b.ipa", Sample.archive().bytes()))
    #expect(try new.memberDifferences(from: old) == [])
  }

  @Test func specialBitsInAFolder() throws {
    let place = try Workplace()
    try Sample.folder(place, "Demo.app")
    let folder = try Application.open(place.at("Demo.app"))
    try folder.commit(Sample.plist, to: .path(place.at("a.ipa"), replace: false))
    try place.write("Demo.app/Demo", "code".utf8, mode: 0o4755)
    let changed = try Application.open(place.at("Demo.app"))
    let difference = [MemberDifference(path: "Demo", kind: .permissions)]
    #expect(try changed.memberDifferences(from: .open(place.at("a.ipa"))) == difference)
  }

  @Test func equalRecordsOverOtherBytes() throws {
    let place = try Workplace()
    let old = try Application.open(place.write("a.ipa", Sample.archive().bytes()))
    let new = try Application.open(
      place.write(
        "b.ipa",
        Sample.archive {
          $0.change("Payload/Demo.app/z.txt") {
            $0.checksum = $0.realChecksum
            $0.data = Array("LAST".utf8)
          }
        }.bytes()))
    // The record lies, and unpacking finds out.
    #expect(code { _ = try new.memberDifferences(from: old) } == .checksum)
  }

  @Test func archiveWithApp() throws {
    let place = try Workplace()
    try Sample.folder(place, "Demo.app")
    let folder = try Application.open(place.at("Demo.app"))
    try folder.commit(Sample.plist, to: .path(place.at("a.ipa"), replace: false))
    let archive = try Application.open(place.at("a.ipa"))
    #expect(try archive.memberDifferences(from: folder) == [])
    #expect(try folder.memberDifferences(from: archive) == [])
    try place.write("Demo.app/Demo", "CODE".utf8)
    let changed = try Application.open(place.at("Demo.app"))
    #expect(
      try changed.memberDifferences(from: archive)
        == [MemberDifference(path: "Demo", kind: .contents)])
    try place.write("Demo.app/more", "x".utf8)
    try place.write("other.plist", Sample.plist)
    #expect(
      try Application.open(place.at("Demo.app")).memberDifferences(from: changed)
        == [MemberDifference(path: "more", kind: .added)])
  }

  @Test func membersLargerThanTheBuffer() throws {
    let place = try Workplace()
    try Sample.folder(place, "Demo.app")
    var large = [UInt8](repeating: 7, count: 3 << 20)
    try place.write("Demo.app/large", large)
    let folder = try Application.open(place.at("Demo.app"))
    try folder.commit(Sample.plist, to: .path(place.at("a.ipa"), replace: false))
    let archive = try Application.open(place.at("a.ipa"))
    #expect(try archive.memberDifferences(from: folder) == [])
    large[large.count - 1] = 8
    try place.write("Demo.app/large", large)
    #expect(
      try Application.open(place.at("Demo.app")).memberDifferences(from: archive)
        == [MemberDifference(path: "large", kind: .contents)])
  }
}
