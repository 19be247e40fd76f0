import AppBundle
@testable import CodeSigning
import Foundation
import PlistKit
import Testing

@Suite(.enabled(if: TestAuthority.shared != nil)) struct ProvisioningProfileTests {
  let authority: TestAuthority

  init() throws { authority = try #require(TestAuthority.shared) }

  // MARK: How it is wrapped

  struct Wrapping: NamedRow {
    let name: String
    let bytes: @Sendable (TestAuthority, [UInt8]) throws -> [UInt8]
    let isValid: Bool?
  }

  static let wrappings = [
    Wrapping(name: "signed", bytes: { try $0.message($1, ["-nodetach"]) }, isValid: true),
    Wrapping(
      name: "signed, indefinite lengths", bytes: { try $0.message($1, ["-nodetach", "-stream"]) },
      isValid: true),
    Wrapping(
      name: "signed by an expired certificate",
      bytes: { try $0.message($1, ["-nodetach"], signer: "expired") }, isValid: true),
    Wrapping(
      name: "a broken signature",
      bytes: { authority, plist in
        var bytes = try authority.message(plist, ["-nodetach"])
        bytes[bytes.count - 1] ^= 1
        return bytes
      }, isValid: false),
    Wrapping(
      name: "edited after signing",
      bytes: { authority, plist in
        var bytes = try authority.message(plist, ["-nodetach"])
        let place = try #require(bytes.firstRange(of: Array("Test Org</string>".utf8)))
        bytes[place.lowerBound] = 0x72
        return bytes
      }, isValid: false),
    Wrapping(name: "no signer", bytes: { DERBytes.message(content: $1) }, isValid: nil),
    Wrapping(name: "plain XML", bytes: { $1 }, isValid: nil),
    Wrapping(
      name: "a plain binary list",
      bytes: {
        try PlistDocument(root: PlistDocument(parsing: $1).root, format: .binary).serialized()
      }, isValid: nil),
  ]

  @Test(arguments: wrappings) func wrapped(_ row: Wrapping) throws {
    let leaf = try authority.certificate("leaf")
    let plist = TestAuthority.profile(
      entitlements: "<key>get-task-allow</key><true/>",
      other: "<key>ProvisionedDevices</key><array><string>A</string><string>B</string></array>"
        + "<key>DER-Encoded-Profile</key><data>MAA=</data><key>IsXcodeManaged</key><true/>",
      certificates: [leaf])
    let profile = try ProvisioningProfile(parsing: row.bytes(authority, plist))
    #expect(profile.signature.isValid == row.isValid)
    #expect((profile.signature == .unsigned) == (row.name == "no signer"))
    #expect(
      (profile.signature == .none) == row.name.hasPrefix("a plain") || row.name == "plain XML")
    #expect(profile.name == "Test profile" && profile.appIDName == "Test")
    #expect(profile.uuid == "11111111-2222-3333-4444-555555555555")
    #expect(profile.teamIdentifiers == [TestAuthority.team])
    #expect(profile.teamIdentifier == TestAuthority.team)
    #expect(profile.applicationIdentifierPrefixes == [TestAuthority.team])
    #expect(profile.applicationIdentifier == "ABCDE12345.com.example.app")
    #expect(profile.bundleIdentifier == "com.example.app" && !profile.isWildcard)
    #expect(profile.platforms == ["iOS"] && profile.isXcodeManaged)
    #expect(profile.creationDate?.iso8601 == "2026-01-01T00:00:00Z")
    #expect(profile.expirationDate?.iso8601 == "2027-01-01T00:00:00Z")
    #expect(profile.devices == ["A", "B"] && profile.distribution == .development)
    #expect(profile.certificates.map(\.der) == [leaf] && profile.problems == [])
    #expect(profile.contains(try Certificate(der: leaf)))
    #expect(!profile.contains(try Certificate(der: authority.certificate("ca"))))
  }

  @Test func expiry() throws {
    let profile = try ProvisioningProfile(parsing: TestAuthority.profile())
    let end = try #require(PlistDate(iso8601: "2027-01-01T00:00:00Z")).secondsSince2001
    #expect(profile.isExpired(at: PlistDate(secondsSince2001: end - 1)) == false)
    #expect(profile.isExpired(at: PlistDate(secondsSince2001: end)) == true)
  }

  // MARK: Distribution and identifiers

  struct Kind: NamedRow {
    let name: String
    var entitlements = ""
    var other = ""
    let distribution: ProvisioningProfile.Distribution
  }

  private static let device = "<key>ProvisionedDevices</key><array><string>A</string></array>"
  private static let everyDevice = "<key>ProvisionsAllDevices</key><true/>"
  private static let debuggable = "<key>get-task-allow</key><true/>"
  private static let mac = "<key>Platform</key><array><string>OSX</string></array>"

  static let kinds = [
    Kind(name: "store", distribution: .appStore),
    Kind(
      name: "store, debugging denied", entitlements: "<key>get-task-allow</key><false/>",
      distribution: .appStore),
    Kind(name: "devices", other: device, distribution: .adHoc),
    Kind(
      name: "no device, listed", other: "<key>ProvisionedDevices</key><array/>",
      distribution: .adHoc),
    Kind(
      name: "devices and a debugger", entitlements: debuggable, other: device,
      distribution: .development),
    Kind(name: "every device", other: everyDevice, distribution: .enterprise),
    Kind(
      name: "every device and some", entitlements: debuggable, other: everyDevice + device,
      distribution: .enterprise),
    Kind(
      name: "every device: false", other: "<key>ProvisionsAllDevices</key><false/>" + device,
      distribution: .adHoc),
    Kind(name: "macOS, store", other: mac, distribution: .appStore),
    Kind(name: "macOS, Developer ID", other: mac + everyDevice, distribution: .enterprise),
    Kind(
      name: "macOS, development",
      entitlements: "<key>com.apple.security.get-task-allow</key><true/>", other: mac,
      distribution: .development),
  ]

  @Test(arguments: kinds) func distribution(_ row: Kind) throws {
    let plist = TestAuthority.profile(entitlements: row.entitlements, other: row.other)
    #expect(try ProvisioningProfile(parsing: plist).distribution == row.distribution)
  }

  struct Cover: NamedRow {
    let pattern: String
    let bundle: String
    let covers: Bool
    var name: String { "\(pattern) and \(bundle)" }
  }

  static let coverRows = [
    Cover(pattern: "ABCDE12345.com.example.app", bundle: "com.example.app", covers: true),
    Cover(pattern: "ABCDE12345.com.example.app", bundle: "com.example.app.share", covers: false),
    Cover(pattern: "ABCDE12345.com.example.app", bundle: "com.example.App", covers: false),
    Cover(pattern: "ABCDE12345.*", bundle: "com.example.app", covers: true),
    Cover(pattern: "ABCDE12345.*", bundle: "", covers: false),
    Cover(pattern: "ABCDE12345.com.example.*", bundle: "com.example.app", covers: true),
    Cover(pattern: "ABCDE12345.com.example.*", bundle: "com.example.app.share", covers: true),
    Cover(pattern: "ABCDE12345.com.example.*", bundle: "com.example", covers: false),
    Cover(pattern: "ABCDE12345.com.example.*", bundle: "com.example.", covers: false),
    Cover(pattern: "ABCDE12345.com.example.*", bundle: "com.examples.app", covers: false),
    Cover(pattern: "ABCDE12345.com.exam*", bundle: "com.example", covers: false),
    Cover(pattern: "ABCDE12345.com.*.app", bundle: "com.example.app", covers: false),
    Cover(pattern: "*", bundle: "com.example.app", covers: false),
    Cover(pattern: "ABCDE12345", bundle: "ABCDE12345", covers: false),
    Cover(pattern: "", bundle: "", covers: false),
  ]

  @Test(arguments: coverRows) func covers(_ row: Cover) throws {
    let plist = TestAuthority.profile(identifier: row.pattern)
    let profile = try ProvisioningProfile(parsing: plist)
    #expect(profile.covers(bundleIdentifier: row.bundle) == row.covers)
  }

  /// Of the profiles that cover an app the closest is chosen, then of the others, and so on.
  @Test func theClosestIsChosen() throws {
    var request = SigningRequest(date: PlistDate(secondsSince2001: 0))
    request.profiles = try ["*", "com.*", "com.example.app", "com.example.*"].map {
      SigningRequest.Profile(
        file: $0,
        profile: try ProvisioningProfile(
          parsing: TestAuthority.profile(identifier: "ABCDE12345.\($0)")))
    }
    var order: [String] = []
    while let found = ProfileChoice(request).profile(for: "com.example.app") {
      order.append(request.profiles.remove(at: found.index).file)
    }
    #expect(order == ["com.example.app", "com.example.*", "com.*", "*"])
  }

  // MARK: Hostile profiles

  struct Hostile: NamedRow {
    let name: String
    let bytes: [UInt8]
    let code: SigningError.Code
  }

  static let hostileRows = [
    Hostile(name: "no bytes", bytes: [], code: .wrongKind),
    Hostile(
      name: "a certificate in text", bytes: Array("-----BEGIN CERTIFICATE-----\n".utf8),
      code: .wrongKind),
    Hostile(name: "a word", bytes: Array("profile".utf8), code: .wrongKind),
    Hostile(name: "an array", bytes: Array("<plist><array/></plist>".utf8), code: .wrongKind),
    Hostile(name: "no entitlements", bytes: Array("<plist><dict/></plist>".utf8), code: .wrongKind),
    Hostile(
      name: "entitlements of another type",
      bytes: Array("<plist><dict><key>Entitlements</key><string/></dict></plist>".utf8),
      code: .malformed),
    Hostile(
      name: "XML cut off", bytes: Array(TestAuthority.profile().prefix(700)), code: .malformed),
    Hostile(
      name: "a message without content", bytes: DERBytes.message(content: nil),
      code: .wrongKind),
    Hostile(
      name: "a message with an empty content", bytes: DERBytes.message(content: []),
      code: .wrongKind),
    Hostile(
      name: "a message about garbage", bytes: DERBytes.message(content: [1, 2, 3]),
      code: .wrongKind),
    Hostile(
      name: "more bytes than are read", bytes: [UInt8](repeating: 0x20, count: (8 << 20) + 1),
      code: .limit),
    Hostile(
      name: "1,000 deep",
      bytes: TestAuthority.profile(
        other: "<key>k</key>" + String(repeating: "<array>", count: 1000)
          + String(repeating: "</array>", count: 1000)), code: .limit),
  ]

  @Test(.timeLimit(.minutes(1)), arguments: hostileRows) func hostile(_ row: Hostile) {
    let code = signingErrorCode { () throws(SigningError) in
      _ = try ProvisioningProfile(parsing: row.bytes)
    }
    #expect(code == row.code)
  }

  /// Every field with every other type: it is left out and told, never more.
  @Test func wrongTypes() throws {
    let values = [
      "<string>x</string>", "<integer>1</integer>", "<true/>", "<date>2026-01-01T00:00:00Z</date>",
      "<data>AAAA</data>", "<array><integer>1</integer></array>", "<dict/>", "<real>1.5</real>",
    ]
    let fields: KeyValuePairs = [
      "Name": "string", "UUID": "string", "AppIDName": "string", "TeamName": "string",
      "TeamIdentifier": "array string", "ApplicationIdentifierPrefix": "array string",
      "Platform": "array string", "CreationDate": "date", "ExpirationDate": "date",
      "ProvisionedDevices": "array string", "ProvisionsAllDevices": "true",
      "IsXcodeManaged": "true", "DeveloperCertificates": "array",
    ]
    for (key, types) in fields {
      for value in values {
        let type = value.dropFirst().prefix { $0.isLetter }
        let plist =
          "<plist><dict><key>Entitlements</key><dict/><key>\(key)</key>\(value)</dict></plist>"
        let profile = try ProvisioningProfile(parsing: Array(plist.utf8))
        let isWanted = types.split(separator: " ").contains(type)
        // Of the arrays only the value inside is wrong.
        let isTold = !isWanted || type == "array"
        #expect((profile.problems.count == 1) == isTold, "\(key) \(value)")
        #expect(profile.problems.allSatisfy { $0.hasPrefix(key) })
      }
    }
  }

  @Test func truncations() throws {
    let bytes = try authority.message(TestAuthority.profile(), ["-nodetach"])
    for count in 0..<bytes.count {
      let code = signingErrorCode { () throws(SigningError) in
        _ = try ProvisioningProfile(parsing: Array(bytes.prefix(count)))
      }
      #expect(code == .malformed || count == 0 && code == .wrongKind, "\(count) bytes")
    }
  }

  @Test(.timeLimit(.minutes(1))) func manyCertificates() throws {
    let leaf = try authority.certificate("leaf")
    var limits = SigningLimits.standard
    limits.profileBytes = 64 << 20
    let plist = TestAuthority.profile(certificates: Array(repeating: leaf, count: 10_000))
    let profile = try ProvisioningProfile(parsing: plist, limits: limits)
    #expect(profile.certificates.count == 1000)
    #expect(
      profile.problems == ["DeveloperCertificates holds 10000 values, the first 1000 are read"])
  }

  @Test func manyDevices() throws {
    let devices = (0..<100_000).map { "<string>\($0)</string>" }.joined()
    let profile = try ProvisioningProfile(
      parsing: TestAuthority.profile(
        other: "<key>ProvisionedDevices</key><array>\(devices)</array>"))
    #expect(profile.devices?.count == 100_000)
  }
}
