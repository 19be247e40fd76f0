extension RuleExamples {
  private typealias Text = ExampleText

  static let atsKeyForm = RuleExamples(
    wrong: RuleExample("a port in the key", Text.domains(Text.entry("192.168.1.10:19464"))),
    right: RuleExample("the address alone", Text.domains(Text.entry("192.168.1.10"))))

  static let atsValueType = RuleExamples(
    wrong: RuleExample(
      "a string for a boolean",
      Text.domains(
        Text.entry(
          "my-mac.local", "<key>NSExceptionAllowsInsecureHTTPLoads</key><string>YES</string>"))),
    right: RuleExample("a boolean", Text.domains(Text.entry("my-mac.local"))))

  static let atsMisplaced = RuleExamples(
    wrong: RuleExample(
      "exception domains at the top",
      Text.dictionary("NSExceptionDomains", Text.entry("my-mac.local"))),
    right: RuleExample(
      "exception domains in NSAppTransportSecurity", Text.domains(Text.entry("my-mac.local"))))

  static let atsUnknownKey = RuleExamples(
    wrong: RuleExample(
      "a letter is missing", Text.transport("<key>NSAllowsArbitaryLoads</key><true/>")),
    right: RuleExample(
      "a key that the system knows", Text.transport("<key>NSAllowsLocalNetworking</key><true/>")))

  static let atsLegacyKey = RuleExamples(
    wrong: RuleExample(
      "a name from the betas of iOS 9",
      Text.domains(
        Text.entry(
          "my-mac.local", "<key>NSTemporaryExceptionAllowsInsecureHTTPLoads</key><true/>"))),
    right: RuleExample("its present name", Text.domains(Text.entry("my-mac.local"))))

  static let atsArbitraryLoads = RuleExamples(
    wrong: RuleExample(
      "off for every host", Text.transport("<key>NSAllowsArbitraryLoads</key><true/>")),
    right: RuleExample("off for one host", Text.domains(Text.entry("my-mac.local"))))

  static let atsArbitraryLoadsIgnored = RuleExamples(
    wrong: RuleExample(
      "the second key switches the first one off, whatever its value",
      Text.transport(
        """
        <key>NSAllowsArbitraryLoads</key><true/>
        <key>NSAllowsLocalNetworking</key><false/>
        """)),
    right: RuleExample(
      "one of the two", Text.transport("<key>NSAllowsLocalNetworking</key><true/>")))

  static let atsArbitraryLoadsNarrowed = RuleExamples(
    wrong: RuleExample(
      "the entry outweighs the app-wide setting",
      Text.hub(Text.url("my-mac.local")) + "\n"
        + Text.transport(
          "<key>NSAllowsArbitraryLoads</key><true/>\n"
            + Text.dictionary("NSExceptionDomains", Text.entry("my-mac.local")))),
    right: RuleExample(
      "no app-wide setting",
      Text.hub(Text.url("my-mac.local")) + "\n" + Text.domains(Text.entry("my-mac.local"))))

  static let atsPinnedMisplaced = RuleExamples(
    wrong: RuleExample(
      "pins in an exception",
      Text.domains(Text.entry("example.com", pins))),
    right: RuleExample(
      "pins in NSPinnedDomains",
      Text.transport(
        Text.dictionary("NSPinnedDomains", Text.entry("example.com", pins)))))

  private static let pins = """
    <key>NSPinnedLeafIdentities</key>
    <array>
      <dict>
        <key>SPKI-SHA256-BASE64</key>
        <string>r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E=</string>
      </dict>
    </array>
    """
}
