import NetDiscovery
import PlistKit
import Testing

@testable import ATSMerge

@Suite struct RuleTests {
  /// An input of a rule, wrong or right.
  struct Example: Sendable, CustomTestStringConvertible {
    let rule: String
    let name: String
    let subject: VerificationSubject
    /// What each finding must mention; empty where there must be none.
    let mentions: [String]

    var testDescription: String { "\(rule): \(name)" }

    init(
      _ rule: String, _ name: String, _ root: PlistValue, _ mentions: [String] = [],
      _ adjust: (inout VerificationSubject) -> Void = { _ in }
    ) {
      self.rule = rule
      self.name = name
      self.mentions = mentions
      var subject = VerificationSubject(
        infoPlist: root, infoPlistPath: "Payload/Demo.app/Info.plist")
      subject.mainBundle = RuleTests.bundle("", .app, root)
      adjust(&subject)
      self.subject = subject
    }
  }

  /// Metadata of these URL texts.
  static func metadata(_ urls: PlistValue, _ more: PlistDictionary = PlistDictionary())
    -> PlistValue
  {
    var hub = PlistDictionary([("updateURL", urls), ("source", "gh:example/demo")])
    for entry in more.entries { hub[entry.key] = entry.value }
    return dictionary("IPAHub", .dictionary(hub))
  }

  static func metadata(_ hosts: String...) -> PlistValue {
    metadata(.array(hosts.map { .string(urlText($0)) }))
  }

  /// An app for some platforms.
  static func on(_ platforms: PlistValue, _ root: PlistValue) -> PlistValue {
    var root = root.dictionary ?? PlistDictionary()
    root["CFBundleSupportedPlatforms"] = platforms
    return .dictionary(root)
  }

  /// Metadata of a host beside these settings.
  static func app(
    _ host: String, _ settings: PlistValue, _ more: [(String, PlistValue)] = []
  ) -> PlistValue {
    var root = metadata(host).dictionary ?? PlistDictionary()
    root["NSAppTransportSecurity"] = settings
    for (key, value) in more { root[key] = value }
    return .dictionary(root)
  }

  static func app(_ host: String, domains: PlistValue) -> PlistValue {
    app(host, dictionary("NSExceptionDomains", domains))
  }

  static let ready = app(
    "my-mac.local", dictionary("NSExceptionDomains", ["my-mac.local": allowed]),
    [("NSLocalNetworkUsageDescription", "Finds your Mac")])

  static let examples: [Example] =
    metadataExamples + exceptionExamples + transportExamples + otherExamples + bundleExamples

  static func nested(_ root: PlistValue) -> VerificationSubject.Bundle {
    bundle("PlugIns/Share.appex", .appExtension, root)
  }

  /// A bundle at a path in the app, with an executable.
  static func bundle(
    _ path: String, _ kind: VerificationSubject.Bundle.Kind, _ root: PlistValue,
    _ executable: VerificationSubject.Bundle.Executable = .present
  ) -> VerificationSubject.Bundle {
    let place = "Payload/Demo.app" + (path.isEmpty ? "" : "/\(path)")
    return .init(
      path: place, kind: kind, infoPlistPath: place + "/Info.plist", infoPlist: .read(root),
      executable: executable)
  }

  static func destination(_ text: String) -> Destination {
    guard let destination = try? Destination(parsing: text, defaultPort: 80) else {
      preconditionFailure("the example '\(text)' is no destination")
    }
    return destination
  }

  @Test(arguments: examples) func finds(_ example: Example) {
    let findings = RuleTable.findings(in: example.subject).filter { $0.rule == example.rule }
    #expect(findings.isEmpty == example.mentions.isEmpty, "\(findings.map(\.message))")
    for mention in example.mentions {
      let isMentioned = findings.contains {
        $0.message.contains(mention) || $0.path?.description.contains(mention) == true
          || $0.file?.contains(mention) == true
      }
      #expect(isMentioned, "\(findings.map(\.message))")
    }
    #expect(!findings.contains { $0.message.contains(id.prefix(5)) }, "the ID must stay hidden")
  }

  /// The rules whose examples are the contents of an app. Those of the others are runs of the program,
  /// which the tests of the program make.
  static let rulesWithApps = RuleTable.rules.filter { $0.examples.wrong.commands == nil }.map(\.id)

