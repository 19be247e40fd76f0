import CodeSigning
import PlistKit
import Testing

@Suite struct EntitlementGrantTests {
  /// A profile that allows certain entitlements, beside the identifiers.
  static func profile(
    _ entitlements: PlistValue, identifier: String = "ABCDE12345.com.example.app",
    platform: String = "iOS"
  ) throws -> ProvisioningProfile {
    let team = TestAuthority.team
    let key = platform == "OSX" ? "com.apple.application-identifier" : "application-identifier"
    var all = PlistDictionary([
      (key, .string(identifier)), ("com.apple.developer.team-identifier", .string(team)),
    ])
    for entry in entitlements.dictionary?.entries ?? [] { all[entry.key] = entry.value }
    let root: PlistValue = [
      "Name": "Test", "ApplicationIdentifierPrefix": [.string(team)],
      "TeamIdentifier": [.string(team)], "Platform": [.string(platform)],
      "Entitlements": .dictionary(all),
    ]
    return try ProvisioningProfile(
      parsing: PlistDocument(root: root, format: .binary).serialized())
  }

  struct Row: NamedRow {
    let name: String
    let key: String
    let wanted: PlistValue
    /// Nil where the profile lacks it.
    let profile: PlistValue?
    /// Nil where it is allowed.
    let reason: String?
    var platform = "iOS"
  }

  private static let groups = "com.apple.security.application-groups"
  private static let domains = "com.apple.developer.associated-domains"
  private static let keychain = "keychain-access-groups"
  private static let environment = "com.apple.developer.icloud-container-environment"

