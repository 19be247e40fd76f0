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
    metadataExamples + exceptionExamples + transportExamples + otherExamples

  static func nested(_ root: PlistValue) -> VerificationSubject.NestedInfoPlist {
    let path = "Payload/Demo.app/PlugIns/Share.appex"
    return .init(bundlePath: path, path: path + "/Info.plist", isExtension: true, root: root)
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

  @Test func everyRuleHasAWrongAndARightExample() {
    for rule in RuleTable.rules {
      let examples = Self.examples.filter { $0.rule == rule.id }
      #expect(examples.contains { $0.mentions.isEmpty }, "\(rule.id)")
      #expect(examples.contains { !$0.mentions.isEmpty }, "\(rule.id)")
    }
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
    #expect(findings.count { $0.rule == "ats.unknown-key" } == count)
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
  func with(_ key: String, _ value: PlistValue) -> PlistValue {
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
