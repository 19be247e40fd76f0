import Foundation
import Testing

@testable import AppBundle

@Suite struct FolderCopierTests {
  private func copy(_ place: Workplace, _ reflink: CommitOptions.Reflink = .auto) throws {
    let app = try Application.open(place.at("Demo.app"))
    try app.commit(
      Sample.edited, to: .path(place.at("Copy.app"), replace: false),
      options: CommitOptions(synchronize: false, reflink: reflink))
  }

  /// Sets or prints an extended attribute.
  private func attribute(_ path: String, set value: String? = nil) throws -> Tool.Result {
    try Tool.python(
      """
      import os, sys
      if len(sys.argv) > 2: os.setxattr(sys.argv[1], 'user.note', sys.argv[2].encode())
      print(os.getxattr(sys.argv[1], 'user.note').decode(), end='')
      """, [path] + (value.map { [$0] } ?? []))
  }

  #if os(Linux)
    @Test(.enabled(if: Tool.hasPython)) func extendedAttributesStay() throws {
      let place = try Workplace()
      try Sample.folder(place, "Demo.app")
      let long = String(repeating: "long ", count: 500)
      let values = [
        "": "app", "/Demo": long, "/Info.plist": "plist", "/sub": "", "/sub/z.txt": "z",
      ]
      for (name, value) in values {
        let result = try attribute(place.at("Demo.app\(name)"), set: value)
        // A file system without attributes has none to keep.
        if result.status != 0 && name == "" { return }
        if name == "/sub/z.txt" && result.status != 0 { continue }
        try #require(result.status == 0, "\(name): \(result.output)")
      }
      for reflink in CommitOptions.Reflink.allCases {
        try copy(place, reflink)
        for (name, value) in values where name != "/sub/z.txt" {
          #expect(try attribute(place.at("Copy.app\(name)")).output == value, "\(name)")
        }
        #expect(try Files.mode(place.at("Copy.app/sub/z.txt")) == 0o444)
        FolderRemoval.remove(place.at("Copy.app"))
      }
    }

    @Test(.enabled(if: Tool.exists("setfacl") && Tool.exists("getfacl"))) func accessListsStay()
      throws
    {
      let place = try Workplace()
      try Sample.folder(place, "Demo.app")
      let set = try Tool.run(["setfacl", "-m", "u:1234:rw", place.at("Demo.app/Demo")])
      if set.status != 0 { return }
      try copy(place)
      let lists = try ["Demo.app", "Copy.app"].map {
        try Tool.run(["getfacl", "-cpE", place.at("\($0)/Demo")]).output
      }
      #expect(lists[0] == lists[1] && lists[0].contains("1234"))
    }
  #endif

  @Test func holesStay() throws {
    let place = try Workplace()
    try Sample.folder(place, "Demo.app")
    let path = place.at("Demo.app/sparse")
    let size = 8 << 20
    let handle = try #require(
      FileManager.default.createFile(atPath: path, contents: nil)
        ? FileHandle(forWritingAtPath: path) : nil)
    try handle.write(contentsOf: Data("start".utf8))
    try handle.truncate(atOffset: UInt64(size / 2))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data("middle".utf8))
    try handle.truncate(atOffset: UInt64(size))
    try handle.close()
    // A file system without holes has none to keep.
    guard FileStatus.following(path)?.isSparse == true else { return }
    try copy(place, .never)
    #expect(try place.read("Copy.app/sparse") == place.read("Demo.app/sparse"))
    #expect(FileStatus.following(place.at("Copy.app/sparse"))?.isSparse == true)
  }

  @Test func hardLinksBecomeFiles() throws {
    let place = try Workplace()
    try Sample.folder(place, "Demo.app")
    try FileManager.default.linkItem(
      atPath: place.at("Demo.app/Demo"), toPath: place.at("Demo.app/Twin"))
    try copy(place)
    let copies = ["Demo", "Twin"].map { FileStatus.following(place.at("Copy.app/\($0)")) }
    #expect(copies[0]?.identity.inode != copies[1]?.identity.inode)
    #expect(try place.read("Copy.app/Twin") == place.read("Demo.app/Demo"))
  }
}
