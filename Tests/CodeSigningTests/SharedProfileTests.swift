import AppBundle
import CodeSigning
import Foundation
import PlistKit
import Testing

/// Real profiles of other projects.
@Suite(.enabled(if: Shared.folder != nil)) struct SharedProfileTests {
  struct Row: NamedRow {
    let name: String
    var code: SigningError.Code?
    var identifier = "1234567890.com.icyleaf.ios"
    var distribution = ProvisioningProfile.Distribution.enterprise
    var platforms = ["iOS"]
    var expires = "2020-06-19T11:47:07Z"
    var devices: Int?
    var certificates = 0
    var isValid: Bool?
    /// How many problems are told: of certificates that are none.
    var problems = 1
  }

  private static func rules(_ name: String, _ platforms: [String]) -> Row {
    Row(
      name: "rules-apple-\(name)", identifier: "FOOBARBAZ1.*", distribution: .development,
      platforms: platforms, expires: "2117-01-04T13:44:01Z", devices: 0)
  }

  static let rows = [
    Row(
      name: "app-info-profile", identifier: "KJSWUGJ39S.com.icyleaf.iOS",
      distribution: .development, expires: "2019-09-23T08:11:28Z", devices: 1, certificates: 2,
      isValid: true, problems: 0),
    Row(
      name: "fastlane-appstore", identifier: "439BBM9367.tools.fastlane.app",
      distribution: .appStore, expires: "2016-12-03T03:02:08Z", certificates: 1, isValid: true,
      problems: 0),
    Row(name: "app-info-signed_plist", isValid: true),
    Row(name: "app-info-invalid_missing_plist_block", code: .malformed),
    Row(name: "app-info-plist"), Row(name: "app-info-bplist"),
    rules("ios", ["iOS"]), rules("tvos", ["tvOS"]), rules("visionos", ["xrOS", "visionOS"]),
  ]

  @Test(arguments: rows) func profile(_ row: Row) throws {
    let bytes = try Shared.bytes("profiles/\(row.name).mobileprovision")
    let code = signingErrorCode { () throws(SigningError) in
      let profile = try ProvisioningProfile(parsing: bytes)
      #expect(profile.applicationIdentifier == row.identifier)
      #expect(profile.distribution == row.distribution)
      #expect(profile.platforms == row.platforms)
      #expect(profile.expirationDate?.iso8601 == row.expires)
      #expect(profile.devices?.count == row.devices)
      #expect(profile.certificates.count == row.certificates)
      #expect(profile.signature.isValid == row.isValid)
      #expect(profile.problems.count == row.problems)
    }
    #expect(code == row.code)
  }

  static let withoutProfile = ["ipas/sparkle-mac-app.zip", "signed/z-adhoc.ipa"]

  /// What `openssl` and Python's plistlib say of a signed profile, one field a line.
  private static let oracle = """
    import plistlib, subprocess, sys
    done = subprocess.run(['openssl', 'cms', '-verify', '-noverify', '-inform', 'DER', '-in',
        sys.argv[1]], capture_output=True)
    assert done.returncode == 0, done.stderr
    d = plistlib.loads(done.stdout)
    for key in 'Name', 'UUID', 'AppIDName', 'TeamName': print(d.get(key))
    for key in 'TeamIdentifier', 'ApplicationIdentifierPrefix', 'Platform': print(*d.get(key, []))
    for key in 'CreationDate', 'ExpirationDate': print(d[key].strftime('%Y-%m-%dT%H:%M:%SZ'))
    print(*d.get('ProvisionedDevices', ['None']))
    print(len(d['DeveloperCertificates']), len(d['Entitlements']))
    print(d['Entitlements']['application-identifier'], d['Entitlements'].get('get-task-allow'))
    """

  @Test(arguments: SignedAppTests.files) func embedded(_ file: String) throws {
    let folder = try AppFolder()
    let app = try Shared.open(file, unpackedInto: folder)
    let known = Set(app.members.map(\.path))
    var read = 0
    for path in app.codeObjects().compactMap(\.profilePath) where known.contains(path) {
      let content = try app.content(of: path)
      let bytes = try content.bytes(at: 0, count: Int(content.size))
      let profile = try ProvisioningProfile(parsing: bytes)
      #expect(profile.signature.isValid == true && profile.problems == [])
      let place = try folder.write("profile", bytes)
      let told = try Tool.run(["python3", "-c", Self.oracle, place])
      let texts = [profile.name, profile.uuid, profile.appIDName, profile.teamName]
      let debugging = profile.entitlements.allowsDebugging.map { $0 ? "True" : "False" } ?? "None"
      let lines =
        texts.map { $0 ?? "None" } + [
          profile.teamIdentifiers.joined(separator: " "),
          profile.applicationIdentifierPrefixes.joined(separator: " "),
          profile.platforms.joined(separator: " "),
          profile.creationDate?.iso8601 ?? "None", profile.expirationDate?.iso8601 ?? "None",
          profile.devices?.joined(separator: " ") ?? "None",
          "\(profile.certificates.count) \(profile.entitlements.values.count)",
          "\(profile.applicationIdentifier ?? "None") \(debugging)",
        ]
      #expect(told.output == lines.joined(separator: "\n") + "\n")
      read += 1
    }
    #expect((read == 0) == Self.withoutProfile.contains(file))
  }

  /// What an app signed with its profile has, the profile allows; the wildcard that zsign leaves in the
  /// identifier is the one exception.
  @Test(arguments: SignedAppTests.files) func granted(_ file: String) throws {
    let folder = try AppFolder()
    let app = try Shared.open(file, unpackedInto: folder)
    let known = Set(app.members.map(\.path))
    var compared = 0
    for object in app.codeObjects() {
      guard let path = object.profilePath, known.contains(path), let code = object.executablePath
      else { continue }
      let content = try app.content(of: path)
      let profile = try ProvisioningProfile(
        parsing: content.bytes(at: 0, count: Int(content.size)))
      let executable = try app.content(of: code)
      let slice = try #require(try MachOFile(executable).slices.first)
      guard let xml = try slice.codeSignature(of: executable)?.entitlements else { continue }
      let has = try Entitlements(parsing: xml)
      let refused = EntitlementGrant(profile).refusals(of: has).map(\.key)
      let wildcard = has.applicationIdentifier?.hasSuffix("*") == true
      #expect(refused == (wildcard ? ["application-identifier"] : []), "\(path)")
      compared += 1
    }
    #expect((compared == 0) == Self.withoutProfile.contains(file))
  }
}
