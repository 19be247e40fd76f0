import Foundation
import Testing

/// No output shows more of an installation ID than its first four digits, wherever the ID stands.
@Suite struct CredentialTests {
  private static let id = "0123456789abcdef0123456789abcdef0123456789abcdef"
  private static let url = "http://my-mac.local:19464/api/app/\(id)/update"

  /// An Info.plist in which every text, key and value, is an update URL.
  private static let plist = """
    <plist><dict>
    <key>IPAHub</key><dict>
      <key>updateURL</key><array><string>\(url)</string><string>\(url)/check</string></array>
      <key>source</key><string>\(url)</string><key>filter</key><string>\(url)</string>
      <key>team</key><string>\(id)</string><key>release</key><string>\(url)</string>
      <key>\(url)</key><string>\(url)</string></dict>
    <key>NSAppTransportSecurity</key><dict><key>\(id)</key><string>\(url)</string>
      <key>NSExceptionDomains</key><dict>
        <key>\(url)</key><dict><key>\(id)</key><string>\(url)</string></dict></dict></dict>
    <key>NSLocalNetworkUsageDescription</key><string>\(url)</string>
    <key>NSBonjourServices</key><array><string>\(url)</string></array>
    <key>CFBundleName</key><string>\(url)</string>
    <key>CFBundleIdentifier</key><string>\(id)</string>
    <key>CFBundleExecutable</key><string>\(url)</string>
    <key>\(id)</key><string>\(url)</string>
    </dict></plist>
    """

  static let commands = [
    "inspect secret.plist", "inspect secret.plist --json", "verify secret.plist",
    "verify secret.plist --json", "verify secret.plist --format github",
    "verify plain.plist --before secret.plist", "verify secret.plist --before plain.plist --json",
    "diff plain.plist secret.plist", "diff secret.plist plain.plist --json",
    "strip secret.plist --dry-run", "strip secret.plist -o s.plist --json --verbose",
    "inject secret.plist --dry-run --source gh:a/b --destination h.local --verbose",
    "inject secret.plist --dry-run --source gh:a/b --update-url \(url) --json",
    "inject plain.plist -o o.plist --source gh:a/b --update-url \(url) --verbose",
    "inject plain.plist -o p.plist --source \(url) --destination h.local --installation-id \(id)",
    "inject plain.plist --dry-run --source gh:\(url) --destination h.local",
    "inject plain.plist --dry-run --source ftp://\(url) --destination h.local --json",
    "inject plain.plist --dry-run --source \(url) --release x --destination h.local",
    "inject plain.plist --dry-run --source gh:a/b --destination \(url)",
    "inject plain.plist --dry-run --source gh:a/b --update-url \(url)0",
    "inject plain.plist --dry-run --source gh:a/b --update-url \(url)?release=x",
    "inject plain.plist --dry-run --source gh:a/b --installation-id \(id)0 --destination h",
    "inject plain.plist \(url) --dry-run", "inject plain.plist --\(id) --dry-run",
    "inject plain.plist --color=\(id)", "inspect \(url)", "inspect \(url) --json",
    "verify plain.plist --explain \(id)", "verify plain.plist --rule \(id)=note",
    "verify plain.plist --os \(id)", "verify plain.plist --destination \(url)", "\(id)",
    "inspect Harbor.ipa --app \(id)", "discover --bind \(id) --interfaces-from interfaces.json",
    "discover --host-name \(id) --interfaces-from interfaces.json --public-url \(url)#x",
    "plist print secret.plist", "plist print secret.plist --json",
    "plist print secret.plist --format xml",
    "plist print secret.plist --format json", "plist get secret.plist /IPAHub/source --verbose",
    "plist get secret.plist /IPAHub", "plist get secret.plist /\(id) --json",
    "plist get secret.plist /\(id)x", "plist get secret.plist \(url)",
    "plist set plain.plist /a --string \(url) --dry-run",
    "plist set plain.plist /a --string \(url) -o -",
    "plist set plain.plist /a --string \(url) -o o.plist --output-format json --verbose",
    "plist set secret.plist /\(id) --string x -o q.plist --verbose",
    "plist set plain.plist /\(id)/x --bool true -o o",
    "plist set plain.plist /a --integer \(id) -o o.plist",
    "plist set plain.plist /a --json {\(id):1} -o o",
    "plist remove secret.plist /\(id) --dry-run",
    "plist rename secret.plist /IPAHub \(id) -o r.plist",
    "plist convert secret.plist --to json -o -",
    "plist convert secret.plist --to binary -o b.plist",
    "plist lint secret.plist \(url)", "plist diff plain.plist secret.plist",
    "plist diff secret.plist plain.plist --json", "plist \(id)",
    "plist print secret.plist --member \(url)",
  ]

  @Test(arguments: commands) func areNeverShown(_ command: String) throws {
    let workplace = try Workplace()
    defer { workplace.remove() }
    try Data(Self.plist.utf8).write(to: workplace.folder.appending(path: "secret.plist"))
    try Data("<plist><dict><key>a</key><true/></dict></plist>".utf8)
      .write(to: workplace.folder.appending(path: "plain.plist"))
    let words = command.split(separator: " ").map { "'\($0)'" }.joined(separator: " ")
    let outcome = try workplace.run("ipa-inject \(words)")
    #expect(!outcome.output.isEmpty || outcome.status == 0)
    // The ID holds 0123 three times; what stands behind the first four digits must not follow.
    #expect(!outcome.output.contains("01234"), "\(outcome.output)")
    #expect(!outcome.output.contains("89abcdef"), "\(outcome.output)")
  }

  @Test func areShownOnRequest() throws {
    let workplace = try Workplace()
    defer { workplace.remove() }
    let outcome = try workplace.run(
      "ipa-inject inject plists/plain-xml.plist --dry-run --json --show-secrets --source gh:a/b "
        + "--update-url \(Self.url)")
    #expect(outcome.output.contains(Self.url))
  }
}