  /// The examples that `--explain` and the documentation show, run through their rules.
  @Test(arguments: rulesWithApps) func examplesThatAreShownHold(_ id: String) throws {
    let examples = try #require(RuleTable.rule(id)?.examples)
    func found(in example: RuleExample) throws -> [String] {
      let subject = try example.subject()
      #expect(RuleTable.applicable(to: subject).contains { $0.id == id })
      return RuleTable.findings(in: subject).filter { $0.rule == id }.map(\.message)
    }
    #expect(try !found(in: examples.wrong).isEmpty)
    #expect(try found(in: examples.right) == [])
  }

  /// A right example is not wrong in another way: only what it does not deal with may be missing.
  @Test(arguments: rulesWithApps)
  func rightExamplesBreakNoOtherRule(_ id: String) throws {
    let example = try #require(RuleTable.rule(id)?.examples.right)
    let unmentioned: Set = [
      "metadata.absent", "local-network.description", "ats.exception.missing",
    ]
    let others = RuleTable.findings(in: try example.subject()).filter {
      $0.level == .error && !unmentioned.contains($0.rule)
        && !($0.rule == "ats.destination.denied" && $0.path == ATSKey.domainsPath)
    }
    #expect(others.map(\.message) == [])
  }

  @Test(arguments: RuleTable.rules.map(\.id)) func rulesSayWhatTheyAreAbout(_ id: String) throws {
    let rule = try #require(RuleTable.rule(id))
    #expect(!rule.tasks.isEmpty)
    #expect(!rule.summary.isEmpty && !rule.help.isEmpty && !rule.help.contains("\n"))
    for example in [rule.examples.wrong, rule.examples.right] {
      #expect(!example.caption.isEmpty && !example.caption.contains("\n"))
      for block in example.blocks {
        #expect(!block.text.isEmpty && !block.text.contains(ExampleText.id))
      }
    }
  }

  @Test func rulesThatDoNotRunAreToldWithTheReason() {
    var settings = RuleSettings()
    settings.disabled = ["metadata.absent", "signature.code"]
    let bare = VerificationSubject(infoPlist: [:], infoPlistPath: "Info.plist")
    func reasons(_ subject: VerificationSubject) -> [String: UnrunRule.Reason] {
      Dictionary(
        uniqueKeysWithValues: RuleTable.notRun(for: subject, settings: settings).map {
          ($0.rule.id, $0.reason)
        })
    }
    #expect(reasons(bare)["metadata.absent"] == .disabled)
    #expect(reasons(bare)["signature.code"] == .disabled)
    #expect(reasons(bare)["signature.missing"] == .noApp)
    #expect(reasons(bare)["profile.missing"] == nil)
    #expect(reasons(bare)["change.unexpected"] == .noOriginal)
    #expect(reasons(bare)["bundle.version"] == .noApp)
    #expect(reasons(bare)["metadata.type"] == nil)
    var whole = bare
    whole.mainBundle = Self.bundle("", .app, [:])
    whole.compare([:])
    #expect(reasons(whole)["bundle.version"] == nil)
    #expect(reasons(whole)["change.unexpected"] == nil)
    #expect(reasons(whole)["signature.info-plist"] == .leftAlone)
    var code = whole
    code.signing = VerificationSubject.Signing(problems: [])
    #expect(reasons(code)["signature.info-plist"] == nil)
    #expect(reasons(code)["signature.missing"] == .notAsked)
    code.signing?.isRequired = true
    #expect(reasons(code)["signature.missing"] == nil)
    var planned = code
    planned.task = .plan
    #expect(reasons(planned)["metadata.absent"] == nil)
    #expect(RuleTable.applicable(to: planned).contains { $0.id == "profile.missing" })
    for subject in [bare, whole, code, planned] {
      let run = RuleTable.applicable(to: subject, settings: settings).map(\.id)
      #expect(Set(run).isDisjoint(with: reasons(subject).keys))
      #expect(run.count + reasons(subject).count == RuleTable.rules(for: subject.task).count)
    }
  }

