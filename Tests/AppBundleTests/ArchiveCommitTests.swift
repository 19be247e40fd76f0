import Foundation
import Testing

@testable import AppBundle

@Suite struct ArchiveCommitTests {
  struct Row: NamedRow {
    let name: String
    let bytes: [UInt8]

    init(_ name: String, _ change: (inout ArchiveBuilder) -> Void) {
      self.name = name
      bytes = Sample.archive(change).bytes()
    }
  }

  static let forms: [Row] = [
    Row("plain") { _ in },
    Row("stored") { $0.change { $0.method = 0 } },
    Row("descriptor") { $0.change { $0.hasDescriptor = true } },
    Row("descriptor without signature") {
      $0.change {
        $0.hasDescriptor = true
        $0.descriptorHasSignature = false
      }
    },
    Row("stored with descriptor") {
      $0.change {
        $0.method = 0
        $0.hasDescriptor = true
      }
    },
    Row("descriptor and compressed size in the header") {
      $0.change {
        $0.hasDescriptor = true
        $0.localSizes = (UInt32($0.body.count), 0)
      }
    },
    Row("zip64 fields") { $0.change { $0.usesZip64 = true } },
    Row("zip64 fields and descriptor") {
      $0.change {
        $0.usesZip64 = true
        $0.hasDescriptor = true
      }
      $0.usesZip64 = true
    },
    Row("another member with zip64 fields") {
      $0.change("Payload/Demo.app/z.txt") { $0.usesZip64 = true }
    },
    Row("last member") { $0.entries.append($0.entries.remove(at: 3)) },
    Row("first member") { $0.entries.insert($0.entries.remove(at: 3), at: 0) },
    Row("directory in another order") { $0.isReversed = true },
    Row("gap behind it") { $0.gaps[Sample.infoPath] = 100 },
    Row("prefix, comment, trailing bytes") {
      $0.prefix = Array("#!stub\n".utf8)
      $0.comment = Array("a comment".utf8)
      $0.trailer = Array("trailing".utf8)
    },
    Row("padding of another program") {
      $0.change { $0.localExtra = [0x35, 0xD9, 6, 0, 4, 0, 0, 0, 0, 0] }
    },
    Row("comment of the member, unknown extra fields") {
      $0.change {
        $0.comment = Array("note".utf8)
        $0.extra = [0x99, 0x99, 2, 0, 1, 2]
        $0.localExtra = [0x98, 0x98, 1, 0, 7, 0xFF]
      }
    },
  ]

  @Test(.enabled(if: Tool.hasPython), arguments: forms)
  func onlyTheMemberChanges(_ row: Row) throws {
    let place = try Workplace()
    try place.write("a.ipa", row.bytes)
    try place.write("wanted", Sample.edited)
    let app = try Application.open(place.at("a.ipa"))
    #expect(try app.infoPlist() == Sample.plist)
    try app.commit(Sample.edited, to: .path(place.at("b.ipa"), replace: false))
    let same = try Tool.python(
      Oracle.sameBut,
      [place.at("a.ipa"), place.at("b.ipa"), Sample.infoPath, place.at("wanted")])
    #expect(same.status == 0, "\(same.output)")
    let read = try Tool.python(
      Oracle.zipfileReads, [place.at("b.ipa"), Sample.infoPath, place.at("wanted")])
    #expect(read.status == 0, "\(read.output)")
    // Back to the old content: everything but the packing of this one member is as it was.
    let back = try Application.open(place.at("b.ipa"))
    try back.commit(Sample.plist, to: .inPlace)
    #expect(try Application.open(place.at("b.ipa")).memberDifferences(from: app) == [])
  }

  @Test func sameContentIsACopy() throws {
    let place = try Workplace()
    let bytes = Sample.archive().bytes()
    try place.write("a.ipa", bytes, mode: 0o640)
    let app = try Application.open(place.at("a.ipa"))
    let before = try #require(FileStatus.following(place.at("a.ipa")))
    try app.commit(Sample.plist, to: .inPlace)
    #expect(FileStatus.following(place.at("a.ipa"))?.identity == before.identity)
    try app.commit(Sample.plist, to: .path(place.at("b.ipa"), replace: false))
    #expect(try place.read("b.ipa") == bytes)
    #expect(try Files.mode(place.at("b.ipa")) == 0o640)
  }

