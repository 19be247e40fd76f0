import Foundation
import Testing

@testable import AppBundle

@Suite struct ApplicationOpeningTests {
  struct Row: NamedRow {
    let name: String
    let code: BundleError.Code
    /// What the message or its hint must say.
    let says: [String]
    let bytes: [UInt8]

    init(_ name: String, _ code: BundleError.Code, _ says: String..., bytes: [UInt8]) {
      self.name = name
      self.code = code
      self.says = says
      self.bytes = bytes
    }

    init(_ name: String, _ code: BundleError.Code, _ says: String..., members: [String]) {
      self.name = name
      self.code = code
      self.says = says
      bytes = ArchiveBuilder(members.map { .init($0, "x") }).bytes()
    }
  }

  static let files = [
    Row("empty file", .notAnArchive, "empty", bytes: []),
    Row("text", .notAnArchive, "text of 6 bytes", bytes: Array("hello\n".utf8)),
    Row("web page", .notAnArchive, "HTML", bytes: Array("<!DOCTYPE html>\n<html>404".utf8)),
    Row("other XML", .notAnArchive, "XML", bytes: Array("<?xml version='1.0'?><Error/>".utf8)),
    Row("gzip", .notAnArchive, "gzip", bytes: [0x1F, 0x8B, 8, 0, 0]),
    Row("program", .notAnArchive, "Mach-O", bytes: [0xCF, 0xFA, 0xED, 0xFE, 0]),
    Row("zip without end", .truncated, "cut short", bytes: Array("PK\u{3}\u{4}....".utf8)),
    Row("archive without members", .noPayload, "Payload", "nothing", members: []),
    Row("lower case", .noPayload, "Payload", "payload/", members: ["payload/X.app/Info.plist"]),
    Row("app at the top", .noPayload, "Payload", "X.app", members: ["X.app/Info.plist"]),
    Row(
      "one folder too deep", .noPayload, "Payload", "export/",
      members: ["__MACOSX/export/Payload/X.app/._Info.plist", "export/Payload/X.app/Info.plist"]),
    Row("below a dot", .noPayload, "names begin with ./", members: ["./Payload/X.app/Info.plist"]),
    Row("below dots", .noPayload, "names begin with ../", members: ["../Payload/X.app/Info.plist"]),
    Row("absolute", .noPayload, "names begin with /", members: ["/Payload/X.app/Info.plist"]),
    Row("backslashes", .noPayload, "backslashes", members: ["Payload\\X.app\\Info.plist"]),
    Row("something else", .noPayload, "Payload", "a.txt", members: ["a.txt"]),
    Row("no app", .noApplication, ".app", "readme.txt", members: ["Payload/readme.txt"]),
    Row("app without members", .noApplication, ".app", members: ["Payload/X.app"]),
    Row("AppleDouble is no app", .noApplication, members: ["Payload/._X.app/Info.plist"]),
    Row("no name before the suffix", .noApplication, members: ["Payload/.app/Info.plist"]),
    Row(
      "several apps", .severalApplications, "X.app", "Y.app", "--app",
      members: ["Payload/X.app/Info.plist", "Payload/Y.app/Info.plist"]),
    Row("no Info.plist", .noInfoPlist, "Info.plist", members: ["Payload/X.app/X"]),
  ]

