import Testing

@testable import AppBundle

@Suite struct BundleSurveyTests {
  private func open(_ members: [String], _ place: Workplace) throws -> Application {
    let all = ["Payload/D.app/Info.plist"] + members.map { "Payload/D.app/\($0)" }
    return try Application.open(
      place.write("a.ipa", ArchiveBuilder(all.map { .init($0, "x") }).bytes()))
  }

  @Test func kindsAndOrder() throws {
    let app = try open(
      [
        "Watch/W.app/PlugIns/WX.appex/Info.plist", "Watch/W.app/Info.plist",
        "AppClips/C.app/Info.plist", "PlugIns/S.appex/Info.plist", "PlugIns/S.appex/S",
        "PlugIns/S.appex/Frameworks/I.framework/Info.plist", "Extensions/E.appex/Info.plist",
        "Frameworks/F.framework/Info.plist", "Frameworks/libz.dylib",
        "XPCServices/X.xpc/Info.plist",
        "Library/SystemExtensions/d.systemextension/Info.plist", "R.bundle/Info.plist",
        "Library/SystemExtensions/e.dext/Info.plist", "PlugIns/T.xctest/Info.plist",
        "Other/N.app/Info.plist", "Base.lproj/M.storyboardc/Info.plist", "a.framework", "._b.app/x",
        "PlugIns/S.appex/_CodeSignature/CodeResources", "_CodeSignature/CodeResources",
      ], try Workplace())
    #expect(app.isSealed)
    let found = app.nestedBundles.map { "\($0.kind.rawValue) \($0.path.dropFirst(14))" }
    #expect(
      found == [
        "framework PlugIns/S.appex/Frameworks/I.framework",
        "app-extension Watch/W.app/PlugIns/WX.appex",
        "system-extension Library/SystemExtensions/d.systemextension",
        "driver-extension Library/SystemExtensions/e.dext",
        "app-clip AppClips/C.app", "app-extension Extensions/E.appex",
        "framework Frameworks/F.framework", "dylib Frameworks/libz.dylib", "app Other/N.app",
        "app-extension PlugIns/S.appex", "bundle PlugIns/T.xctest", "watch-app Watch/W.app",
        "xpc-service XPCServices/X.xpc",
        "bundle R.bundle",
      ])
    #expect(app.nestedBundles.filter(\.isSealed).map(\.path) == ["Payload/D.app/PlugIns/S.appex"])
    let library = app.nestedBundles.first { $0.kind == .dynamicLibrary }
    #expect(library?.infoPlistPath == nil)
  }

  /// A name that begins another one's is a bundle of its own.
  @Test func namesThatBeginAlike() throws {
    let app = try open(
      ["A.bundle.bundle/x", "A.bundle/x", "A.bundle/y", "B.app.framework/x", "B.app/x"],
      try Workplace())
    #expect(
      app.nestedBundles.map { $0.path.dropFirst(14) } == [
        "A.bundle", "A.bundle.bundle", "B.app", "B.app.framework",
      ])
  }

  /// Names that are nearly those of bundles or of files that tell of some.
  @Test func namesThatAreNoBundles() throws {
    let app = try open(
      [
        ".app/x", "._A.app/x", "app/x", "a.apps/x", "a.APP/x", "a.ap/x", "a.appexx/x", "a.bundl/x",
        "a.frameworks/x", "a.dylibs", "dylib", "x/Info.plis", "CodeResources", "InfoPlist.strings",
        "a.app", "Watch/._b.app/x", "e.xpcs/x", "d.dex/x", "t.xctests/x",
      ], try Workplace())
    #expect(app.nestedBundles == [])
    #expect(app.localizedInfoPlistStrings().isEmpty)
    #expect(!app.isSealed)
  }

  @Test func layouts() throws {
    let app = try open(
      [
        "PlugIns/M.appex/Contents/Info.plist",
        "PlugIns/M.appex/Contents/_CodeSignature/CodeResources",
        "Frameworks/V.framework/Versions/B/Resources/Info.plist",
        "Frameworks/V.framework/Versions/B/_CodeSignature/CodeResources",
        "Frameworks/V.framework/Versions/C/Resources/Info.plist", "Frameworks/N.framework/N",
      ], try Workplace())
    let rows = app.nestedBundles.map {
      "\($0.path.suffix(11)) \($0.layout) \($0.infoPlistPath?.dropFirst(14) ?? "-") \($0.isSealed)"
    }
    #expect(
      rows == [
        "N.framework flat - false",
        "V.framework deep Frameworks/V.framework/Versions/B/Resources/Info.plist true",
        "Ins/M.appex deep PlugIns/M.appex/Contents/Info.plist true",
      ])
    #expect(!app.isSealed)
  }

  @Test func languages() throws {
    let app = try open(
      [
        "de.lproj/InfoPlist.strings", "Base.lproj/InfoPlist.strings", "en.lproj/Other.strings",
        "x/fr.lproj/InfoPlist.strings", "PlugIns/S.appex/it.lproj/InfoPlist.strings",
      ], try Workplace())
    let found = app.localizedInfoPlistStrings()
    #expect(found.map(\.language) == ["Base", "de"])
    #expect(found.map(\.path).last == "Payload/D.app/de.lproj/InfoPlist.strings")
  }

  @Test(arguments: ["Payload/Demo.app/a/b/c/d", "Payload/Demo.app/a.app/b/c/d/"])
  func depthAtItsBorder(name: String) throws {
    let place = try Workplace()
    let path = try place.write("a.ipa", Sample.archive { $0.add(.init(name)) }.bytes())
    var limits = ArchiveLimits.standard
    limits.depth = 5
    #expect(code { _ = try Application.open(path, limits: limits) } == nil)
    limits.depth = 4
    #expect(code { _ = try Application.open(path, limits: limits) } == .limit)
  }

  @Test func twoPlists() throws {
    let app = try open(["Contents/Info.plist"], try Workplace())
    #expect(app.layout == .flat)
    #expect(app.warnings.count == 1)
  }

  @Test func warnings() throws {
    let app = try open(
      ["same", "same", "Case", "case", "e\u{301}", "\u{E9}", "ok"], try Workplace())
    #expect(
      app.warnings == [
        "members there more than once: Payload/D.app/same",
        "members that fall on one file where case does not count: Payload/D.app/case and "
          + "Payload/D.app/Case; Payload/D.app/\u{E9} and Payload/D.app/e\u{301}",
      ])
    #expect(code { _ = try app.contents(of: "Payload/D.app/same") } == .duplicateMember)
  }
}

