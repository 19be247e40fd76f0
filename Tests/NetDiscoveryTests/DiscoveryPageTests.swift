import Foundation
import Testing

@testable import NetDiscovery

/// Documentation/discovery.md beside the code.
@Suite("Documentation/discovery.md")
struct DiscoveryPageTests {
  private static let page: String = {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let file = package.appendingPathComponent("Documentation/discovery.md")
    return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
  }()

  /// The part below a heading.
  private static func section(_ heading: String) throws -> Substring {
    let start = try #require(page.range(of: "\n## \(heading)\n")).upperBound
    return page[start...].prefix(
      upTo: page.range(of: "\n## ", range: start..<page.endIndex)?
        .lowerBound ?? page.endIndex)
  }

  /// The rows of a section's tables, cell by cell, without their heads.
  private static func rows(_ heading: String) throws -> [[String]] {
    let lines = try section(heading).split(separator: "\n").filter { $0.hasPrefix("|") }
    return lines.map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  /// What stands between backticks.
  private static func codes(_ text: some StringProtocol) -> [String] {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }

  private static func firstCodes(_ heading: String) throws -> [String] {
    try rows(heading).compactMap { $0.first.flatMap { codes($0).first } }
  }

  @Test("each reason has its row, and each row its reason")
  func reasons() throws {
    let known = try Self.firstCodes("What is left out")
    #expect(known.sorted() == Excluded.Reason.allCases.map(\.rawValue).sorted())
  }

  @Test("each kind of interface has its row, and each row its kind")
  func interfaceKinds() throws {
    let known = try Self.firstCodes("Interfaces")
    #expect(known.sorted() == Interface.Kind.allCases.map(\.rawValue).sorted())
  }

  @Test("names of macOS stand in the row of their kind")
  func appleNames() throws {
    let rows = try Self.rows("Interfaces").filter { $0.count == 3 && $0[0] != "kind" }
    let names = rows.map { Self.codes($0[2]) }
    #expect(names.joined().count > 10)
    for (row, names) in zip(rows, names) {
      for name in names {
        #expect(Interface.Kind(appleName: name + "0")?.rawValue == Self.codes(row[0]).first)
      }
    }
  }

  @Test("what is said to be a virtual bridge is one")
  func virtualBridges() throws {
    let paragraph = try #require(
      Self.section("Interfaces").components(separatedBy: "\n\n").first {
        $0.hasPrefix("Virtual bridges")
      })
    let names = Self.codes(paragraph)
    #expect(names.count > 10)
    for name in names {
      let whole = name.replacingOccurrences(of: "…", with: "0")
      #expect(Interface(name: whole, flags: .up, addresses: []).isVirtualBridge, "\(name)")
    }
  }

  @Test("each kind of destination has its place in the order")
  func destinationKinds() throws {
    let known = Set(try Self.rows("The order").compactMap(\.last).flatMap(Self.codes))
    #expect(known.subtracting(["kind"]) == Set(Destination.Kind.allCases.map(\.rawValue)))
  }

  @Test("each limit has its row with its value")
  func limits() throws {
    let rows = try Self.rows("Limits").compactMap { row in
      Self.codes(row[0]).first.map { ($0, row[1]) }
    }
    let limits = Mirror(reflecting: DiscoveryLimits()).children.compactMap { child in
      child.label.map { ($0, child.value as? Int ?? 0) }
    }
    #expect(rows.map(\.0).sorted() == limits.map(\.0).sorted())
    for (name, value) in limits {
      let text =
        !name.hasSuffix("Bytes")
        ? "\(value) " : value < 1 << 20 ? "\(value >> 10) KiB " : "\(value >> 20) MiB "
      #expect(rows.contains { $0.0 == name && $0.1.hasPrefix(text) }, "\(name)")
    }
  }
}
