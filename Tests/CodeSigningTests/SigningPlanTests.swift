import AppBundle
import CodeSigning
import Foundation
import PlistKit
import Testing

/// An app of small parts, and what is planned for it.
@Suite struct SigningPlanTests {
  static let app = "com.example.app"
  static let noon = "2026-12-01T12:00:00Z"

  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    var main = SmallMachO()
    /// The extension's executable, nil for no extension.
    var inner: SmallMachO? = SmallMachO(uuid: 2)
    var innerIdentifier = "com.example.app.share"
    var embedded: [UInt8]?
    var innerEmbedded: [UInt8]?
    /// Profiles as `ID=` or nothing, and what is in it; the file is called by its number.
    var given: [(bundle: String?, profile: PlainProfile)] = []
    /// Entitlements of the main app in XML.
    var wanted: String?
    var team: String?
    var date = SigningPlanTests.noon
    /// `rule level` of each problem, sorted.
    var problems: [String] = []
    /// The profile's file of the extension and of the app.
    var files: [String?] = [nil, nil]

    var testDescription: String { name }
  }

  static let wildcard = PlainProfile(identifier: "TEAM.*")
  static let share = PlainProfile(identifier: "TEAM.com.example.app.share")
  static let push = "<key>aps-environment</key><string>production</string>"

  static func dict(_ xml: String) -> String {
    "<plist version=\"1.0\"><dict>\(xml)</dict></plist>"
  }

  static let rows: [Row] = [
    Row(name: "no profile at all", problems: ["profile.missing note"]),
    Row(
      name: "one for each", given: [(nil, share), (nil, PlainProfile())], files: ["0", "1"]),
    Row(name: "a wildcard for both", given: [(nil, wildcard)], files: ["0", "0"]),
    Row(
      name: "exact beats wildcard, longer beats shorter",
      given: [
        (nil, wildcard), (nil, PlainProfile(identifier: "TEAM.com.example.app.*")),
        (nil, PlainProfile(identifier: "TEAM.com.example.*")), (nil, PlainProfile()),
      ], problems: ["profile.application-identifier note"], files: ["1", "3"]),
    Row(
      name: "whole labels", given: [(nil, PlainProfile(identifier: "TEAM.com.example.ap*"))],
      problems: [
        "profile.application-identifier warning", "profile.missing error", "profile.missing error",
      ]),
    Row(
      name: "the app's alone", given: [(nil, PlainProfile())], problems: ["profile.missing error"],
      files: [nil, "0"]),
    Row(
      name: "given for a bundle by name",
      given: [(app, wildcard), ("com.example.app.share", share)],
      files: ["1", "0"]),
    Row(
      name: "given for a bundle that it is not for", inner: nil, given: [(app, share)],
      problems: ["profile.application-identifier error"], files: ["0"]),
    Row(
      name: "given for no bundle of the app", inner: nil,
      given: [(nil, wildcard), ("com.example.typo", share)],
      problems: ["profile.application-identifier error"], files: ["0"]),
    Row(
      name: "embedded", embedded: PlainProfile().bytes, innerEmbedded: share.bytes,
      files: ["PlugIns/Share.appex/embedded.mobileprovision", "embedded.mobileprovision"]),
    Row(
      name: "given before embedded", embedded: PlainProfile().bytes, innerEmbedded: share.bytes,
      given: [(nil, PlainProfile())],
      files: ["PlugIns/Share.appex/embedded.mobileprovision", "0"]),
    Row(
      name: "embedded for another app", inner: nil,
      embedded: PlainProfile(identifier: "TEAM.org.example").bytes,
      problems: ["profile.application-identifier error"], files: ["embedded.mobileprovision"]),
    Row(
      name: "embedded and no profile", inner: nil, embedded: Array("<html>".utf8),
      problems: ["profile.missing error", "profile.unreadable error"], files: [nil]),
    Row(
      name: "embedded and no profile, but one is given", inner: nil,
      embedded: Array("<html>".utf8), given: [(nil, wildcard)],
      problems: ["profile.unreadable note"], files: ["0"]),
    Row(
      name: "the last second", given: [(nil, wildcard)], date: "2027-06-01T00:00:00Z",
      problems: ["profile.expired error"], files: ["0", "0"]),
    Row(
      name: "a second before", given: [(nil, wildcard)], date: "2027-05-31T23:59:59Z",
      problems: ["profile.expires-soon warning"], files: ["0", "0"]),
    Row(
      name: "30 days", given: [(nil, wildcard)], date: "2027-05-02T00:00:00Z",
      problems: ["profile.expires-soon warning"], files: ["0", "0"]),
    Row(
      name: "a second more than 30 days", given: [(nil, wildcard)], date: "2027-05-01T23:59:59Z",
      files: ["0", "0"]),
    Row(
      name: "one that has not expired, though older",
      given: [
        (nil, PlainProfile(identifier: "TEAM.*", expires: "2026-11-01T00:00:00Z")),
        (nil, PlainProfile(identifier: "TEAM.*", created: "2020-01-01T00:00:00Z")),
      ], problems: ["profile.application-identifier note"], files: ["1", "1"]),
    Row(
      name: "a profile of the Apple TV",
      given: [(nil, PlainProfile(identifier: "TEAM.*", platform: "tvOS"))],
      problems: ["profile.platform error", "profile.platform error"], files: ["0", "0"]),
    Row(
      name: "code that does not say its platform", main: SmallMachO(platform: nil), inner: nil,
      given: [(nil, PlainProfile(platform: "OSX"))], files: ["0"]),
    Row(
      name: "a profile for watches is one of iOS", main: SmallMachO(platform: 4), inner: nil,
      given: [(nil, PlainProfile())], files: ["0"]),
    Row(
      name: "simulators need none", main: SmallMachO(platform: 7), inner: nil, files: [nil]),
    Row(
      name: "two teams",
      given: [
        (nil, PlainProfile()),
        (nil, PlainProfile(identifier: "OTHER.com.example.app.share", team: "OTHER")),
      ], problems: ["profile.team error"], files: ["1", "0"]),
    Row(
      name: "another team than wanted", given: [(nil, wildcard)], team: "OTHER",
      problems: ["profile.team error"], files: ["0", "0"]),
    Row(
      name: "of two the one of the team",
      given: [(nil, wildcard), (nil, PlainProfile(identifier: "OTHER.*", team: "OTHER"))],
      team: "OTHER", problems: ["profile.application-identifier note"], files: ["1", "1"]),
    Row(
      name: "entitlements that the signature has", main: SmallMachO(entitlements: dict(push)),
      inner: nil, given: [(nil, wildcard)], problems: ["entitlements.not-in-profile error"],
      files: ["0"]),
    Row(
      name: "entitlements that are wanted", inner: nil, given: [(nil, wildcard)], wanted: push,
      problems: ["entitlements.not-in-profile error"], files: ["0"]),
    Row(
      name: "entitlements that the profile has", inner: nil,
      given: [(nil, PlainProfile(more: push))], wanted: push, files: ["0"]),
    Row(
      name: "what is wanted outweighs what it has", main: SmallMachO(entitlements: dict(push)),
      inner: nil, given: [(nil, wildcard)], wanted: "<key>get-task-allow</key><true/>",
      files: ["0"]),
    Row(
      name: "no UUID", main: SmallMachO(uuid: nil), inner: nil,
      problems: ["executable.uuid warning", "profile.missing note"], files: [nil]),
    Row(
      name: "no UUID in an extension", inner: SmallMachO(uuid: nil),
      problems: ["profile.missing note"]),
    Row(
      name: "one UUID for two", inner: SmallMachO(),
      problems: ["executable.uuid warning", "profile.missing note"]),
    Row(
      name: "encrypted", main: SmallMachO(cryptID: 1), inner: nil,
      problems: ["executable.encrypted error", "profile.missing note"], files: [nil]),
  ]

  @Test(arguments: rows) func plan(row: Row) throws {
    let folder = try Self.write(row)
    var request = SigningRequest(date: try #require(PlistDate(iso8601: row.date)))
    request.team = row.team
    request.profiles = try row.given.enumerated().map { index, given in
      try given.profile.given(to: given.bundle, file: "\(index)")
    }
    if let wanted = row.wanted {
      request.entitlements = [
        SigningRequest.EntitlementsFile(
          file: "e", entitlements: try Entitlements(parsing: Array(Self.dict(wanted).utf8)))
      ]
    }
    let app = try folder.open()
    let plan = try Self.plan(app, request)
    #expect(plan.problems.map(Self.line).sorted() == row.problems, "\(plan.problems)")
    #expect(plan.steps.map { $0.profile?.file } == row.files)
    #expect(plan.steps.map(\.order) == Array(1...plan.steps.count))
    #expect(plan.main?.identifierToUse == Self.app)
    #expect(plan.warnings == [])
    for problem in plan.problems {
      #expect(!problem.message.contains("\n") && !problem.message.hasSuffix("."))
      if let file = problem.file, file != ".", file != "PlugIns/Share.appex" {
        #expect(app.member(at: file) != nil, "\(file)")
      }
    }
    // Whoever looks at the contents too gets the same plan.
    let signature = try AppSignature(of: app, objects: app.codeObjects())
    #expect(SigningPlan(app, request, signature: signature).problems == plan.problems)
  }

  /// The plan for an app of which nothing was hashed.
  static func plan(_ app: Application, _ request: SigningRequest) throws -> SigningPlan {
    var options = AppSignature.Options()
    options.checksContents = false
    return SigningPlan(
      app, request,
      signature: try AppSignature(of: app, objects: app.codeObjects(), options: options))
  }

  /// A level of its own, else that of the rule.
  private static func line(_ problem: SigningProblem) -> String {
    let warnings: Set<SigningRule> = [.executableUUID, .profileExpiresSoon]
    let level = problem.level?.rawValue ?? (warnings.contains(problem.rule) ? "warning" : "error")
    return "\(problem.rule.rawValue) \(level)"
  }

  private static func write(_ row: Row) throws -> AppFolder {
    let folder = try AppFolder()
    try folder.writeInfo("Info.plist", ["CFBundleIdentifier": app, "CFBundleExecutable": "App"])
    try folder.write("App", row.main.bytes, mode: 0o755)
    if let embedded = row.embedded { try folder.write("embedded.mobileprovision", embedded) }
    if let inner = row.inner {
      let path = "PlugIns/Share.appex/"
      try folder.writeInfo(
        path + "Info.plist",
        ["CFBundleIdentifier": row.innerIdentifier, "CFBundleExecutable": "Share"])
      try folder.write(path + "Share", inner.bytes, mode: 0o755)
      if let embedded = row.innerEmbedded {
        try folder.write(path + "embedded.mobileprovision", embedded)
      }
    }
    return folder
  }

  // MARK: Entitlements

  @Test func entitlementsToSignWith() throws {
    let groups = """
      <key>keychain-access-groups</key><array><string>TEAM.com.example.app</string></array>
      <key>application-identifier</key><string>OLD.com.example.app</string>
      """
    let row = Row(
      name: "", main: SmallMachO(entitlements: Self.dict(groups)), inner: SmallMachO(uuid: 2),
      given: [])
    let folder = try Self.write(row)
    try folder.writeInfo(
      "Frameworks/F.framework/Info.plist",
      ["CFBundleIdentifier": "f", "CFBundleExecutable": "F"])
    try folder.write(
      "Frameworks/F.framework/F", SmallMachO(entitlements: Self.dict(Self.push)).bytes)
    try folder.write("tool", SmallMachO(uuid: 9, entitlements: Self.dict(Self.push)).bytes)
    var request = SigningRequest(date: try #require(PlistDate(iso8601: Self.noon)))
    let star = "<key>keychain-access-groups</key><array><string>TEAM.*</string></array>"
    request.profiles = [
      try PlainProfile(identifier: "TEAM.*", more: star).given()
    ]
    let plan = try Self.plan(folder.open(), request)
    let found = Dictionary(
      plan.steps.map { ($0.object.path, $0.entitlements?.values.entries.map(\.key).sorted()) },
      uniquingKeysWith: { first, _ in first })
    let identity = ["application-identifier", "com.apple.developer.team-identifier"]
    #expect(found["."] == identity + ["keychain-access-groups"])
    #expect(found["PlugIns/Share.appex"] == identity + ["get-task-allow"])
    #expect(found["Frameworks/F.framework"] == .some(nil))
    #expect(found["tool"] == ["aps-environment"])
    #expect(plan.main?.entitlements?.applicationIdentifier == "TEAM.com.example.app")
    // No wildcard of the profile's gets into the app.
    let values = plan.steps.flatMap { $0.entitlements?.values.entries.map(\.value) ?? [] }
    #expect(!"\(values)".contains("*"))
  }

  // MARK: Certificates

  @Test func certificates() throws {
    let authority = try TestAuthority()
    let own = try Certificate(file: authority.certificate("leaf"))
    let other = try authority.certificate("expired")
    let folder = try Self.write(Row(name: "", inner: nil))
    func problems(
      _ listed: [[UInt8]], _ certificate: Certificate?
    ) throws -> [String] {
      var request = SigningRequest(date: try #require(PlistDate(iso8601: Self.noon)))
      request.certificate = certificate
      request.profiles = [try PlainProfile(certificates: listed).given()]
      return try Self.plan(folder.open(), request).problems.map(Self.line)
    }
    #expect(try problems([own.der], own) == [])
    #expect(try problems([other, own.der], own) == [])
    #expect(try problems([], own) == ["profile.certificate error"])
    #expect(try problems([other], own) == ["profile.certificate error"])
    #expect(try problems([], nil) == [])
  }

  // MARK: Hostile apps

  @Test(.timeLimit(.minutes(10))) func manyBundlesAndProfiles() throws {
    let folder = try AppFolder()
    let long = String(repeating: "a.", count: 32 << 10)
    try folder.writeInfo(
      "Info.plist", ["CFBundleIdentifier": Self.app, "CFBundleExecutable": "App"])
    try folder.write("App", SmallMachO().bytes, mode: 0o755)
    for index in 0..<2_000 {
      try folder.writeInfo(
        "PlugIns/\(index).appex/Info.plist", ["CFBundleIdentifier": "com.example.app.n\(index)"])
    }
    try folder.writeInfo("PlugIns/long.appex/Info.plist", ["CFBundleIdentifier": long + "a"])
    var request = SigningRequest(date: try #require(PlistDate(iso8601: Self.noon)))
    request.profiles = try (0..<200).map { index in
      try PlainProfile(
        identifier: index == 7
          ? "TEAM.\(long)*" : "TEAM.com.example.app.n\(index)\(index % 2 == 0 ? "" : ".*")"
      ).given(file: "\(index)")
    }
    let plan = try Self.plan(folder.open(), request)
    #expect(plan.steps.count == 2_002)
    #expect(plan.steps.count { $0.profile != nil } == 101)
    #expect(plan.problems.allSatisfy { $0.message.utf8.count < 2_000 })
    #expect(plan.problems.count { $0.rule == .profileMissing } == 1_901)
  }

  /// An app in an app in an app, names that look like ways out, and identifiers of odd types.
  @Test func oddTrees() throws {
    let folder = try AppFolder()
    var path = ""
    for depth in 0..<60 {
      try folder.write(
        path + "Info.plist",
        "<plist version=\"1.0\"><dict><key>CFBundleIdentifier</key><integer>\(depth)</integer></dict></plist>"
          .utf8)
      path += "a.app/"
    }
    try folder.link("b.app", to: ".")
    try folder.link("PlugIns", to: "..")
    try folder.writeInfo("..app/Info.plist", ["CFBundleExecutable": "../App"])
    try folder.writeInfo("e.appex/Info.plist", ["CFBundleExecutable": "/etc/passwd"])
    let request = SigningRequest(date: try #require(PlistDate(iso8601: Self.noon)))
    let plan = try Self.plan(folder.open(), request)
    #expect(plan.steps.last?.object.path == ".")
    #expect(plan.steps.allSatisfy { $0.object.executablePath == nil })
    #expect(plan.steps.first?.object.path.hasSuffix("a.app/a.app") == true)
  }
}
