import AppBundle
import CodeSigning
import Foundation
import Testing

/// Apps beside the checkout, as published and as real signers left them.
struct RealSignatureTests {
  static let shared = SigningSamples.package.deletingLastPathComponent()
    .appendingPathComponent("shared")

  static func archives(_ folder: String) -> [URL] {
    let found = try? FileManager.default.contentsOfDirectory(
      at: shared.appendingPathComponent(folder), includingPropertiesForKeys: nil)
    return (found ?? []).filter { ["ipa", "zip"].contains($0.pathExtension) }
      .sorted { $0.path < $1.path }
  }

  /// What Python's reader says of every executable in them.
  static let readings: [(url: URL, executables: [ReadExecutable])] =
    (archives("ipas") + archives("signed")).compactMap { url in
      guard let data = SigningSamples.run("read-signatures", [url.path]),
        let rows = try? JSONDecoder().decode([ReadExecutable].self, from: data), !rows.isEmpty
      else { return nil }
      return (url, rows)
    }

  @Test(.enabled(if: !readings.isEmpty, "no shared apps, or no python3"))
  func everyExecutable() throws {
    var directories = 0
    for (url, rows) in Self.readings {
      let (application, prefix) = try Self.open(url)
      for row in rows {
        let seal = try Self.seal(row, application, prefix)
        let found = zip(seal.slices, row.slices).map {
          ReadExecutable.Slice($0, platforms: $1.platforms)
        }
        #expect(found == row.slices, "\(row.file): \(row.member)")
        #expect(seal.slices.count == row.slices.count)
        #expect(seal.slices.allSatisfy { $0.problems.isEmpty }, "\(row.file): \(row.member)")
        let all = seal.slices.flatMap(\.directories)
        #expect(all.allSatisfy { $0.problems.isEmpty }, "\(row.file): \(row.member)")
        directories += all.count
      }
    }
    #expect(directories >= 50)
  }

  /// The CDHashes as `codesign -dvvv` counts them, of each slice's best CodeDirectory.
  static let hashes: [(file: String, member: String, hashes: [String], identifier: String)] = [
    (
      "app-info-apple-tv.ipa", "Payload/BilibiliLive.app/BilibiliLive",
      ["20927061f8d3655c81736494ff2e1c645cb37077"],
      "com.etan.tv.BilibiliLive.tvOS"
    ),
    (
      "app-info-embedded.ipa", "Payload/Demo.app/Demo",
      ["c53eb946d413d3f2da67d683b48486156d1ac17a"],
      "com.icyleaf.test.Demo"
    ),
    (
      "app-info-embedded.ipa", "Payload/Demo.app/PlugIns/Notification.appex/Notification",
      ["e47d36116d7c441f9d49d5bae8ce9c2319740d03"],
      "com.icyleaf.test.Demo.Notification"
    ),
    (
      "app-info-ipad.ipa", "Payload/bundle.app/bundle",
      ["fe952d139410f0eacbef5305b9a1841a2d21079a", "98fea672dd8c7793d1730d4a692683ced05e4c34"],
      "com.icyleaf.bundle"
    ),
    (
      "app-info-iphone.ipa", "Payload/AppInfoDemo.app/AppInfoDemo",
      ["f7c37fa377cb663ae826cece88157bab6d31cf6e", "4f4551f63049b6a3fdd6ca533ac794e0ed4be2f0"],
      "com.icyleaf.AppInfoDemo"
    ),
    (
      "fastlane-very-capable.ipa", "Payload/very-capable-app.app/very-capable-app",
      ["8a85032aeb13cf895c0a40c2eacc67f59c245488"],
      "org.fastlane.very-capable-app"
    ),
    (
      "mas-undebuggable.ipa", "Payload/UnDebuggable.app/UnDebuggable",
      ["02089fcc987dc1edfba9035dd9e5650874f1ac19", "a41b7f2fa2ff9b0b2bd355baa24f11299720a5e0"],
      "sg.vp.UnDebuggable"
    ),
    (
      "pliney-test.ipa", "Payload/pliney-test.app/pliney-test",
      ["09831df7f29f14be981a1b758ca9eadd4be275f5", "a2d10cfd523889ff745fa19c7b94cbee663d126a"],
      "computer.versus.pliney-test"
    ),
    (
      "sparkle-mac-app.zip", "DevSignedApp.app/Contents/MacOS/SignedApp",
      ["8c00085163d7e75e8bc40d931038e91a76192ef5"],
      "com.zoo.SignedApp"
    ),
    (
      "isign-OK-infoplist.ipa", "Payload/UnDebuggable.app/UnDebuggable",
      ["8c34c4d7da25a2ac7635d23e17e9e42c9b4bf978", "6fc2a810694b315b39f5fafd4852e73533f17f75"],
      "sg.vp.UnDebuggable"
    ),
    (
      "isign-STALE-infoplist.ipa", "Payload/AppInfoDemo.app/AppInfoDemo",
      ["1dcc96b46de2cd04623f8ad953872feb92fd2c1a", "197d9c7876c8553b0615a491d39c218ac7cbae23"],
      "com.icyleaf.AppInfoDemo"
    ),
    (
      "z-adhoc.ipa", "Payload/Demo.app/Demo",
      ["8bdeb4fc74e7a5cabc1def26112d98b89ed22e7b"],
      "com.example.app"
    ),
    (
      "z-adhoc.ipa", "Payload/Demo.app/Frameworks/libbar.dylib",
      ["f6507d61b566dc83c0fb62ee3e068012075f657e"],
      "libbar.dylib"
    ),
    (
      "z-multi.ipa", "Payload/Demo.app/Demo",
      ["616559fd3369e037b2f2fd7bae3714f5864223bb"],
      "com.example.app"
    ),
    (
      "z-multi.ipa", "Payload/Demo.app/Frameworks/libbar.dylib",
      ["03f41c7d3719dc67de7fe535ef7e18b40516d703"],
      "libbar.dylib"
    ),
  ]

