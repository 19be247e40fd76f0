import Foundation
import Testing

@testable import AppBundle

/// Documentation/archives.md beside the code and the archives that are made for its rows.
@Suite struct ArchivePageTests {
  private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The codes of the table of what is refused; it has four columns.
  private static var codes: Set<String> {
    get throws {
      let page = package.appendingPathComponent("Documentation/archives.md")
      let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").filter {
        $0.hasPrefix("| `")
      }
      let cells = rows.map {
        $0.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
          .map { $0.trimmingCharacters(in: ["`", " "]) }
      }
      return Set(cells.filter { $0.count == 4 }.map { $0[1] }.filter { !$0.isEmpty })
    }
  }

  /// The codes that no archive by itself leads to.
  private static let others: Set<BundleError.Code> = [
    .notFound, .unreadable, .noMember, .outputExists, .outputNotWritable,
    .wrongOutputKind, .outputOfOtherKind, .outputInInput, .io, .inputChanged, .isDirectory,
  ]

  @Test func everyCodeHasARow() throws {
    // A property list that is no dictionary is refused by what edits it.
    let known = try Self.codes.subtracting(["malformed"])
    let wanted = Set(BundleError.Code.allCases).subtracting(Self.others).map(\.rawValue)
    #expect(known == Set(wanted))
  }

  @Test(.enabled(if: Tool.hasPython))
  func everyRowHasAnArchive() throws {
    let script = Self.package.appendingPathComponent("Tests/scripts/odd-archives.py").path
    let run = try Tool.run(["python3", "-B", script, "--check"])
    #expect(run.status == 0, "\(run.output)")
  }
}
