import Foundation
import Testing

@testable import AppBundle

@Suite struct ArchiveUnpackerTests {
  /// An archive that is not unpacked, and what is said about it.
  struct Hostile: NamedRow {
    let name: String
    let code: BundleError.Code
    /// What the error's text holds.
    let text: String
    let change: @Sendable (inout ArchiveBuilder) -> Void

    init(
      _ name: String, _ code: BundleError.Code, _ text: String,
      _ change: @escaping @Sendable (inout ArchiveBuilder) -> Void
    ) {
      self.name = name
      self.code = code
      self.text = text
      self.change = change
    }

    /// One more member.
    static func member(
      _ name: String, _ member: String, _ code: BundleError.Code, _ text: String,
      mode: UInt16 = 0o100644
    ) -> Hostile {
      Hostile(name, code, text) {
        var entry = ArchiveBuilder.Entry(member, "x")
        entry.mode = mode
        $0.add(entry)
      }
    }

    /// One more link.
    static func link(_ name: String, _ member: String, to target: String) -> Hostile {
      Hostile(name, .pathEscapes, target.isEmpty ? "leads nowhere" : "the link leads to") {
        var entry = ArchiveBuilder.Entry(member, target)
        entry.mode = 0o120755
        entry.method = 0
        $0.add(entry)
      }
    }

    /// A change of the last member.
    static func last(
      _ name: String, _ code: BundleError.Code, _ text: String,
      _ change: @escaping @Sendable (inout ArchiveBuilder.Entry) -> Void
    ) -> Hostile {
      Hostile(name, code, text) { $0.change("Payload/Demo.app/z.txt", change) }
    }
  }

  static let names: [Hostile] = [
    .member("parent", "../evil", .pathEscapes, "leads upwards"),
    .member("parent inside", "Payload/a/../../../evil", .pathEscapes, "leads upwards"),
    .member("parent at the end", "Payload/..", .pathEscapes, "leads upwards"),
    .member("parent in backslashes", "..\\evil", .pathEscapes, "leads upwards"),
    .member("parent in both slashes", "Payload/a\\../evil", .pathEscapes, "leads upwards"),
    .member("absolute", "/tmp/evil", .pathEscapes, "absolute"),
    .member("absolute folder", "/evil/", .pathEscapes, "absolute", mode: 0o040755),
    .member("two slashes first", "//evil", .pathEscapes, "absolute"),
    .member("backslash first", "\\evil", .pathEscapes, "absolute"),
    .member("drive", "C:\\evil", .pathEscapes, "drive letter"),
    .member("drive without a slash", "c:evil", .pathEscapes, "drive letter"),
    .member("zero byte", "Payload/a\0b", .pathEscapes, "zero byte"),
    .member("no name", "", .pathEscapes, "no name"),
    .member("a slash alone", "/", .pathEscapes, "no name"),
    .member("dot", "./a", .pathEscapes, "empty or '.'"),
    .member("two slashes", "Payload//a", .pathEscapes, "empty or '.'"),
    .member(
      "long part", "Payload/" + String(repeating: "n", count: 256), .limit, "has 256 bytes"),
    .member(
      "deep", String(repeating: "d/", count: 512) + "x", .limit, "deeper than 512"),
    .member("twice", "Payload/Demo.app/z.txt", .duplicateMember, "two members have this name"),
    .member("case", "Payload/Demo.app/Z.TXT", .duplicateMember, "falls on"),
    .member("case of a folder", "payload/Demo.app/other", .duplicateMember, "falls on"),
    .member("file as folder", "Payload/Demo.app/z.txt/x", .duplicateMember, "members below it"),
    .member("below a link", "Payload/Demo.app/link/x", .duplicateMember, "members below it"),
    .member("file as a folder's name", "Payload/Demo.app", .duplicateMember, "members below it"),
    Hostile("Unicode form", .duplicateMember, "falls on") {
      $0.add(.init("Payload/\u{E9}", "x"))
      $0.add(.init("Payload/e\u{301}", "y"))
    },
  ]

  static let links: [Hostile] = [
    .link("absolute link", "Payload/l", to: "/etc"),
    .link("link out", "Payload/l", to: "../../x"),
    .link("link out from the top", "l", to: "../x"),
    .link("link down and up", "Payload/l", to: "a/../b"),
    .link("link through another", "Payload/l", to: "Demo.app/link/../../../x"),
    .link("link out with dots", "Payload/l", to: "./.././../x"),
    .link("empty link", "Payload/l", to: ""),
    Hostile("link as a folder's name", .duplicateMember, "members below it") {
      var entry = ArchiveBuilder.Entry("Payload/Demo.app", "x")
      entry.mode = 0o120755
      $0.entries.insert(entry, at: 0)
    },
    Hostile("long link", .limit, "at most 4096") {
      var entry = ArchiveBuilder.Entry("Payload/l", String(repeating: "l", count: 4097))
      entry.mode = 0o120755
      entry.method = 0
      $0.add(entry)
    },
  ]

