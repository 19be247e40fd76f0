import Foundation
import PlistFuzzTargets
import Testing

@testable import PlistKit

/// What holds for every value: it reads as it was written, here and in other readers.
@Suite struct PropertyValueTests {
  @Test(arguments: [PlistFormat.xml, .binary])
  func whatIsWrittenReadsTheSame(_ format: PlistFormat) throws {
    var written = 0
    for seed in 0..<2000 as Range<UInt64> {
      let any = PropertyValues.value(seed: seed)
      // Every second value has all it holds changed to what XML has a form for.
      let value = seed % 2 == 0 ? any : any.withXMLForm
      let document = PlistDocument(root: value, format: format)
      guard format == .binary || value.hasXMLForm else {
        #expect(throws: PlistError(.unrepresentable, detail: ""), "seed \(seed)") {
          try document.serialized()
        }
        continue
      }
      let read = try PlistDocument(parsing: document.serialized())
      #expect(
        difference(read.root, format == .xml ? value.xmlForm : value) == nil, "seed \(seed)")
      #expect(try read.serialized() == document.serialized(), "seed \(seed)")
      written += 1
    }
    #expect(written >= 1000)
  }

  private static let seeds: Range<UInt64> = 10_000..<11_000

  /// One process of Python for all values.
  @Test(
    .enabled(if: OtherReaders.python != nil, "python3 is missing"),
    arguments: [PlistFormat.xml, .binary])
  func plistlibReadsTheSame(_ format: PlistFormat) throws {
    let values = Self.seeds.map {
      PropertyValues.value(seed: $0).withXMLForm.withWholeSeconds
    }
    let files = try values.map { value in
      hexBytes(try PlistDocument(root: value, format: format).serialized())
    }
    let script = """
      sys.setrecursionlimit(4000)
      for line in sys.stdin: print(canonical(plistlib.loads(bytes.fromhex(line))))
      """
    let output = try OtherReaders.output(
      of: OtherReaders.python, ["-c", XMLOracle.canonicalScript + script],
      input: Data(files.joined(separator: "\n").utf8))
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    #expect(lines.count == values.count)
    for (seed, (line, value)) in zip(Self.seeds, zip(lines, values)) {
      #expect(difference(line, value.canonicalText) == nil, "seed \(seed)")
    }
  }

  /// plistutil reads one file a run, so a shell runs it over a folder.
  @Test(
    .enabled(
      if: OtherReaders.python != nil && OtherReaders.plistutil != nil,
      "python3 or plistutil is missing"),
    arguments: [PlistFormat.xml, .binary])
  func libplistReadsTheSame(_ format: PlistFormat) throws {
    let values = (20_000..<20_200).map { PropertyValues.value(seed: $0).asLibplistReads }
      .filter(\.isContainer)
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("plistkit-property-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (index, value) in values.enumerated() {
      let bytes = try PlistDocument(root: value, format: format).serialized()
      try Data(bytes).write(to: folder.appendingPathComponent("\(index)"))
    }
    let other = format == .xml ? "bin" : "xml"
    let script = """
      sys.setrecursionlimit(4000)
      for index in range(int(sys.argv[2])):
          data = open(os.path.join(sys.argv[1], '%d.out' % index), 'rb').read()
          print(canonical(plistlib.loads(data)))
      """
    _ = try OtherReaders.output(
      of: "/bin/sh",
      [
        "-c", "for f in \"$0\"/*; do \"$1\" -i \"$f\" -o \"$f.out\" -f \(other); done", folder.path,
        try #require(OtherReaders.plistutil),
      ])
    let output = try OtherReaders.output(
      of: OtherReaders.python,
      ["-c", XMLOracle.canonicalScript + script, folder.path, "\(values.count)"])
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    #expect(values.count > 50)
    #expect(lines.count == values.count)
    for (line, value) in zip(lines, values) {
      #expect(difference(line, value.canonicalText) == nil)
    }
  }
}

extension PlistValue {
  /// The value without what libplist 2.2 reads or prints otherwise: reals with six digits, a carriage
  /// return as a line feed, an archive's reference as a dictionary in XML, dates before 1970, and
  /// containers deeper than 100, for which it recurses.
  fileprivate var asLibplistReads: PlistValue {
    let value = withXMLForm.mapped { value in
      switch value {
      case .real: "real"
      case .uid: "reference"
      case .string(let text):
        .string(String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\r" ? " " : $0 })))
      case .date(let date):
        .date(
          PlistDate(secondsSince2001: abs(date.secondsSince2001.rounded(.down)) / 1e3.rounded()))
      default: value
      }
    }
    return (value.extent()?.depth ?? 0) < 100 ? value : ["deep"]
  }
}
