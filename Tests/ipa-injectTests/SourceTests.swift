import Foundation
import Testing

/// What the sources themselves must keep to.
@Suite struct SourceTests {
  private static let sources: [(path: String, text: String)] = {
    let folder = Workplace.root.appending(path: "Sources")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return (files?.allObjects ?? []).compactMap { $0 as? URL }
      .filter { $0.pathExtension == "swift" }
      .compactMap { url in
        (try? String(contentsOf: url, encoding: .utf8)).map { (url.path, $0) }
      }
  }()

  private func files(containing text: String) -> Set<String> {
    Set(
      Self.sources.filter { $0.text.contains(text) }.map {
        URL(filePath: $0.path).lastPathComponent
      })
  }

  @Test func onlyTheWritersAndShowSecretsRevealCredentials() {
    #expect(Self.sources.count > 50)
    #expect(
      files(containing: ".revealed") == [
        // The type that builds a URL from an ID, the plist writer, --record, --show-secrets.
        "UpdateURL.swift", "Prepare.swift", "Record.swift", "InjectReport.swift",
        "InspectCommand.swift",
      ])
  }

  @Test func foundationStaysOut() {
    // Only where reports on the network are read and written, and whole Foundation only where the smaller module is not.
    #expect(files(containing: "import Foundation") == ["JSONReading.swift"])
    let lines = Self.sources.flatMap { $0.text.split(separator: "\n") }
    let whole = lines.indices.filter { lines[$0].hasSuffix("import Foundation") }
    #expect(whole.allSatisfy { $0 > 0 && lines[$0 - 1] == "#else" })
  }

  @Test(arguments: ["fatalError", "try!", "as!", "unowned"])
  func nothingEndsTheProcess(_ word: String) {
    #expect(files(containing: word + " ").isEmpty)
    #expect(files(containing: word + "(").isEmpty)
  }
}
