import Foundation
import PlistFuzzTargets
import Testing

@testable import PlistKit

/// What holds for every XML document, however it is laid out.
@Suite struct PropertyXMLTests {
  private static func value(seed: UInt64) -> PlistValue {
    PropertyValues.value(seed: seed).withXMLForm.withWholeSeconds.xmlForm
  }

  @Test(arguments: XMLWeaver.Encoding.allCases)
  func readsAsItsValueAndKeepsItsBytes(_ encoding: XMLWeaver.Encoding) throws {
    for seed in 30_000..<30_300 as Range<UInt64> {
      let value = Self.value(seed: seed)
      let bytes = try XMLWeaver.document(value, seed: seed, encodings: [encoding])
      let document = try #require(
        try? PlistDocument(parsing: bytes), "seed \(seed): \(refusal(of: bytes))")
      #expect(difference(document.root, value) == nil, "seed \(seed)")
      #expect(try document.serialized() == bytes, "seed \(seed)")
    }
  }

  @Test(.enabled(if: OtherReaders.python != nil, "python3 is missing"))
  func plistlibReadsTheSame() throws {
    // Expat knows no UTF-32.
    let encodings: [XMLWeaver.Encoding] = [.utf8, .utf8WithMark, .utf16Little, .utf16Big, .latin1]
    let seeds = 40_000..<41_000 as Range<UInt64>
    let values = seeds.map(Self.value(seed:))
    let files = try zip(seeds, values).map { seed, value in
      hexBytes(
        try XMLWeaver.document(value, seed: seed, encodings: encodings, keepsReturns: false))
    }
    let script = """
      sys.setrecursionlimit(4000)
      for line in sys.stdin:
          print(canonical(plistlib.loads(bytes.fromhex(line), fmt=plistlib.FMT_XML)))
      """
    let output = try OtherReaders.output(
      of: OtherReaders.python, ["-c", XMLOracle.canonicalScript + script],
      input: Data(files.joined(separator: "\n").utf8))
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    #expect(lines.count == values.count)
    for (seed, (line, value)) in zip(seeds, zip(lines, values)) {
      #expect(difference(line, value.canonicalText) == nil, "seed \(seed)")
    }
  }
}

/// The error with which reading ends, nil if it does not.
func refusal(of bytes: [UInt8]) -> PlistError? {
  do throws(PlistError) {
    _ = try PlistDocument(parsing: bytes)
    return nil
  } catch { return error }
}
