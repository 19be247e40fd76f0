import AppBundle
import Foundation
import Testing

@testable import CodeSigning

@Suite(.enabled(if: SigningSamples.areThere, "no python3")) struct AdHocSignerTests {
  /// An app before it is signed.
  struct Row: NamedRow {
    let name: String
    var isShared = false
  }

  static let samples = ["demo", "demo-adhoc", "plain", "old", "old-signed"].map { Row(name: $0) }

  static let shared = [
    "ipas/app-info-apple-tv.ipa", "ipas/app-info-embedded.ipa", "ipas/app-info-ipad.ipa",
    "ipas/app-info-iphone.ipa", "ipas/fastlane-very-capable.ipa",
    "ipas/fastlane-very-capable-app-spaces.ipa", "ipas/mas-undebuggable.ipa",
    "ipas/pliney-test.ipa", "ipas/sparkle-mac-app.zip", "signed/isign-OK-infoplist.ipa",
    "signed/isign-STALE-infoplist.ipa", "signed/z-adhoc.ipa", "signed/z-multi.ipa",
    "signed/z-p12.ipa",
  ].filter { name in
    Shared.path(name).map { FileManager.default.fileExists(atPath: $0) } == true
  }.map { Row(name: $0, isShared: true) }

  private static func unpack(_ row: Row, in folder: AppFolder, _ names: [String]) throws {
    guard row.isShared else { return try AdHocApps.sample(row.name, in: folder, names) }
    let path = try #require(Shared.path(row.name))
    for name in names { try AdHocApps.unpack(path, to: folder.at(name)) }
  }

  /// The folder that holds the app: in a plain zip, the app itself.
  private static func app(_ path: String) throws -> String {
    let names = try FileManager.default.contentsOfDirectory(atPath: path)
    return names.first { $0.hasSuffix(".app") }.map { "\(path)/\($0)" } ?? path
  }

  /// A reader in another language and our own check find nothing wrong, nothing but signatures changed, and
  /// signing again gives the same bytes.
  @Test(arguments: samples + shared) func signs(_ row: Row) throws {
    let folder = try AppFolder()
    try Self.unpack(row, in: folder, ["before", "after"])
    let after = try Self.app(folder.at("after"))
    let summary = try AdHocSigner.sign(folder: after)
    #expect(try AdHocApps.problems(after, before: Self.app(folder.at("before"))) == "")
    let signature = try AdHocApps.signature(after)
    #expect(signature.state == .valid, "\(signature.problems.map(\.message))")
    #expect(signature.kind == .adHoc)
    let objects = signature.objects.filter { $0.object.executablePath != nil }
    #expect(summary.signed.map(\.path) == objects.map(\.object.path))
    #expect(
      summary.notes.count { $0.contains("no code") }
        == min(1, signature.objects.count - objects.count))
    for (signed, object) in zip(summary.signed, objects) {
      let slices = try #require(object.executable?.slices)
      #expect(signed.cdHashes == slices.compactMap { $0.directories.first?.cdHash })
      #expect(slices.allSatisfy { $0.directories.first?.codeDirectory.teamIdentifier == nil })
    }
    let first = try AdHocApps.contents(after)
    #expect(try AdHocSigner.sign(folder: after).signed == summary.signed)
    #expect(try AdHocApps.contents(after) == first)
  }

  /// The same archive, unpacked at another time, gives the same archive.
  @Test func isDeterministic() throws {
    let folder = try AppFolder()
    try AdHocApps.sample("demo", in: folder, ["one"])
    _ = try AdHocSigner.sign(folder: folder.at("one"))
    Thread.sleep(forTimeInterval: 1.1)
    try AdHocApps.sample("demo", in: folder, ["two"])
    var options = AdHocSigner.Options()
    options.workers = 4
    _ = try AdHocSigner.sign(folder: folder.at("two"), options: options)
    #expect(try AdHocApps.contents(folder.at("one")) == AdHocApps.contents(folder.at("two")))
    for name in ["one", "two"] {
      _ = try Packing.pack(folder.at(name), to: Packing.Output(folder.at("\(name).ipa")))
    }
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: folder.at("one.ipa")))
        == Data(contentsOf: URL(fileURLWithPath: folder.at("two.ipa"))))
  }

  @Test func signsInsideOut() throws {
    let folder = try AppFolder()
    try AdHocApps.sample("demo", in: folder, ["app"])
    let summary = try AdHocSigner.sign(folder: folder.at("app"))
    let paths = summary.signed.map {
      $0.path.replacingOccurrences(of: "Payload/Demo.app", with: "")
    }
    #expect(
      paths == [
        "/PlugIns/Share.appex/Frameworks/Inner.framework",
        "/Watch/Watch.app/PlugIns/WatchExtension.appex",
        "/AppClips/Clip.app", "/Frameworks/Core.framework", "/Frameworks/libplain.dylib",
        "/PlugIns/Share.appex", "/Watch/Watch.app", "",
      ])
    let names = Dictionary(uniqueKeysWithValues: zip(paths, summary.signed.map(\.identifier)))
    #expect(names["/Frameworks/libplain.dylib"] == "libplain")
    #expect(names["/PlugIns/Share.appex"] == "com.example.demo.share")
    let resources = folder.at("app/Payload/Demo.app/Resources.bundle/_CodeSignature")
    #expect(!FileManager.default.fileExists(atPath: resources))
  }

  // MARK: - Entitlements

  private static func entitlements(of path: String) throws -> [Entitlements?] {
    try AdHocApps.signature(path).objects.map { object in
      let signature = try #require(object.executable?.slices.first?.signature)
      #expect((signature.entitlements == nil) == (signature.derEntitlements == nil))
      let xml = try signature.entitlements.map { try Entitlements(parsing: $0) }
      #expect(try signature.derEntitlements.map { try Entitlements(der: $0) } == xml)
      return xml
    }
  }

  @Test func keepsEntitlements() throws {
    let folder = try AppFolder()
    try AdHocApps.sample("demo-adhoc", in: folder, ["app"])
    let before = try Self.entitlements(of: folder.at("app"))
    #expect(before.last??.allowsDebugging == true)
    _ = try AdHocSigner.sign(folder: folder.at("app"))
    #expect(try Self.entitlements(of: folder.at("app")) == before)
  }

  @Test func takesEntitlementsThatAreGiven() throws {
    let folder = try AppFolder()
    try AdHocApps.sample("demo-adhoc", in: folder, ["app"])
    let given = try Entitlements(
      parsing: Array(
        "<plist><dict><key>b</key><true/><key>a</key><string>x</string></dict></plist>".utf8))
    var options = AdHocSigner.Options()
    options.entitlements = { _, isMain in isMain ? given : Entitlements() }
    _ = try AdHocSigner.sign(folder: folder.at("app"), options: options)
    let found = try Self.entitlements(of: folder.at("app"))
    #expect(found.last == given)
    #expect(found.dropLast().allSatisfy { $0 == nil })
    let main = try #require(
      try AdHocApps.signature(folder.at("app")).main?.executable?.slices.first)
    #expect(main.directories.first?.codeDirectory.execSegment?.flags == 1)
  }

  @Test func leavesAProfileAndSaysSo() throws {
    let folder = try AppFolder()
    try AdHocApps.sample("plain", in: folder, ["app"])
    try folder.write("app/Payload/Demo.app/embedded.mobileprovision", "profile".utf8)
    let summary = try AdHocSigner.sign(folder: folder.at("app"))
    #expect(summary.notes.count == 1)
    #expect(summary.notes.first?.contains("Payload/Demo.app/embedded.mobileprovision") == true)
    #expect(try AdHocApps.signature(folder.at("app")).state == .valid)
  }

  // MARK: - The file system

  @Test func breaksHardLinksAndKeepsModes() throws {
    let folder = try AppFolder()
    try AdHocApps.sample("plain", in: folder, ["app"])
    let executable = folder.at("app/Payload/Demo.app/Demo")
    try FileManager.default.setAttributes([.posixPermissions: 0o711], ofItemAtPath: executable)
    try FileManager.default.linkItem(atPath: executable, toPath: folder.at("other"))
    let before = try Data(contentsOf: URL(fileURLWithPath: executable))
    _ = try AdHocSigner.sign(folder: folder.at("app"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.at("other"))) == before)
    let attributes = try FileManager.default.attributesOfItem(atPath: executable)
    #expect(attributes[.posixPermissions] as? Int == 0o711)
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.at("app"))
    #expect(!names.contains { $0.contains(".ipa-inject") })
  }

  /// Links lead to places outside of the app, where nothing must change.
  struct Link: NamedRow {
    let name: String
    let path: String
    let code: SigningError.Code?
  }

  static let links = [
    Link(name: "the list is a link", path: "_CodeSignature/CodeResources", code: nil),
    Link(name: "its folder is a link", path: "_CodeSignature", code: .unsupported),
    Link(name: "the executable is a link", path: "Demo", code: .missing),
    Link(name: "a resource is a link", path: "more.txt", code: nil),
    Link(name: "the old place of the list is a link", path: "CodeResources", code: nil),
  ]

  @Test(arguments: links) func followsNoLink(_ row: Link) throws {
    let folder = try AppFolder()
    try AdHocApps.sample("plain", in: folder, ["app"])
    let place = "app/Payload/Demo.app/\(row.path)"
    try folder.write("outside/file", "outside".utf8)
    if FileManager.default.fileExists(atPath: folder.at(place)) {
      try FileManager.default.removeItem(atPath: folder.at(place))
    }
    let target = row.path == "_CodeSignature" ? "outside" : "outside/file"
    try folder.link(place, to: folder.at(target))
    #expect(
      signingErrorCode { () throws(SigningError) in
        _ = try AdHocSigner.sign(folder: folder.at("app"))
      } == row.code)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.at("outside")) == ["file"])
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: folder.at("outside/file"))) == Data("outside".utf8))
    if row.code == nil { #expect(try AdHocApps.signature(folder.at("app")).state == .valid) }
  }

  /// An app that cannot be signed.
  struct Bad: NamedRow {
    let name: String
    let code: SigningError.Code
    let change: @Sendable (AppFolder, String) throws -> Void
  }

  static let bad: [Bad] = [
    Bad(name: "the executable is missing", code: .missing) { folder, app in
      try FileManager.default.removeItem(atPath: folder.at("\(app)/Demo"))
    },
    Bad(name: "the executable is a script", code: .wrongKind) { folder, app in
      try folder.write("\(app)/Demo", "#!/bin/sh\nexit 0\n".utf8, mode: 0o755)
    },
    Bad(name: "the executable is encrypted", code: .unsupported) { folder, app in
      try folder.write("\(app)/Demo", SigningSamples.macho("encrypted"), mode: 0o755)
    },
    Bad(name: "there is no room for the load command", code: .malformed) { folder, app in
      try folder.write("\(app)/Demo", SigningSamples.macho("no-room"), mode: 0o755)
    },
    Bad(name: "a name is no UTF-8", code: .unsupported) { folder, app in
      let path = Array(folder.at("\(app)/").utf8) + [0x61, 0xFF, 0x62, 0]
      let file = open(path.map { CChar(bitPattern: $0) }, O_WRONLY | O_CREAT, 0o644)
      try #require(file >= 0)
      close(file)
    },
  ]

  @Test(arguments: bad) func saysWhatIsWrong(_ row: Bad) throws {
    let folder = try AppFolder()
    try AdHocApps.sample("plain", in: folder, ["app"])
    try row.change(folder, "app/Payload/Demo.app")
    let manager = FileManager.default
    let before = try manager.subpathsOfDirectory(atPath: folder.at("app")).count
    #expect(
      signingErrorCode { () throws(SigningError) in
        _ = try AdHocSigner.sign(folder: folder.at("app"))
      } == row.code)
    // Neither a half-written file nor a new executable is left; a list of resources may be.
    let after = try manager.subpathsOfDirectory(atPath: folder.at("app"))
    #expect(after.count <= before + 2)
    #expect(!after.contains { $0.contains(".ipa-inject") })
  }

  // MARK: - Bundles of macOS

  @Test func sealsNestedCodeOfADeepBundleByItsHash() throws {
    let folder = try AppFolder()
    let app = "Deep.app/Contents"
    let program = try SigningSamples.macho("arm64")
    let library = try SigningSamples.macho("dylib")
    try folder.writeInfo(
      "\(app)/Info.plist",
      ["CFBundleExecutable": "Deep", "CFBundleIdentifier": "a.deep", "CFBundlePackageType": "APPL"])
    try folder.write("\(app)/MacOS/Deep", program, mode: 0o755)
    try folder.write("\(app)/MacOS/helper", program, mode: 0o755)
    try folder.write("\(app)/Resources/en.lproj/a.strings", "a".utf8)
    try folder.write("\(app)/Resources/b.txt", "b".utf8)
    let framework = "\(app)/Frameworks/Kit.framework"
    try folder.write("\(framework)/Versions/A/Kit", library, mode: 0o755)
    try folder.writeInfo(
      "\(framework)/Versions/A/Resources/Info.plist",
      ["CFBundleExecutable": "Kit", "CFBundleIdentifier": "a.kit", "CFBundlePackageType": "FMWK"])
    try folder.link("\(framework)/Versions/Current", to: "A")
    try folder.link("\(framework)/Kit", to: "Versions/Current/Kit")
    try folder.link("\(framework)/Resources", to: "Versions/Current/Resources")
    let summary = try AdHocSigner.sign(folder: folder.at("Deep.app"))
    #expect(summary.signed.map(\.identifier) == ["a.kit", "helper", "a.deep"])
    #expect(try AdHocApps.problems(folder.at("Deep.app")) == "")
    let signature = try AdHocApps.signature(folder.at("Deep.app"))
    #expect(signature.state == .valid, "\(signature.problems.map(\.message))")
    let bytes = try Data(
      contentsOf: URL(fileURLWithPath: folder.at("\(app)/_CodeSignature/CodeResources")))
    let entries = try CodeResources(parsing: Array(bytes)).version2?.entries ?? []
    let code = entries.filter { if case .code = $0.content { true } else { false } }
    #expect(code.map(\.path) == ["Frameworks/Kit.framework", "MacOS/helper"])
  }
}
