/// Runs of the program on the sample app Harbor, since what is wrong here is in binary files.
extension RuleExamples {
  static let executableUUID = RuleExamples(
    wrong: RuleExample("linked with -no_uuid", commands: "ipa-inject plan NoUUID.app"),
    right: RuleExample("linked as usual", commands: "ipa-inject plan Harbor.app"))

  static let executableEncrypted = RuleExamples(
    wrong: RuleExample("an app from the App Store", commands: "ipa-inject plan Encrypted.app"),
    right: RuleExample("a build of one's own", commands: "ipa-inject plan Harbor.app"))

  static let signatureMissing = RuleExamples(
    wrong: RuleExample("never signed", commands: "ipa-inject verify Harbor.app --signed"),
    right: RuleExample("signed", commands: "\(sign)\nipa-inject verify Signed.app --signed"))

  static let signatureInfoPlist = RuleExamples(
    wrong: RuleExample(
      "edited after signing",
      commands: """
        \(sign)
        ipa-inject plist set Signed.app /CFBundleVersion --string 2 --in-place
        ipa-inject verify Signed.app
        """),
    right: RuleExample(
      "edited, then signed",
      commands: """
        ipa-inject plist set Harbor.app /CFBundleVersion --string 2 --in-place
        \(sign)
        ipa-inject verify Signed.app
        """))

  static let signatureResources = RuleExamples(
    wrong: RuleExample(
      "a file that came after signing",
      commands: "\(sign)\necho later > Signed.app/notes.txt\nipa-inject verify Signed.app"),
    right: RuleExample(
      "a file that was there before",
      commands: "echo earlier > Harbor.app/notes.txt\n\(sign)\nipa-inject verify Signed.app"))

  static let signatureCode = RuleExamples(
    wrong: RuleExample(
      "a byte of the code was changed",
      commands: """
        \(sign)
        printf x | dd of=Signed.app/Harbor bs=1 seek=16380 conv=notrunc
        ipa-inject verify Signed.app
        """),
    right: RuleExample("code as it was signed", commands: "\(sign)\nipa-inject verify Signed.app"))

  static let profileMissing = RuleExamples(
    wrong: RuleExample(
      "the extension has none", files: [profile: settings("ABCDE12345.com.example.harbor")],
      commands: plan),
    right: RuleExample("a wildcard covers both", files: [profile: settings()], commands: plan))

  static let profileUnreadable = RuleExamples(
    wrong: RuleExample(
      "a page of an error in its place",
      commands: "echo '<html>' > Harbor.app/embedded.mobileprovision\nipa-inject plan Harbor.app"),
    right: RuleExample(
      "a profile", files: [profile: settings()],
      commands: "cp \(profile) Harbor.app/embedded.mobileprovision\nipa-inject plan Harbor.app"))

  static let profileExpired = RuleExamples(
    wrong: RuleExample(
      "expired in January", files: [profile: settings()],
      commands: plan(on: "2027-02-01T00:00:00Z")),
    right: RuleExample("three months left", files: [profile: settings()], commands: plan))

  static let profileExpiresSoon = RuleExamples(
    wrong: RuleExample(
      "two weeks left", files: [profile: settings()], commands: plan(on: "2026-12-18T00:00:00Z")),
    right: RuleExample("three months left", files: [profile: settings()], commands: plan))

  static let profileApplicationIdentifier = RuleExamples(
    wrong: RuleExample(
      "'harb*' is no whole label", files: [profile: settings("ABCDE12345.com.example.harb*")],
      commands: "ipa-inject plan Harbor.app -m com.example.harbor=\(profile)"),
    right: RuleExample(
      "a wildcard of whole labels", files: [profile: settings("ABCDE12345.com.example.*")],
      commands: "ipa-inject plan Harbor.app -m com.example.harbor=\(profile)"))

  static let profilePlatform = RuleExamples(
    wrong: RuleExample(
      "a profile for tvOS", files: [profile: settings(platform: "tvOS")], commands: plan),
    right: RuleExample("one for iOS", files: [profile: settings()], commands: plan))

  static let profileCertificate = RuleExamples(
    wrong: RuleExample(
      "made for another certificate", files: [profile: settings()],
      commands: "\(certificate)\n\(plan) --certificate cert.pem"),
    right: RuleExample(
      "it lists the certificate", files: [profile: settings()],
      commands: """
        \(certificate)
        ipa-inject plist set \(profile) /DeveloperCertificates/0 --in-place \
        --data "$(openssl x509 -in cert.pem -outform DER | base64 -w 0)"
        \(plan) --certificate cert.pem
        """))

  static let profileTeam = RuleExamples(
    wrong: RuleExample(
      "a profile of another team", files: [profile: settings()],
      commands: "\(plan) --team ZYXWV98765"),
    right: RuleExample(
      "of that team", files: [profile: settings()], commands: "\(plan) --team ABCDE12345"))

  static let entitlementsNotInProfile = RuleExamples(
    wrong: RuleExample(
      "push notifications are not in the profile",
      files: [profile: settings(), entitlements: push],
      commands: "\(plan) -e com.example.harbor=\(entitlements)"),
    right: RuleExample(
      "they are", files: [profile: settings(more: push), entitlements: push],
      commands: "\(plan) -e com.example.harbor=\(entitlements)"))

  private static let sign = "ipa-inject sign Harbor.app -o Signed.app --signer adhoc"
  private static let profile = "Harbor.mobileprovision"
  private static let entitlements = "Harbor.entitlements"
  private static let push = "<key>aps-environment</key><string>development</string>"
  private static let plan = plan(on: "2026-10-01T00:00:00Z")
  private static let certificate = """
    openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -subj /CN=Harbor
    """

  private static func plan(on date: String) -> String {
    "ipa-inject plan Harbor.app -m \(profile) --date \(date)"
  }

  /// What a development profile says, without the CMS around it.
  private static func settings(
    _ identifier: String = "ABCDE12345.*", platform: String = "iOS", more: String = ""
  ) -> String {
    """
    <key>Name</key><string>Harbor Development</string>
    <key>UUID</key><string>00000000-0000-4000-8000-000000000001</string>
    <key>TeamIdentifier</key><array><string>ABCDE12345</string></array>
    <key>Platform</key><array><string>\(platform)</string></array>
    <key>CreationDate</key><date>2026-01-01T00:00:00Z</date>
    <key>ExpirationDate</key><date>2027-01-01T00:00:00Z</date>
    <key>DeveloperCertificates</key><array/>
    <key>ProvisionedDevices</key><array><string>00008030-000000000000002E</string></array>
    \(ExampleText.dictionary("Entitlements", [
      "<key>application-identifier</key><string>\(identifier)</string>",
      "<key>com.apple.developer.team-identifier</key><string>ABCDE12345</string>",
      "<key>get-task-allow</key><true/>", more,
    ].filter { !$0.isEmpty }.joined(separator: "\n")))
    """
  }
}
