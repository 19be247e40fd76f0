import AppBundle
import Foundation
import Testing

@testable import CodeSigning

/// Apps that real signers sealed, as a reader in another language sees them too. They are no part of the
/// project, so rows of what is not there are left out.
@Suite(.enabled(if: SigningSamples.areThere, "no python3")) struct RealResourcesTests {
  struct Row: NamedRow {
    let name: String
  }

  static let rows: [Row] = ["ipas", "signed"].flatMap { folder in
    let path = Shared.path(folder) ?? ""
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.sorted().map { "\(folder)/\($0)" }
  }.filter { name in
    guard name.hasSuffix(".ipa") || name.hasSuffix(".zip"), let path = Shared.path(name) else {
      return false
    }
    return name.hasSuffix(".zip") || (try? Application.open(path)) != nil
  }.map { Row(name: $0) }

  @Test(arguments: rows) func areAsAnotherReaderSeesThem(_ row: Row) throws {
    let folder = try AppFolder()
    let app = try Shared.open(row.name, unpackedInto: folder)
    let objects = app.codeObjects()
    let seals = app.resourceSeals(of: objects, workers: 2)
    let found = try SealedBundles.found(app.path)
    #expect(seals.count == objects.count { $0.folder != nil })
    for seal in seals {
      guard let theirs = found[seal.listPath] else {
        #expect(seal.state == .noList, "\(seal.listPath)")
        continue
      }
      #expect(seal.state == .checked, "\(seal.listPath)")
      #expect(seal.unknownRules.isEmpty)
      #expect(seal.problemCount == theirs.count, "\(seal.listPath)")
      guard theirs.count <= SigningLimits.standard.resourceProblems else { continue }
      #expect(SealedBundles.lines(seal).sorted() == theirs, "\(seal.listPath)")
    }
  }
}
