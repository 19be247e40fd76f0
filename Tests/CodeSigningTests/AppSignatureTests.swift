import AppBundle
import Foundation
import Testing

@testable import CodeSigning

/// Apps that real signers signed, as `openssl cms` and a reader in another language see them too. They are
/// no part of the project, so rows of what is not there are left out.
@Suite struct AppSignatureTests {
  /// What is known of one app.
  struct Row: Sendable, CustomTestStringConvertible {
    let file: String
    let state: AppSignature.State
    let team: String?
    /// The beginning of the SHA-256 of the signer's common name, which may be a person's.
    let signer: String?
    /// Architecture, hash and CDHash of each CodeDirectory, and its set slots; one that is wrong has a `!`.
    let directories: [String]

    var testDescription: String { file }
  }

  static let rows: [Row] = [
    Row(
      file: "ipas/app-info-apple-tv.ipa", state: .valid, team: "3WJ3AZZMPP",
      signer: "f5593b474ce60836",
      directories: ["arm64 sha256 20927061f8d3655c81736494ff2e1c645cb37077 1 2 3 5 7"]),
    Row(
      file: "ipas/app-info-embedded.ipa", state: .valid, team: "72LA85G59H",
      signer: "bca3760d3f0507d7",
      directories: ["arm64 sha256 c53eb946d413d3f2da67d683b48486156d1ac17a 1 2 3 5 7"]),
    Row(
      file: "ipas/app-info-ipad.ipa", state: .valid, team: "5PJA6N5A3B", signer: "af3e523056bbc8ef",
      directories: [
        "armv7 sha1 537d3d79bca3f16ceb796e4d7075b5b5401b886a 1 2 3 4 5",
        "armv7 sha256 fe952d139410f0eacbef5305b9a1841a2d21079a 1 2 3 4 5",
        "arm64 sha1 924f7a95045acb214418dae09869d0c1da09b12b 1 2 3 4 5",
        "arm64 sha256 98fea672dd8c7793d1730d4a692683ced05e4c34 1 2 3 4 5",
      ]),
    Row(
      file: "ipas/app-info-iphone.ipa", state: .valid, team: "5PJA6N5A3B",
      signer: "9219ab19d1aee29c",
      directories: [
        "armv7 sha1 2293ed02b14bbc620c2e61103f6a3641d02466c7 1 2 3 5",
        "armv7 sha256 f7c37fa377cb663ae826cece88157bab6d31cf6e 1 2 3 5",
        "arm64 sha1 cf64668d5bfd67f98422d0f922a450471188762a 1 2 3 5",
        "arm64 sha256 4f4551f63049b6a3fdd6ca533ac794e0ed4be2f0 1 2 3 5",
      ]),
    Row(
      file: "ipas/fastlane-very-capable.ipa", state: .valid, team: "TestFixture",
      signer: "19ffd95951d8e68d",
      directories: [
        "arm64 sha1 cd9f001b620f84bf94816d708783c1b66b7b1ab9 1 2 3 5",
        "arm64 sha256 8a85032aeb13cf895c0a40c2eacc67f59c245488 1 2 3 5",
      ]),
    Row(
      file: "ipas/fastlane-very-capable-app-spaces.ipa", state: .valid, team: "TestFixture",
      signer: "19ffd95951d8e68d",
      directories: [
        "arm64 sha1 8bb1a29ef985242b079d66eeca2700f14961e06d 1 2 3 5",
        "arm64 sha256 13c24fa02b2559b84917345d49476f81f68dcd6e 1 2 3 5",
      ]),
    Row(
      file: "ipas/mas-undebuggable.ipa", state: .valid, team: "LRUD9L355Y",
      signer: "cb90ed68122fc3d9",
      directories: [
        "armv7 sha1 6a5c18d36856ff655c6eea2086ab731ecb145e39 1 2 3 5",
        "armv7 sha256 02089fcc987dc1edfba9035dd9e5650874f1ac19 1 2 3 5",
        "arm64 sha1 b6f5ffd6f619f9300c8a2c228a8e54eedf278560 1 2 3 5",
        "arm64 sha256 a41b7f2fa2ff9b0b2bd355baa24f11299720a5e0 1 2 3 5",
      ]),
    Row(
      file: "ipas/pliney-test.ipa", state: .valid, team: "UL736KYQR9", signer: "2a17d33606a2cc43",
      directories: [
        "armv7 sha1 09831df7f29f14be981a1b758ca9eadd4be275f5 1 2 3 5",
        "arm64 sha1 a2d10cfd523889ff745fa19c7b94cbee663d126a 1 2 3 5",
      ]),
    Row(
      file: "ipas/SYNTH-demo-all-bundle-kinds.ipa", state: .none, team: nil, signer: nil,
      directories: []),
    Row(
      file: "signed/isign-OK-infoplist.ipa", state: .valid, team: "ABCDE12345",
      signer: "91d2f34f743e614e",
      directories: [
        "armv7 sha1 f8d87ac51c1b778eb49c9cf3d95528afc34fd8c5 1 2 3 5",
        "armv7 sha256 8c34c4d7da25a2ac7635d23e17e9e42c9b4bf978 1 2 3 5",
        "arm64 sha1 5bdc24f279cb403487886c92a37691f33ace070c 1 2 3 5",
        "arm64 sha256 6fc2a810694b315b39f5fafd4852e73533f17f75 1 2 3 5",
      ]),
    Row(
      file: "signed/isign-STALE-infoplist.ipa", state: .stale, team: "ABCDE12345",
      signer: "91d2f34f743e614e",
      directories: [
        "armv7 sha1 dd80394c6905c0a6152d05e4f14bef8fce1622bf 1! 2 3 5",
        "armv7 sha256 1dcc96b46de2cd04623f8ad953872feb92fd2c1a 1! 2 3 5",
        "arm64 sha1 60f0e1718d72af9697c6f9551ee437a65d225250 1! 2 3 5",
        "arm64 sha256 197d9c7876c8553b0615a491d39c218ac7cbae23 1! 2 3 5",
      ]),
    Row(
      file: "signed/z-adhoc.ipa", state: .valid, team: nil, signer: nil,
      directories: ["arm64 sha256 8bdeb4fc74e7a5cabc1def26112d98b89ed22e7b 1 2 3"]),
    Row(
      file: "signed/z-multi.ipa", state: .valid, team: "ABCDE12345", signer: "91d2f34f743e614e",
      directories: ["arm64 sha256 616559fd3369e037b2f2fd7bae3714f5864223bb 1 2 3 5 7"]),
    Row(
      file: "signed/z-p12.ipa", state: .valid, team: "ABCDE12345", signer: "91d2f34f743e614e",
      directories: ["arm64 sha256 120c5442aeda2b7918e125049b0f9a84c04bd845 1 2 3 5 7"]),
  ].filter { FileManager.default.fileExists(atPath: path($0.file)) }

