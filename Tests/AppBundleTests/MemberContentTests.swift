import Foundation
import Testing

@testable import AppBundle

@Suite struct MemberContentTests {
  /// A member in one of the ways in which it can lie.
  struct Row: NamedRow {
    let name: String
    let data: [UInt8]
    let open: @Sendable (Workplace, [UInt8]) throws -> Application
  }

  private static let path = "Payload/Demo.app/data.bin"
  private static let small: [UInt8] = (0..<60_000).map { UInt8(truncatingIfNeeded: $0 * $0 >> 3) }
  /// More than is unpacked into memory.
  private static let large = (0..<Int(MemberContent.memoryLimit) / small.count + 1)
    .flatMap { _ in small }

  private static func archive(_ method: UInt16)
    -> @Sendable (Workplace, [UInt8]) throws -> Application
  {
    { place, data in
      let archive = Sample.archive { archive in
        var entry = ArchiveBuilder.Entry(path, data)
        entry.method = method
        archive.add(entry)
      }
      return try Application.open(place.write("a.ipa", archive.bytes()))
    }
  }

  @Sendable private static func packed(_ place: Workplace, _ data: [UInt8]) throws -> Application {
    try Sample.folder(place, "in/Payload/Demo.app")
    _ = try place.write("in/\(path)", data)
    _ = try Packing.pack(place.at("in"), to: .init(place.at("packed.ipa")))
    return try Application.open(place.at("packed.ipa"))
  }

  static let rows = [
    Row(name: "file of a folder", data: small) { place, data in
      try Sample.folder(place, "Payload/Demo.app")
      _ = try place.write(path, data)
      return try Application.open(place.path)
    },
    Row(name: "stored member", data: small, open: archive(0)),
    Row(name: "deflated member", data: small, open: archive(8)),
    Row(name: "deflated member larger than memory takes", data: large, open: packed),
    Row(name: "empty deflated member", data: [], open: archive(8)),
  ]

  @Test(arguments: rows) func isReadAtAnyPlace(_ row: Row) throws {
    let place = try Workplace()
    let content = try row.open(place, row.data).content(of: Self.path)
    #expect(content.path == Self.path)
    #expect(content.size == UInt64(row.data.count))
    let count = row.data.count
    for range in [
      0..<0, 0..<min(10, count), count / 2..<count, max(0, count - 1)..<count, 0..<count,
    ] {
      let bytes = try content.read(at: UInt64(range.lowerBound), count: range.count)
      #expect(bytes == Array(row.data[range]))
    }
  }

  @Test(arguments: rows) func refusesWhatLiesBehindTheEnd(_ row: Row) throws {
    let place = try Workplace()
    let content = try row.open(place, row.data).content(of: Self.path)
    let size = content.size
    for (offset, count) in [(size, 1), (size + 1, 0), (UInt64.max, 1), (0, Int.max), (0, -1)] {
      #expect(code { _ = try content.read(at: offset, count: count) } == .truncated)
    }
  }

  @Test func refusesWhatIsNoFile() throws {
    let place = try Workplace()
    let app = try Application.open(place.write("a.ipa", Sample.archive().bytes()))
    #expect(code { _ = try app.content(of: "Payload/Demo.app/link") } == .notAFile)
    #expect(code { _ = try app.content(of: "Payload/Demo.app/nothing") } == .noMember)
  }

  @Test func checksWhatItUnpacks() throws {
    let place = try Workplace()
    let archive = Sample.archive { archive in
      var entry = ArchiveBuilder.Entry(Self.path, Self.small)
      entry.method = 8
      entry.checksum = 1
      archive.add(entry)
    }
    let app = try Application.open(place.write("a.ipa", archive.bytes()))
    #expect(code { _ = try app.content(of: Self.path) } == .checksum)
  }

  @Test func leavesNoTemporaryFile() throws {
    let place = try Workplace()
    let app = try Self.packed(place, Self.large)
    let before = try Set(FileManager.default.contentsOfDirectory(atPath: NSTemporaryDirectory()))
    let content = try app.content(of: Self.path)
    let now = try Set(FileManager.default.contentsOfDirectory(atPath: NSTemporaryDirectory()))
    #expect(now.subtracting(before).allSatisfy { !$0.hasPrefix("ipa-inject.") })
    #expect(content.size == UInt64(Self.large.count))
  }
}