@Suite struct MemberNameTests {
  struct Row: NamedRow {
    let name: String
    let bytes: [UInt8]
    let shown: String
    let key: String
  }

  static let rows = [
    Row(name: "ASCII", bytes: Array("a/B.c".utf8), shown: "a/B.c", key: "a/b.c"),
    Row(name: "UTF-8", bytes: Array("ä/文".utf8), shown: "ä/文", key: "ä/文"),
    Row(name: "upper UTF-8", bytes: Array("Ä".utf8), shown: "Ä", key: "ä"),
    Row(name: "no UTF-8", bytes: [0x61, 0x82, 0x62], shown: "a\\x82b", key: "a\\x82b"),
    Row(name: "return", bytes: [0x61, 13], shown: "a\\x0D", key: "a\r"),
    Row(
      name: "reversed text", bytes: Array("a\u{202E}b".utf8), shown: "a\\xE2\\x80\\xAEb",
      key: "a\\xe2\\x80\\xaeb"),
    Row(name: "zero", bytes: [0x61, 0, 0x62], shown: "a\\x00b", key: "a"),
    Row(name: "dots", bytes: Array("./a//b/../c/".utf8), shown: "./a//b/../c/", key: "a/c"),
    Row(name: "above the top", bytes: Array("../../a".utf8), shown: "../../a", key: "a"),
    Row(name: "empty", bytes: [], shown: "", key: ""),
  ]

  @Test(arguments: rows)
  func names(_ row: Row) {
    #expect(MemberName.display(row.bytes) == row.shown)
    #expect(MemberName.collisionKey(row.bytes[...]) == row.key)
  }

  @Test func escapedNamesLeadBack() throws {
    let place = try Workplace()
    let app = try Application.open(
      place.write(
        "a.ipa",
        Sample.archive {
          var entry = ArchiveBuilder.Entry("x", "odd")
          entry.name = Array("Payload/Demo.app/caf".utf8) + [0x82]
          $0.add(entry)
        }.bytes()))
    #expect(try app.contents(of: "Payload/Demo.app/caf\\x82") == Array("odd".utf8))
  }
}