  static func path(_ file: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("shared/\(file)").path
  }

  @Test(arguments: rows) func isAsOthersReadIt(_ row: Row) throws {
    let app = try Application.open(Self.path(row.file))
    let signature = try AppSignature(of: app, objects: app.codeObjects())
    #expect(signature.state == row.state, "\(signature.problems.map(\.message))")
    #expect(signature.teamIdentifier == row.team)
    let signer = try signature.identity.map { name in
      String(try HashAlgorithm.sha256.hash(name.utf8).hexadecimal.prefix(16))
    }
    #expect(signer == row.signer)
    #expect(Self.directories(of: signature) == row.directories)
    let isStale = row.state == .stale
    #expect(Set(signature.problems.map(\.rule)) == (isStale ? [.signatureInfoPlist] : []))
    #expect(signature.isInfoPlistSealed == (row.state == .none ? nil : !isStale))
    #expect(signature.areResourcesSealed == (row.state == .none ? nil : true))
    if row.state != .none { #expect(signature.kind == (row.signer == nil ? .adHoc : .cms)) }
  }

  /// The result does not depend on how many threads work, and without hashing the slots are the same.
  @Test(arguments: rows) func isTheSameInOtherWays(_ row: Row) throws {
    let app = try Application.open(Self.path(row.file))
    let objects = app.codeObjects()
    let one = try AppSignature(of: app, objects: objects)
    var options = AppSignature.Options()
    options.workers = 4
    let four = try AppSignature(of: app, objects: objects, options: options)
    #expect(four.problems == one.problems)
    options.checksContents = false
    let quick = try AppSignature(of: app, objects: objects, options: options)
    #expect(Self.directories(of: quick) == row.directories)
    #expect(quick.objects.allSatisfy { $0.resources == nil })
  }

  static func directories(of signature: AppSignature) -> [String] {
    (signature.main?.executable?.slices ?? []).flatMap { slice in
      slice.directories.map { directory in
        let slots = directory.slots.map { slot in
          "\(slot.slot.rawValue)" + (slot.state == .valid ? "" : "!")
        }
        return
          ([
            slice.slice.architecture, directory.codeDirectory.hashAlgorithm.name,
            directory.cdHash.hexadecimal,
          ] + slots).joined(separator: " ")
      }
    }
  }
}
