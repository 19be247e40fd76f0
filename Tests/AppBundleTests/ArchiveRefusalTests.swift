import Testing

@testable import AppBundle

/// Good archives made bad in one way each, and the code that each is refused with.
@Suite struct ArchiveRefusalTests {
  struct Row: NamedRow {
    let name: String
    let code: BundleError.Code
    let bytes: [UInt8]

    init(_ name: String, _ code: BundleError.Code, _ change: (inout ArchiveBuilder) -> Void) {
      self.name = name
      self.code = code
      bytes = Sample.archive(change).bytes()
    }

    init(_ name: String, _ code: BundleError.Code, bytes: [UInt8]) {
      self.name = name
      self.code = code
      self.bytes = bytes
    }
  }

  /// Info-ZIP's extra field that gives a member another name (APPNOTE.TXT 4.6.9).
  private static func unicodePath(_ path: String, of name: [UInt8]) -> [UInt8] {
    var field: [UInt8] = []
    field.little(UInt16(0x7075))
    field.little(UInt16(5 + path.utf8.count))
    field.append(1)
    field.little(ArchiveBuilder.Entry.crc32(name))
    return field + path.utf8
  }

  /// The first member's local header says that its extra field has 4000 bytes.
  private static func reachingOver() -> [UInt8] {
    var bytes = Sample.archive().bytes()
    bytes.replaceSubrange(28..<30, with: [0xA0, 0x0F])
    return bytes
  }

  static let structure: [Row] = [
    Row("cut in the middle", .truncated, bytes: Array(Sample.archive().bytes().prefix(900))),
    Row("end record cut", .truncated, bytes: Sample.archive().bytes().dropLast(5)),
    Row("count too low", .inconsistent) { $0.count = 2 },
    Row("count too high", .inconsistent) { $0.count = 200 },
    Row("directory size too small", .inconsistent) { $0.directorySize = 50 },
    Row("directory size beyond the file", .inconsistent) { $0.directorySize = .max },
    Row("offsets do not count the prefix", .inconsistent) {
      $0.prefix = [UInt8](repeating: 35, count: 64)
      $0.countsPrefix = false
    },
    Row("two members at one place", .overlapping) {
      var twin = ArchiveBuilder.Entry("Payload/Demo.app/twin", "last")
      twin.offset = 0
      $0.add(twin)
    },
    Row("member reaches into the next", .overlapping) {
      $0.change("Payload/Demo.app/Demo") { $0.compressedSize = 2100 }
    },
    Row("member reaches into the directory", .inconsistent) {
      $0.change("Payload/Demo.app/z.txt") { $0.compressedSize = 400 }
    },
    Row("offset beyond the file", .inconsistent) { $0.change { $0.offset = 1 << 30 } },
    Row("zip64 field cut short", .inconsistent) {
      $0.change {
        $0.size = .max
        $0.extra = [1, 0, 4, 0, 1, 2, 3, 4]
      }
    },
    Row("zip64 field twice", .inconsistent) {
      $0.change {
        $0.usesZip64 = true
        $0.extra = [1, 0, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8]
      }
    },
    Row("two end records that fit", .inconsistent, bytes: twoArchives()),
    Row(
      "another archive behind it", .inconsistent,
      bytes: Sample.archive().bytes() + Sample.archive { $0.add(.init("x", "x")) }.bytes()),
    Row("another archive in its comment", .inconsistent) { $0.comment = Sample.archive().bytes() },
    Row("its own end record in its comment", .inconsistent, bytes: endRecordTwice()),
    Row("another archive with zip64 records in its comment", .inconsistent) {
      $0.comment = Sample.archive { $0.usesZip64 = true }.bytes()
    },
    Row("another archive behind it, only its offset right", .inconsistent, bytes: offsetAlone()),
    Row("two zip64 end records", .inconsistent, bytes: zip64RecordTwice()),
  ]

