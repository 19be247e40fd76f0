#if os(Linux)
  import Foundation
  import Testing

  @testable import AppBundle

  @Suite(.enabled(if: Tool.hasPython)) struct ExtendedAttributesTests {
    /// Sets attributes: one of a user's, and an access list that lets user 4321 read.
    private static let set = """
      import os, struct, sys
      os.setxattr(sys.argv[1], 'user.note', b'kept\\0whole')
      entries = [(1, 6, -1), (2, 4, 4321), (4, 4, -1), (16, 4, -1), (32, 0, -1)]
      acl = struct.pack('<I', 2) + b''.join(struct.pack('<HHi', *e) for e in entries)
      os.setxattr(sys.argv[1], 'system.posix_acl_access', acl)
      """
    /// Prints all attributes, and the owner.
    private static let show = """
      import os, sys
      s = os.stat(sys.argv[1])
      print([(n, os.getxattr(sys.argv[1], n)) for n in sorted(os.listxattr(sys.argv[1]))],
            oct(s.st_mode), s.st_uid, s.st_gid)
      """

    private func show(_ path: String) throws -> String {
      try Tool.python(Self.show, [path]).output
    }

    @Test(arguments: ["a.ipa", "Demo.app", "Info.plist"])
    func editsInPlaceKeepThem(_ name: String) throws {
      let place = try Workplace()
      try place.write("a.ipa", Sample.archive().bytes(), mode: 0o640)
      try Sample.folder(place, "Demo.app")
      try place.write("Info.plist", Sample.plist)
      let file = place.at(name == "Demo.app" ? "Demo.app/Info.plist" : name)
      guard try Tool.python(Self.set, [file]).status == 0 else {
        print("the temporary folder's file system keeps no attributes: nothing is tested")
        return
      }
      if getuid() == 0 { chown(file, 1234, 2345) }
      let before = try show(file)
      #expect(before.contains("user.note") && before.contains("posix_acl_access"))
      try Application.open(place.at(name)).commit(Sample.edited, to: .inPlace)
      #expect(try show(file) == before)
    }

    @Test(arguments: ["a.ipa", "Demo.app", "Info.plist"])
    func editsInPlaceAddNoneOfTheFolder(_ name: String) throws {
      let place = try Workplace()
      try place.write("a.ipa", Sample.archive().bytes(), mode: 0o640)
      try Sample.folder(place, "Demo.app")
      try place.write("Info.plist", Sample.plist, mode: 0o640)
      let folder = place.at(name == "Demo.app" ? "Demo.app" : ".")
      let file = place.at(name == "Demo.app" ? "Demo.app/Info.plist" : name)
      let script = Self.set.replacing("acl_access", with: "acl_default")
      guard try Tool.python(script, [folder]).status == 0 else { return }
      let before = try show(file)
      #expect(before.hasPrefix("[]"))
      try Application.open(place.at(name)).commit(Sample.edited, to: .inPlace)
      #expect(try show(file) == before)
    }

    @Test func copiesDoNotHaveThem() throws {
      let place = try Workplace()
      try place.write("a.ipa", Sample.archive().bytes())
      guard try Tool.python(Self.set, [place.at("a.ipa")]).status == 0 else { return }
      try Application.open(place.at("a.ipa")).commit(
        Sample.edited, to: .path(place.at("b.ipa"), replace: false))
      #expect(try show(place.at("b.ipa")).hasPrefix("[]"))
    }

    @Test func otherNamesAreCounted() throws {
      let place = try Workplace()
      try place.write("a.ipa", Sample.archive().bytes())
      let before = try place.read("a.ipa")
      #expect(try Application.open(place.at("a.ipa")).otherNameCount == 0)
      try FileManager.default.linkItem(atPath: place.at("a.ipa"), toPath: place.at("b.ipa"))
      let app = try Application.open(place.at("a.ipa"))
      #expect(app.otherNameCount == 1)
      try app.commit(Sample.edited, to: .inPlace)
      #expect(try place.read("b.ipa") == before)
      #expect(try Application.open(place.at("a.ipa")).otherNameCount == 0)
    }
  }
#endif
