import Foundation
import Testing

@testable import AppBundle

/// Archives on a file system whose files can share blocks.
@Suite(.enabled(if: ReflinkVolume.folder != nil)) struct ArchiveWriterTests {
  struct Row: NamedRow {
    let name: String
    let change: @Sendable (inout ArchiveBuilder) -> Void

    init(_ name: String, _ change: @escaping @Sendable (inout ArchiveBuilder) -> Void) {
      self.name = name
      self.change = change
    }

    /// An archive of 200 KB, in which whole blocks can be shared.
    var archive: [UInt8] {
      Sample.archive {
        for name in ["a", "b"] {
          var entry = ArchiveBuilder.Entry("Payload/Demo.app/\(name)", ReflinkVolume.noise)
          entry.method = 0
          $0.entries.insert(entry, at: name == "a" ? 2 : $0.entries.count)
        }
        change(&$0)
      }.bytes()
    }
  }

  static let rows: [Row] = [
    Row("in the middle") { _ in },
    Row("first") { $0.entries.insert($0.entries.remove(at: 4), at: 0) },
    Row("last") { $0.entries.append($0.entries.remove(at: 4)) },
    Row("stored") { $0.change { $0.method = 0 } },
    Row("descriptor") { $0.change { $0.hasDescriptor = true } },
    Row("zip64 fields") {
      $0.change { $0.usesZip64 = true }
      $0.usesZip64 = true
    },
    Row("prefix, gap, comment, trailing bytes") {
      $0.prefix = Array("#!stub\n".utf8)
      $0.gaps[Sample.infoPath] = 100
      $0.comment = Array("a comment".utf8)
      $0.trailer = Array("trailing".utf8)
    },
    Row("directory in another order") { $0.isReversed = true },
  ]

  @Test(.enabled(if: Tool.hasPython), arguments: rows)
  func blocksAreShared(_ row: Row) throws {
    let place = try #require(try ReflinkVolume.workplace())
    let bytes = row.archive
    try place.write("a.ipa", bytes)
    try place.write("wanted", Self.larger)
    let app = try Application.open(place.at("a.ipa"))
    let result = try app.commit(Self.larger, to: .path(place.at("b.ipa"), replace: false))
    guard case .sharedAround(let padding) = result else {
      Issue.record("\(result)")
      return
    }
    let grown = try place.read("b.ipa").count - bytes.count
    #expect(grown % 4096 == 0 && grown >= 0)
    #expect(padding > 0)
    try expectShared(place.at("b.ipa"))
    for (script, arguments) in [
      (
        Oracle.sameBut, [place.at("a.ipa"), place.at("b.ipa"), Sample.infoPath, place.at("wanted")]
      ),
      (Oracle.zipfileReads, [place.at("b.ipa"), Sample.infoPath, place.at("wanted")]),
    ] {
      let judged = try Tool.python(script, arguments)
      #expect(judged.status == 0, "\(judged.output)")
    }
    #expect(try place.read("a.ipa") == bytes)
  }

  @Test(arguments: rows)
  func paddingIsComputedAnewByEachEdit(_ row: Row) throws {
    let place = try #require(try ReflinkVolume.workplace())
    let bytes = row.archive
    try place.write("a.ipa", bytes)
    var fitted = 0
    for step in 1...12 {
      let wanted = Self.larger + Array("<!-- edit \(step * step * 7) -->".utf8)
      switch try Application.open(place.at("a.ipa")).commit(wanted, to: .inPlace) {
      case .sharedWithRoom: fitted += 1
      case .sharedAround: break
      case let result: Issue.record("\(step): \(result)")
      }
      #expect(try Application.open(place.at("a.ipa")).infoPlist() == wanted)
    }
    #expect(fitted >= 10)
    #expect(try place.read("a.ipa").count <= bytes.count + Self.larger.count + 2 * 4096)
    let app = try Application.open(place.at("a.ipa"))
    #expect(try app.commit(app.infoPlist(), to: .inPlace) == .unchanged)
    #expect(
      try app.commit(app.infoPlist(), to: .path(place.at("b.ipa"), replace: false)) == .shared)
    #expect(try place.read("b.ipa") == place.read("a.ipa"))
    try expectShared(place.at("b.ipa"))
  }

  /// An Info.plist that is larger than the room of the old one, also when it is deflated.
  static let larger =
    Sample.plist + Array("<!-- ".utf8)
    + ReflinkVolume.noise[..<3000].map { 0x41 + $0 % 26 } + Array(" -->".utf8)

  @Test func samePathSameBytes() throws {
    let place = try #require(try ReflinkVolume.workplace())
    try place.write("a.ipa", Self.rows[0].archive)
    let app = try Application.open(place.at("a.ipa"))
    let options = CommitOptions(synchronize: false, modificationTime: .seconds(1 << 30))
    for name in ["b.ipa", "c.ipa"] {
      try app.commit(
        Sample.edited, to: .path(place.at(name), replace: false), options: options)
    }
    #expect(try place.read("b.ipa") == place.read("c.ipa"))
  }

  @Test func copiesWhereSharingIsNoUse() throws {
    let place = try #require(try ReflinkVolume.workplace())
    let elsewhere = try Workplace()
    let bytes = Self.rows[0].archive
    try place.write("a.ipa", bytes)
    try place.write("small.ipa", Sample.archive().bytes())
    var options = CommitOptions()
    options.modificationTime = .kept
    let app = try Application.open(place.at("a.ipa"))
    for target in [place.at("b.ipa"), elsewhere.at("b.ipa")] {
      options.reflink = target == place.at("b.ipa") ? .never : .auto
      let result = try app.commit(
        Sample.edited, to: .path(target, replace: false), options: options)
      #expect(result.isCopy, "\(result)")
    }
    #expect(try place.read("b.ipa") == elsewhere.read("b.ipa"))
    let small = try Application.open(place.at("small.ipa"))
    #expect(
      try small.commit(Sample.edited, to: .path(place.at("c.ipa"), replace: false)).isCopy)
  }

  /// The offsets behind the member grow beyond 32 bits, and get zip64 fields for that.
  @Test(.enabled(if: Tool.hasPython)) func membersMoveOver4GiB() throws {
    let place = try #require(try ReflinkVolume.workplace())
    let last = ArchiveBuilder.Entry("Payload/Demo.app/last", "")
    func archive(hole: UInt32, lastOffset: UInt32?) -> [UInt8] {
      Sample.archive {
        var large = ArchiveBuilder.Entry("Payload/Demo.app/large")
        (large.method, large.packed) = (0, [])
        (large.size, large.compressedSize) = (hole, hole)
        var last = last
        last.offset = lastOffset
        $0.entries += [large, last]
      }.bytes()
    }
    // The large member's data are a hole in the file, behind which all ends just below 4 GiB.
    let small = archive(hole: 0, lastOffset: nil)
    let directory = small.uint32(at: small.count - 6)
    let lastOffset = directory - UInt32(30 + last.name.count + last.body.count)
    let hole = 0xFFFF_FF00 - directory
    var bytes = archive(hole: hole, lastOffset: lastOffset + hole)
    bytes.set(directory + hole, at: bytes.count - 6)
    try place.write("a.ipa", bytes[..<Int(lastOffset)])
    let file = try #require(FileHandle(forWritingAtPath: place.at("a.ipa")))
    try file.seek(toOffset: UInt64(lastOffset + hole))
    try file.write(contentsOf: Data(bytes[Int(lastOffset)...]))
    try file.close()
    try place.write("wanted", Self.larger)
    let result = try Application.open(place.at("a.ipa")).commit(Self.larger, to: .inPlace)
    guard case .sharedAround = result else {
      Issue.record("\(result)")
      return
    }
    let read = try Tool.python(
      """
      import sys, zipfile
      z = zipfile.ZipFile(sys.argv[1])
      assert z.read(sys.argv[2]) == open(sys.argv[3], 'rb').read()
      last = z.infolist()[-1]
      assert last.header_offset > 0xffffffff and z.read(last) == b'' and len(last.extra) == 12
      assert z.start_dir > 0xffffffff
      assert all(not i.extra for i in z.infolist()[:-1])
      """, [place.at("a.ipa"), Sample.infoPath, place.at("wanted")])
    #expect(read.status == 0, "\(read.output)")
    // A further edit finds what this one wrote.
    try Application.open(place.at("a.ipa")).commit(Sample.edited, to: .inPlace)
    #expect(try Application.open(place.at("a.ipa")).infoPlist() == Sample.edited)
  }

  @Test func headersThatDisagreeAreRefusedToo() throws {
    let place = try #require(try ReflinkVolume.workplace())
    let row = Row("other name") {
      $0.change("Payload/Demo.app/b") { $0.localName = Array("Payload/Demo.app/c".utf8) }
    }
    try place.write("a.ipa", row.archive)
    for reflink in CommitOptions.Reflink.allCases {
      let failed = code {
        try Application.open(place.at("a.ipa")).commit(
          Sample.edited, to: .path(place.at("b.ipa"), replace: false),
          options: CommitOptions(synchronize: true, reflink: reflink))
      }
      #expect(failed == .inconsistent)
    }
    #expect(try place.names() == ["a.ipa"])
  }

  @Test func observersHearOfAllBytes() throws {
    final class Listener: CommitObserver {
      var bytes: [UInt8] = []
      func read(_ block: ArraySlice<UInt8>) { bytes += block }
      func willName() throws(BundleError) {}
    }
    let place = try #require(try ReflinkVolume.workplace())
    try place.write("a.ipa", Self.rows[0].archive)
    for (name, reflink) in [("b.ipa", CommitOptions.Reflink.auto), ("c.ipa", .never)] {
      let listener = Listener()
      try Application.open(place.at("a.ipa")).commit(
        Sample.edited, to: .path(place.at(name), replace: false),
        options: CommitOptions(synchronize: false, reflink: reflink), observer: listener)
      #expect(try place.read(name) == listener.bytes)
    }
  }

  /// Asks the file system whether blocks of a file are shared.
  private func expectShared(_ path: String) throws {
    guard Tool.exists("filefrag") else { return }
    let extents = try Tool.run(["filefrag", "-v", path])
    #expect(extents.output.contains("shared"), "\(extents.output)")
  }
}

extension ReflinkVolume {
  /// Bytes that do not repeat, of no whole number of blocks.
  static let noise: [UInt8] = {
    var state: UInt64 = 88_172_645_463_325_252
    return (0..<100_001).map { _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return UInt8(truncatingIfNeeded: state)
    }
  }()
}

extension CommitResult {
  fileprivate var isCopy: Bool { if case .copied = self { true } else { false } }
}
