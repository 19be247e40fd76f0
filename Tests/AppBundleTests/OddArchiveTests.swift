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

  @Test(.enabled(if: Shared.folder != nil && Tool.hasPython))
  func verdicts() throws {
    let place = try Workplace()
    let script = try #require(Shared.path("archives/make_ipas.py"))
    let made = try Tool.run(["python3", "-B", script, "odd", place.path])
    try #require(made.status == 0, "\(made.output)")
    let manifest = try JSONDecoder().decode(
      [String: Verdict].self, from: Data(place.read("MANIFEST.json")))
    try #require(manifest.count > 60)
    for (name, verdict) in manifest.sorted(by: { $0.key < $1.key }) {
      let refuses = verdict.expect.hasPrefix("refuse, archive") || Self.codes[name] != nil
      if refuses {
        try refuses_(name, place)
      } else {
        try edits(name, place)
      }
    }
  }

  private func refuses_(_ name: String, _ place: Workplace) throws {
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
