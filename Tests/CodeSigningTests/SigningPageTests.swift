import Foundation
import Testing

@testable import CodeSigning

/// Documentation/signing.md beside the code.
@Suite("Documentation/signing.md")
struct SigningPageTests {
  private static let page: String = {
    // Of the package, wherever links to this file lie.
    var folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    for _ in 0..<3 { folder.deleteLastPathComponent() }
    let file = folder.appendingPathComponent("Documentation/signing.md")
    return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
  }()

  /// The rows of a section's tables, cell by cell, without their heads.
  private static func rows(_ heading: String) throws -> [[String]] {
    let start = try #require(page.range(of: "\n## \(heading)\n")).upperBound
    let end = page.range(of: "\n## ", range: start..<page.endIndex)?.lowerBound ?? page.endIndex
    let lines = page[start..<end].split(separator: "\n").filter { $0.hasPrefix("| `") }
    return lines.map { line in
      line.dropFirst().split(separator: "|", omittingEmptySubsequences: false).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
    }
  }

  /// What stands between backticks.
  private static func codes(_ text: some StringProtocol) -> [String] {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }

  @Test("each finding has its row with level and meaning, and each row its finding")
  func findings() throws {
    let rows = try Self.rows("What `sign` finds")
    let known = HandOffFinding.Kind.allCases.map {
      ["`\($0.rawValue)`", $0.level.rawValue, $0.summary]
    }
    #expect(rows.map { Array($0.prefix(3)) } == known)
  }

  @Test("each rule on signatures, profiles and entitlements predicts something")
  func rules() throws {
    let named = Set(try Self.rows("What devices say").flatMap { Self.codes($0[3]) })
    let others: Set = ["bundle.identifier.prefix"]
    #expect(named.subtracting(others).isSubset(of: SigningRule.allCases.map(\.rawValue)))
    let elsewhere: Set = [SigningRule.executableUUID, .executableEncrypted]
    for rule in SigningRule.allCases where !elsewhere.contains(rule) {
      #expect(named.contains(rule.rawValue), "\(rule.rawValue)")
    }
    for rule in elsewhere { #expect(Self.page.contains("`\(rule.rawValue)`")) }
  }

  @Test("each signer stands there with its variable")
  func signers() throws {
    let rows = try Self.rows("The signers")
    #expect(
      rows.map { Array($0.prefix(2)) } == Signers.all.map { ["`\($0.name)`", "`\($0.variable)`"] })
  }

  @Test("each placeholder stands there")
  func placeholders() throws {
    let rows = try Self.rows("A command of one's own")
    #expect(rows.map { $0[0] } == ShellTemplate.Placeholder.allCases.map { "`\($0.rawValue)`" })
  }
}
