import Foundation
import Testing

@testable import ipa_inject

@Suite struct LineDiffTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let old: String
    let new: String
    let expected: String
  }

  static let rows: [Row] = [
    Row(testDescription: "no difference", old: "a\nb\n", new: "a\nb\n", expected: ""),
    Row(
      testDescription: "a line more", old: "a\nc\n", new: "a\nb\nc\n",
      expected: "--- f\n+++ f\n@@ -1,2 +1,3 @@\n a\n+b\n c\n"),
    Row(
      testDescription: "a line less", old: "a\nb\nc\n", new: "a\nc\n",
      expected: "--- f\n+++ f\n@@ -1,3 +1,2 @@\n a\n-b\n c\n"),
    Row(
      testDescription: "another line", old: "a\nb\n", new: "a\nc\n",
      expected: "--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n"),
    Row(
      testDescription: "two places", old: "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
      new: "0\n1\n2\n3\n4\n5\n6\n7\n8\n",
      expected:
        "--- f\n+++ f\n@@ -1,3 +1,4 @@\n+0\n 1\n 2\n 3\n@@ -6,4 +7,3 @@\n 6\n 7\n 8\n-9\n"),
    Row(
      testDescription: "control characters", old: "", new: "\u{1B}[31m\n",
      expected: "--- f\n+++ f\n@@ -1,0 +1,1 @@\n+\\u{1B}[31m\n"),
    Row(
      testDescription: "CRLF", old: "a\r\nb\r\n", new: "a\r\nc\r\n",
      expected: "--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n"),
  ]

  @Test(arguments: rows) func isUnified(_ row: Row) throws {
    let diff = try #require(LineDiff(from: row.old, to: row.new, name: "f"))
    #expect(diff.text(.plain) == row.expected)
  }

  /// The other side of it is `patch`, which must make the new text of the old one.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/patch")))
  func patchAppliesIt() throws {
    var old = (0..<200).map { "line \($0)" }
    let before = old.joined(separator: "\n") + "\n"
    old.removeSubrange(20..<25)
    old.insert(contentsOf: ["new", "newer"], at: 90)
    old[150] = "other"
    let after = old.joined(separator: "\n") + "\n"
    let workplace = try Workplace()
    defer { workplace.remove() }
    let diff = try #require(LineDiff(from: before, to: after, name: "f")).text(.plain)
    for (name, text) in [("f", before), ("diff", diff), ("wanted", after)] {
      try Data(text.utf8).write(to: workplace.folder.appending(path: name))
    }
    let outcome = try workplace.run("patch -s f diff && cmp f wanted")
    #expect(outcome.status == 0, "\(outcome.output)")
  }

  @Test(.timeLimit(.minutes(1))) func aVeryLargeOneIsNotSearched() {
    let old = (0..<15_000).map { "a\($0)\n" }.joined()
    let new = (0..<15_000).map { "b\($0)\n" }.joined()
    #expect(LineDiff(from: old, to: new, name: "f") == nil)
    #expect(LineDiff(from: old, to: old + new, name: "f") != nil)
  }
}
