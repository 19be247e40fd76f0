import AppBundle
import Foundation
import PlistKit
import Testing

@testable import CodeSigning

/// What the ad hoc signer seals must be what the checker, and a reader in another language, want to see.
@Suite(.enabled(if: SigningSamples.areThere, "no python3")) struct ResourceSealingTests {
  private static func sealing(
    _ folder: AppFolder, _ path: String, _ executable: String, isDeep: Bool = false,
    nested: [ResourceSealing.NestedCode] = []
  ) -> ResourceSealing {
    ResourceSealing(
      folder: folder.at(path), executable: Array(executable.utf8), isDeep: isDeep, nested: nested,
      limits: .standard, workers: 2)
  }

  private static func flat() throws -> AppFolder {
    let folder = try AppFolder()
    let app = "app/Payload/Demo.app"
    try folder.writeInfo("\(app)/Info.plist", ["CFBundleExecutable": "Demo"])
    for name in [
      "Demo", "PkgInfo", "a.txt", "Gr\u{FC}\u{DF}e.txt", "A&B <c>.txt", "en.lproj/a.strings",
      "en.lproj/locversion.plist", "Base.lproj/a.nib", "sub/Info.plist", ".DS_Store",
      "sub/.DS_Store", "embedded.mobileprovision", "embedded.provisionprofile", "version.plist",
      "PlugIns/X.appex/X", "A.dSYM/x", "_CodeSignature/old", "SC_Info/Demo.sinf", "Demo.d/Demo",
    ] { try folder.write("\(app)/\(name)", name.utf8) }
    try folder.write(
      "\(app)/PlugIns/X.appex/_CodeSignature/CodeResources",
      CodeResources(version1: .init(), version2: nil).serialized())
    try folder.link("\(app)/link", to: "a.txt")
    try folder.link("\(app)/en.lproj/link", to: "../a.txt")
    try folder.link("\(app)/CodeResources", to: "_CodeSignature/CodeResources")
    return folder
  }

  @Test func flatBundlesAreIntactForEachReader() throws {
    let folder = try Self.flat()
    let app = "app/Payload/Demo.app"
    let resources = try Self.sealing(folder, app, "Demo").resources()
    let bytes = try resources.serialized()
    #expect(try CodeResources(parsing: bytes).serialized() == bytes)
    try folder.write("\(app)/_CodeSignature/CodeResources", bytes)
    let bundles = SealedBundles(
      folder: folder, bundles: [.init(folder: "Payload/Demo.app", executable: "Demo")])
    for seal in try bundles.seals() {
      #expect(seal.isIntact, "\(SealedBundles.lines(seal))")
      #expect(!seal.leavesProfileOut)
    }
    #expect(
      try SealedBundles.found(folder.at("app"))["Payload/Demo.app/_CodeSignature/CodeResources"]
        == [])
    // Each entry is one that the checker looks at: without it, the file is told.
    let second = try #require(resources.version2)
    #expect(
      second.entries.map(\.path).sorted()
        == [
          "A.dSYM/x", "A&B <c>.txt", "Base.lproj/a.nib", "Demo.d/Demo", "Gr\u{FC}\u{DF}e.txt",
          "PlugIns/X.appex/X", "PlugIns/X.appex/_CodeSignature/CodeResources", "SC_Info/Demo.sinf",
          "a.txt", "embedded.mobileprovision", "embedded.provisionprofile", "en.lproj/a.strings",
          "en.lproj/link", "link", "sub/Info.plist", "version.plist",
        ].sorted())
    #expect(
      second.entries.filter(\.isOptional).map(\.path).sorted()
        == ["en.lproj/a.strings", "en.lproj/link"])
    let first = try #require(resources.version1)
    let links = ["en.lproj/link", "link"]
    #expect(
      Set(first.entries.map(\.path))
        == Set(second.entries.map(\.path)).subtracting(links)
        .union(["Info.plist", "PkgInfo", ".DS_Store", "sub/.DS_Store"]))
  }

  /// Each file that is sealed is told when it changes, goes or is left out of the list.
  @Test func eachSealedFileIsChecked() throws {
    let folder = try Self.flat()
    let app = "app/Payload/Demo.app"
    let resources = try Self.sealing(folder, app, "Demo").resources()
    let bundles = SealedBundles(
      folder: folder, bundles: [.init(folder: "Payload/Demo.app", executable: "Demo")])
    let list = "\(app)/_CodeSignature/CodeResources"
    for (place, entry) in (resources.version2?.entries ?? []).enumerated() {
      var less = resources
      less.version2?.entries.remove(at: place)
      try folder.write(list, less.serialized())
      let isFree = ["embedded.mobileprovision", "SC_Info/Demo.sinf"].contains(entry.path)
      #expect(
        SealedBundles.lines(try bundles.seals(of: folder.at("app"), workers: 1)[0])
          == (isFree ? [] : ["added \(entry.path)"]))
      try folder.write(list, resources.serialized())
      guard case .file = entry.content else { continue }
      try folder.flip("\(app)/\(entry.path)")
      #expect(
        SealedBundles.lines(try bundles.seals(of: folder.at("app"), workers: 1)[0])
          == ["changed \(entry.path)"])
      try folder.flip("\(app)/\(entry.path)")
      try folder.rename("\(app)/\(entry.path)", to: "aside")
      #expect(
        SealedBundles.lines(try bundles.seals(of: folder.at("app"), workers: 1)[0])
          == (entry.isOptional ? [] : ["missing \(entry.path)"]))
      try folder.rename("aside", to: "\(app)/\(entry.path)")
    }
  }

  @Test func deepBundlesAreIntactForEachReader() throws {
    let folder = try AppFolder()
    try folder.writeInfo("app/Contents/Info.plist", ["CFBundleExecutable": "Deep"])
    for name in [
      "MacOS/Deep", "MacOS/helper", "MacOS/script.sh", "PkgInfo", "Resources/a.txt",
      "Resources/en.lproj/a", "Frameworks/K.framework/Versions/A/K", "Library/LoginItems/L.app/x",
      "Frameworks/K.framework/Versions/A/PlugIns/P.appex/P", "embedded.provisionprofile",
      "Resources/In.appex/In",
    ] { try folder.write("app/Contents/\(name)", name.utf8) }
    try folder.link("app/Contents/Frameworks/K.framework/K", to: "Versions/A/K")
    try folder.link("app/Contents/MacOS/link", to: "helper")
    let code = [
      "MacOS/helper", "Frameworks/K.framework", "Library/LoginItems/L.app",
      "Frameworks/K.framework/Versions/A/PlugIns/P.appex", "Resources/In.appex",
    ]
    let hash = [UInt8](repeating: 5, count: 20)
    let sealing = Self.sealing(
      folder, "app/Contents", "MacOS/Deep", isDeep: true,
      nested: code.map { .init(path: Array($0.utf8), cdHashes: [hash]) })
    let resources = try sealing.resources()
    try folder.write("app/Contents/_CodeSignature/CodeResources", resources.serialized())
    var bundles = SealedBundles(
      folder: folder, bundles: [.init(folder: "Contents", executable: "MacOS/Deep", isDeep: true)])
    bundles.cdHashes = Dictionary(uniqueKeysWithValues: code.map { ("Contents/\($0)", [hash]) })
    let seal = try bundles.seals(alsoArchives: false)[0]
    #expect(seal.isIntact, "\(SealedBundles.lines(seal))")
    #expect(
      try SealedBundles.found(folder.at("app"))["Contents/_CodeSignature/CodeResources"] == [])
    let entries = resources.version2?.entries ?? []
    let sealed = entries.filter { if case .code = $0.content { true } else { false } }
    // What lies in other code is sealed there, and what lies in Resources file by file.
    #expect(
      sealed.map(\.path).sorted()
        == ["Frameworks/K.framework", "Library/LoginItems/L.app", "MacOS/helper"])
    #expect(
      entries.map(\.path).filter { path in !sealed.contains { $0.path == path } }.sorted()
        == [
          "MacOS/link", "MacOS/script.sh", "Resources/In.appex/In", "Resources/a.txt",
          "Resources/en.lproj/a", "embedded.provisionprofile",
        ].sorted())
  }

  /// Names that no list can tell apart, or that no property list can hold.
  @Test func refusesNamesThatCannotBeSealed() throws {
    for (one, other) in [("Gr\u{FC}n", "Gru\u{308}n"), ("a", "n\u{1B}w")] {
      let folder = try AppFolder()
      try folder.write("app/\(one)", "x".utf8)
      try folder.write("app/\(other)", "y".utf8)
      // A file system may take both names for one.
      guard try FileManager.default.contentsOfDirectory(atPath: folder.at("app")).count == 2
      else { continue }
      #expect(
        signingErrorCode { () throws(SigningError) in
          _ = try Self.sealing(folder, "app", "x").resources().serialized()
        } == .unsupported)
    }
  }

  // MARK: - In a signed app

  @Test func tellsTheFirstTenFilesAndCountsTheRest() throws {
    let folder = try AppFolder()
    try AdHocApps.sample("plain", in: folder, ["app"])
    _ = try AdHocSigner.sign(folder: folder.at("app"))
    for number in 10..<25 { try folder.write("app/Payload/Demo.app/n\(number)", "x".utf8) }
    let signature = try AdHocApps.signature(folder.at("app"))
    let problems = signature.problems.filter { $0.rule == .signatureResources }
    #expect(
      problems.map(\.file)
        == (10..<20).map { "Payload/Demo.app/n\($0)" }
        + ["Payload/Demo.app/_CodeSignature/CodeResources"])
    #expect(
      problems.last?.message == "5 more files of Payload/Demo.app are not as they were sealed")
    #expect(signature.state == .stale)
    #expect(signature.areResourcesSealed == false)
  }

  /// A rule that is not understood is told, and by itself makes no signature a wrong one.
  @Test func tellsARuleThatIsNotUnderstood() throws {
    let folder = try AppFolder()
    try AdHocApps.sample("plain", in: folder, ["app"])
    _ = try AdHocSigner.sign(folder: folder.at("app"))
    let list = "app/Payload/Demo.app/_CodeSignature/CodeResources"
    var resources = try CodeResources(parsing: folder.bytes(list))
    resources.version2?.rules.append(.init("^x{2}$", weight: 3, omits: true))
    try folder.write(list, resources.serialized())
    let problems = try AdHocApps.signature(folder.at("app")).problems
    let notes = problems.filter { $0.level == .note }
    #expect(notes.map(\.rule) == [.signatureResources])
    #expect(notes.first?.message.hasSuffix("are not looked for: ^x{2}$") == true)
    // The list itself is another than the sealed one.
    #expect(problems.count == 2)
  }
}
