import Foundation
import Testing

@testable import PlistKit

/// Python's `json` reads what is written here, and what it writes is read here, to the same values.
@Suite(.enabled(if: OtherReaders.python != nil, "Python is not here"))
struct JSONOracleTests {
  /// `canonical(value)` as ``PlistValue/exactText`` has it.
  private static let canonical = """
    import json, sys, struct, random
    def text(s): return s.encode('utf-8').hex()
    def canonical(v):
        if v is None: return 'n'
        if isinstance(v, bool): return 'b1' if v else 'b0'
        if isinstance(v, str): return 's' + text(v)
        if isinstance(v, int): return 'i' + str(v)
        if isinstance(v, float): return 'r' + struct.pack('>d', v).hex()
        if isinstance(v, list): return '[' + ','.join(map(canonical, v)) + ']'
        return '{' + ','.join(text(k) + ':' + canonical(x) for k, x in v.items()) + '}'

    """

  @Test func pythonReadsWhatIsWritten() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "json-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var random = SeededGenerator(state: 20_261_130)
    let values = (0..<2000).map { _ in PlistValue.randomJSON(depth: 5, using: &random) }
    let lines = try values.enumerated().map { index, value in
      try value.json(JSONOptions(isCompact: index % 2 == 0))
    }
    // Each value on its own: the pretty form has lines of its own, so they are parted by a zero byte.
    try Data(lines.joined(separator: [0])).write(to: folder.appending(path: "values"))
    let script =
      Self.canonical + """
        for part in open(sys.argv[1], 'rb').read().split(bytes(1)):
            print(canonical(json.loads(part.decode('utf-8'))))
        """
    let output = try OtherReaders.output(
      of: OtherReaders.python, ["-c", script, folder.appending(path: "values").path])
    let read = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    #expect(read.count == values.count)
    for (value, line) in zip(values, read) { #expect(value.exactText == line) }
    for (value, line) in zip(values, lines) { #expect(try PlistValue(parsingJSON: line) == value) }
  }

  @Test func whatPythonWritesIsRead() throws {
    let script =
      Self.canonical + """
        random.seed(7)
        def leaf():
            kind = random.randrange(7)
            if kind == 0: return random.choice([True, False, None])
            if kind == 1: return random.randrange(-2**63, 2**64)
            if kind == 2: return random.randrange(-9, 9)
            if kind == 3: return struct.unpack('>d', random.randbytes(8))[0]
            if kind == 4: return random.uniform(-1e3, 1e3)
            return ''.join(chr(random.choice([random.randrange(0xD800), random.randrange(0xE000, 0x110000), random.randrange(0x80)])) for _ in range(random.randrange(9)))
        def value(depth):
            if depth == 0 or random.random() < 0.3: return leaf()
            if random.random() < 0.5: return [value(depth - 1) for _ in range(random.randrange(5))]
            return {str(leaf()): value(depth - 1) for _ in range(random.randrange(5))}
        done = 0
        while done < 2000:
            made = value(5)
            try: line = json.dumps(made, ensure_ascii=done % 2 == 0, allow_nan=False, separators=random.choice([(',', ':'), (', ', ' : ')]))
            except ValueError: continue
            print(line.encode().hex(), canonical(made), sep='\\t')
            done += 1
        """
    let output = try OtherReaders.output(of: OtherReaders.python, ["-c", script])
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
    try #require(lines.count == 2000)
    for line in lines {
      let fields = line.split(separator: "\t")
      let digits = Array(fields[0].utf8)
      let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
        UInt8(String(decoding: digits[$0..<($0 + 2)], as: UTF8.self), radix: 16)
      }
      #expect(try PlistValue(parsingJSON: bytes).exactText == fields[1])
    }
  }
}

extension PlistValue {
  /// A value of what JSON can hold.
  fileprivate static func randomJSON(
    depth: Int, using random: inout SeededGenerator
  ) -> PlistValue {
    let kind = Int.random(in: 0..<(depth > 0 ? 10 : 6), using: &random)
    let count = Int.random(in: 0..<5, using: &random)
    switch kind {
    case 0: return .boolean(Bool.random(using: &random))
    case 1: return .null
    case 2: return .integer(PlistInteger(UInt64.random(in: .min ... .max, using: &random)))
    case 3: return .integer(PlistInteger(Int64.random(in: .min ... .max, using: &random)))
    case 4:
      let real = Double(bitPattern: UInt64.random(in: .min ... .max, using: &random))
      return .real(PlistReal(real.isFinite ? real : -0.0))
    case 5: return .string(randomText(using: &random))
    case 6, 7:
      return .array((0..<count).map { _ in randomJSON(depth: depth - 1, using: &random) })
    default:
      return .dictionary(
        PlistDictionary(
          (0..<count).map { _ in
            (randomText(using: &random), randomJSON(depth: depth - 1, using: &random))
          }))
    }
  }

  private static func randomText(using random: inout SeededGenerator) -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0..<8, using: &random) {
      let most: UInt32 = [0x20, 0x80, 0x400, 0x10FFFF].randomElement(using: &random) ?? 0x80
      if let scalar = Unicode.Scalar(UInt32.random(in: 0...most, using: &random)) {
        text.append(scalar)
      }
    }
    return String(text)
  }

  /// A text that is the same for the same value in Python.
  fileprivate var exactText: String {
    switch self {
    case .null: "n"
    case .array(let items): "[" + items.map(\.exactText).joined(separator: ",") + "]"
    case .dictionary(let dictionary):
      "{"
        + dictionary.entries.map { "\(Self.digits($0.key)):\($0.value.exactText)" }
        .joined(separator: ",") + "}"
    case .string(let text): "s" + Self.digits(text)
    default: canonicalText
    }
  }

  private static func digits(_ text: String) -> String {
    text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
