import PlistFuzzTargets
import Testing

@testable import PlistKit

/// What holds for every edit: the checks of the fuzz targets, on documents that read and with edits
/// that apply.
@Suite struct PropertyEditTests {
  @Test func editsOfXMLInAnyLayout() throws {
    var written = 0
    for seed in 50_000..<51_500 as Range<UInt64> {
      let value = PropertyValues.value(seed: seed).withXMLForm.withWholeSeconds.xmlForm
      let bytes = try XMLWeaver.document(value, seed: seed)
      if try holds(bytes, seed: seed) { written += 1 }
    }
    #expect(written > 750)
  }

  @Test func editsOfBinaryFiles() throws {
    var written = 0
    for seed in 60_000..<61_500 as Range<UInt64> {
      let value = PropertyValues.value(seed: seed)
      let bytes = try PlistDocument(root: value, format: .binary).serialized()
      if try holds(bytes, seed: seed) { written += 1 }
    }
    #expect(written > 1000)
  }

  private func holds(_ bytes: [UInt8], seed: UInt64) throws -> Bool {
    do { return try EditCheck(bytes, Choices(seed: seed)).run() } catch {
      Issue.record("seed \(seed): \(error)")
      return false
    }
  }

  /// In Apple's layout, an edit that is written, read and taken back leaves the bytes of before, but
  /// that a container which was empty, and was filled, has two tags.
  @Test func goesBackThroughTheFileInApplesLayout() throws {
    var gone = 0
    for seed in 70_000..<71_000 as Range<UInt64> {
      let value = PropertyValues.value(seed: seed).withXMLForm.withWholeSeconds.xmlForm
      let before = PlistDocument(root: value, format: .xml)
      var document = try PlistDocument(parsing: before.serialized())
      var script = EditScript(Choices(seed: seed), on: value)
      try script.run()
      document.root = script.value
      guard let edited = try? document.serialized() else { continue }
      var again = try PlistDocument(parsing: edited)
      again.root = value
      let texts = try [again.serialized(), before.serialized()].map {
        String(decoding: $0, as: UTF8.self).replacing(#/<(dict|array)>\s*<\/\1>/#) { "<\($0.1)/>" }
      }
      #expect(difference(texts[0], texts[1]) == nil, "seed \(seed)")
      gone += 1
    }
    #expect(gone > 500)
  }
}