  static let rows = [
    Row(
      name: "an absent key", key: "k", wanted: true, profile: nil,
      reason: "k is true and the profile does not have it"),
    Row(
      name: "an absent key, false", key: "k", wanted: false, profile: nil,
      reason: "k is false and the profile does not have it"),
    Row(name: "true by true", key: "k", wanted: true, profile: true, reason: nil),
    Row(name: "false by true", key: "k", wanted: false, profile: true, reason: nil),
    Row(name: "false by false", key: "k", wanted: false, profile: false, reason: nil),
    Row(
      name: "true by false", key: "k", wanted: true, profile: false,
      reason: "k is true, the profile allows false"),
    Row(
      name: "true by 1", key: "k", wanted: true, profile: 1,
      reason: "k is true, a boolean, and in the profile it is 1, an integer"),
    Row(
      name: "true by an array", key: "k", wanted: true, profile: ["x"],
      reason: #"k is true, a boolean, and in the profile it is ["x"], an array"#),
    Row(
      name: "an array by true", key: "k", wanted: ["x"], profile: true,
      reason: #"k is ["x"], an array, and in the profile it is true, a boolean"#),
    Row(
      name: "true by *", key: "k", wanted: true, profile: "*",
      reason: #"k is true, a boolean, and in the profile it is "*", a string"#),
    Row(
      name: "an array of booleans by *", key: "k", wanted: [true], profile: "*",
      reason: #"k is [true], the profile allows "*""#),
    Row(name: "equal integers", key: "k", wanted: 7, profile: 7, reason: nil),
    Row(
      name: "other integers", key: "k", wanted: 7, profile: 8,
      reason: "k is 7, the profile allows 8"),
    Row(
      name: "debugging, development", key: "get-task-allow", wanted: true, profile: true,
      reason: nil),
    Row(
      name: "debugging, store", key: "get-task-allow", wanted: true, profile: false,
      reason: "get-task-allow is true, the profile allows false"),
    Row(
      name: "no debugging, development", key: "get-task-allow", wanted: false, profile: true,
      reason: nil),
    Row(
      name: "no debugging, absent", key: "get-task-allow", wanted: false, profile: nil,
      reason: nil),
    Row(
      name: "push, development", key: "aps-environment", wanted: "development",
      profile: "development", reason: nil),
    Row(
      name: "push, production wanted", key: "aps-environment", wanted: "production",
      profile: "development",
      reason: #"aps-environment is "production", the profile allows "development""#),
    Row(
      name: "a keychain group", key: keychain, wanted: ["ABCDE12345.com.example.shared"],
      profile: ["ABCDE12345.*"], reason: nil),
    Row(
      name: "the wildcard itself", key: keychain, wanted: ["ABCDE12345.*"],
      profile: ["ABCDE12345.*"], reason: nil),
    Row(
      name: "another team's keychain group", key: keychain,
      wanted: ["ABCDE12345.a", "OLDTEAM999.a"], profile: ["ABCDE12345.*", "com.apple.token"],
      reason: keychain + #" holds ["OLDTEAM999.a"], the profile allows"#
        + #" ["ABCDE12345.*", "com.apple.token"]"#),
    Row(
      name: "a team that only begins alike", key: keychain, wanted: ["ABCDE123456.a"],
      profile: ["ABCDE12345.*"],
      reason: keychain + #" is ["ABCDE123456.a"], the profile allows ["ABCDE12345.*"]"#),
    Row(
      name: "a team without more", key: keychain, wanted: ["ABCDE12345."],
      profile: ["ABCDE12345.*"],
      reason: keychain + #" is ["ABCDE12345."], the profile allows ["ABCDE12345.*"]"#),
    Row(
      name: "an app group", key: groups, wanted: ["group.a"], profile: ["group.b", "group.a"],
      reason: nil),
    Row(
      name: "another app group", key: groups, wanted: ["group.c"], profile: ["group.a"],
      reason: groups + #" is ["group.c"], the profile allows ["group.a"]"#),
    Row(name: "no app group of none", key: groups, wanted: [], profile: [], reason: nil),
    Row(
      name: "an app group of none", key: groups, wanted: ["group.a"], profile: [],
      reason: groups + #" is ["group.a"], the profile allows an empty array"#),
    Row(
      name: "domains", key: domains,
      wanted: ["applinks:example.com", "applinks:*.example.com?mode=developer"], profile: "*",
      reason: nil),
    Row(
      name: "a domain by an array", key: domains, wanted: ["applinks:example.com"],
      profile: ["*"], reason: nil),
    Row(
      name: "iCloud's environment, one of two", key: environment, wanted: "Production",
      profile: ["Development", "Production"], reason: nil),
    Row(
      name: "iCloud's environment, none of them", key: environment, wanted: "Other",
      profile: ["Development", "Production"],
      reason: environment + #" is "Other", the profile allows ["Development", "Production"]"#),
    Row(
      name: "iCloud's services", key: "com.apple.developer.icloud-services",
      wanted: ["CloudKit", "CloudDocuments"], profile: "*", reason: nil),
    Row(
      name: "an iCloud container",
      key: "com.apple.developer.icloud-container-identifiers", wanted: ["iCloud.com.example.app"],
      profile: ["iCloud.com.example.app"], reason: nil),
    Row(
      name: "an iCloud container by a wildcard",
      key: "com.apple.developer.icloud-container-identifiers", wanted: ["iCloud.com.example.app"],
      profile: ["iCloud.*"], reason: nil),
    Row(
      name: "the key-value store", key: "com.apple.developer.ubiquity-kvstore-identifier",
      wanted: "ABCDE12345.com.example.app", profile: "ABCDE12345.*", reason: nil),
    Row(
      name: "part of a label is no wildcard", key: "k", wanted: "ABCDE12345.com.example",
      profile: "ABCDE12345.com.exam*",
      reason: #"k is "ABCDE12345.com.example", the profile allows "ABCDE12345.com.exam*""#),
    Row(
      name: "a dictionary", key: "k", wanted: ["a": ["x"], "b": false],
      profile: ["a": ["x", "y"], "b": true, "c": 1], reason: nil),
    Row(
      name: "a dictionary with another key", key: "k", wanted: ["z": 1], profile: ["a": 1],
      reason: "k is a dictionary of 1 keys, the profile allows a dictionary of 1 keys"),
    Row(
      name: "the application identifier", key: "application-identifier",
      wanted: "ABCDE12345.com.example.app", profile: "ABCDE12345.*", reason: nil),
    Row(
      name: "another application identifier", key: "application-identifier",
      wanted: "ABCDE12345.com.example.application", profile: "ABCDE12345.com.example.app",
      reason: #"application-identifier is "ABCDE12345.com.example.application","#
        + #" the profile allows "ABCDE12345.com.example.app""#),
    Row(
      name: "a wildcard as application identifier", key: "application-identifier",
      wanted: "ABCDE12345.*", profile: "ABCDE12345.*",
      reason: #"application-identifier is "ABCDE12345.*", a wildcard, and must be the app's own"#),
    Row(
      name: "another team", key: "com.apple.developer.team-identifier", wanted: "OLDTEAM999",
      profile: "ABCDE12345",
      reason: #"com.apple.developer.team-identifier is "OLDTEAM999","#
        + #" the profile allows "ABCDE12345""#),
    Row(
      name: "macOS: the sandbox", key: "com.apple.security.app-sandbox", wanted: true,
      profile: nil, reason: nil, platform: "OSX"),
    Row(
      name: "macOS: debugging", key: "com.apple.security.get-task-allow", wanted: true,
      profile: nil,
      reason: "com.apple.security.get-task-allow is true and the profile does not have it",
      platform: "OSX"),
    Row(
      name: "macOS: push", key: "com.apple.developer.aps-environment", wanted: "production",
      profile: nil,
      reason: #"com.apple.developer.aps-environment is "production""#
        + " and the profile does not have it", platform: "OSX"),
    Row(
      name: "long texts are cut", key: "k",
      wanted: .string(String(repeating: "a", count: 5000)), profile: "b",
      reason: "k is \"\(String(repeating: "a", count: 79))…\", the profile allows \"b\""),
    Row(
      name: "long arrays are cut", key: "k", wanted: ["a", "b", "c", "d", "e"], profile: ["z"],
      reason: #"k is ["a", "b", "c"] and 2 more, the profile allows ["z"]"#),
  ]

  @Test(arguments: rows) func refusal(_ row: Row) throws {
    let allowed: PlistValue =
      row.profile.map { .dictionary(PlistDictionary([(row.key, $0)])) } ?? [:]
    let grant = EntitlementGrant(try Self.profile(allowed, platform: row.platform))
    let refusal = grant.refusal(of: row.key, row.wanted)
    #expect(refusal?.reason == row.reason)
    if let refusal {
      #expect(refusal.key == row.key && refusal.wanted == row.wanted)
      #expect(refusal.granted == row.profile)
    }
  }

  // MARK: What an app gets

  struct Outcome: NamedRow {
    let name: String
    var identifier = "ABCDE12345.com.example.app"
    var bundle = "com.example.app"
    let profile: PlistValue
    var given: PlistValue?
    var existing: PlistValue?
    let result: PlistValue
    var refused: [String] = []
    var changed: [String] = []
  }

  private static let team = "com.apple.developer.team-identifier"
  private static let own: PlistValue = .string("ABCDE12345.com.example.app")

  static let outcomes = [
    Outcome(
      name: "nothing wanted: the least",
      profile: ["get-task-allow": true, keychain: ["ABCDE12345.*"]],
      result: ["application-identifier": own, team: "ABCDE12345", "get-task-allow": true]),
    Outcome(
      name: "an app that had none: the least", profile: ["get-task-allow": false], existing: [:],
      result: ["application-identifier": own, team: "ABCDE12345", "get-task-allow": false]),
    Outcome(
      name: "none given on purpose", profile: ["get-task-allow": true], given: [:],
      result: ["application-identifier": own, team: "ABCDE12345"]),
    Outcome(
      name: "what the app had", profile: ["k": true, "l": true], existing: ["k": true],
      result: ["application-identifier": own, team: "ABCDE12345", "k": true]),
    Outcome(
      name: "what is given counts before what it had", profile: ["k": true, "l": true],
      given: ["l": true], existing: ["k": true],
      result: ["application-identifier": own, team: "ABCDE12345", "l": true]),
    Outcome(
      name: "what the profile does not allow goes", profile: ["k": true],
      given: ["k": true, "l": true],
      result: ["application-identifier": own, team: "ABCDE12345", "k": true], refused: ["l"]),
    Outcome(
      name: "a wildcard profile", identifier: "ABCDE12345.*", profile: [keychain: ["ABCDE12345.*"]],
      given: ["application-identifier": "ABCDE12345.*", keychain: ["ABCDE12345.*"]],
      result: ["application-identifier": own, team: "ABCDE12345", keychain: [own]],
      changed: ["application-identifier", keychain]),
    Outcome(
      name: "stars that stand for nothing", profile: ["k": "*", "l": ["*"]],
      given: ["k": "*", "l": ["*"]],
      result: ["application-identifier": own, team: "ABCDE12345"], changed: ["k", "l"]),
    Outcome(
      name: "another team's app",
      profile: [
        "aps-environment": "development", keychain: ["ABCDE12345.*"], "get-task-allow": true,
      ],
      existing: [
        "application-identifier": "OLDTEAM999.com.example.app", team: "OLDTEAM999",
        groups: ["group.com.example.app"], "aps-environment": "production",
        keychain: ["OLDTEAM999.com.example.app", "ABCDE12345.x"], "get-task-allow": false,
      ],
      result: [
        "application-identifier": own, team: "ABCDE12345", "aps-environment": "development",
        keychain: ["ABCDE12345.x"], "get-task-allow": false,
      ],
      refused: [groups, "aps-environment", keychain],
      changed: ["application-identifier", team]),
    Outcome(
      name: "debugging ends with the store's profile", profile: ["get-task-allow": false],
      existing: ["get-task-allow": true],
      result: ["application-identifier": own, team: "ABCDE12345", "get-task-allow": false],
      refused: ["get-task-allow"]),
    Outcome(
      name: "an array of which nothing is left", profile: [groups: ["group.a"]],
      given: [groups: ["group.b"]],
      result: ["application-identifier": own, team: "ABCDE12345"], refused: [groups]),
    Outcome(
      name: "an empty array stays", profile: [groups: []], given: [groups: []],
      result: ["application-identifier": own, team: "ABCDE12345", groups: []]),
    Outcome(
      name: "another app's profile", identifier: "ABCDE12345.com.example.other", profile: [:],
      existing: ["application-identifier": own], result: [team: "ABCDE12345"],
      refused: ["application-identifier"]),
  ]

  @Test(arguments: outcomes) func outcome(_ row: Outcome) throws {
    let profile = try Self.profile(row.profile, identifier: row.identifier)
    let grant = EntitlementGrant(profile)
    let outcome = grant.entitlements(
      for: row.bundle, wanted: row.given.map { .of($0) }, existing: row.existing.map { .of($0) })
    #expect(outcome.entitlements == .of(row.result))
    #expect(outcome.refusals.map(\.key) == row.refused)
    #expect(outcome.changes.map { $0.prefix { $0 != " " } } == row.changed.map { $0[...] })
    // What is given out is allowed in turn, and has no wildcard.
    #expect(grant.refusals(of: outcome.entitlements) == [])
    let again = grant.entitlements(for: row.bundle, wanted: outcome.entitlements)
    #expect(again.entitlements == outcome.entitlements && again.changes == [])
  }

  @Test func macIdentifier() throws {
    let profile = try Self.profile([:], platform: "OSX")
    let outcome = EntitlementGrant(profile).entitlements(for: "com.example.app")
    #expect(outcome.entitlements["com.apple.application-identifier"] == Self.own)
    #expect(outcome.entitlements["application-identifier"] == nil)
  }

  @Test(.timeLimit(.minutes(1))) func manyValues() throws {
    let many = (0..<10_000).map { PlistValue.string("group.\($0)") }
    let grant = EntitlementGrant(
      try Self.profile(.dictionary(PlistDictionary([("k", .array(many))]))))
    #expect(grant.refusal(of: "k", .array(many.reversed())) == nil)
    #expect(grant.refusal(of: "k", .array(many + ["group.x"])) != nil)
    let stars = (0..<10_000).map { PlistValue.string("g\($0).*") }
    let wild = EntitlementGrant(
      try Self.profile(.dictionary(PlistDictionary([("k", .array(stars))]))))
    #expect(wild.refusal(of: "k", .array(many)) != nil)
  }
}
