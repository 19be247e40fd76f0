import Foundation
import Testing

@testable import AppBundle

@Suite struct FolderCommitTests {
  @Test func inPlaceExchangesOneFile() throws {
    let place = try Workplace()
    try Sample.folder(place, "Demo.app")
    let app = try Application.open(place.at("Demo.app"))
    let before = try #require(FileStatus.following(place.at("Demo.app/Demo")))
    try app.commit(Sample.edited, to: .inPlace)
    #expect(try place.read("Demo.app/Info.plist") == Sample.edited)
    #expect(try Files.mode(place.at("Demo.app/Info.plist")) == 0o640)
    #expect(FileStatus.following(place.at("Demo.app/Demo")) == before)
    #expect(try place.names("Demo.app") == ["Demo", "Info.plist", "link", "sub"])
    // The old object knows the old file.
    #expect(code { try app.commit(Sample.plist, to: .inPlace) } == .inputChanged)
    #expect(try place.read("Demo.app/Info.plist") == Sample.edited)
  }

  @Test func aFolderThatBecameALinkIsNotFollowed() throws {
    let place = try Workplace()
    try Sample.folder(place, "p/Payload/Demo.app")
    try Sample.folder(place, "other")
    let app = try Application.open(place.at("p"))
    try FileManager.default.moveItem(
      atPath: place.at("p/Payload/Demo.app"), toPath: place.at("moved"))
    try place.link("p/Payload/Demo.app", to: "../../other")
    #expect(code { try app.commit(Sample.edited, to: .inPlace) } == .pathEscapes)
    #expect(try place.read("other/Info.plist") == Sample.plist)
  }

  struct Kind: NamedRow {
    let name: String
    let app: String
  }

  static let kinds = [
    Kind(name: "Demo.app", app: ""), Kind(name: "p", app: "Payload/Demo.app/"),
    Kind(name: "x.xcarchive", app: "Products/Applications/Demo.app/"),
  ]

