import AppBundle
import CodeSigning
import Foundation
import PlistKit
import Testing

/// The CMS and the entitlements of real apps, beside what the `openssl` command says of them.
@Suite(.enabled(if: Shared.folder != nil)) struct SignedAppTests {
  struct Row: NamedRow {
    let name: String
    /// Of each executable's first slice, in the order of the code objects.
    let signatures: [Expected]
  }

  struct Expected: Equatable {
    let team: String?
    let time: String?
    let chain: Int
    let isWhole: Bool
    var digest = "SHA256"
    /// How many hashes Apple's two attributes hold.
    var hashes = [1, 1]
  }

  private static func zsign(_ time: String) -> Expected {
    Expected(team: "ABCDE12345", time: time, chain: 2, isWhole: true)
  }
  private static func isign(_ time: String) -> Expected {
    Expected(
      team: "ABCDE12345", time: time, chain: 1, isWhole: false, digest: "SHA1", hashes: [0, 0])
  }
  private static func older(_ team: String, _ time: String, chain: Int = 3) -> Expected {
    Expected(team: team, time: time, chain: chain, isWhole: true, hashes: [2, 0])
  }

  static let rows = [
    Row(
      name: "ipas/app-info-apple-tv.ipa",
      signatures: [
        Expected(team: "3WJ3AZZMPP", time: "2024-06-24T04:28:36Z", chain: 3, isWhole: true)
      ]),
    Row(
      name: "ipas/app-info-embedded.ipa",
      signatures: Array(
        repeating: Expected(
          team: "72LA85G59H", time: "2021-01-15T06:42:38Z", chain: 3, isWhole: true), count: 2)),
    Row(name: "ipas/app-info-ipad.ipa", signatures: [older("5PJA6N5A3B", "2016-05-12T10:54:29Z")]),
    Row(
      name: "ipas/app-info-iphone.ipa", signatures: [older("5PJA6N5A3B", "2016-07-27T09:46:16Z")]),
    Row(
      name: "ipas/fastlane-very-capable.ipa",
      signatures: [older("TestFixture", "2018-04-07T02:40:45Z", chain: 1)]),
    Row(
      name: "ipas/fastlane-very-capable-app-spaces.ipa",
      signatures: [older("TestFixture", "2018-04-25T23:08:02Z", chain: 1)]),
    Row(
      name: "ipas/mas-undebuggable.ipa", signatures: [older("LRUD9L355Y", "2017-01-27T08:36:19Z")]),
    Row(
      name: "ipas/pliney-test.ipa",
      signatures: [
        Expected(
          team: "UL736KYQR9", time: "2015-04-21T21:26:37Z", chain: 3, isWhole: true, digest: "SHA1",
          hashes: [0, 0])
      ]),
    Row(
      name: "ipas/sparkle-mac-app.zip",
      signatures: [
        Expected(team: "ZCK58M894E", time: "2023-03-12T23:28:41Z", chain: 3, isWhole: true)
      ]),
    Row(name: "signed/isign-OK-infoplist.ipa", signatures: [isign("2026-11-30T06:48:04Z")]),
    Row(name: "signed/isign-STALE-infoplist.ipa", signatures: [isign("2026-11-30T06:45:32Z")]),
    Row(
      name: "signed/z-p12.ipa",
      signatures: Array(repeating: zsign("2026-11-30T06:45:30Z"), count: 9)),
    Row(
      name: "signed/z-multi.ipa",
      signatures: Array(repeating: zsign("2026-11-30T06:46:30Z"), count: 9)),
    Row(name: "signed/z-adhoc.ipa", signatures: []),
  ]

  @Test(arguments: rows) func signers(_ row: Row) throws {
    let folder = try AppFolder()
    let found = try Self.signatures(in: row.name, folder)
    try #require(!found.isEmpty)
    var first: [String: Expected] = [:]
    for (path, signature) in found {
      guard let cms = try signature.cmsSignature() else { continue }
      let signer = try #require(cms.signers.first)
      #expect(cms.isValid && cms.content == nil && cms.signers.count == 1)
      #expect(signer.wasValidAtSigningTime == true)
      #expect(try signer.codeDirectories.mismatches(with: signature.codeDirectories) == [])
      let told = Expected(
        team: signer.certificate?.teamIdentifier, time: signer.signingTime?.iso8601,
        chain: signer.chain.count, isWhole: signer.hasWholeChain, digest: signer.digestAlgorithm,
        hashes: [signer.codeDirectories.list?.count ?? 0, signer.codeDirectories.set.count])
      // Slices of one executable are signed alike.
      #expect(first[path] == nil || first[path] == told)
      first[path] = told
      try compareWithOpenSSL(cms, signature, folder)
    }
    #expect(Array(first.values) == row.signatures)
  }

  private func compareWithOpenSSL(
    _ cms: CMSSignature, _ signature: CodeSignature, _ folder: AppFolder
  ) throws {
    let signer = try #require(cms.signers.first)
    let message = try folder.write("cms", try #require(signature.cms))
    let directory = try #require(signature.codeDirectories.first)
    let content = try folder.write("content", directory.bytes)
    let input = ["-inform", "DER", "-in", message]
    let verified = try Tool.run(
      ["openssl", "cms", "-verify", "-noverify", "-binary", "-content", content] + input + [
        "-signer", folder.at("signer.pem"), "-out", folder.at("out"),
      ])
    #expect(verified.status == 0)
    let subject = try Tool.run([
      "openssl", "x509", "-in", folder.at("signer.pem"), "-noout", "-subject", "-nameopt",
      "sep_multiline,sname,utf8",
    ])
    let names = subject.output.split(separator: "\n").dropFirst().map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    #expect(
      signer.certificate.map { $0.subject.description.components(separatedBy: ", ") } == names)
    let list = try Tool.run(["openssl", "pkcs7", "-print_certs", "-noout"] + input)
    #expect(list.output.components(separatedBy: "subject=").count - 1 == cms.certificates.count)
    let print = try Tool.run(["openssl", "cms", "-cmsout", "-print"] + input)
    let time = try #require(print.output.range(of: "UTCTIME:"))
    let text = print.output[time.upperBound...].prefix { $0 != "\n" }
    #expect(try Self.date(String(text)) == signer.signingTime?.iso8601)
  }

  /// `Jun 24 04:28:36 2024 GMT` in ISO 8601.
  private static func date(_ text: String) throws -> String {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.dateFormat = "MMM d HH:mm:ss yyyy zzz"
    let plain = text.split(separator: " ").joined(separator: " ")
    return ISO8601DateFormatter().string(from: try #require(format.date(from: plain)))
  }

  static let files = rows.map(\.name)

  @Test(arguments: rows) func mutated(_ row: Row) throws {
    let found = try Self.signatures(in: row.name, try AppFolder())
    guard let (_, signature) = found.first(where: { $0.1.cms != nil }) else { return }
    let cms = try #require(signature.cms)
    let content = try #require(signature.codeDirectories.first).bytes
    var changed = content
    changed[changed.count / 2] ^= 1
    #expect(try CMSSignature(parsing: cms, content: content).isValid)
    let other = try CMSSignature(parsing: cms, content: changed)
    #expect(other.signers.map(\.verdict) == [.contentDiffers])
    let none = try CMSSignature(parsing: cms)
    #expect(none.signers.map(\.verdict) == [.contentMissing])
  }

  /// The hashes that Apple's attributes hold are those of the CodeDirectories, and of no others.
  @Test(arguments: rows) func otherDirectories(_ row: Row) throws {
    for (_, signature) in try Self.signatures(in: row.name, try AppFolder()) {
      guard let hashes = try signature.cmsSignature()?.signers.first?.codeDirectories,
        !hashes.isEmpty
      else { continue }
      var directories = signature.codeDirectories
      let last = try #require(directories.last)
      directories.removeLast()
      var bytes = last.bytes
      bytes[bytes.count - 1] ^= 1
      let changed = try CodeDirectory(parsing: bytes, slot: last.slot)
      let name = "the \(last.hashAlgorithm.name) CodeDirectory"
      var expected = ["\(name) is not among the cdhashes that were signed"]
      if !hashes.set.isEmpty { expected.append("\(name) is not the one whose hash was signed") }
      #expect(try hashes.mismatches(with: directories + [changed]) == expected)
      let count = directories.count
      #expect(
        try hashes.mismatches(with: directories)
          == ["\(count + 1) CodeDirectories were signed, \(count) are there"])
    }
  }

  /// Where both forms are there they say the same; what is written in the current form is what was there.
  @Test(arguments: rows) func entitlements(_ row: Row) throws {
    for (_, signature) in try Self.signatures(in: row.name, try AppFolder()) {
      guard let xml = signature.entitlements else { continue }
      let entitlements = try Entitlements(parsing: xml)
      #expect(try Entitlements(der: entitlements.der()) == entitlements)
      #expect(try Entitlements(parsing: entitlements.xml()) == entitlements)
      guard let der = signature.derEntitlements else { continue }
      #expect(entitlements.differences(to: try Entitlements(der: der)) == [])
      let isCurrent = row.name != "ipas/app-info-embedded.ipa"
      #expect(Entitlements.derForm(of: der) == (isCurrent ? .current : .older))
      #expect(try (entitlements.der() == der) == isCurrent)
    }
  }

  static func signatures(
    in file: String, _ folder: AppFolder
  ) throws -> [(String, CodeSignature)] {
    let app = try Shared.open(file, unpackedInto: folder)
    var found: [(String, CodeSignature)] = []
    for path in app.codeObjects().compactMap(\.executablePath) {
      let content = try app.content(of: path)
      guard let macho = try? MachOFile(content) else { continue }
      for slice in macho.slices {
        guard let signature = try slice.codeSignature(of: content) else { continue }
        found.append((path, signature))
      }
    }
    return found
  }
}