  @Test func timesInAllForms() throws {
    let place = try Workplace()
    let old: UInt32 = 1_000_000_000
    try place.write(
      "a.ipa",
      Sample.archive {
        $0.change {
          var stamp: [UInt8] = [0x55, 0x54, 5, 0, 1]
          stamp.little(old)
          var unix: [UInt8] = [0x55, 0x58, 8, 0]
          unix.little(old - 5)
          unix.little(old)
          $0.extra = stamp + unix
          $0.localExtra = unix + stamp
        }
      }.bytes())
    let app = try Application.open(place.at("a.ipa"))
    let time: Int64 = 1_715_949_296
    try app.commit(
      Sample.edited, to: .path(place.at("b.ipa"), replace: false),
      options: CommitOptions(synchronize: false, modificationTime: .seconds(time)))
    let bytes = try place.read("b.ipa")
    func count(_ value: UInt32) -> Int {
      var wanted: [UInt8] = []
      wanted.little(value)
      return bytes.indices.dropLast(3).count { bytes[$0..<$0 + 4].elementsEqual(wanted) }
    }
    #expect(count(UInt32(time)) == 4)
    #expect(count(old) == 0)
    #expect(count(old - 5) == 2)
    #expect(DOSTime(seconds: time).seconds == time)
    try app.commit(
      Sample.edited, to: .path(place.at("c.ipa"), replace: false),
      options: CommitOptions(synchronize: false, modificationTime: .kept))
    let kept = try place.read("c.ipa")
    #expect(kept.count == bytes.count && kept != bytes)
  }

  @Test func inPlaceGoesThroughLinks() throws {
    let place = try Workplace()
    try place.write("real/a.ipa", Sample.archive().bytes(), mode: 0o604)
    try place.link("one.ipa", to: "real/a.ipa")
    let app = try Application.open(place.at("one.ipa"))
    try app.commit(Sample.edited, to: .inPlace)
    #expect(try Files.linkTarget(place.at("one.ipa")) == "real/a.ipa")
    #expect(try Application.open(place.at("real/a.ipa")).infoPlist() == Sample.edited)
    #expect(try Files.mode(place.at("real/a.ipa")) == 0o604)
    #expect(try place.names("real") == ["a.ipa"])
  }

  @Test func existingOutputs() throws {
    let place = try Workplace()
    try place.write("a.ipa", Sample.archive().bytes())
    try place.write("b.ipa", "mine".utf8)
    try place.link("dangling.ipa", to: "nowhere")
    try place.write("folder.ipa/x", "x".utf8)
    let app = try Application.open(place.at("a.ipa"))
    func commit(_ name: String, replace: Bool) -> BundleError.Code? {
      code { try app.commit(Sample.edited, to: .path(place.at(name), replace: replace)) }
    }
    let before = try place.names()
    #expect(commit("b.ipa", replace: false) == .outputExists)
    #expect(commit("a.ipa", replace: false) == .outputExists)
    #expect(commit("dangling.ipa", replace: false) == .outputExists)
    #expect(commit("folder.ipa", replace: true) == .isDirectory)
    #expect(commit("missing/b.ipa", replace: false) == .outputNotWritable)
    #expect(commit("a.ipa/b.ipa", replace: false) == .outputNotWritable)
    #expect(try place.read("b.ipa") == Array("mine".utf8))
    #expect(commit("b.ipa", replace: true) == nil)
    #expect(try Application.open(place.at("b.ipa")).infoPlist() == Sample.edited)
    #expect(commit("a.ipa", replace: true) == nil)
    #expect(try Application.open(place.at("a.ipa")).infoPlist() == Sample.edited)
    #expect(try place.names() == before)
  }