  @Test(arguments: kinds)
  func folderToFolder(_ kind: Kind) throws {
    let place = try Workplace()
    let out = "out" + kind.name.drop { $0 != "." }
    try Sample.folder(place, kind.app.isEmpty ? kind.name : "\(kind.name)/\(kind.app)")
    let program = "\(kind.name)/\(kind.app)Demo"
    try #require(Tool.run(["touch", "-d", "2020-01-02 03:04:05", place.at(program)]).status == 0)
    let app = try Application.open(place.at(kind.name))
    try app.commit(Sample.edited, to: .path(place.at(out), replace: false))
    let copy = try Application.open(place.at(out))
    #expect(copy.kind == app.kind)
    #expect(
      try copy.memberDifferences(from: app)
        == [MemberDifference(path: app.infoPlistPath, kind: .contents)])
    #expect(try copy.infoPlist() == Sample.edited)
    #expect(try Files.linkTarget(place.at("\(out)/\(kind.app)link")) == "Demo")
    #expect(try Files.mode(place.at("\(out)/\(kind.app)sub/z.txt")) == 0o444)
    let times = ["\(kind.name)/\(kind.app)Demo", "\(out)/\(kind.app)Demo"].map {
      FileStatus.following(place.at($0))?.identity.seconds
    }
    #expect(times[0] != nil && times[0] == times[1])
    // There now, so not again; of the same kind, so it may be replaced.
    #expect(
      code { try app.commit(Sample.plist, to: .path(place.at(out), replace: false)) }
        == .outputExists)
    try app.commit(Sample.plist, to: .path(place.at(out), replace: true))
    #expect(try Application.open(place.at(out)).memberDifferences(from: app) == [])
    #expect(try place.names() == [kind.name, out].sorted())
  }

  @Test func replacingSparesOtherFolders() throws {
    let place = try Workplace()
    try Sample.folder(place, "Demo.app")
    try place.write("home/precious", "x".utf8)
    try place.write("file", "x".utf8)
    let app = try Application.open(place.at("Demo.app"))
    for name in ["home", "file"] {
      #expect(
        code { try app.commit(Sample.edited, to: .path(place.at(name), replace: true)) }
          == .outputOfOtherKind)
    }
    #expect(try place.read("home/precious") == Array("x".utf8))
    #expect(try place.names() == ["Demo.app", "file", "home"])
  }

  @Test(.enabled(if: Tool.hasPython), arguments: kinds)
  func folderToArchive(_ kind: Kind) throws {
    let place = try Workplace()
    try Sample.folder(place, kind.app.isEmpty ? kind.name : "\(kind.name)/\(kind.app)")
    try place.write("\(kind.name)/\(kind.app)sub/naïve 文.txt", "utf8".utf8)
    try place.write("\(kind.name)/\(kind.app)empty", [])
    let app = try Application.open(place.at(kind.name))
    try app.commit(Sample.edited, to: .path(place.at("out.ipa"), replace: false))
    let packed = try Application.open(place.at("out.ipa"))
    #expect(packed.kind == .ipa && packed.bundlePath == "Payload/Demo.app")
    #expect(
      try packed.memberDifferences(from: app)
        == [MemberDifference(path: Sample.infoPath, kind: .contents)])
    #expect(packed.members.map(\.path) == packed.members.map(\.path).sorted())
    let script = """
      import sys, zipfile
      z = zipfile.ZipFile(sys.argv[1])
      assert z.testzip() is None
      names = z.namelist()
      assert names[:2] == ['Payload/', 'Payload/Demo.app/'], names
      a = 'Payload/Demo.app/'
      mode = lambda n: z.getinfo(a + n).external_attr >> 16
      assert mode('Demo') == 0o100755 and mode('sub/z.txt') == 0o100444
      assert mode('link') & 0o170000 == 0o120000 and z.read(a + 'link') == b'Demo'
      assert z.read(a + 'sub/na\\u00efve \\u6587.txt') == b'utf8'
      assert z.read(a + 'empty') == b''
      assert z.read(a + 'Info.plist') == open(sys.argv[2], 'rb').read()
      """
    try place.write("wanted", Sample.edited)
    let read = try Tool.python(script, [place.at("out.ipa"), place.at("wanted")])
    #expect(read.status == 0, "\(read.output)")
    if Tool.hasUnzip {
      #expect(try Tool.run(["unzip", "-tqq", place.at("out.ipa")]).status == 0)
    }
  }

  @Test func archiveToFolder() throws {
    let place = try Workplace()
    let app = try Application.open(
      place.write("a.ipa", Sample.archive { $0.entries.removeFirst(2) }.bytes()))
    try app.commit(Sample.edited, to: .path(place.at("out"), replace: false))
    let folder = try Application.open(place.at("out"))
    #expect(folder.kind == .payload)
    #expect(
      try folder.memberDifferences(from: app)
        == [MemberDifference(path: Sample.infoPath, kind: .contents)])
    #expect(try Files.mode(place.at("out/Payload/Demo.app/Demo")) == 0o755)
    #expect(try Files.linkTarget(place.at("out/Payload/Demo.app/link")) == "Demo")
    #expect(
      code { try app.commit(Sample.edited, to: .path(place.at("out"), replace: false)) }
        == .outputExists)
  }

  struct Escape: NamedRow {
    let name: String
    let code: BundleError.Code?
    let member: String
    var target: String?
  }

  static let escapes = [
    Escape(name: "parent", code: .pathEscapes, member: "../evil"),
    Escape(name: "parent inside", code: .pathEscapes, member: "Payload/a/../b"),
    Escape(name: "absolute", code: .pathEscapes, member: "/tmp/evil"),
    Escape(name: "zero byte", code: .pathEscapes, member: "Payload/a\0b"),
    Escape(name: "dot", code: .pathEscapes, member: "Payload/./a"),
    Escape(name: "two slashes", code: .pathEscapes, member: "Payload//a"),
    Escape(name: "no name", code: .pathEscapes, member: ""),
    Escape(name: "twice", code: .duplicateMember, member: "Payload/Demo.app/z.txt"),
    Escape(name: "file as folder", code: .duplicateMember, member: "Payload/Demo.app/z.txt/x"),
    Escape(name: "below a link", code: .duplicateMember, member: "Payload/Demo.app/link/x"),
    Escape(name: "absolute link", code: .pathEscapes, member: "Payload/l", target: "/etc"),
    Escape(name: "link out", code: .pathEscapes, member: "Payload/l", target: "../../x"),
    Escape(name: "link to the top", code: nil, member: "Payload/l", target: "../x"),
    Escape(name: "link down and up", code: .pathEscapes, member: "Payload/l", target: "a/../b"),
    Escape(name: "empty link", code: .pathEscapes, member: "Payload/l", target: ""),
    Escape(name: "link beside", code: nil, member: "Payload/l", target: "Demo.app/Demo"),
    Escape(name: "upwards in backslashes", code: .pathEscapes, member: "Payload\\..\\x"),
    Escape(name: "a backslash in a name", code: nil, member: "Payload/a\\x"),
  ]

  @Test(arguments: escapes)
  func unpackingStaysInside(_ row: Escape) throws {
    let place = try Workplace()
    let path = try place.write(
      "in/a.ipa",
      Sample.archive {
        var entry = ArchiveBuilder.Entry(row.member, row.target ?? "x")
        entry.method = 0
        if row.target != nil { entry.mode = 0o120755 }
        $0.add(entry)
      }.bytes())
    let app = try Application.open(path)
    let found = code {
      try app.commit(Sample.edited, to: .path(place.at("in/out"), replace: false))
    }
    #expect(found == row.code)
    #expect(try place.names() == ["in"])
    #expect(try place.names("in") == (row.code == nil ? ["a.ipa", "out"] : ["a.ipa"]))
  }

  @Test func unpackingRefusesWhatItCannotRead() throws {
    let place = try Workplace()
    for (name, expected) in [("lzfse", BundleError.Code.unsupportedMethod), ("secret", .encrypted)]
    {
      let app = try Application.open(
        place.write(
          "\(name).ipa",
          Sample.archive {
            $0.change("Payload/Demo.app/z.txt") { entry in
              if name == "lzfse" { entry.method = 99 } else { entry.flags = 1 }
            }
          }.bytes()))
      #expect(
        code { try app.commit(Sample.edited, to: .path(place.at("out"), replace: false)) }
          == expected)
      // As an archive the member is copied as it is.
      #expect(
        code { try app.commit(Sample.edited, to: .path(place.at("o.ipa"), replace: true)) } == nil)
    }
    #expect(try place.names() == ["lzfse.ipa", "o.ipa", "secret.ipa"])
  }

  @Test func unpackedSizeIsBounded() throws {
    let place = try Workplace()
    let path = try place.write("a.ipa", Sample.archive().bytes())
    let sum = try Application.open(path).members.reduce(0) { $0 + $1.size }
    for (limit, expected) in [(sum, nil), (sum - 1, BundleError.Code.limit)] {
      var limits = ArchiveLimits.standard
      limits.unpackedBytes = limit
      let app = try Application.open(path, limits: limits)
      #expect(
        code { try app.commit(Sample.edited, to: .path(place.at("o\(limit)"), replace: false)) }
          == expected)
    }
  }

  @Test func propertyLists() throws {
    let place = try Workplace()
    let app = try Application.open(place.write("a.plist", Sample.plist, mode: 0o600))
    try app.commit(Sample.edited, to: .path(place.at("b"), replace: false))
    #expect(try place.read("b") == Sample.edited)
    #expect(try Files.mode(place.at("b")) == 0o600)
    #expect(
      code { try app.commit(Sample.edited, to: .path(place.at("b.ipa"), replace: false)) }
        == .wrongOutputKind)
    try app.commit(Sample.edited, to: .inPlace)
    #expect(try place.read("a.plist") == Sample.edited)
    #expect(try place.names() == ["a.plist", "b"])
  }

  @Test func halfMadeFilesAreRemoved() throws {
    let place = try Workplace()
    let output = try OutputPlace(place.at("x"))
    let folder = try TemporaryFolder(for: output, replacing: .app)
    let writer = FolderWriter(folder.root, synchronizes: false)
    try writer.makeFolders(above: Array("a/b/c".utf8)[...])
    #expect(try place.names().count == 1)
    TemporaryFiles.removeAll(below: place.path)
    #expect(try place.names() == [])
    withExtendedLifetime(folder) {}
  }
}
