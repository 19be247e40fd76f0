import Foundation
import Testing

@testable import AppBundle

/// Every archive of the generator of odd and hostile ones, with the verdict that its list wants.
@Suite struct OddArchiveTests {

  /// The codes of those that are refused.
  private static let codes: [String: BundleError.Code] = [
    "prefix_unadj.ipa": .inconsistent, "two_apps.ipa": .severalApplications,
    "no_plist.ipa": .noInfoPlist, "no_payload.ipa": .noPayload, "empty.ipa": .noPayload,
    "dup_plist.ipa": .duplicateMember, "case_collide.ipa": .duplicateMember,
    "slip_plist.ipa": .noApplication, "nul_name.ipa": .noInfoPlist,
    "plist_symlink.ipa": .infoPlistNotAFile, "app_symlink.ipa": .pathEscapes,
    "plist_dir.ipa": .infoPlistNotAFile, "enc_plist.ipa": .encrypted,
    "crc_plist.ipa": .checksum, "lc_name.ipa": .inconsistent, "lc_method.ipa": .inconsistent,
    "lc_other.ipa": .inconsistent,
    "lc_size.ipa": .inconsistent, "overlap.ipa": .overlapping, "overlap_plist.ipa": .overlapping,
    "bomb_plist.ipa": .limit, "lie_small.ipa": .inconsistent, "lie_huge.ipa": .limit,
    "csize_past_eof.ipa": .inconsistent, "off_past_eof.ipa": .inconsistent,
    "off_into_cdir.ipa": .inconsistent, "count_low.ipa": .inconsistent,
    "count_high.ipa": .inconsistent, "cdsize_bad.ipa": .inconsistent,
    "not_zip.ipa": .notAnArchive, "zero.ipa": .notAnArchive, "truncated.ipa": .truncated,
    "trunc_eocd.ipa": .truncated, "m99_plist.ipa": .unsupportedMethod,
    "m12_plist.ipa": .unsupportedMethod,
  ]

  private struct Verdict: Decodable {
    let expect: String
  }

  /// One archive and whether it is refused.
  struct Row: NamedRow {
    let name: String
    let isRefused: Bool
  }

  /// The archives are made once; the folder goes when the tests end.
  static let made: (place: Workplace, rows: [Row])? = {
    guard let script = Shared.path("archives/make_ipas.py"), Tool.hasPython,
      let place = try? Workplace(),
      (try? Tool.run(["python3", "-B", script, "odd", place.path]).status) == 0,
      let list = try? place.read("MANIFEST.json"),
      let manifest = try? JSONDecoder().decode([String: Verdict].self, from: Data(list))
    else { return nil }
    atexit { OddArchiveTests.clear() }
    let rows = manifest.map {
      Row(name: $0, isRefused: $1.expect.hasPrefix("refuse, archive") || codes[$0] != nil)
    }
    return (place, rows.sorted { $0.name < $1.name })
  }()

  private static func clear() {
    if let path = made?.place.path { try? FileManager.default.removeItem(atPath: path) }
  }

  @Test(.enabled(if: Shared.folder != nil && Tool.hasPython))
  func allVerdictsAreKnown() throws {
    let rows = try #require(Self.made).rows
    #expect(rows.count > 60)
    let unknown = Set(Self.codes.keys).subtracting(rows.map(\.name))
    #expect(unknown.isEmpty)
  }

  @Test(arguments: made?.rows ?? [])
  func verdict(_ row: Row) throws {
    let made = try #require(Self.made).place
    let place = try Workplace()
    try FileManager.default.copyItem(atPath: made.at(row.name), toPath: place.at(row.name))
    if row.isRefused { try refuses(row.name, place) } else { try edits(row.name, place) }
  }

  private func refuses(_ name: String, _ place: Workplace) throws {
    let before = try place.read(name)
    let found = code {
      let app = try Application.open(place.at(name))
      try app.commit(try app.infoPlist() + [0x20], to: .inPlace)
    }
    #expect(found != nil && found == Self.codes[name], "\(name): \(String(describing: found))")
    #expect(try place.read(name) == before, "\(name) was changed")
  }

  private func edits(_ name: String, _ place: Workplace) throws {
    let app = try Application.open(place.at(name))
    // Long enough to move all that comes behind it, and not packable to nothing.
    let wanted = try app.infoPlist() + Array("<!-- \(UUID().uuidString) \(name) -->\n".utf8)
    try place.write("wanted", wanted)
    let output = "out-\(name)"
    try app.commit(
      wanted, to: .path(place.at(output), replace: false), options: .init(synchronize: false))
    let same = try Tool.python(
      Oracle.sameBut, [place.at(name), place.at(output), app.infoPlistPath, place.at("wanted")])
    #expect(same.status == 0, "\(name): \(same.output)")
    let reopened = try Application.open(place.at(output))
    #expect(try reopened.infoPlist() == wanted, "\(name)")
    let differences = try reopened.memberDifferences(from: app)
    #expect(
      differences == [MemberDifference(path: app.infoPlistPath, kind: .contents)], "\(name)")
    // Undoing gives the old content, and doing nothing the old bytes.
    try app.commit(
      app.infoPlist(), to: .path(place.at("same.ipa"), replace: true),
      options: .init(synchronize: false))
    #expect(try place.read("same.ipa") == place.read(name), "\(name)")
    try others(name, output, app, place)
  }

  /// Other readers find the new archive as good as the old one.
  private func others(
    _ name: String, _ output: String, _ app: Application, _ place: Workplace
  ) throws {
    if Tool.hasUnzip {
      let before = try Tool.run(["unzip", "-P", "x", "-tqq", place.at(name)]).status
      let after = try Tool.run(["unzip", "-P", "x", "-tqq", place.at(output)]).status
      #expect(before == after, "unzip of \(name)")
    }
    try place.write("old-plist", app.infoPlist())
    let damaged = ["Payload/X.app/bad", "Payload/X.app/one"]
    let before = try Tool.python(
      Oracle.zipfileReads, [place.at(name), app.infoPlistPath, place.at("old-plist")] + damaged)
    let after = try Tool.python(
      Oracle.zipfileReads, [place.at(output), app.infoPlistPath, place.at("wanted")] + damaged)
    #expect(before.status == after.status, "zipfile of \(name): \(after.output)")
  }
}
