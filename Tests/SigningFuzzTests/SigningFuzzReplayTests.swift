import Foundation
import SigningFuzzTargets
import Testing

/// A file for a fuzz target.
struct SigningFuzzRow: CustomTestStringConvertible, Sendable {
  let target: SigningFuzzTarget
  let url: URL
  var testDescription: String { "\(target.rawValue): \(url.lastPathComponent)" }

  func check() throws { try target.check(Array(try Data(contentsOf: url))) }
}

/// Gives the fuzz targets, without a fuzzer, what fuzzers found and what they start from.
@Suite struct SigningFuzzReplayTests {
  private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let package = tests.deletingLastPathComponent().deletingLastPathComponent()

  static let seeds = rows(in: package.appendingPathComponent("Fuzz/signing-seeds"))
  static let findings = rows(in: tests.appendingPathComponent("Findings"))

  @Test(arguments: seeds + findings) func holds(_ row: SigningFuzzRow) throws { try row.check() }

  @Test(arguments: SigningFuzzTarget.allCases) func thereAreSeeds(target: SigningFuzzTarget) {
    #expect(Self.seeds.contains { $0.target == target })
  }

  /// Every seed, cut at many places and with many a byte turned over.
  @Test(arguments: seeds) func holdsNearby(_ row: SigningFuzzRow) throws {
    let bytes = Array(try Data(contentsOf: row.url))
    for place in stride(from: 0, to: bytes.count, by: 5) {
      var changed = bytes
      changed[place] = ~changed[place]
      #expect(throws: Never.self, "byte \(place)") { try row.target.check(changed) }
      if place % 10 == 0 {
        #expect(throws: Never.self, "cut at \(place)") {
          try row.target.check(Array(bytes[..<place]))
        }
      }
    }
  }

  private static func rows(in folder: URL) -> [SigningFuzzRow] {
    SigningFuzzTarget.allCases.flatMap { target in
      let own = folder.appendingPathComponent(target.rawValue)
      let names = (try? FileManager.default.contentsOfDirectory(atPath: own.path)) ?? []
      return names.sorted().map {
        SigningFuzzRow(target: target, url: own.appendingPathComponent($0))
      }
    }
  }
}
