import ATSMerge
import NetDiscovery
import PlistKit
import Testing

@testable import ipa_inject

/// Configuration files. The table of right and wrong ones is Tests/scripts/checklib/configcases.py, where
/// the JSON Schema judges them too.
@Suite struct ConfigurationTests {
  private static func configuration(_ text: String) throws -> Configuration {
    try Configuration(parsing: Array(text.utf8), path: ".ipa-inject.json")
  }

  @Test func readsEverything() throws {
    let configuration = try Self.configuration(
      """
      {"$schema": "s", "rules": {"metadata.absent": "off", "ats.key.form": "note"},
       "failOn": "warning", "destinations": ["h.local", "https://e.example"], "os": "ios16"}
      """)
    #expect(configuration.path == ".ipa-inject.json")
    #expect(configuration.disabled == ["metadata.absent"])
    #expect(configuration.levels == ["ats.key.form": .note])
    #expect(configuration.failOn == .warning)
    #expect(configuration.destinations.map(\.port) == [19464, 443])
    #expect(configuration.os == .os10)
  }

  @Test func errorsNameTheirPlace() {
    let errors = [
      ("{\"rules\": {\"ats.key.from\": \"off\"}}", "/rules/ats.key.from"),
      ("{\"destinations\": [1]}", "/destinations/0"), ("{\n\"os\" 1}", "line 2, column 6"),
    ]
    for (text, place) in errors {
      let failure = #expect(throws: Failure.self) { try Self.configuration(text) }
      #expect(failure?.status == .badInput)
      #expect(failure?.file == ".ipa-inject.json")
      #expect(failure?.place?.hasPrefix(place) == true, "\(failure?.place ?? "none")")
    }
  }

  private static let base: Configuration = {
    var configuration = Configuration()
    configuration.path = "c.json"
    configuration.levels = ["ats.key.form": .note, "metadata.type": .warning]
    configuration.disabled = ["metadata.absent", "ats.misplaced"]
    configuration.failOn = .note
    configuration.os = .os9
    return configuration
  }()

  @Test func itCountsWhereOptionsSayNothing() {
    let settings = VerifySettings(Self.base, options: VerifyOptions())
    #expect(settings.rules.levels == Self.base.levels)
    #expect(settings.rules.disabled == Self.base.disabled)
    #expect(settings.offByConfig == Self.base.disabled)
    #expect(settings.failOn == .note)
    #expect(settings.os == .os9)
    #expect(settings.config == "c.json")
  }

  @Test func optionsWeighMore() {
    var options = VerifyOptions()
    options.rules.levels = ["metadata.absent": .error, "ats.key.form": .error]
    options.rules.disabled = ["ats.unknown-key"]
    options.failOn = .error
    options.os = .os17
    let settings = VerifySettings(Self.base, options: options)
    #expect(
      settings.rules.levels == [
        "metadata.absent": .error, "ats.key.form": .error, "metadata.type": .warning,
      ])
    #expect(settings.rules.disabled == ["ats.misplaced", "ats.unknown-key"])
    #expect(settings.offByConfig == ["ats.misplaced"])
    #expect(settings.failOn == .error)
    #expect(settings.os == .os17)
  }
}