  @Test(arguments: files)
  func refusal(_ row: Row) throws {
    let place = try Workplace()
    let path = try place.write("input", row.bytes)
    let error = #expect(throws: BundleError.self) { try Application.open(path) }
    #expect(error?.code == row.code)
    let text = "\(error?.description ?? "") \(error?.hint ?? "")"
    for words in row.says { #expect(text.contains(words), "\(text)") }
    #expect(!text.contains("\n"))
  }

  @Test func chooseAnApp() throws {
    let place = try Workplace()
    let names = ["Payload/X.app/Info.plist", "Payload/Y.app/Info.plist"]
    let path = try place.write("a.ipa", ArchiveBuilder(names.map { .init($0, "x") }).bytes())
    #expect(try Application.open(path, app: "Y").bundlePath == "Payload/Y.app")
    #expect(try Application.open(path, app: "X.app").infoPlistPath == "Payload/X.app/Info.plist")
    #expect(code { _ = try Application.open(path, app: "Z") } == .noApplication)
  }

  @Test func junkIsNoApp() throws {
    let place = try Workplace()
    let path = try place.write(
      "a.zip",
      Sample.archive {
        for name in [
          "Payload/.DS_Store", "__MACOSX/Payload/Demo.app/._Info.plist", "Payload/._Demo.app",
          "Symbols/x.symbols", "Payload/StoreKit/cache", "SwiftSupport/a.dylib",
          "iTunesMetadata.plist", "META-INF/com.apple.ZipMetadata.plist",
        ] { $0.add(.init(name, "junk")) }
      }.bytes())
    let app = try Application.open(path)
    #expect(app.kind == .ipa)
    #expect(app.bundlePath == "Payload/Demo.app")
    #expect(app.entryCount == 14)
    #expect(app.nestedBundles == [])
    #expect(app.warnings.count == 1 && app.warnings[0].contains("ZipMetadata"))
    #expect(app.byteCount == UInt64(try place.read("a.zip").count))
  }

  @Test func membersInOrder() throws {
    let place = try Workplace()
    let app = try Application.open(place.write("a.ipa", Sample.archive().bytes()))
    #expect(
      app.members.map(\.path) == [
        "Payload", "Payload/Demo.app", "Payload/Demo.app/Demo", Sample.infoPath,
        "Payload/Demo.app/link", "Payload/Demo.app/z.txt",
      ])
    #expect(
      app.members.map(\.kind) == [.directory, .directory, .file, .file, .symbolicLink, .file])
    #expect(app.members[2].permissions == 0o755)
    #expect(app.members[2].size == 2000)
    #expect(app.members[5].checksum == ArchiveBuilder.Entry.crc32(Array("last".utf8)))
    #expect(try app.contents(of: "Payload/Demo.app/z.txt") == Array("last".utf8))
    #expect(try app.linkTarget(of: "Payload/Demo.app/link") == "Demo")
    #expect(code { _ = try app.contents(of: "Payload/Demo.app/link") } == .notAFile)
    #expect(code { _ = try app.contents(of: "Payload/Demo.app") } == .notAFile)
    #expect(code { _ = try app.contents(of: "nothing") } == .noMember)
    #expect(code { _ = try app.contents(of: "Payload/Demo.app/z.txt", limit: 3) } == .limit)
    #expect(try app.contents(of: "Payload/Demo.app/z.txt", limit: 4).count == 4)
  }

  @Test func folders() throws {
    let place = try Workplace()
    try Sample.folder(place, "Demo.app")
    try Sample.folder(place, "Mac.app", infoPlist: "Contents/Info.plist")
    try Sample.folder(place, "p/Payload/Demo.app")
    try Sample.folder(place, "x.xcarchive/Products/Applications/Kiosk App.app")
    try place.write("x.xcarchive/Info.plist", "the archive's own".utf8)
    try place.write("one/Payload2/x", "x".utf8)
    try place.write("two/payload/x", "x".utf8)
    try place.write("three/deep/Payload/x", "x".utf8)
    try place.write("Empty.app/x", "x".utf8)

    let app = try Application.open(place.at("Demo.app/"))
    #expect(app.kind == .app && app.bundlePath == "" && app.layout == .flat)
    #expect(app.infoPlistPath == "Info.plist" && app.entryCount == 5)
    #expect(app.byteCount == UInt64(Sample.plist.count + 8))
    #expect(app.members.map(\.path) == ["Demo", "Info.plist", "link", "sub", "sub/z.txt"])
    #expect(app.members.map(\.permissions)[..<2] == [0o755, 0o640])

    let mac = try Application.open(place.at("Mac.app"))
    #expect(mac.layout == .deep && mac.infoPlistPath == "Contents/Info.plist")
    #expect(try mac.infoPlist() == Sample.plist)

    #expect(try Application.open(place.at("p")).kind == .payload)
    let archive = try Application.open(place.at("x.xcarchive"))
    #expect(archive.kind == .xcarchive)
    #expect(archive.bundlePath == "Products/Applications/Kiosk App.app")
    for (name, expected) in [
      ("one", BundleError.Code.noPayload), ("two", .noPayload), ("three", .noPayload),
      (".", .noPayload), ("Empty.app", .noInfoPlist), ("missing", .notFound),
    ] {
      #expect(code { _ = try Application.open(place.at(name)) } == expected, "\(name)")
    }
  }

  @Test func foldersWithLinks() throws {
    let place = try Workplace()
    try Sample.folder(place, "real.app")
    try place.link("linked.app", to: "real.app")
    #expect(try Application.open(place.at("linked.app")).infoPlist() == Sample.plist)
    try place.write("a/Payload/b", "x".utf8)
    try place.link("a/Payload/X.app", to: "../../real.app")
    #expect(code { _ = try Application.open(place.at("a")) } == .noApplication)
    try place.write("outside.plist", Sample.plist)
    try place.write("L.app/x", "x".utf8)
    try place.link("L.app/Info.plist", to: "../outside.plist")
    #expect(code { _ = try Application.open(place.at("L.app")) } == .infoPlistNotAFile)
    try place.link("loop", to: "loop")
    #expect(code { _ = try Application.open(place.at("loop")) } != nil)
  }

  @Test func propertyLists() throws {
    let place = try Workplace()
    for (name, text) in [
      ("xml", "\u{FEFF}\n<?xml version='1.0'?>\n<!DOCTYPE plist><plist/>"), ("bare", "<plist/>"),
      ("binary", "bplist00...."), ("open", "{ a = b; }"),
    ] {
      let app = try Application.open(place.write("\(name).plist", text.utf8))
      #expect(app.kind == .plist && app.bundlePath == nil && app.entryCount == 1, "\(name)")
      #expect(try app.infoPlist() == Array(text.utf8))
      #expect(app.members.map(\.path) == ["\(name).plist"])
      #expect(try app.contents(of: "\(name).plist").count == text.utf8.count)
    }
  }

  @Test func pipesAreNotWaitedFor() throws {
    let place = try Workplace()
    try #require(Tool.run(["mkfifo", place.at("pipe")]).status == 0)
    #expect(code { _ = try Application.open(place.at("pipe")) } == .unreadable)
    try Sample.folder(place, "Demo.app")
    try #require(Tool.run(["mkfifo", place.at("Demo.app/pipe")]).status == 0)
    let app = try Application.open(place.at("Demo.app"))
    #expect(
      code { try app.commit(Sample.edited, to: .path(place.at("new"), replace: false)) }
        == .notAFile)
    #expect(try place.names() == ["Demo.app", "pipe"])
  }
}

