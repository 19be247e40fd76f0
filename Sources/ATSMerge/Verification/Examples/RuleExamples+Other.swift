extension RuleExamples {
  private typealias Text = ExampleText

  static let localNetworkDescription = RuleExamples(
    wrong: RuleExample(
      "no text, and the host is local", Text.hub(Text.url("my-mac.local"))),
    right: RuleExample(
      "a reason that people can understand",
      Text.hub(Text.url("my-mac.local")) + "\n" + purpose))

  static let localNetworkType = RuleExamples(
    wrong: RuleExample(
      "one string for a list of services",
      "<key>NSBonjourServices</key><string>_http._tcp</string>"),
    right: RuleExample(
      "a list of one",
      """
      <key>NSBonjourServices</key>
      <array><string>_http._tcp</string></array>
      """))

  static let localNetworkLocalized = RuleExamples(
    wrong: RuleExample(
      "an empty translation", purpose,
      .strings("NSLocalNetworkUsageDescription = \"\";", language: "de")),
    right: RuleExample(
      "a translation", purpose,
      .strings("NSLocalNetworkUsageDescription = \"Findet deinen Mac\";", language: "de")))

  static let localNetworkNested = RuleExamples(
    wrong: RuleExample(
      "the text in an extension", "", .nested(purpose, at: "PlugIns/Share.appex/Info.plist")),
    right: RuleExample(
      "the text in the app", purpose,
      .nested(
        "<key>CFBundleIdentifier</key><string>com.example.demo.share</string>",
        at: "PlugIns/Share.appex/Info.plist")))

  static let changeUnexpected = RuleExamples(
    wrong: RuleExample(
      "the name changed too",
      "<key>CFBundleName</key><string>Demo2</string>\n" + Text.hub(Text.url("[2001:db8::10]"))
        + "\n" + Text.domains(Text.entry("2001:db8::10")),
      .original("<key>CFBundleName</key><string>Demo</string>"),
      .options(["--before", "Original.ipa"])),
    right: RuleExample(
      "what 'inject' adds, and nothing else",
      "<key>CFBundleName</key><string>Demo</string>\n" + Text.hub(Text.url("[2001:db8::10]"))
        + "\n" + Text.domains(Text.entry("2001:db8::10")),
      .original("<key>CFBundleName</key><string>Demo</string>"),
      .options(["--before", "Original.ipa"])))

  private static let purpose = """
    <key>NSLocalNetworkUsageDescription</key>
    <string>Finds your Mac to update this app</string>
    """
}
