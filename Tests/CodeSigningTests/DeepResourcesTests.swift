import AppBundle
import Foundation
import Testing

@testable import CodeSigning

/// Bundles as the Mac has them: nested code is sealed by its CDHash.
@Suite(.enabled(if: SigningSamples.areThere, "no python3")) struct DeepResourcesTests {
  private static let contents = "app/Contents"
  private static let kit = "\(contents)/Frameworks/Kit.framework"
  private static let hash = [UInt8](repeating: 0xAB, count: 20)
  private static let other = [UInt8](repeating: 0xCD, count: 20)

  private static func makeDeep() throws -> SealedBundles {
    let folder = try AppFolder()
    try folder.writeInfo(
      "\(contents)/Info.plist", ["CFBundleExecutable": "Deep", "CFBundleIdentifier": "a.deep"])
    try folder.write("\(contents)/MacOS/Deep", MachOHeader.executable, mode: 0o755)
    try folder.write("\(contents)/MacOS/helper", MachOHeader.executable, mode: 0o755)
    try folder.write("\(contents)/Resources/r.txt", "r".utf8)
    try folder.write("\(contents)/Resources/en.lproj/x.strings", "x".utf8)
    try folder.write("\(kit)/Versions/A/Kit", MachOHeader.thin(6), mode: 0o755)
    try folder.write("\(kit)/Versions/A/Headers/k.h", "k".utf8)
    try folder.writeInfo("\(kit)/Versions/A/Resources/Info.plist", ["CFBundleExecutable": "Kit"])
    try folder.link("\(kit)/Versions/Current", to: "A")
    try folder.link("\(kit)/Kit", to: "Versions/Current/Kit")
    try folder.link("\(kit)/Resources", to: "Versions/Current/Resources")
    let code = String(repeating: "ab", count: 20)
    var bundles = SealedBundles(
      folder: folder,
      bundles: [
        .init(
          folder: "Contents/Frameworks/Kit.framework/Versions/A", executable: "Kit", isDeep: true),
        .init(
          folder: "Contents", executable: "MacOS/Deep",
          code: ["Frameworks/Kit.framework": code, "MacOS/helper": code], isDeep: true),
      ])
    bundles.cdHashes = [
      "Contents/Frameworks/Kit.framework": [other, hash], "Contents/MacOS/helper": [hash],
    ]
    try bundles.seal()
    return bundles
  }

  private static let sealed = Result { try makeDeep() }

  private static func deep() throws -> SealedBundles { try sealed.get().copied() }

  struct Row: NamedRow {
    let name: String
    var app: [String] = []
    var framework: [String] = []
    var isForPython = true
    var hashes: [String: [[UInt8]]] = [:]
    var change: @Sendable (AppFolder) throws -> Void = { _ in }
  }

  static let rows = [
    Row(name: "nothing"),
    Row(
      name: "the framework has another CDHash",
      app: ["code-changed Frameworks/Kit.framework"], isForPython: false,
      hashes: ["Contents/Frameworks/Kit.framework": [other]]),
    Row(
      name: "the helper has no signature", app: ["code-changed MacOS/helper"],
      isForPython: false, hashes: ["Contents/MacOS/helper": []]),
    Row(name: "the helper's bytes, which its own signature seals") {
      try $0.flip("\(contents)/MacOS/helper")
    },
    Row(name: "the helper is gone", app: ["missing MacOS/helper"]) {
      try $0.remove("\(contents)/MacOS/helper")
    },
    Row(name: "the helper is a link", app: ["kind-changed MacOS/helper"]) { folder in
      try folder.remove("\(contents)/MacOS/helper")
      try folder.link("\(contents)/MacOS/helper", to: "Deep")
    },
    Row(name: "the framework is gone", app: ["missing Frameworks/Kit.framework"]) {
      try $0.remove(kit)
    },
    Row(name: "the framework is a link", app: ["kind-changed Frameworks/Kit.framework"]) { folder in
      try folder.remove(kit)
      try folder.link(kit, to: "../Resources")
    },
    Row(name: "a file of the framework", framework: ["changed Headers/k.h"]) {
      try $0.flip("\(kit)/Versions/A/Headers/k.h")
    },
    Row(name: "a file more in the framework", framework: ["added Headers/n.h"]) {
      try $0.write("\(kit)/Versions/A/Headers/n.h", "x".utf8)
    },
    Row(
      name: "a file more in place of a header", framework: ["missing Headers/k.h", "added n"]
    ) { try $0.rename("\(kit)/Versions/A/Headers/k.h", to: "\(kit)/Versions/A/n") },
    Row(name: "a resource", app: ["changed Resources/r.txt"]) {
      try $0.flip("\(contents)/Resources/r.txt")
    },
    Row(name: "a localized resource is gone") { try $0.remove("\(contents)/Resources/en.lproj") },
    Row(name: "another helper", app: ["added MacOS/more"]) {
      try $0.write("\(contents)/MacOS/more", "x".utf8)
    },
    Row(name: "another framework", app: ["added Frameworks/More.framework/More"]) {
      try $0.write("\(contents)/Frameworks/More.framework/More", "x".utf8)
    },
    Row(name: "a framework of a longer name", app: ["added Frameworks/Kit.framework2/x"]) {
      try $0.write("\(contents)/Frameworks/Kit.framework2/x", "x".utf8)
    },
    Row(name: "a file beside Contents", app: ["added ../more"], isForPython: false) {
      try $0.write("app/more", "x".utf8)
    },
    Row(name: "a hidden file beside Contents", app: ["added ../x.DS_Store"], isForPython: false) {
      try $0.write("app/x.DS_Store", "x".utf8)
    },
    Row(name: "the Finder's file beside Contents") { try $0.write("app/.DS_Store", "x".utf8) },
    Row(name: "a receipt of the App Store") {
      try $0.write("\(contents)/_MASReceipt/receipt", "x".utf8)
    },
  ]

  @Test(arguments: rows) func finds(_ row: Row) throws {
    var bundles = try Self.deep()
    try row.change(bundles.folder)
    bundles.cdHashes.merge(row.hashes) { _, new in new }
    let seals = try bundles.seals(alsoArchives: false)
    #expect(SealedBundles.lines(seals[1]) == row.app)
    if seals[0].state == .checked {
      #expect(SealedBundles.lines(seals[0]) == row.framework)
    }
    guard row.isForPython else { return }
    let found = try SealedBundles.found(bundles.folder.at("app"))
    #expect(found["Contents/_CodeSignature/CodeResources"] == row.app.sorted())
    if seals[0].state == .checked {
      let list = "Contents/Frameworks/Kit.framework/Versions/A/_CodeSignature/CodeResources"
      #expect(found[list] == row.framework.sorted())
    }
  }

  /// Without CDHashes, nested code is only looked for.
  @Test func looksForCodeAlone() throws {
    let bundles = try Self.deep()
    let app = try Application.open(bundles.folder.at("app"))
    let objects = bundles.bundles.map(\.object)
    let intact = app.resourceSeals(of: objects, workers: 1).map(\.isIntact)
    #expect(intact == [true, true])
    try bundles.folder.remove("\(Self.contents)/MacOS/helper")
    let changed = try Application.open(bundles.folder.at("app"))
    let found = changed.resourceSeals(of: objects, workers: 1).map(SealedBundles.lines)
    #expect(found == [[], ["missing MacOS/helper"]])
  }

  // MARK: - Folders of nested code

  @Test func findsTheOutermostCode() {
    let code = ["a": 0, "a/b": 1, "x/y": 2, "deep": 3]
    var folders = CodeFolders()
    let rows: [(String, Int?)] = [
      ("a/b/c", 0), ("a/d", 0), ("a", nil), ("ab/c", nil), ("x/y", nil), ("x/y/z", 2),
      ("x/yy/z", nil), ("x/y/z/z", 2), ("deep/" + String(repeating: "d/", count: 5000) + "x", 3),
      ("/a/b", nil), ("", nil), ("a/", 0),
    ]
    for (path, expected) in rows + rows.reversed() {
      var looks = 0
      let found = folders.code(above: Array(path.utf8)[...]) { folder in
        looks += 1
        return code[String(decoding: folder, as: UTF8.self)]
      }
      #expect(found == expected, "\(path)")
      #expect(looks <= 64)
    }
  }
}
