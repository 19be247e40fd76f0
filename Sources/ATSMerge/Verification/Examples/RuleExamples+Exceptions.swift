extension RuleExamples {
  private typealias Text = ExampleText

  static let atsExceptionMissing = RuleExamples(
    wrong: RuleExample(
      "NSAllowsLocalNetworking covers no Tailscale address",
      Text.hub(Text.url("100.64.0.12")) + "\n"
        + Text.transport("<key>NSAllowsLocalNetworking</key><true/>")),
    right: RuleExample(
      "an entry for the very host",
      Text.hub(Text.url("100.64.0.12")) + "\n" + Text.domains(Text.entry("100.64.0.12"))))

  static let atsExceptionDenied = RuleExamples(
    wrong: RuleExample(
      "the entry names a version of TLS and says nothing of HTTP",
      Text.hub(Text.url("my-mac.local")) + "\n"
        + Text.domains(
          Text.entry(
            "my-mac.local", "<key>NSExceptionMinimumTLSVersion</key><string>TLSv1.0</string>"))),
    right: RuleExample(
      "the entry allows insecure loads",
      Text.hub(Text.url("my-mac.local")) + "\n" + Text.domains(Text.entry("my-mac.local"))))

  static let atsDestinationDenied = RuleExamples(
    wrong: RuleExample(
      "the entry of a name says nothing of the host's address",
      Text.domains(Text.entry("nas.example.com")), .options(["--destination", "192.168.1.20"])),
    right: RuleExample(
      "the address has an entry",
      Text.domains(Text.entry("192.168.1.20")), .options(["--destination", "192.168.1.20"])))

  static let atsExceptionHTTPS = RuleExamples(
    wrong: RuleExample(
      "the host is only reached by HTTPS",
      Text.hub("https://updates.example.com/api/app/\(Text.id)/update") + "\n"
        + Text.domains(Text.entry("updates.example.com"))),
    right: RuleExample(
      "no entry", Text.hub("https://updates.example.com/api/app/\(Text.id)/update")))

  static let atsAddressOldOS = RuleExamples(
    wrong: RuleExample(
      "the app also runs on iOS 15",
      "<key>MinimumOSVersion</key><string>15.0</string>\n"
        + Text.domains(Text.entry("192.168.1.10"))),
    right: RuleExample(
      "iOS 17 reads addresses",
      "<key>MinimumOSVersion</key><string>17.0</string>\n"
        + Text.domains(Text.entry("192.168.1.10"))))
}
