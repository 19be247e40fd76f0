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

  static let webAppBoundDomains = RuleExamples(
    wrong: RuleExample(
      "eleven domains, of which WebKit reads ten",
      """
      <key>WKAppBoundDomains</key>
      <array>
        <string>a.example</string><string>b.example</string><string>c.example</string>
        <string>d.example</string><string>e.example</string><string>f.example</string>
        <string>g.example</string><string>h.example</string><string>i.example</string>
        <string>j.example</string><string>k.example</string>
      </array>
      """),
    right: RuleExample(
      "one domain",
      """
      <key>WKAppBoundDomains</key>
      <array><string>example.com</string></array>
      """))

  static let changeUnexpected = RuleExamples(
    wrong: RuleExample(
      "the name changed too", name("Demo2") + "\n" + injected, .original(name("Demo")),
      .options(["--before", "Original.ipa"])),
    right: RuleExample(
      "what 'inject' adds, and nothing else", name("Demo") + "\n" + injected,
      .original(name("Demo")), .options(["--before", "Original.ipa"])))

  private static func name(_ text: String) -> String {
    "<key>CFBundleName</key><string>\(text)</string>"
  }

  private static let injected =
    Text.hub(Text.url("[2001:db8::10]")) + "\n" + Text.domains(Text.entry("2001:db8::10"))

  private static let purpose = """
    <key>NSLocalNetworkUsageDescription</key>
    <string>Finds your Mac to update this app</string>
    """
}
