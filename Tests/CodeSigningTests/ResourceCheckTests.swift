import AppBundle
import Foundation
import Testing

@testable import CodeSigning

@Suite(.enabled(if: SigningSamples.areThere, "no python3")) struct ResourceCheckTests {
  /// A change to a sealed app, with what must be found in the app and in its extension.
  struct Row: NamedRow {
    let name: String
    var app: [String] = []
    var extensionState = ResourceSeal.State.checked
    var appex: [String] = []
    /// Whether an archive can hold it.
    var isForArchives = true
    /// Whether the reader in Python sees it alike.
    var isForPython = true
    let change: @Sendable (AppFolder) throws -> Void
  }

  private static let app = "app/Payload/Demo.app"
  private static let appex = "\(app)/PlugIns/X.appex"

  /// A flat app with an extension, sealed inside out.
  private static func makeFlat() throws -> SealedBundles {
    let folder = try AppFolder()
    try folder.writeInfo(
      "\(app)/Info.plist", ["CFBundleExecutable": "Demo", "CFBundleIdentifier": "a.b"])
    try folder.write("\(app)/Demo", MachOHeader.executable, mode: 0o755)
    try folder.write("\(app)/PkgInfo", "APPL????".utf8)
    try folder.write("\(app)/a.txt", "a".utf8)
    try folder.write("\(app)/empty", "".utf8)
    try folder.write("\(app)/Name.txt", "upper".utf8)
    try folder.write("\(app)/name.txt", "lower".utf8)
    try folder.write("\(app)/Gr\u{FC}\u{DF}e.txt", "composed".utf8)
    try folder.write("\(app)/large.bin", [UInt8](repeating: 0x5A, count: 2 << 20))
    try folder.write("\(app)/en.lproj/x.strings", "x".utf8)
    try folder.write("\(app)/Base.lproj/m.nib", "m".utf8)
    try folder.write("\(app)/dir.x/y", "y".utf8)
    try folder.write("\(app)/dir/y", "y".utf8)
    try folder.link("\(app)/link.txt", to: "a.txt")
    try folder.write("\(app)/embedded.mobileprovision", "profile".utf8)
    try folder.write("\(app)/SC_Info/Demo.sinf", "key".utf8)
    try folder.writeInfo(
      "\(appex)/Info.plist", ["CFBundleExecutable": "X", "CFBundleIdentifier": "a.b.x"])
    try folder.write("\(appex)/X", MachOHeader.executable, mode: 0o755)
    try folder.write("\(appex)/t.txt", "t".utf8)
    let bundles = SealedBundles(
      folder: folder,
      bundles: [
        .init(folder: "Payload/Demo.app/PlugIns/X.appex", executable: "X"),
        .init(folder: "Payload/Demo.app", executable: "Demo"),
      ])
    try bundles.seal()
    return bundles
  }

  private static let sealed = Result { try makeFlat() }

  /// A copy of it.
  private static func flat() throws -> SealedBundles { try sealed.get().copied() }

  private static func edit(_ folder: AppFolder, _ list: String, _ keys: [String], _ value: String)
    throws
  {
    let file = folder.at("\(list)/_CodeSignature/CodeResources")
    let done = try Tool.run(
      ["python3", SealedBundles.script, "edit", file] + keys + ["--value", value])
    try #require(done.status == 0, "\(done.output)")
  }

  private static let inner = "PlugIns/X.appex"

  static let changed: [Row] = [
    Row(name: "nothing") { _ in },
    Row(name: "a byte of a file", app: ["changed a.txt"]) { try $0.flip("\(app)/a.txt") },
    Row(name: "the last byte of a large file", app: ["changed large.bin"]) {
      try $0.flip("\(app)/large.bin")
    },
    Row(name: "a byte more in an empty file", app: ["changed empty"]) {
      try $0.write("\(app)/empty", "x".utf8)
    },
    Row(name: "a file that may be missing", app: ["changed en.lproj/x.strings"]) {
      try $0.flip("\(app)/en.lproj/x.strings")
    },
    Row(name: "the profile", app: ["changed embedded.mobileprovision"]) {
      try $0.flip("\(app)/embedded.mobileprovision")
    },
    Row(
      name: "a file of the extension, which both seal", app: ["changed \(inner)/t.txt"],
      appex: ["changed t.txt"]
    ) { try $0.flip("\(appex)/t.txt") },
    Row(name: "the extension's executable", app: ["changed \(inner)/X"]) {
      try $0.flip("\(appex)/X")
    },
    Row(name: "the extension's Info.plist", app: ["changed \(inner)/Info.plist"]) {
      try $0.append("\(appex)/Info.plist")
    },
    Row(name: "what CodeDirectories seal") { folder in
      for name in ["Info.plist", "Demo", "PkgInfo"] { try folder.append("\(app)/\(name)") }
    },
    Row(
      name: "one of two names that differ in case", app: ["changed Name.txt"]
    ) { try $0.flip("\(app)/Name.txt") },
    Row(
      name: "another byte of a name's other Unicode form", app: ["changed Gr\u{FC}\u{DF}e.txt"],
      isForPython: false
    ) {
      try $0.rename("\(app)/Gr\u{FC}\u{DF}e.txt", to: "\(app)/Gru\u{308}\u{DF}e.txt")
      try $0.flip("\(app)/Gru\u{308}\u{DF}e.txt")
    },
    Row(name: "only the Unicode form of a name", isForPython: false) {
      try $0.rename("\(app)/Gr\u{FC}\u{DF}e.txt", to: "\(app)/Gru\u{308}\u{DF}e.txt")
    },
    Row(
      name: "a second file whose name has another Unicode form",
      app: ["changed Gr\u{FC}\u{DF}e.txt"], isForPython: false
    ) { try $0.write("\(app)/Gru\u{308}\u{DF}e.txt", "decomposed".utf8) },
  ]

  static let gone: [Row] = [
    Row(name: "a file is gone", app: ["missing a.txt"]) { try $0.remove("\(app)/a.txt") },
    Row(name: "a file that may be missing is gone") { try $0.remove("\(app)/en.lproj") },
    Row(name: "a file of Base.lproj is gone", app: ["missing Base.lproj/m.nib"]) {
      try $0.remove("\(app)/Base.lproj/m.nib")
    },
    Row(name: "a link is gone", app: ["missing link.txt"]) { try $0.remove("\(app)/link.txt") },
    Row(
      name: "the extension is gone",
      app: [
        "missing \(inner)/Info.plist", "missing \(inner)/X",
        "missing \(inner)/_CodeSignature/CodeResources", "missing \(inner)/t.txt",
      ], extensionState: .noList
    ) { try $0.remove("\(app)/PlugIns") },
    Row(name: "a file has another name", app: ["missing a.txt", "added c.txt"]) {
      try $0.rename("\(app)/a.txt", to: "\(app)/c.txt")
    },
    Row(name: "a file has a name in other case", app: ["added A.txt", "missing a.txt"]) {
      try $0.rename("\(app)/a.txt", to: "\(app)/A.txt")
    },
  ]

  static let added: [Row] = [
    Row(name: "a file", app: ["added new"]) { try $0.write("\(app)/new", "".utf8) },
    Row(name: "a file deep down", app: ["added n/e/w"]) {
      try $0.write("\(app)/n/e/w", "x".utf8)
    },
    Row(name: "a localized file", app: ["added fr.lproj/x"]) {
      try $0.write("\(app)/fr.lproj/x", "x".utf8)
    },
    Row(name: "a link", app: ["added new"]) { try $0.link("\(app)/new", to: "a.txt") },
    Row(name: "a link to a folder outside", app: ["added new"]) {
      try $0.link("\(app)/new", to: "/")
    },
    Row(name: "a file of another's name with a slash", app: ["added a.txt.d/x"]) {
      try $0.write("\(app)/a.txt.d/x", "x".utf8)
    },
    Row(
      name: "a file in the extension", app: ["added \(inner)/n"], appex: ["added n"]
    ) { try $0.write("\(appex)/n", "x".utf8) },
    Row(
      name: "a profile in the extension, which need not seal it",
      app: ["added \(inner)/embedded.mobileprovision"]
    ) { try $0.write("\(appex)/embedded.mobileprovision", "p".utf8) },
    Row(name: "a name of control characters", app: ["added n\\x1B[31mw"], isForPython: false) {
      try $0.write("\(app)/n\u{1B}[31mw", "x".utf8)
    },
    Row(name: "a file in another's signature", app: ["added \(inner)/_CodeSignature/x"]) {
      try $0.write("\(appex)/_CodeSignature/x", "x".utf8)
    },
    Row(name: "what rules leave out") { folder in
      try folder.write("\(app)/.DS_Store", "x".utf8)
      try folder.write("\(app)/dir/.DS_Store", "x".utf8)
      try folder.write("\(app)/fr.lproj/locversion.plist", "x".utf8)
      try folder.write("\(app)/SC_Info/Demo.supp", "x".utf8)
      try folder.write("\(app)/_CodeSignature/other", "x".utf8)
    },
    Row(name: "a folder", isForArchives: false) { folder in
      try FileManager.default.createDirectory(
        atPath: folder.at("\(app)/new"), withIntermediateDirectories: false)
    },
    Row(name: "a pipe", app: ["added pipe"], isForArchives: false, isForPython: false) { folder in
      try #require(mkfifo(folder.at("\(app)/pipe"), 0o644) == 0)
    },
  ]

  static let otherKind: [Row] = [
    Row(name: "a link to a file", app: ["kind-changed link.txt"]) { folder in
      try folder.remove("\(app)/link.txt")
      try folder.write("\(app)/link.txt", "a".utf8)
    },
    Row(
      name: "a file to a link to the same bytes",
      app: ["added b.txt", "kind-changed a.txt"].sorted { $0.suffix(5) < $1.suffix(5) }
    ) { folder in
      try folder.rename("\(app)/a.txt", to: "\(app)/b.txt")
      try folder.link("\(app)/a.txt", to: "b.txt")
    },
    Row(name: "a link elsewhere", app: ["link-changed link.txt"]) { folder in
      try folder.remove("\(app)/link.txt")
      try folder.link("\(app)/link.txt", to: "empty")
    },
    Row(
      name: "a file to a folder", app: ["kind-changed a.txt", "added a.txt/x"], isForArchives: false
    ) {
      folder in
      try folder.remove("\(app)/a.txt")
      try folder.write("\(app)/a.txt/x", "a".utf8)
    },
    Row(
      name: "a file to a pipe", app: ["kind-changed a.txt"], isForArchives: false,
      isForPython: false
    ) {
      folder in
      try folder.remove("\(app)/a.txt")
      try #require(mkfifo(folder.at("\(app)/a.txt"), 0o644) == 0)
    },
    Row(name: "a folder to a link", app: ["added dir", "missing dir/y"]) { folder in
      try folder.remove("\(app)/dir")
      try folder.link("\(app)/dir", to: "dir.x")
    },
  ]

  static let lists: [Row] = [
    Row(
      name: "the extension's has more space", app: ["changed \(inner)/_CodeSignature/CodeResources"]
    ) { folder in
      let place = "\(appex)/_CodeSignature/CodeResources"
      try folder.write(place, folder.bytes(place) + Array("\n".utf8))
    },
    Row(
      name: "the extension's is missing", app: ["missing \(inner)/_CodeSignature/CodeResources"],
      extensionState: .noList
    ) { try $0.remove("\(appex)/_CodeSignature/CodeResources") },
    Row(
      name: "the extension's is a link",
      app: ["added \(inner)/L", "kind-changed \(inner)/_CodeSignature/CodeResources"],
      extensionState: .noList, isForPython: false
    ) { folder in
      try folder.rename("\(appex)/_CodeSignature/CodeResources", to: "\(appex)/L")
      try folder.link("\(appex)/_CodeSignature/CodeResources", to: "../L")
    },
    Row(
      name: "the extension's cannot be read",
      app: ["changed \(inner)/_CodeSignature/CodeResources"],
      extensionState: .unreadable(SigningError(.wrongKind, detail: "")), isForPython: false
    ) { try $0.write("\(appex)/_CodeSignature/CodeResources", "x".utf8) },
    Row(
      name: "the extension's is empty",
      app: ["changed \(inner)/_CodeSignature/CodeResources"],
      extensionState: .unreadable(SigningError(.malformed, detail: "")), isForPython: false
    ) { try $0.write("\(appex)/_CodeSignature/CodeResources", "<plist><dict/></plist>".utf8) },
    Row(name: "two SHA-1 hashes of a file", app: ["disagreement a.txt"]) { folder in
      try edit(folder, app, ["files", "a.txt"], "\"hex:\(String(repeating: "00", count: 20))\"")
    },
    Row(name: "a file in the old list alone", app: ["added a.txt"]) { folder in
      try edit(folder, app, ["files2", "a.txt"], "null")
    },
    Row(name: "a file in the new list alone") { folder in
      try edit(folder, app, ["files", "a.txt"], "null")
    },
    Row(name: "a file by its old hash alone") { folder in
      try edit(folder, app, ["files2", "a.txt", "hash2"], "null")
    },
    Row(name: "a wrong old hash alone", app: ["changed a.txt", "disagreement a.txt"]) { folder in
      try edit(folder, app, ["files2", "a.txt", "hash2"], "null")
      try edit(
        folder, app, ["files2", "a.txt", "hash"], "\"hex:\(String(repeating: "00", count: 20))\"")
    },
    Row(
      name: "a path in two Unicode forms",
      app: ["disagreement Gr\u{FC}\u{DF}e.txt", "kind-changed Gr\u{FC}\u{DF}e.txt"],
      isForPython: false
    ) { folder in
      try edit(folder, app, ["files2", "Gru\u{308}\u{DF}e.txt"], "{\"symlink\": \"x\"}")
    },
    Row(name: "paths that lead outside", app: ["missing ../x", "missing /etc/passwd"]) { folder in
      for path in ["../x", "/etc/passwd"] {
        try edit(folder, app, ["files2", path], "{\"symlink\": \"x\"}")
      }
    },
  ]

  @Test(arguments: changed + gone + added + otherKind + lists) func finds(_ row: Row) throws {
    let bundles = try Self.flat()
    try row.change(bundles.folder)
    let seals = try bundles.seals(alsoArchives: row.isForArchives)
    try #require(seals.count == 2)
    #expect(SealedBundles.lines(seals[0]) == row.appex)
    #expect(SealedBundles.lines(seals[1]) == row.app)
    #expect(seals[0].state == row.extensionState)
    #expect(seals[1].state == .checked)
    #expect(seals[1].isIntact == row.app.isEmpty)
    #expect(seals[1].problemCount == row.app.count)
    let profile = bundles.folder.at("\(Self.appex)/embedded.mobileprovision")
    #expect(seals[0].leavesProfileOut == FileManager.default.fileExists(atPath: profile))
    #expect(!seals[1].leavesProfileOut)
    guard row.isForPython else { return }
    let found = try SealedBundles.found(bundles.folder.at("app"))
    #expect(found["Payload/Demo.app/_CodeSignature/CodeResources"] == row.app.sorted())
    if row.extensionState == .checked {
      #expect(
        found["Payload/Demo.app/PlugIns/X.appex/_CodeSignature/CodeResources"]
          == row.appex.sorted())
    }
  }

  // MARK: - One list of version 1, rules, bounds

  /// Where there is no `files2`, the older list counts, which knows no links.
  @Test func checksTheOlderListAlone() throws {
    let bundles = try Self.flat()
    for key in ["files2", "rules2"] { try Self.edit(bundles.folder, Self.app, [key], "null") }
    #expect(SealedBundles.lines(try bundles.seals()[1]) == [])
    try bundles.folder.flip("\(Self.app)/a.txt")
    try bundles.folder.append("\(Self.app)/Info.plist")
    try bundles.folder.remove("\(Self.app)/link.txt")
    try bundles.folder.link("\(Self.app)/other", to: "a.txt")
    let lines = SealedBundles.lines(try bundles.seals()[1])
    #expect(lines == ["changed Info.plist", "changed a.txt"])
    let found = try SealedBundles.found(bundles.folder.at("app"))
    #expect(found["Payload/Demo.app/_CodeSignature/CodeResources"] == lines.sorted())
  }

  /// While a rule is not understood, a file may be one that it leaves out.
  @Test func saysNothingOfAddedFilesWhereARuleIsNotUnderstood() throws {
    let bundles = try Self.flat()
    try Self.edit(
      bundles.folder, Self.app, ["rules2", "^x{2}$"], "{\"omit\": true, \"weight\": 9}")
    try bundles.folder.write("\(Self.app)/new", "x".utf8)
    try bundles.folder.flip("\(Self.app)/a.txt")
    let seal = try bundles.seals()[1]
    #expect(seal.unknownRules == ["^x{2}$"])
    #expect(SealedBundles.lines(seal) == ["changed a.txt"])
  }

  @Test func followsRulesOfTheListItself() throws {
    let bundles = try Self.flat()
    try Self.edit(
      bundles.folder, Self.app, ["rules2", "^free/"], "{\"omit\": true, \"weight\": 9}")
    try bundles.folder.write("\(Self.app)/free/new", "x".utf8)
    try bundles.folder.write("\(Self.app)/freed/new", "x".utf8)
    #expect(SealedBundles.lines(try bundles.seals()[1]) == ["added freed/new"])
  }

  @Test func keepsTheFirstByNameAndCountsTheRest() throws {
    let bundles = try Self.flat()
    let names = (0..<300).map { "new/\($0)" }
    for name in names { try bundles.folder.write("\(Self.app)/\(name)", "x".utf8) }
    try bundles.folder.flip("\(Self.app)/a.txt")
    try bundles.folder.flip("\(Self.app)/large.bin")
    var limits = SigningLimits.standard
    limits.resourceProblems = 10
    let app = bundles.folder.at("app")
    let seal = try bundles.seals(of: app, workers: 1, limits: limits)[1]
    let expected =
      ["changed a.txt", "changed large.bin"] + names.sorted().prefix(8).map { "added \($0)" }
    #expect(SealedBundles.lines(seal) == expected)
    #expect(seal.counts == [.added: 300, .changed: 2])
    #expect(seal.problemCount == 302)
    #expect(try bundles.seals(of: app, workers: 4, limits: limits)[1].problems == seal.problems)
  }

  /// A bound that the app just keeps, and one below.
  struct Bound: NamedRow {
    let name: String
    let set: @Sendable (inout SigningLimits, Int) -> Void
    /// The value with which both bundles can be checked.
    let enough: Int
    /// The value with which the app cannot.
    let less: Int
  }

  static let bounds = [
    Bound(name: "steps of rules", set: { $0.resourceRuleSteps = $1 }, enough: 1 << 16, less: 10),
    Bound(name: "entries looked at", set: { $0.resourceVisits = $1 }, enough: 100, less: 10),
    Bound(name: "bytes of a list", set: { $0.resourcesBytes = $1 }, enough: 64 << 10, less: 100),
    Bound(name: "entries of a list", set: { $0.resourceEntries = $1 }, enough: 30, less: 3),
  ]

  @Test(arguments: bounds) func keepsBounds(_ row: Bound) throws {
    let bundles = try Self.flat()
    try bundles.folder.write("\(Self.app)/new", "x".utf8)
    var limits = SigningLimits.standard
    row.set(&limits, row.enough)
    let app = bundles.folder.at("app")
    #expect(try bundles.seals(of: app, workers: 2, limits: limits)[1].state == .checked)
    row.set(&limits, row.less)
    let seal = try bundles.seals(of: app, workers: 2, limits: limits)[1]
    #expect(seal.state == .unreadable(SigningError(.limit, detail: "")))
    #expect(!seal.isIntact)
  }

  /// A list with hostile rules uses up the steps of all.
  @Test func sharesTheStepsOfRulesAmongAllBundles() throws {
    let bundles = try Self.flat()
    let pattern = "(a|b)*a" + String(repeating: "(a|b)", count: 100)
    try Self.edit(bundles.folder, Self.appex, ["rules2", pattern], "true")
    let name = (0..<200).map { $0 &* 2_654_435_761 >> 7 & 1 == 0 ? "a" : "b" }.joined()
    try bundles.folder.write("\(Self.appex)/\(name)", "x".utf8)
    try bundles.folder.write("\(Self.app)/new", "x".utf8)
    var limits = SigningLimits.standard
    limits.resourceRuleSteps = 5000
    let seals = try bundles.seals(of: bundles.folder.at("app"), workers: 1, limits: limits)
    let limit = ResourceSeal.State.unreadable(SigningError(.limit, detail: ""))
    #expect(seals.map(\.state) == [limit, limit])
  }

  /// Bytes of an archive that do not unpack are told of the file.
  @Test func tellsWhatCannotBeRead() throws {
    let bundles = try Self.flat()
    let archive = bundles.folder.at("broken.ipa")
    let script = """
      import sys, zipfile
      source, target = sys.argv[1:]
      with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
          import os
          for folder, _, files in os.walk(source):
              for name in files:
                  path = os.path.join(folder, name)
                  if not os.path.islink(path):
                      archive.write(path, os.path.relpath(path, source))
          place = next(i.header_offset for i in archive.infolist() if i.filename.endswith("large.bin"))
          name = next(len(i.filename) for i in archive.infolist() if i.filename.endswith("large.bin"))
      data = bytearray(open(target, "rb").read())
      data[place + 30 + name + 200] ^= 0xFF
      open(target, "wb").write(data)
      """
    try #require(SigningSamples.python(["-c", script, bundles.folder.at("app"), archive]) != nil)
    let seal = try bundles.seals(of: archive, workers: 2)[1]
    #expect(SealedBundles.lines(seal) == ["unreadable large.bin", "missing link.txt"])
  }
}
