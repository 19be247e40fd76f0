import Foundation
import Testing

@testable import PlistKit

/// A binary property list put together by hand; each part can be made wrong.
struct BinaryFile {
  var header = Array("bplist00".utf8)
  var objects: [[UInt8]]
  /// Bytes between the objects and the table.
  var padding: [UInt8] = []
  /// Bytes between the table and the trailer.
  var unexplained: [UInt8] = []
  var unused: [UInt8] = [0, 0, 0, 0, 0, 0]
  var offsetSize = 1
  var referenceSize = 1
  var topObject = 0
  var offsets: [Int]?
  var objectCount: UInt64?
  var tableOffset: UInt64?

  init(_ objects: [UInt8]...) { self.objects = objects }
  init(objects: [[UInt8]]) { self.objects = objects }

  var bytes: [UInt8] {
    var bytes = header
    var places: [Int] = []
    for object in objects {
      places.append(bytes.count)
      bytes += object
    }
    bytes += padding
    let table = bytes.count
    for place in offsets ?? places { bytes += bigEndian(UInt64(place), offsetSize) }
    bytes += unexplained + unused
    bytes += [UInt8(truncatingIfNeeded: offsetSize), UInt8(truncatingIfNeeded: referenceSize)]
    bytes += bigEndian(objectCount ?? UInt64((offsets ?? places).count), 8)
    bytes += bigEndian(UInt64(topObject), 8)
    return bytes + bigEndian(tableOffset ?? UInt64(table), 8)
  }
}

func bigEndian(_ number: UInt64, _ size: Int) -> [UInt8] {
  (0..<size).reversed().map { $0 < 8 ? UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) : 0 }
}

/// An ASCII string of less than 15 bytes as an object.
func ascii(_ text: String) -> [UInt8] { [0x50 | UInt8(text.utf8.count)] + Array(text.utf8) }

/// A change to a good file, by name, with the error it must lead to.
struct Mutation: CustomTestStringConvertible, Sendable {
  let name: String
  let code: PlistError.Code?
  let change: @Sendable (inout BinaryFile) -> Void

  init(
    _ name: String, _ code: PlistError.Code?,
    _ change: @escaping @Sendable (inout BinaryFile) -> Void
  ) {
    self.name = name
    self.code = code
    self.change = change
  }

  var testDescription: String { name }
}

/// The code with which reading fails, nil where it does not.
func code(
  reading bytes: [UInt8], limits: ParseLimits = .standard, strictness: ParseStrictness = .strict
) -> PlistError.Code? {
  do throws(PlistError) {
    _ = try PlistDocument(parsing: bytes, limits: limits, strictness: strictness)
    return nil
  } catch {
    return error.code
  }
}

/// The objects of a file as their bytes, by index.
func objectBytes(_ bytes: [UInt8]) throws -> [[UInt8]] {
  try bytes.withUnsafeBytes { raw in
    let trailer = try BinaryTrailer(reading: raw, limits: .standard, strictness: .strict)
    let objects = BinaryObjects(bytes: raw, trailer: trailer)
    return try (0..<objects.count).map { index in
      let object = try objects.object(at: index)
      return Array(raw[object.offset..<object.end])
    }
  }
}

// MARK: - Random values

/// SplitMix64, so that a failure can be repeated from its seed.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return bits ^ bits >> 31
  }
}

extension PlistValue {
  private static let texts = [
    "", "a", "CFBundleName", "grün", "日本語", "😀 emoji", "fourteen chars",
    "exactly 15 char", "A text that needs a length of its own, more than fifteen bytes",
    "e\u{301}", "\u{e9}", "\u{feff}mark", "a&b <c>",
  ]
  private static let integers: [PlistInteger] = [
    PlistInteger(Int64(0)), PlistInteger(Int64(-1)), PlistInteger(Int64(255)),
    PlistInteger(Int64(256)), PlistInteger(Int64(65_536)), PlistInteger(Int64(4_294_967_296)),
    PlistInteger(Int64.min), PlistInteger(Int64.max), PlistInteger(UInt64.max),
  ]

  /// A value of the types that XML, plistlib and libplist know too.
  static func random(using generator: inout some RandomNumberGenerator, depth: Int = 4) -> Self {
    switch Int.random(in: depth > 0 ? 0...11 : 3...11, using: &generator) {
    case 0, 1:
      var dictionary = PlistDictionary()
      for _ in 0..<Int.random(in: 0...18, using: &generator) {
        let key =
          Bool.random(using: &generator)
          ? texts[Int.random(in: 0..<texts.count, using: &generator)]
          : "key\(Int.random(in: 0...40, using: &generator))"
        dictionary[key] = random(using: &generator, depth: depth - 1)
      }
      return .dictionary(dictionary)
    case 2:
      return .array(
        (0..<Int.random(in: 0...18, using: &generator)).map { _ in
          random(using: &generator, depth: depth - 1)
        })
    case 3: return .integer(integers[Int.random(in: 0..<integers.count, using: &generator)])
    case 4: return .integer(PlistInteger(Int64.random(in: -1000...100_000, using: &generator)))
    case 5: return .real(PlistReal(Double.random(in: 0.5...1e6, using: &generator)))
    case 6:
      let seconds = Double(Int.random(in: -1_000_000...1_000_000, using: &generator))
      return .date(PlistDate(secondsSince2001: seconds))
    case 7:
      return .data(
        (0..<Int.random(in: 0...40, using: &generator)).map { _ in
          UInt8.random(in: 0...255, using: &generator)
        })
    case 8: return .boolean(Bool.random(using: &generator))
    default: return .string(texts[Int.random(in: 0..<texts.count, using: &generator)])
    }
  }