  static let contents: [Hostile] = [
    .member("pipe", "Payload/p", .notAFile, "a device, a pipe", mode: 0o010644),
    .member("device", "Payload/d", .notAFile, "a device, a pipe", mode: 0o020644),
    .member("socket", "Payload/s", .notAFile, "a device, a pipe", mode: 0o140644),
    .last("encrypted", .encrypted, "encrypted") { $0.flags = 1 },
    .last("LZFSE", .unsupportedMethod, "method 99 (LZFSE)") { $0.method = 99 },
    .last("bzip2", .unsupportedMethod, "method 12 (bzip2)") { $0.method = 12 },
    .last("declares more", .inconsistent, "are declared") { $0.size = 9 },
    .last("declares less", .inconsistent, "are declared") { $0.size = 1 },
    .last("stored and declares more", .inconsistent, "stored in 4 bytes and declares 9") {
      $0.method = 0
      $0.size = 9
    },
    .last("checksum", .checksum, "checksum") { $0.checksum = 7 },
    .last("no deflate stream", .inconsistent, "cannot unpack it") { $0.packed = [7, 7, 7, 7] },
    .last("other name in its header", .inconsistent, "its local header names") {
      $0.localName = Array("Payload/Demo.app/y.txt".utf8)
    },
  ]

  @Test(arguments: names + links + contents)
  func refuses(_ row: Hostile) throws {
    let place = try Workplace()
    let path = try place.write("in/a.ipa", Sample.archive(row.change).bytes())
    let error = #expect(throws: BundleError.self) {
      try Packing.unpack(path, to: Packing.Output(place.at("in/out")))
    }
    #expect(error?.code == row.code)
    #expect(error?.detail.contains(row.text) == true, "\(error?.detail ?? "")")
    #expect(error?.member != nil)
    #expect(try place.names() == ["in"])
    #expect(try place.names("in") == ["a.ipa"])
  }

  @Test(arguments: ["z\\x", "a:b", "...", "..z", " ", "C", "\u{1F600}"])
  func takesOddNames(_ name: String) throws {
    let place = try Workplace()
    let path = try place.write(
      "a.ipa", Sample.archive { $0.add(.init("Payload/\(name)", "odd")) }.bytes())
    _ = try Packing.unpack(path, to: Packing.Output(place.at("out")))
    #expect(try place.read("out/Payload/\(name)") == Array("odd".utf8))
  }

  @Test func boundOfUnpackedBytes() throws {
    let place = try Workplace()
    let path = try place.write("a.ipa", Sample.archive().bytes())
    let sum = try Application.open(path).members.reduce(0) { $0 + $1.size }
    for (limit, expected) in [(sum, nil), (sum - 1, BundleError.Code.limit)] {
      var limits = ArchiveLimits.standard
      limits.unpackedBytes = limit
      let found = code {
        _ = try Packing.unpack(
          path, to: Packing.Output(place.at("out\(limit)")), limits: limits)
      }
      #expect(found == expected)
    }
    #expect(try place.names() == ["a.ipa", "out\(sum)"])
  }

  /// A name of few bytes can stand for many folders, whose paths come to the square of that.
  @Test func boundOfFolderPaths() throws {
    let place = try Workplace()
    // Payload, Payload/Demo.app, Payload/a, Payload/a/b, Payload/a/c: those in common count once.
    let path = try place.write(
      "a.ipa",
      ArchiveBuilder(
        [Sample.infoPath, "Payload/a/b/x", "Payload/a/b/y", "Payload/a/c/x"].map {
          .init($0, "x")
        }
      ).bytes())
    let sum = 7 + 16 + 9 + 11 + 11
    for (limit, expected) in [(sum, nil), (sum - 1, BundleError.Code.limit)] {
      var limits = ArchiveLimits.standard
      limits.folderPathBytes = limit
      let found = code {
        _ = try Packing.unpack(
          path, to: Packing.Output(place.at("out\(limit)")), limits: limits)
      }
      #expect(found == expected)
    }
  }

  @Test func manyFoldersWithoutEntriesAreFlushedToo() throws {
    let place = try Workplace()
    let names = (0..<250).map { "Payload/\($0)/x" }
    let path = try place.write("a.ipa", ArchiveBuilder(names.map { .init($0, "x") }).bytes())
    _ = try Packing.unpack(path, to: Packing.Output(place.at("out")))
    #expect(try place.names("out/Payload").count == 250)
  }

  struct Mode: NamedRow {
    let name: String
    let stored: UInt16
    let wanted: Int
  }

  @Test(arguments: [
    Mode(name: "set-user-ID", stored: 0o104755, wanted: 0o755),
    Mode(name: "set-group-ID", stored: 0o102750, wanted: 0o750),
    Mode(name: "sticky", stored: 0o101644, wanted: 0o644),
    Mode(name: "none", stored: 0, wanted: 0o644),
    Mode(name: "type alone", stored: 0o100000, wanted: 0o644),
    Mode(name: "read-only", stored: 0o100444, wanted: 0o444),
    Mode(name: "read-only folder", stored: 0o040555, wanted: 0o555),
    Mode(name: "folder that cannot be entered", stored: 0o040644, wanted: 0o744),
    Mode(name: "folder without a mode", stored: 0, wanted: 0o755),
  ])
  func modes(_ row: Mode) throws {
    let place = try Workplace()
    let isFolder = row.name.contains("folder")
    let path = try place.write(
      "a.ipa",
      Sample.archive {
        var entry = ArchiveBuilder.Entry(isFolder ? "Payload/x/" : "Payload/x", "")
        entry.mode = row.stored
        entry.method = 0
        $0.add(entry)
        if isFolder { $0.add(.init("Payload/x/inner", "inner")) }
      }.bytes())
    let summary = try Packing.unpack(path, to: Packing.Output(place.at("out")))
    #expect(try Files.mode(place.at("out/Payload/x")) == row.wanted)
    #expect(summary.warnings.count == (row.stored & 0o7000 == 0 ? 0 : 1))
    if isFolder { #expect(try place.read("out/Payload/x/inner") == Array("inner".utf8)) }
  }

  /// The DOS time is 2024-05-17 12:34:34 in the local zone.
  struct Time: NamedRow {
    let name: String
    let extra: [UInt8]
    let wanted: Int64
  }

  @Test(arguments: [
    Time(name: "DOS time", extra: [], wanted: DOSTime(time: 0x6451, date: 0x58B1).seconds),
    Time(
      name: "extended timestamp", extra: [0x55, 0x54, 5, 0, 1, 0x15, 0xCD, 0x5B, 7],
      wanted: 123_456_789),
    Time(
      name: "Apple's field", extra: [0x55, 0x58, 8, 0, 0, 0, 0, 0, 0x15, 0xCD, 0x5B, 7],
      wanted: 123_456_789),
    Time(
      name: "before 1970", extra: [0x55, 0x54, 5, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF], wanted: -1),
    Time(
      name: "access time alone", extra: [0x55, 0x54, 5, 0, 2, 0x15, 0xCD, 0x5B, 7],
      wanted: DOSTime(time: 0x6451, date: 0x58B1).seconds),
  ])
  func times(_ row: Time) throws {
    let place = try Workplace()
    let path = try place.write(
      "a.ipa",
      Sample.archive {
        for name in ["Payload/Demo.app/", "Payload/Demo.app/link", "Payload/Demo.app/z.txt"] {
          $0.change(name) { $0.extra = row.extra }
        }
      }.bytes())
    _ = try Packing.unpack(path, to: Packing.Output(place.at("out")))
    let folder = try Directory(place.at("out/Payload"))
    let app = try folder.directory("Demo.app".utf8, path: "")
    #expect(try app.status().identity.seconds == row.wanted)
    for name in ["link", "z.txt"] {
      #expect(app.status(name.utf8)?.identity.seconds == row.wanted)
    }
  }

  @Test func archivesWithoutAnAppAreUnpackedToo() throws {
    let place = try Workplace()
    let path = try place.write(
      "a.zip", ArchiveBuilder([.init("readme", "text"), .init("a/b", "c")]).bytes())
    let summary = try Packing.unpack(path, to: Packing.Output(place.at("out")))
    #expect(summary == Packing.Summary(entries: 2, bytes: 5, warnings: []))
    #expect(try place.read("out/a/b") == Array("c".utf8))
  }

  @Test func theOutputsPlace() throws {
    let place = try Workplace()
    let path = try place.write("a.ipa", Sample.archive().bytes())
    var output = Packing.Output(place.at("out"))
    _ = try Packing.unpack(path, to: output)
    #expect(code { _ = try Packing.unpack(path, to: output) } == .outputExists)
    output.replace = true
    try place.write("out/Payload/Demo.app/old", [])
    _ = try Packing.unpack(path, to: output)
    #expect(try place.names("out/Payload/Demo.app") == ["Demo", "Info.plist", "link", "z.txt"])
    // A folder that holds more than an output does, or the input itself, stays.
    try place.write("out/precious", [])
    #expect(code { _ = try Packing.unpack(path, to: output) } == .outputOfOtherKind)
    let inside = try place.write("home/a.ipa", Sample.archive().bytes())
    output.path = place.at("home")
    #expect(code { _ = try Packing.unpack(inside, to: output) } == .outputOfOtherKind)
    #expect(try place.names("home") == ["a.ipa"])
  }

  @Test func otherInputs() throws {
    let place = try Workplace()
    let output = Packing.Output(place.at("out"))
    try place.write("folder/x", [])
    let whole = try place.write("a.ipa", Sample.archive().bytes())
    let inputs: [(String, BundleError.Code)] = [
      (place.at("folder"), .notAnArchive), (place.at("none"), .notFound),
      (try place.write("a.plist", Sample.plist), .notAnArchive),
      (try place.write("empty", []), .notAnArchive),
      (try place.write("short.ipa", Files.read(whole).dropLast(30)), .truncated),
    ]
    for (path, expected) in inputs {
      #expect(code { _ = try Packing.unpack(path, to: output) } == expected, "\(path)")
    }
    #expect(!Files.exists(place.at("out")))
  }
}
