import Foundation
import Testing

@testable import AppBundle

@Suite struct SettingsFileTests {
  private static let path = "data/server/config.json"

  private func file(in place: Workplace, _ path: String = path) -> SettingsFile {
    SettingsFile(place.at(path), limit: 100)
  }

  private func set(_ file: SettingsFile, _ text: String) throws -> Bool {
    try file.publish { _ throws(BundleError) in Array(text.utf8) }
  }

  @Test func aNewFileAndItsFoldersAreForTheirOwnerAlone() throws {
    let place = try Workplace()
    let file = file(in: place)
    #expect(try file.contents() == nil)
    try file.checkWritable()
    #expect(try place.names() == [])
    #expect(try set(file, "new"))
    #expect(try place.read(Self.path) == Array("new".utf8))
    #expect(try Files.mode(place.at(Self.path)) == 0o600)
    for folder in ["data", "data/server"] { #expect(try Files.mode(place.at(folder)) == 0o700) }
    #expect(try place.names("data/server") == ["config.json"])
  }

  @Test func withdrawingTakesAwayWhatWasMade() throws {
    let place = try Workplace()
    let file = file(in: place)
    #expect(try set(file, "new"))
    file.withdraw()
    #expect(try place.names() == [])
    file.withdraw()
  }

  @Test func foldersThatWereThereStay() throws {
    let place = try Workplace()
    try place.write("data/other", "x".utf8)
    let file = file(in: place)
    #expect(try set(file, "new"))
    file.withdraw()
    #expect(try place.names("data") == ["other"])
  }

  @Test(arguments: [0o600, 0o640, 0o664])
  func theModeIsKept(_ mode: Int) throws {
    let place = try Workplace()
    try place.write(Self.path, "old".utf8, mode: mode)
    let file = file(in: place)
    #expect(try file.contents() == Array("old".utf8))
    try file.checkWritable()
    #expect(try set(file, "newer"))
    #expect(try place.read(Self.path) == Array("newer".utf8))
    #expect(try Files.mode(place.at(Self.path)) == mode)
    file.withdraw()
    #expect(try place.read(Self.path) == Array("old".utf8))
    #expect(try Files.mode(place.at(Self.path)) == mode)
    #expect(try place.names("data/server") == ["config.json"])
  }

  @Test func nothingIsWrittenWhereNothingChanges() throws {
    let place = try Workplace()
    try place.write(Self.path, "old".utf8)
    func number() throws -> NSNumber? {
      try FileManager.default.attributesOfItem(atPath: place.at(Self.path))[.systemFileNumber]
        as? NSNumber
    }
    let before = try number()
    #expect(try set(file(in: place), "old") == false)
    #expect(try number() == before)
  }

  @Test func theEditSeesWhatIsThereAtThatMoment() throws {
    let place = try Workplace()
    try place.write(Self.path, "old".utf8)
    let file = file(in: place)
    #expect(try file.contents() == Array("old".utf8))
    try place.write(Self.path, "changed".utf8)
    var seen: [UInt8]?
    _ = try file.publish { before throws(BundleError) in
      seen = before
      return [1]
    }
    #expect(seen == Array("changed".utf8))
  }

  @Test func anEditThatFailsLeavesNothing() throws {
    let place = try Workplace()
    let failed = code {
      _ = try file(in: place).publish { _ throws(BundleError) in
        throw BundleError(.inputChanged, detail: "x")
      }
    }
    #expect(failed == .inputChanged)
    #expect(try place.names() == [])
  }

  @Test("what another program wrote since stays", arguments: [true, false])
  func anotherWriter(replaces: Bool) throws {
    let place = try Workplace()
    try place.write(Self.path, "old".utf8)
    let file = file(in: place)
    #expect(try set(file, "new"))
    if replaces { try FileManager.default.removeItem(atPath: place.at(Self.path)) }
    try place.write(Self.path, "theirs".utf8)
    file.withdraw()
    #expect(try place.read(Self.path) == Array("theirs".utf8))
  }

  @Test func aLinkIsFollowed() throws {
    let place = try Workplace()
    try place.write("real/settings", "old".utf8, mode: 0o640)
    try place.link(Self.path, to: "../../real/settings")
    let file = file(in: place)
    try file.checkWritable()
    #expect(try set(file, "new"))
    #expect(try Files.linkTarget(place.at(Self.path)) == "../../real/settings")
    #expect(try place.read("real/settings") == Array("new".utf8))
    #expect(try Files.mode(place.at("real/settings")) == 0o640)
    #expect(try place.names("data/server") == ["config.json"])
    file.withdraw()
    #expect(try place.read("real/settings") == Array("old".utf8))
  }

  @Test func atThisFoldersTop() throws {
    #expect(try SettingsFile("no-such-folder-here/server/config.json", limit: 1).contents() == nil)
    try SettingsFile("no-such-folder-here/server/config.json", limit: 1).checkWritable()
  }

  @Test(arguments: ["data/", "data//", "data///server/../"])
  func slashesAtTheEndOfTheDataFolder(_ folder: String) throws {
    let place = try Workplace()
    if folder.contains("..") { try place.write("data/server/x", "x".utf8) }
    let file = file(in: place, folder + "/server/config.json")
    try file.checkWritable()
    #expect(try set(file, "new"))
    #expect(try place.read(Self.path) == Array("new".utf8))
  }

  @Test func aFileForAFolderIsCalledNoFolder() throws {
    for executable in [0o644, 0o755] {
      let place = try Workplace()
      try place.write("data", "x".utf8, mode: executable)
      let error = #expect(throws: BundleError.self) { try file(in: place).checkWritable() }
      #expect(error?.detail.hasPrefix("there is no folder") == true)
    }
  }

  @Test(arguments: [
    ("itself", path, true), ("another spelling", "data/./server//config.json", true),
    ("a link to it", "link", true), ("the data folder", "data", true), ("all", ".", true),
    ("a neighbour", "data/server/other", false), ("what is not there", "none/config.json", false),
    ("the same name elsewhere", "config.json", false),
  ])
  func filesBeside(_ row: (name: String, path: String, isRefused: Bool)) throws {
    for isThere in [true, false] {
      let place = try Workplace()
      try place.write("data/server/other", "x".utf8)
      if isThere { try place.write(Self.path, "old".utf8) }
      try place.link("link", to: "data/server/config.json")
      let refused = code { try file(in: place).checkIsNone(of: [place.at(row.path)]) }
      // A link that leads nowhere is no file.
      let isRefused = row.isRefused && (isThere || row.path != "link")
      #expect(refused == (isRefused ? .outputOfOtherKind : nil))
    }
  }

  @Test func aDataFolderThatWouldLieInTheApp() throws {
    let place = try Workplace()
    try place.write("App.app/Info.plist", "x".utf8)
    let file = file(in: place, "App.app/server/config.json")
    #expect(code { try file.checkIsNone(of: [place.at("App.app")]) } == .outputOfOtherKind)
  }

  struct BadPlace: NamedRow {
    let name: String
    let code: BundleError.Code
    /// Whether reading tells it; else the check for writing does.
    var isUnreadable = false
    let make: @Sendable (Workplace) throws -> Void
  }

  static let badPlaces: [BadPlace] = [
    BadPlace(name: "a link that leads nowhere", code: .outputOfOtherKind) {
      try $0.link(path, to: "nowhere")
    },
    BadPlace(name: "a file for the folder", code: .outputNotWritable) {
      try $0.write("data/server", "x".utf8)
    },
    BadPlace(name: "a file for the outer folder", code: .outputNotWritable) {
      try $0.write("data", "x".utf8)
    },
    BadPlace(name: "a folder for the file", code: .notAFile, isUnreadable: true) {
      try $0.write(path + "/x", "x".utf8)
    },
    BadPlace(name: "a pipe", code: .notAFile, isUnreadable: true) {
      try $0.write("data/server/x", "x".utf8)
      try Tool.run(["mkfifo", $0.at(path)])
    },
    BadPlace(name: "one byte too many", code: .limit, isUnreadable: true) {
      try $0.write(path, [UInt8](repeating: 32, count: 101))
    },
  ]

  @Test(arguments: badPlaces) func refusals(_ row: BadPlace) throws {
    let place = try Workplace()
    try row.make(place)
    let names = try Tool.run(["find", place.path]).output
    let read = code { _ = try file(in: place).contents() }
    #expect(read == (row.isUnreadable ? row.code : nil))
    let checked = code { try file(in: place).checkWritable() }
    if !row.isUnreadable { #expect(checked == row.code) }
    let published = code { _ = try set(file(in: place), "new") }
    #expect(published != nil)
    #expect(try Tool.run(["find", place.path]).output == names)
  }

  @Test func asManyBytesAsTheLimit() throws {
    let place = try Workplace()
    try place.write(Self.path, [UInt8](repeating: 32, count: 100))
    #expect(try file(in: place).contents()?.count == 100)
  }

  @Test func aMissingFolderAboveIsRefused() throws {
    let place = try Workplace()
    let file = file(in: place, "none/" + Self.path)
    #expect(code { try file.checkWritable() } == .outputNotWritable)
    #expect(code { _ = try set(file, "new") } == .outputNotWritable)
    #expect(try place.names() == [])
  }
}