  @Test func ofOneRuleOnlySoManyFindingsAreListed() {
    let domains = (0...RuleTable.mostFindings).map { ("h\($0).example:80", allowed) }
    let root = infoPlist(domains: .dictionary(PlistDictionary(domains)))
    func found(_ root: PlistValue) -> [Finding] {
      RuleTable.findings(in: VerificationSubject(infoPlist: root, infoPlistPath: "Info.plist"))
        .filter { $0.rule == "ats.key.form" }
    }
    #expect(found(root).count == RuleTable.mostFindings + 1)
    #expect(found(root).last?.message == "1 more of the same rule")
    #expect(found(root).last?.level == .warning)
    let one = infoPlist(domains: .dictionary(PlistDictionary(domains.dropLast())))
    #expect(found(one).count == RuleTable.mostFindings)
    // The level of what is not listed is not lost.
    let hidden = root.with("IPAHub", Self.metadata("h\(RuleTable.mostFindings).example")["IPAHub"])
    #expect(found(hidden).last?.level == .error)
  }

  @Test func idsAreUnique() {
    #expect(Set(RuleTable.rules.map(\.id)).count == RuleTable.rules.count)
  }

  @Test func aPreparedAppHasNoFindings() throws {
    let prepared = try document([:]).preparing(
      injection("my-mac.local", "192.168.1.10", "[fd00::10]"))
    var subject = VerificationSubject(
      infoPlist: prepared.document.root, infoPlistPath: "Info.plist")
    subject.compare([:])
    #expect(RuleTable.findings(in: subject).isEmpty)
  }

  @Test func aKeyMeantForAnUpdateHostIsAnError() {
    let subject = VerificationSubject(
      infoPlist: Self.app("192.168.1.10", domains: ["192.168.1.10:19464": allowed]),
      infoPlistPath: "Info.plist")
    let finding = RuleTable.findings(in: subject).first { $0.rule == "ats.key.form" }
    #expect(finding?.level == .error)
  }

  @Test func levelsAndSwitchesAreHonoured() {
    let subject = VerificationSubject(infoPlist: [:], infoPlistPath: "Info.plist")
    var settings = RuleSettings()
    settings.levels["metadata.absent"] = .note
    #expect(RuleTable.findings(in: subject, settings: settings).map(\.level) == [.note])
    settings.disabled = ["metadata.absent"]
    #expect(RuleTable.findings(in: subject, settings: settings).isEmpty)
  }

  /// As many domains, URLs, ranges and strange keys as a file of a few megabytes can hold: the time
  /// must not grow with their product.
  @Test(.timeLimit(.minutes(1))) func manyOfEverythingAreJudged() throws {
    let count = 2_000
    let address = { (n: Int) in "10.1.\(n / 250).\(n % 250)" }
    let urls: [PlistValue] = (0..<count).map { .string(urlText(address($0))) }
    var entries: [(String, PlistValue)] = (0..<count).map { (address($0), allowed) }
    entries += (0..<count).map { ("10.2.\($0 / 250).\($0 % 250)/24", allowed) }
    var settings = PlistDictionary(
      (0..<count).map {
        ("NSSomeKeyThatNobodyKnows\($0)" + String(repeating: "x", count: 90), true)
      })
    settings["NSExceptionDomains"] = .dictionary(PlistDictionary(entries))
    let root = Self.metadata(.array(urls)).with("NSAppTransportSecurity", .dictionary(settings))
    var subject = VerificationSubject(infoPlist: root, infoPlistPath: "Info.plist")
    subject.compare([:])
    let findings = RuleTable.findings(in: subject)
    #expect(findings.count { $0.rule == "ats.unknown-key" } == RuleTable.mostFindings + 1)
    #expect(!findings.contains { $0.rule == "ats.exception.missing" })
    let stripped = try document(root).stripping()
    #expect(stripped.document.root[ATSKey.domainsPath]?.dictionary?.count == count)
    let again = try document(root).preparing(injection("my-mac.local"))
    #expect(again.notes.count == 1)
  }
}

extension VerificationSubject {
  mutating func compare(
    _ original: PlistValue, _ members: [(path: String, message: String)] = []
  ) {
    comparison = Comparison(original: original, memberDifferences: members)
  }
}

extension PlistValue {
  subscript(key: String) -> PlistValue? { dictionary?[key] }

  func with(_ key: String, _ value: PlistValue?) -> PlistValue {
    var dictionary = dictionary ?? PlistDictionary()
    dictionary[key] = value
    return .dictionary(dictionary)
  }

  func adding(domain: String) -> PlistValue {
    (try? setting(allowed, at: ATSKey.path(domain: domain))) ?? .null
  }
}

extension String {
  var bracketed: String { "[\(self)]" }
}
