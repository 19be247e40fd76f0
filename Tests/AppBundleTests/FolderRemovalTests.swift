import Testing

@testable import AppBundle

@Suite struct FolderRemovalTests {
  @Test func allOfAFolderGoesAndNothingElse() throws {
    let place = try Workplace()
    try place.write("kept/file", "mine".utf8)
    try place.write("gone/a/b/c/file", "x".utf8)
    try place.write("gone/a/unwritable", "x".utf8, mode: 0o400)
    try place.link("gone/a/link", to: "../../kept")
    try place.link("gone/dangling", to: "nowhere")
    for folder in ["gone/a/b/c", "gone/a/b", "gone"] {
      _ = try Tool.run(["chmod", "500", place.at(folder)])
    }
    FolderRemoval.remove(place.at("gone"))
    #expect(try place.names() == ["kept"])
    #expect(try place.names("kept") == ["file"])
  }

  @Test func whatIsNoFolderStays() throws {
    let place = try Workplace()
    try place.write("file", "mine".utf8)
    FolderRemoval.remove(place.at("file"))
    FolderRemoval.remove(place.at("nothing"))
    #expect(try place.names() == ["file"])
  }

  @Test func whereALinkLeadsStays() throws {
    let place = try Workplace()
    try place.write("kept/folder/file", "mine".utf8)
    try place.link("gone", to: "kept")
    FolderRemoval.remove(place.at("gone"))
    #expect(try place.names("kept/folder") == ["file"])
  }

  @Test(arguments: ["taken", "free"])
  func exclusiveRename(to name: String) throws {
    let place = try Workplace()
    try place.write("taken/file", "mine".utf8)
    try place.write("new/file", "new".utf8)
    let folder = try Directory(place.path)
    let result = folder.renameExclusively(Array("new".utf8), to: Array(name.utf8))
    #expect(result == (name == "free" ? 0 : -1))
    #expect(try place.read("taken/file") == Array("mine".utf8))
    #expect(try place.names() == (name == "free" ? ["free", "taken"] : ["new", "taken"]))
  }
}