  /// A line that says the value, as `canonical` of the Python scripts does.
  var canonical: String {
    switch self {
    case .dictionary(let dictionary):
      "{"
        + dictionary.entries.map { "\(hexText($0.key)):\($0.value.canonical)" }.joined(
          separator: ",") + "}"
    case .array(let items), .set(let items):
      "[" + items.map(\.canonical).joined(separator: ",") + "]"
    case .string(let text): "s\(hexText(text))"
    case .integer(let number): "i\(number)"
    case .real(let number): "r\(number.value.bitPattern)"
    case .date(let date): "d\(Int(date.secondsSince2001))"
    case .data(let bytes): "x\(hexBytes(bytes))"
    case .boolean(let value): value ? "T" : "F"
    case .uid(let uid): "u\(uid)"
    case .null: "n"
    }
  }
}

func hexBytes(_ bytes: some Sequence<UInt8>) -> String {
  let digits = Array("0123456789ABCDEF".utf8)
  return String(
    decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}
private func hexText(_ text: String) -> String { hexBytes(text.utf8) }

func bytes(hex: some StringProtocol) -> [UInt8] {
  let digits = Array(hex.utf8)
  return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
    UInt8(String(decoding: digits[$0...($0 + 1)], as: UTF8.self), radix: 16)
  }
}

// MARK: - Other readers

/// Programs that share no code with this one.
enum OtherReaders {
  static let python = path(of: "python3")
  static let plistutil = path(of: "plistutil")
  /// Foundation's own tool.
  static let plutil = path(of: "plutil")

  private static func path(of tool: String) -> String? {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return folders.map { "\($0)/\(tool)" }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }

  /// What a program prints for an input, both through files, so that no pipe can fill up.
  static func output(
    of program: String?, _ arguments: [String], input: Data = Data()
  ) throws -> Data {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("plistkit-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let inputFile = folder.appendingPathComponent("in")
    let outputFile = folder.appendingPathComponent("out")
    try input.write(to: inputFile)
    try Data().write(to: outputFile)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try required(program))
    process.arguments = arguments
    process.standardInput = try FileHandle(forReadingFrom: inputFile)
    process.standardOutput = try FileHandle(forWritingTo: outputFile)
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure.status(process.terminationStatus) }
    return try Data(contentsOf: outputFile)
  }

  /// The lines that a Python script prints for lines of input; it has `canonical` and the modules
  /// that these tests need.
  static func python(_ script: String, lines: [String]) throws -> [String] {
    let prelude = """
      import sys, plistlib, datetime, struct, random
      def canonical(v):
        if isinstance(v, dict):
          return '{' + ','.join(k.encode().hex().upper() + ':' + canonical(x)
                                for k, x in v.items()) + '}'
        if isinstance(v, list): return '[' + ','.join(map(canonical, v)) + ']'
        if isinstance(v, str): return 's' + v.encode().hex().upper()
        if isinstance(v, bool): return 'T' if v else 'F'
        if isinstance(v, int): return 'i%d' % v
        if isinstance(v, float): return 'r%d' % struct.unpack('>Q', struct.pack('>d', v))
        if isinstance(v, datetime.datetime):
          return 'd%d' % (v - datetime.datetime(2001, 1, 1)).total_seconds()
        if isinstance(v, bytes): return 'x' + v.hex().upper()
        if isinstance(v, plistlib.UID): return 'u%d' % v.data
        return 'n'
      lines = sys.stdin.read().split('\\n')

      """
    let output = try output(
      of: python, ["-c", prelude + script], input: Data(lines.joined(separator: "\n").utf8))
    return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  enum Failure: Error {
    case missing
    case status(Int32)
  }

  private static func required(_ program: String?) throws -> String {
    guard let program else { throw Failure.missing }
    return program
  }
}

// MARK: - Sample files beside the package

/// Files that lie beside the package on some machines; tests of them are skipped elsewhere.
enum SharedFiles {
  static let root: String? = {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let folder = package.deletingLastPathComponent().appendingPathComponent("shared").path
    return FileManager.default.fileExists(atPath: folder) ? folder : nil
  }()

  static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: (root ?? "") + "/" + name)))
  }

  /// The files in a folder and the folders in it.
  static func names(in folder: String) -> [String] {
    guard let root else { return [] }
    let files = FileManager.default
    let names = (try? files.subpathsOfDirectory(atPath: "\(root)/\(folder)")) ?? []
    return names.sorted().filter { name in
      var isFolder: ObjCBool = false
      _ = files.fileExists(atPath: "\(root)/\(folder)/\(name)", isDirectory: &isFolder)
      return !isFolder.boolValue
    }
  }
}