@Suite struct LimitTests {
  @Test func eachLimitAtItsBorder() throws {
    let place = try Workplace()
    let builder = Sample.archive()
    let bytes = builder.bytes()
    let end = bytes.count - 22
    let path = try place.write("a.ipa", bytes)
    func open(_ change: (inout ArchiveLimits) -> Void) -> BundleError.Code? {
      var limits = ArchiveLimits.standard
      change(&limits)
      return code { _ = try Application.open(path, limits: limits) }
    }
    let directory = Int(bytes.uint32(at: end + 12))
    #expect(open { $0.directoryBytes = directory } == nil)
    #expect(open { $0.directoryBytes = directory - 1 } == .limit)
    #expect(open { $0.entries = 6 } == nil)
    #expect(open { $0.entries = 5 } == .limit)
    #expect(open { $0.infoPlistBytes = Sample.plist.count + 5 } == nil)
    #expect(open { $0.infoPlistBytes = Sample.plist.count - 1 } == .limit)
  }

  @Test func folderLimits() throws {
    let place = try Workplace()
    try Sample.folder(place, "Demo.app")
    try place.write("Demo.app/a/b/c/d", "x".utf8)
    func open(_ change: (inout ArchiveLimits) -> Void) -> BundleError.Code? {
      var limits = ArchiveLimits.standard
      change(&limits)
      return code { _ = try Application.open(place.at("Demo.app"), limits: limits) }
    }
    #expect(open { $0.entries = 9 } == nil)
    #expect(open { $0.entries = 8 } == .limit)
    #expect(open { $0.depth = 3 } == nil)
    #expect(open { $0.depth = 2 } == .limit)
  }

  @Test func bundlePathsAreBounded() throws {
    let place = try Workplace()
    let deep = String(repeating: "a.app/", count: 200)
    let path = try place.write(
      "a.ipa",
      Sample.archive { $0.add(.init("Payload/Demo.app/\(deep)x", "x")) }.bytes())
    #expect(try Application.open(path).nestedBundles.count == 200)
    var limits = ArchiveLimits.standard
    limits.bundlePathBytes = 100_000
    #expect(code { _ = try Application.open(path, limits: limits) } == .limit)
  }

  @Test func editedPlistIsBounded() throws {
    let place = try Workplace()
    var limits = ArchiveLimits.standard
    limits.infoPlistBytes = Sample.plist.count + 5
    let app = try Application.open(place.write("a.ipa", Sample.archive().bytes()), limits: limits)
    let most = Sample.plist + [32, 32, 32, 32, 32]
    #expect(code { try app.commit(most + [32], to: .inPlace) } == .limit)
    #expect(code { try app.commit(most, to: .inPlace) } == nil)
  }
}
