import Foundation
import NetDiscovery
import Testing

@testable import ipa_inject

/// The saved listener of several apps at once, as in a batch.
@Suite struct ListenerSavingTests {
  private static let old = Data("{\"port\": 1}\n".utf8)
  private static let new = Data("{\"port\": 5000}\n".utf8)

  /// Which of three apps, which save in turn, cannot be made in the end, and whether the old settings
  /// come back: where the first one, which wrote the new ones, is the last that could count on them.
  @Test(arguments: [
    ([], false), ([0], false), ([1], false), ([0, 1], false), ([2, 0], false),
    ([0, 1, 2], false), ([2, 1, 0], true), ([1, 2, 0], true),
  ])
  func settingsStayForAnAppThatCountsOnThem(failing: [Int], comesBack: Bool) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "saving-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "config.json")
    try Self.old.write(to: file)
    let listener = try Listener.resolve(port: "5000")
    let savings = try (0..<3).map { _ in
      try ListenerSaving(listener, at: file.path, besides: [])
    }
    for saving in savings { try saving.willName() }
    #expect(savings.map(\.hasWritten) == [true, false, false])
    for index in failing { savings[index].withdraw() }
    #expect(try Data(contentsOf: file) == (comesBack ? Self.old : Self.new))
  }
}