  static let infoPlist: [Row] = [
    Row("missing", .noInfoPlist) {
      $0.entries.removeAll { $0.name == Array(Sample.infoPath.utf8) }
    },
    Row("only in another case", .noInfoPlist) {
      $0.change { $0.name = Array("Payload/Demo.app/info.plist".utf8) }
    },
    Row("only with a zero byte behind it", .noInfoPlist) {
      $0.change { $0.name += Array("\0.txt".utf8) }
    },
    Row("twice", .duplicateMember) { $0.add(.init(Sample.infoPath, "evil")) },
    Row("twin in case", .duplicateMember) {
      $0.add(.init("Payload/Demo.app/INFO.PLIST", "evil"))
    },
    Row("twin with long s", .duplicateMember) {
      $0.add(.init("Payload/Demo.app/Info.pli\u{17F}t", "evil"))
    },
    Row("twin with a zero byte", .duplicateMember) {
      $0.add(.init("Payload/Demo.app/Info.plist\0.txt", "evil"))
    },
    Row("twin with two slashes", .duplicateMember) {
      $0.add(.init("Payload/Demo.app//Info.plist", "evil"))
    },
    Row("twin with backslashes", .duplicateMember) {
      $0.add(.init("Payload\\Demo.app\\Info.plist", "evil"))
    },
    Row("another member's Unicode path", .duplicateMember) {
      var twin = ArchiveBuilder.Entry("Payload/Demo.app/other.txt", "evil")
      twin.extra = unicodePath(Sample.infoPath, of: twin.name)
      $0.add(twin)
    },
    Row("another member's second Unicode path", .duplicateMember) {
      var twin = ArchiveBuilder.Entry("Payload/Demo.app/other.txt", "evil")
      twin.extra =
        unicodePath("Payload/Demo.app/other.txt", of: twin.name)
        + unicodePath(Sample.infoPath, of: twin.name)
      $0.add(twin)
    },
    Row("another member's Unicode path behind an empty one", .duplicateMember) {
      var twin = ArchiveBuilder.Entry("Payload/Demo.app/other.txt", "evil")
      twin.extra = unicodePath("", of: twin.name) + unicodePath(Sample.infoPath, of: twin.name)
      $0.add(twin)
    },
    Row("a Unicode path of its own", .duplicateMember) {
      $0.change { $0.extra = unicodePath("Payload/Demo.app/other.txt", of: $0.name) }
    },
    Row("a local extra field reaches over it", .overlapping, bytes: reachingOver()),
    Row("twin through ..", .duplicateMember) {
      $0.add(.init("Payload/x/../Demo.app/./Info.plist", "evil"))
    },
    Row("folder beside it", .duplicateMember) { $0.add(.init(Sample.infoPath + "/")) },
    Row("a folder", .infoPlistNotAFile) {
      $0.change {
        $0.name += [0x2F]
        $0.mode = 0o040755
      }
    },
    Row("a link", .infoPlistNotAFile) { $0.change { $0.mode = 0o120755 } },
    Row("a pipe", .infoPlistNotAFile) { $0.change { $0.mode = 0o010644 } },
    Row("app is a link", .pathEscapes) {
      $0.change("Payload/Demo.app/") {
        $0.name.removeLast()
        $0.mode = 0o120755
        $0.data = Array("/tmp".utf8)
      }
    },
    Row("app is a file", .inconsistent) {
      $0.change("Payload/Demo.app/") {
        $0.name.removeLast()
        $0.mode = 0o100644
      }
    },
    Row("encrypted", .encrypted) { $0.change { $0.flags = 1 } },
    Row("strongly encrypted", .encrypted) { $0.change { $0.flags = 0x40 } },
    Row("bzip2", .unsupportedMethod) { $0.change { $0.method = 12 } },
    Row("LZFSE", .unsupportedMethod) { $0.change { $0.method = 99 } },
    Row("wrong checksum", .checksum) { $0.change { $0.checksum = 0xDEAD_BEEF } },
    Row("declares more than it has", .inconsistent) { $0.change { $0.size = 100_000 } },
    Row("declares less than it has", .inconsistent) { $0.change { $0.size = 10 } },
    Row("stored in other than its size", .inconsistent) {
      $0.change {
        $0.method = 0
        $0.size = 10
      }
    },
    Row("declares 4 GiB", .limit) { $0.change { $0.size = 0xFFFF_FFFE } },
    Row("packed data damaged", .inconsistent) {
      $0.change { $0.packed = [UInt8](repeating: 0xFF, count: 60) }
    },
    Row("packed data cut", .checksum) { $0.change { $0.packed = Array($0.body.dropLast(9)) } },
    Row("local Unicode path", .inconsistent) {
      $0.change { $0.localExtra = unicodePath("Payload/Demo.app/Other.plist", of: $0.name) }
    },
    Row("second local Unicode path", .inconsistent) {
      $0.change {
        $0.extra = unicodePath(Sample.infoPath, of: $0.name)
        $0.localExtra = $0.extra + unicodePath("Payload/Demo.app/Other.plist", of: $0.name)
      }
    },
    Row("local Unicode path of another member", .inconsistent) {
      $0.change("Payload/Demo.app/z.txt") {
        $0.localExtra = unicodePath(Sample.infoPath, of: $0.name)
      }
    },
    Row("local name differs", .inconsistent) {
      $0.change { $0.localName = Array("Payload/Demo.app/Evil.plist".utf8) }
    },
    Row("local method differs", .inconsistent) { $0.change { $0.localMethod = 0 } },
    Row("local flags differ", .inconsistent) { $0.change { $0.localFlags = 1 } },
    Row("local sizes differ", .inconsistent) { $0.change { $0.localSizes = (7, 7) } },
    Row("local extra field reaches into the next", .overlapping, bytes: longLocalExtra()),
    Row("descriptor missing", .inconsistent) {
      $0.change {
        $0.flags = 8
        $0.localSizes = (0, 0)
      }
    },
  ]