  @Test(.enabled(if: !archives("ipas").isEmpty, "no shared apps"), arguments: hashes)
  func hash(file: String, member: String, hashes: [String], identifier: String) throws {
    let url = try #require(
      (Self.archives("ipas") + Self.archives("signed")).first { $0.lastPathComponent == file })
    let (application, prefix) = try Self.open(url)
    let content = try application.content(of: String(member.dropFirst(prefix.count)))
    let signatures = try MachOFile(content).slices.compactMap { try $0.codeSignature(of: content) }
    #expect(
      try signatures.map { hexadecimal(try $0.bestCodeDirectory?.cdHash() ?? []) } == hashes)
    #expect(signatures.allSatisfy { $0.codeDirectories[0].identifier == identifier })
  }

  /// An app, and what stands before its members' names in the archive: an app at an archive's top is unpacked.
  private static func open(_ url: URL) throws -> (Application, prefix: String) {
    guard url.pathExtension == "zip" else { return (try Application.open(url.path), "") }
    let folder = try #require(SigningSamples.folder).appendingPathComponent(url.lastPathComponent)
    _ = try #require(SigningSamples.python(["-m", "zipfile", "-e", url.path, folder.path]))
    let app = try #require(
      try FileManager.default.contentsOfDirectory(atPath: folder.path)
        .first { $0.hasSuffix(".app") })
    return (try Application.open(folder.appendingPathComponent(app).path), app + "/")
  }

  private static func seal(
    _ row: ReadExecutable, _ application: Application, _ prefix: String
  ) throws -> ExecutableSeal {
    func bytes(_ path: String?) throws -> [UInt8]? {
      try path.map { try application.contents(of: String($0.dropFirst(prefix.count))) }
    }
    return try ExecutableSeal(
      of: application.content(of: String(row.member.dropFirst(prefix.count))),
      infoPlist: bytes(row.infoPlist), codeResources: bytes(row.resources), workers: 2)
  }
}
