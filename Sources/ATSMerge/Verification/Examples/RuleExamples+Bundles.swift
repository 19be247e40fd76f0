extension RuleExamples {
  static let bundleInfoPlist = RuleExamples(
    wrong: RuleExample(
      "an extension that is a bare folder", app, .files("drwxr-xr-x PlugIns/Share.appex")),
    right: RuleExample(
      "an extension with an Info.plist", app, .nested(share, at: "PlugIns/Share.appex/Info.plist")))

  static let bundleExecutable = RuleExamples(
    wrong: RuleExample(
      "the archive lost the execute bit", app + "\n" + executable, .files("-rw-r--r-- Demo")),
    right: RuleExample(
      "an executable", app + "\n" + executable, .files("-rwxr-xr-x Demo")))

  static let bundleIdentifierPrefix = RuleExamples(
    wrong: RuleExample(
      "'demolition' is another label than 'demo'", app,
      .nested(identifier("com.example.demolition"), at: "PlugIns/Share.appex/Info.plist")),
    right: RuleExample(
      "the app's identifier and a label", app,
      .nested(share, at: "PlugIns/Share.appex/Info.plist")))

  static let bundleCompanion = RuleExamples(
    wrong: RuleExample(
      "the app was renamed, the Watch app's companion was not", identifier("com.example.renamed"),
      .nested(watch(of: "com.example.renamed", companion: "com.example.demo"), at: watchPath)),
    right: RuleExample(
      "the Watch app names the app", app,
      .nested(watch(of: "com.example.demo", companion: "com.example.demo"), at: watchPath)))

  static let bundleIdentifierDuplicate = RuleExamples(
    wrong: RuleExample(
      "a copied extension", app, .nested(share, at: "PlugIns/Share.appex/Info.plist"),
      .nested(share, at: "PlugIns/Share 2.appex/Info.plist")),
    right: RuleExample(
      "an identifier each", app, .nested(share, at: "PlugIns/Share.appex/Info.plist"),
      .nested(identifier("com.example.demo.today"), at: "PlugIns/Today.appex/Info.plist")))

  static let bundleVersion = RuleExamples(
    wrong: RuleExample(
      "the extension was left behind", app + "\n" + version("1.3.0"),
      .nested(share + "\n" + version("1.2.0"), at: "PlugIns/Share.appex/Info.plist")),
    right: RuleExample(
      "one version", app + "\n" + version("1.3.0"),
      .nested(share + "\n" + version("1.3.0"), at: "PlugIns/Share.appex/Info.plist")))

  private static let app = identifier("com.example.demo")
  private static let share = identifier("com.example.demo.share")
  private static let executable = "<key>CFBundleExecutable</key><string>Demo</string>"
  private static let watchPath = "Watch/DemoWatch.app/Info.plist"

  private static func identifier(_ text: String) -> String {
    "<key>CFBundleIdentifier</key><string>\(text)</string>"
  }

  private static func version(_ text: String) -> String {
    "<key>CFBundleShortVersionString</key><string>\(text)</string>"
  }

  private static func watch(of app: String, companion: String) -> String {
    """
    \(identifier(app + ".watch"))
    <key>WKCompanionAppBundleIdentifier</key><string>\(companion)</string>
    """
  }
}
