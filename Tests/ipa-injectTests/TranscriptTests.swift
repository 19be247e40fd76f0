import Foundation
import Testing

/// Replays recorded sessions on the built tool: those of `Transcripts/`, and the README's.
///
/// A line that starts with `$ ` is a command, what follows is what it prints on both streams, and
/// `[exit N]` closes one that does not end with 0. Set `UPDATE_TRANSCRIPTS` to write the files of
/// `Transcripts/` anew, and read the difference before committing it.
@Suite struct TranscriptTests {
  static let folder = Workplace.root.appending(path: "Tests/ipa-injectTests/Transcripts")

  static let names: [String] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.filter { $0.hasSuffix(".txt") && isPossible($0) }.sorted()
  }()

  /// Whether what a session works on is there: published apps lie beside the checkout or nowhere.
  private static func isPossible(_ name: String) -> Bool {
    !name.hasPrefix("published") || Workplace.publishedApps != nil
  }

  @Test func transcriptsAreThere() { #expect(Self.names.count >= 6) }

  @Test(arguments: names) func replays(_ name: String) throws {
    let file = Self.folder.appending(path: name)
    let expected = try String(contentsOf: file, encoding: .utf8)
    let actual = try Self.replay(expected, onPublishedApps: name.hasPrefix("published"))
    if ProcessInfo.processInfo.environment["UPDATE_TRANSCRIPTS"] != nil {
      try actual.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(actual == expected)
  }

  /// The README's `console` blocks are one session. Installation IDs are random in it.
  @Test func theReadmeTellsTheTruth() throws {
    let readme = try String(
      contentsOf: Workplace.root.appending(path: "README.md"), encoding: .utf8)
    let blocks = readme.components(separatedBy: "```console\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }
    try #require(blocks.count >= 3)
    let expected = blocks.map { $0 + "\n" }.joined()
    func withoutIDs(_ text: String) -> String {
      text.replacing(/\/app\/[0-9a-f]{4}…/, with: "/app/0000…")
    }
    #expect(withoutIDs(try Self.replay(expected)) == withoutIDs(expected))
  }

  /// Runs the commands of a session one after the other, and returns it as it went.
  private static func replay(
    _ session: String, onPublishedApps: Bool = false
  ) throws -> String {
    let workplace = try Workplace(showsPublishedApps: onPublishedApps)
    defer { workplace.remove() }
    var actual = ""
    for line in session.split(separator: "\n") {
      if line.hasPrefix("# ") { actual += line + "\n" }
      guard line.hasPrefix("$ ") else { continue }
      let outcome = try workplace.run(String(line.dropFirst(2)))
      actual += line + "\n" + outcome.output
      if outcome.status != 0 { actual += "[exit \(outcome.status)]\n" }
      actual += "\n"
    }
    return actual
  }
}
