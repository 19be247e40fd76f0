import Foundation
import Testing

@testable import PlistKit

/// One file a case. Apple's verdicts are those of Swift 6.3's `plutil -lint` on Linux, but for the set,
/// on which it crashes: there it is what the source of Core Foundation does.
@Suite struct EdgeFilesTests {
  @Test func everyFileHasItsRow() {
    let rows = EdgeRow.all.map(\.file)
    #expect(rows.sorted() == EdgeFiles.names)
    #expect(rows.count == 213)
  }

  @Test(arguments: EdgeRow.all) func strictDecides(_ row: EdgeRow) throws {
    #expect(Verdict(reading: try EdgeFiles.bytes(row.file)) == row.verdict)
  }

  /// Whether each difference is explained, and each explanation is of a difference.
  @Test(arguments: EdgeRow.all) func differencesAreExplained(_ row: EdgeRow) throws {
    let bytes = try EdgeFiles.bytes(row.file)
    let differs = row.apple != row.verdict
    #expect(differs == (row.property != nil || row.reason != nil))
    if let property = row.property {
      var strictness = ParseStrictness.strict
      strictness[keyPath: property].toggle()
      #expect(Verdict(reading: bytes, strictness: strictness) == row.apple)
    }
    if let reason = row.reason { #expect(try DifferencesPage.text.contains(reason)) }
  }

  @Test(arguments: EdgeRow.all) func appleDecides(_ row: EdgeRow) throws {
    let verdict = Verdict(reading: try EdgeFiles.bytes(row.file), strictness: .apple)
    #expect(verdict == row.apple ?? row.verdict)
  }

  @Test(arguments: EdgeRow.all) func keepsBytes(_ row: EdgeRow) throws {
    let bytes = try EdgeFiles.bytes(row.file)
    for strictness in [ParseStrictness.strict, .apple] {
      guard let document = try? PlistDocument(parsing: bytes, strictness: strictness) else {
        continue
      }
      #expect(try document.serialized() == bytes)
    }
    #expect(!bytes.isEmpty || row.file == "x_empty_file")
  }

  /// A file that is the same as another one tests nothing.
  @Test func filesDiffer() throws {
    var seen: [[UInt8]: String] = [:]
    for name in EdgeFiles.names {
      let other = seen.updateValue(name, forKey: try EdgeFiles.bytes(name))
      #expect(other == nil, "\(name) is the same as \(other ?? "")")
    }
  }

  /// Asks Apple's reader again, where it is here.
  @Test(.enabled(if: OtherReaders.plutil != nil, "no plutil")) func appleStillDecidesSo() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("plistkit-edge-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let asked = EdgeRow.all.filter { $0.apple != nil && $0.file != "b_set" }
    for row in asked {
      try Data(try EdgeFiles.bytes(row.file)).write(
        to: folder.appendingPathComponent(row.file + ".plist"))
    }
    let refused = try OtherReaders.refusedByApple(
      asked.map { folder.appendingPathComponent($0.file + ".plist").path })
    let expected = asked.filter { $0.apple?.isRead == false }.map { $0.file + ".plist" }
    #expect(Set(refused.map { URL(fileURLWithPath: $0).lastPathComponent }) == Set(expected))
  }
}

extension OtherReaders {
  /// The files, of these, that `plutil -lint` finds fault with.
  static func refusedByApple(_ files: [String]) throws -> [String] {
    let script = "for f; do \"$PLUTIL\" -lint \"$f\" >/dev/null 2>&1 || echo \"$f\"; done"
    let shell = "PLUTIL=\(plutil ?? ""); export PLUTIL; " + script
    let output = try output(of: "/bin/sh", ["-c", shell, "sh"] + files)
    return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

/// The page that explains the differences.
enum DifferencesPage {
  static var text: String {
    get throws {
      let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
      let page = package.appendingPathComponent("Documentation/plist-differences.md")
      return try String(contentsOf: page, encoding: .utf8)
    }
  }

  /// The rows of its table: property, strict, apple.
  static var rows: [(property: String, strict: String, apple: String)] {
    get throws {
      try text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
        let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        return (cells[0].trimmingCharacters(in: ["`"]), cells[1], cells[2])
      }
    }
  }
}
