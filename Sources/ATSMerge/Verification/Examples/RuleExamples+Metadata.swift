extension RuleExamples {
  private typealias Text = ExampleText

  static let metadataAbsent = RuleExamples(
    wrong: RuleExample(
      "nothing was injected",
      "<key>CFBundleIdentifier</key><string>com.example.demo</string>"),
    right: RuleExample(
      "the dictionary that an update client reads", Text.hub(Text.url("my-mac.local"))))

  static let metadataType = RuleExamples(
    wrong: RuleExample(
      "an integer for the team",
      Text.hub(
        Text.url("my-mac.local"),
        more: """
          <key>source</key><string>gh:example/demo</string>
          <key>team</key><integer>1234567890</integer>
          """)),
    right: RuleExample(
      "every field is a string",
      Text.hub(
        Text.url("my-mac.local"),
        more: """
          <key>source</key><string>gh:example/demo</string>
          <key>team</key><string>1234567890</string>
          """)))

  static let metadataUpdateURLEmpty = RuleExamples(
    wrong: RuleExample("a list without URLs", Text.hub()),
    right: RuleExample("one URL", Text.hub(Text.url("my-mac.local"))))

  static let metadataUpdateURLInvalid = RuleExamples(
    wrong: RuleExample(
      "an IPv6 address without brackets",
      Text.hub("http://fd00::10:19464/api/app/\(Text.id)/update")),
    right: RuleExample(
      "the address in brackets, then the port", Text.hub(Text.url("[fd00::10]"))))

  static let metadataUpdateURLMixed = RuleExamples(
    wrong: RuleExample(
      "the second URL is left from an older installation",
      Text.hub(Text.url("my-mac.local"), Text.url("192.168.1.10", id: Text.otherID))),
    right: RuleExample(
      "one installation at two destinations",
      Text.hub(Text.url("my-mac.local"), Text.url("192.168.1.10"))))

  static let metadataUpdateURLDuplicate = RuleExamples(
    wrong: RuleExample(
      "one address in two spellings",
      Text.hub(Text.url("[fd00::10]"), Text.url("[fd00:0:0::10]"))),
    right: RuleExample(
      "two destinations", Text.hub(Text.url("[fd00::10]"), Text.url("192.168.1.10"))))

  static let metadataUpdateURLRelease = RuleExamples(
    wrong: RuleExample(
      "the channel in the query", Text.hub(Text.url("my-mac.local", query: "?release=latest"))),
    right: RuleExample(
      "the channel in the dictionary",
      Text.hub(
        Text.url("my-mac.local"),
        more: """
          <key>source</key><string>gh:example/demo</string>
          <key>release</key><string>latest</string>
          """)))

  static let metadataUpdateURLUnreachable = RuleExamples(
    wrong: RuleExample(
      "loopback: the device would ask itself", Text.hub(Text.url("127.0.0.1"))),
    right: RuleExample("an address of the LAN", Text.hub(Text.url("192.168.1.10"))))

  static let metadataUpdateURLQuery = RuleExamples(
    wrong: RuleExample(
      "another source in the URL",
      Text.hub(Text.url("my-mac.local", query: "?source=gh%3Aexample%2Fother"))),
    right: RuleExample(
      "the dictionary's source in the URL",
      Text.hub(Text.url("my-mac.local", query: "?source=gh%3Aexample%2Fdemo"))))

  static let metadataUpdateURLLegacy = RuleExamples(
    wrong: RuleExample(
      "the path of older installations", Text.hub("http://my-mac.local:19464/update/\(Text.id)")),
    right: RuleExample("the present path", Text.hub(Text.url("my-mac.local"))))

  static let metadataSourceMissing = RuleExamples(
    wrong: RuleExample("no source", Text.hub(Text.url("my-mac.local"), more: "")),
    right: RuleExample("a repository", Text.hub(Text.url("my-mac.local"))))

  static let metadataRelease = RuleExamples(
    wrong: RuleExample(
      "a tag for a channel",
      Text.hub(
        Text.url("my-mac.local"),
        more: """
          <key>source</key><string>gh:example/demo</string>
          <key>release</key><string>v1.2.0</string>
          """)),
    right: RuleExample(
      "a channel",
      Text.hub(
        Text.url("my-mac.local"),
        more: """
          <key>source</key><string>gh:example/demo</string>
          <key>release</key><string>pre-release</string>
          """)))

  static let metadataNested = RuleExamples(
    wrong: RuleExample(
      "in an extension", "",
      .nested(Text.hub(Text.url("my-mac.local")), at: "PlugIns/Share.appex/Info.plist")),
    right: RuleExample(
      "in the app alone", Text.hub(Text.url("my-mac.local")),
      .nested(
        "<key>CFBundleIdentifier</key><string>com.example.demo.share</string>",
        at: "PlugIns/Share.appex/Info.plist")))

  static let metadataUnknownKey = RuleExamples(
    wrong: RuleExample(
      "a field that no client reads",
      Text.hub(
        Text.url("my-mac.local"),
        more: """
          <key>source</key><string>gh:example/demo</string>
          <key>channel</key><string>beta</string>
          """)),
    right: RuleExample("the contract's fields", Text.hub(Text.url("my-mac.local"))))
}
