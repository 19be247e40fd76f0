import Foundation
import Testing

@testable import AppBundle

@Suite struct ApplicationChoosingTests {
  private static let member = "Payload/Demo.app/z.txt"

  @Test func anotherMemberIsExchangedAlone() throws {
    let workplace = try Workplace()
    let path = try workplace.write("a.ipa", Sample.archive { _ in }.bytes())
    let application = try Application.open(path)
    let other = try application.editing(Self.member)
    #expect(other.infoPlistPath == Self.member)
    #expect(try other.infoPlist() == application.contents(of: Self.member))
    try other.commit(Array("other".utf8), to: .path(workplace.at("b.ipa"), replace: false))
    let written = try Application.open(workplace.at("b.ipa"))
    #expect(try written.contents(of: Self.member) == Array("other".utf8))
    #expect(try written.infoPlist() == application.infoPlist())
    let differences = try written.memberDifferences(from: application)
    #expect(differences.map(\.path) == [Self.member])
  }

  @Test func aMemberOfAFolderIsExchangedInPlace() throws {
    let workplace = try Workplace()
    let info = "<plist><dict/></plist>"
    try workplace.write("A.app/Info.plist", info.utf8)
    try workplace.write("A.app/Sub/Other.plist", "old".utf8)
    let other = try Application.open(workplace.at("A.app")).editing("Sub/Other.plist")
    try other.commit(Array("new".utf8), to: .inPlace)
    #expect(try workplace.read("A.app/Sub/Other.plist") == Array("new".utf8))
    #expect(try workplace.read("A.app/Info.plist") == Array(info.utf8))
  }

  static let refused: [(member: String, code: BundleError.Code)] = [
    ("Payload/Demo.app/none", .noMember), ("Payload/Demo.app", .notAFile), ("", .noMember),
  ]

  @Test(arguments: refused) func isRefused(_ member: String, _ code: BundleError.Code) throws {
    let workplace = try Workplace()
    let path = try workplace.write("a.ipa", Sample.archive { _ in }.bytes())
    let application = try Application.open(path)
    #expect(throws: BundleError(code, detail: "")) { try application.editing(member) }
  }

  @Test func foldersAndLinksAreRefused() throws {
    let workplace = try Workplace()
    try workplace.write("A.app/Info.plist", "<plist><dict/></plist>".utf8)
    try workplace.link("A.app/link.plist", to: "Info.plist")
    try workplace.write("A.app/Sub/x", "x".utf8)
    let application = try Application.open(workplace.at("A.app"))
    for member in ["link.plist", "Sub"] {
      #expect(throws: BundleError(.notAFile, detail: "")) { try application.editing(member) }
    }
  }

  @Test func aMemberThatAnotherCouldBeTakenForIsRefused() throws {
    let workplace = try Workplace()
    let path = try workplace.write(
      "a.ipa",
      Sample.archive {
        guard var twin = $0.entries.first(where: { $0.name == Array(Self.member.utf8) }) else {
          return
        }
        twin.name = Array("Payload/Demo.app/Z.TXT".utf8)
        $0.entries.append(twin)
      }.bytes())
    let application = try Application.open(path)
    #expect(throws: BundleError(.duplicateMember, detail: "")) {
      try application.editing(Self.member)
    }
  }

  @Test func anyFileOpensAsAPropertyListByItself() throws {
    let workplace = try Workplace()
    let path = try workplace.write("a.strings", "\"a\" = \"b\";".utf8, mode: 0o640)
    #expect(throws: BundleError(.notAnArchive, detail: "")) { try Application.open(path) }
    let file = try Application.openPropertyList(path)
    #expect(file.kind == .plist && file.infoPlistPath == "a.strings")
    try file.commit(Array("<plist/>".utf8), to: .inPlace)
    #expect(try workplace.read("a.strings") == Array("<plist/>".utf8))
    #expect(try Files.mode(path) == 0o640)
    #expect(throws: BundleError(.noMember, detail: "")) { try file.editing("a.strings") }
    for (name, code) in [("none", BundleError.Code.notFound), (".", .notAFile)] {
      #expect(throws: BundleError(code, detail: "")) {
        try Application.openPropertyList(workplace.at(name))
      }
    }
  }
}
