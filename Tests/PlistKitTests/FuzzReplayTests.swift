import Foundation
import PlistFuzzTargets
import Testing

/// A file for a fuzz target.
struct FuzzRow: CustomTestStringConvertible, Sendable {
  let target: FuzzTarget
  let url: URL
  var testDescription: String { "\(target.rawValue): \(url.lastPathComponent)" }

  func check() throws { try target.check(Array(try Data(contentsOf: url))) }
}

/// Gives the fuzz targets, without a fuzzer, what fuzzers found and what they start from.
@Suite struct FuzzReplayTests {
  private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  /// The faults that fuzzers found, by target, each named after what it is.
  static let findings: [FuzzRow] = FuzzTarget.allCases.flatMap { target in
    files(in: tests.appendingPathComponent("FuzzFindings/\(target.rawValue)")).map {
      FuzzRow(target: target, url: $0)
    }
  }

  /// What the fuzzers start from, for every target.
  static let seeds: [FuzzRow] = {
    let package = tests.deletingLastPathComponent().deletingLastPathComponent()
    let urls = files(in: package.appendingPathComponent("Fuzz/seeds"))
    return FuzzTarget.allCases.flatMap { target in urls.map { FuzzRow(target: target, url: $0) } }
  }()

  @Test(arguments: findings) func staysMended(_ row: FuzzRow) throws { try row.check() }

  @Test(arguments: seeds) func holds(_ row: FuzzRow) throws { try row.check() }

  @Test func findingsAreThere() { #expect(Self.findings.count >= 2) }

  /// The files of other projects, and those made for a case each.
  @Test(.enabled(if: SharedFiles.root != nil, "no files beside the package"))
  func holdsForCollectedFiles() throws {
    let root = URL(fileURLWithPath: try #require(SharedFiles.root) + "/plists")
    let urls = Self.files(in: root)
    #expect(urls.count > 400)
    for url in urls {
      let bytes = Array(try Data(contentsOf: url))
      for target in FuzzTarget.allCases where bytes.count < 100_000 {
        #expect(throws: Never.self, "\(target.rawValue): \(url.path)") { try target.check(bytes) }
      }
    }
  }

  /// What fuzzers collected, where a variable of the environment says so: each of its folders is named
  /// for a target.
  @Test(.enabled(if: corpus != nil, "PLIST_FUZZ_CORPUS names no folder"))
  func holdsForACorpus() throws {
    let corpus = URL(fileURLWithPath: try #require(Self.corpus))
    for target in FuzzTarget.allCases {
      for url in Self.files(in: corpus.appendingPathComponent(target.rawValue)) {
        let row = FuzzRow(target: target, url: url)
        #expect(throws: Never.self, "\(url.path)") { try row.check() }
      }
    }
  }

  private static let corpus = ProcessInfo.processInfo.environment["PLIST_FUZZ_CORPUS"]

  private static func files(in folder: URL) -> [URL] {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().map { folder.appendingPathComponent($0) }.filter {
      (try? $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true
    }
  }
}