  @Test func changedInputs() throws {
    let place = try Workplace()
    try place.write("a.ipa", Sample.archive().bytes())
    let app = try Application.open(place.at("a.ipa"))
    // Another file takes the place: the open one can still be read, but not edited in place.
    try FileManager.default.removeItem(atPath: place.at("a.ipa"))
    try place.write("a.ipa", "other".utf8)
    #expect(code { try app.commit(Sample.edited, to: .inPlace) } == .inputChanged)
    #expect(try place.read("a.ipa") == Array("other".utf8))
    #expect(
      code { try app.commit(Sample.edited, to: .path(place.at("b.ipa"), replace: false)) } == nil)
    // The open file itself grows.
    let grown = try Application.open(place.at("b.ipa"))
    let handle = try #require(FileHandle(forWritingAtPath: place.at("b.ipa")))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data("more".utf8))
    try handle.close()
    #expect(
      code { try grown.commit(Sample.plist, to: .path(place.at("c.ipa"), replace: false)) }
        == .inputChanged)
    #expect(try place.names() == ["a.ipa", "b.ipa"])
  }

  @Test func parallelCommits() async throws {
    let place = try Workplace()
    try place.write("a.ipa", Sample.archive().bytes())
    let app = try Application.open(place.at("a.ipa"))
    await withTaskGroup(of: Bool.self) { group in
      for index in 0..<16 {
        group.addTask {
          let wanted = Sample.plist + Array("<!-- \(index) -->".utf8)
          let path = place.at("out\(index % 8).ipa")
          return code { try app.commit(wanted, to: .path(path, replace: false)) } == nil
        }
      }
      var done = 0
      for await succeeded in group where succeeded { done += 1 }
      // Of two that want one name, exactly one gets it.
      #expect(done == 8)
    }
    #expect(try place.names().count == 9)
    for index in 0..<8 {
      let plist = try Application.open(place.at("out\(index).ipa")).infoPlist()
      let allowed = [index, index + 8].map { Sample.plist + Array("<!-- \($0) -->".utf8) }
      #expect(allowed.contains(plist))
    }
  }
}

/// Offsets at the border of 32 bits, on records alone.
@Suite struct DirectoryWideningTests {
  /// With no zip64 field, one that holds the size, and one that stands for nothing.
  @Test(arguments: ["none", "size", "idle"])
  func offsetBeyond32Bits(zip64: String) throws {
    let border: UInt32 = 0xFFFF_FFF0
    var builder = ArchiveBuilder([.init("a", "x"), .init("b", "y"), .init("c", "z")])
    builder.entries[1].offset = border
    builder.entries[1].extra = [0x99, 0x99, 1, 0, 7]
    let bytes = builder.bytes()
    let end = bytes.count - 22
    let start = Int(bytes.uint32(at: end + 16))
    var directory = Array(bytes[start..<end])
    if zip64 != "none" {
      // The offset joins the field that is there.
      let first = try CentralRecord(checking: directory.span.bytes, at: 0)
      let second = try CentralRecord(checking: directory.span.bytes, at: first.end)
      if zip64 == "size" { directory.set(UInt32.max, at: second.start + 24) }
      directory.set(UInt16(second.extraLength + 12), at: second.start + 30)
      directory.insert(
        contentsOf: [1, 0, 8, 0, 1, 0, 0, 0, 0, 0, 0, 0], at: second.extra.lowerBound)
    }
    let record = EndRecord(
      position: 0, bytes: Array(bytes[end...]), zip64: nil,
      directory: 0x1_0000_1000..<0x1_0000_1000 + UInt64(directory.count), count: 3)
    let central = try CentralDirectory(bytes: directory, end: record, limits: .standard)
    let change = MemberChange(index: 0, checksum: 1, compressedSize: 2, size: 3, seconds: nil)
    let moved = try central.changed(change, moving: 0x20)
    #expect(moved.count == directory.count + (zip64 == "none" ? 12 : 8))
    let again = try CentralDirectory(bytes: moved, end: record, limits: .standard)
    #expect(again.records[1].offset == UInt64(border) + 0x20)
    #expect(again.records[1].size == 1)
    #expect(again.records[2].offset == central.records[2].offset + 0x20)
    #expect(again.display(2) == "c")
    #expect(moved.uint16(at: again.records[1].start + 6) == 45)
  }

  @Test func endRecordsBeyond32Bits() throws {
    let bytes = Sample.archive().bytes()
    let plain = EndRecord(
      position: 100, bytes: Array(bytes.suffix(22)) + [9], zip64: nil, directory: 0..<100, count: 6)
    let near = try #require(plain.moved(to: 0xFFFF_FFFE, directoryCount: 100, members: 6))
    #expect(near.count == 23)
    #expect(near.uint32(at: 16) == 0xFFFF_FFFE)
    let far = try #require(plain.moved(to: 0x1_0000_0000, directoryCount: 100, members: 6))
    #expect(far.count == 56 + 20 + 23)
    #expect(far.uint64(at: 32) == 6)
    #expect(far.uint64(at: 40) == 100)
    #expect(far.uint64(at: 48) == 0x1_0000_0000)
    #expect(far.uint64(at: 56 + 8) == 0x1_0000_0064)
    #expect(far.uint32(at: 76 + 16) == .max)
    #expect(far.uint16(at: 76 + 10) == .max)
    #expect(far.last == 9)
    #expect(plain.moved(to: .max, directoryCount: 100, members: 6) == nil)
  }
}