  /// A comment that is an end record of its own, of an archive without members that would begin
  /// where it ends.
  private static func twoArchives() -> [UInt8] {
    var builder = Sample.archive()
    let end = builder.bytes().count
    var inner: [UInt8] = []
    inner.little(UInt32(0x0605_4B50))
    inner.little(UInt64(0))
    inner.little(UInt32(0))
    inner.little(UInt32(end))
    inner.little(UInt16(0))
    builder.comment = inner
    return builder.bytes()
  }

  /// A comment that is a copy of the archive's end record: a reader that takes the last one, and of
  /// that the offset alone, finds the directory as long as nothing moves it.
  private static func endRecordTwice() -> [UInt8] {
    var builder = Sample.archive()
    builder.comment = [UInt8](repeating: 0, count: 22)
    let bytes = builder.bytes()
    let end = bytes.dropLast(22)
    return end + end.suffix(22).prefix(20) + [0, 0]
  }

  /// A second archive whose end record tells a directory of one byte: readers that walk records from the
  /// offset find all of it.
  private static func offsetAlone() -> [UInt8] {
    Sample.archive {
      $0.prefix = Sample.archive().bytes()
      $0.directorySize = 1
    }.bytes()
  }

  /// A zip64 end record that carries another one as data: it stands where readers look that do not follow
  /// the locator.
  private static func zip64RecordTwice() -> [UInt8] {
    var bytes = Sample.archive { $0.usesZip64 = true }.bytes()
    let start = bytes.count - 22 - 20 - 56
    bytes.insert(contentsOf: bytes[start..<start + 56], at: start + 56)
    bytes[start + 4] += 56
    return bytes
  }

  private static func longLocalExtra() -> [UInt8] {
    var bytes = Sample.archive().bytes()
    let header = Array("PK\u{3}\u{4}".utf8)
    let name = Array(Sample.infoPath.utf8)
    for index in bytes.indices.dropLast(60)
    where bytes[index..<index + 4].elementsEqual(header)
      && bytes[(index + 30)...].starts(with: name)
    {
      bytes[index + 29] = 1
    }
    return bytes
  }

  @Test(arguments: structure + infoPlist)
  func refusal(_ row: Row) throws {
    let place = try Workplace()
    let path = try place.write("a.ipa", row.bytes)
    let found = code {
      let app = try Application.open(path)
      try app.commit(try app.infoPlist() + [0x20], to: .inPlace)
    }
    #expect(found == row.code)
    #expect(try place.read("a.ipa") == row.bytes)
    #expect(try place.names() == ["a.ipa"])
  }

  @Test func messagesNameMemberAndCause() throws {
    let place = try Workplace()
    let path = try place.write(
      "a.ipa", Sample.archive { $0.change { $0.method = 99 } }.bytes())
    let error = #expect(throws: BundleError.self) {
      _ = try Application.open(path).infoPlist()
    }
    #expect(
      error?.description
        == "Payload/Demo.app/Info.plist: it is packed with method 99 (LZFSE), and only stored and "
        + "deflated members are read")
    #expect(error?.hint?.contains("Mac") == true)
  }

  @Test(arguments: [UInt16(12), 14, 93, 98, 4711])
  func messagesNameTheMethod(method: UInt16) throws {
    let place = try Workplace()
    let path = try place.write("a.ipa", Sample.archive { $0.change { $0.method = method } }.bytes())
    let error = #expect(throws: BundleError.self) {
      _ = try Application.open(path).infoPlist()
    }
    let name: [UInt16: String] = [12: " (bzip2)", 14: " (LZMA)", 93: " (Zstandard)", 98: " (PPMd)"]
    #expect(error?.detail.contains("packed with method \(method)\(name[method] ?? ""), ") == true)
    #expect(error?.hint?.contains("Mac") == false)
  }
}
