import Foundation
import Testing

@testable import PlistKit

extension PlistValue {
  /// A text that is the same for the same value only, short enough for a table: `"text"`, `5`,
  /// `r1.5` (double), `f1.5` (float), `t123.0` (date), `<00ff>`, `true`, `uid 5`, `null`, `[a, b]`,
  /// `{"key": a}`, `set[a]`. What is no printable ASCII is escaped by its number. A NaN shows its bits.
  var compactText: String {
    switch self {
    case .string(let text): Self.quoted(text)
    case .integer(let number): number.description
    case .real(let real):
      (real.isSinglePrecision ? "f" : "r") + Self.text(of: real.value)
    case .date(let date): "t" + Self.text(of: date.secondsSince2001)
    case .data(let bytes): "<" + bytes.map { String(format: "%02x", $0) }.joined() + ">"
    case .boolean(let value): value ? "true" : "false"
    case .uid(let number): "uid \(number)"
    case .null: "null"
    case .array(let items): "[" + items.map(\.compactText).joined(separator: ", ") + "]"
    case .set(let items): "set[" + items.map(\.compactText).joined(separator: ", ") + "]"
    case .dictionary(let dictionary):
      "{"
        + dictionary.entries.map { "\(Self.quoted($0.key)): \($0.value.compactText)" }
        .joined(separator: ", ") + "}"
    }
  }

  private static func text(of number: Double) -> String {
    number.isNaN ? "nan:" + String(number.bitPattern, radix: 16) : "\(number)"
  }

  private static func quoted(_ text: String) -> String {
    "\""
      + text.unicodeScalars.map { scalar in
        (0x20..<0x7F).contains(scalar.value) && scalar != "\"" && scalar != "\\"
          ? String(scalar) : "\\u{" + String(scalar.value, radix: 16) + "}"
      }.joined() + "\""
  }
}

/// What a reader makes of a file.
enum Verdict: Equatable, Sendable, CustomStringConvertible {
  /// It reads the value, in the form of `PlistValue.compactText`.
  case reads(String)
  case refuses(PlistError.Code)

  var isRead: Bool { if case .reads = self { true } else { false } }

  var description: String {
    switch self {
    case .reads(let text): "reads \(text.prefix(200))"
    case .refuses(let code): "refuses: \(code)"
    }
  }

  /// What PlistKit makes of it.
  init(
    reading bytes: [UInt8], strictness: ParseStrictness = .strict,
    limits: ParseLimits = .standard
  ) {
    do throws(PlistError) {
      let document = try PlistDocument(parsing: bytes, limits: limits, strictness: strictness)
      self = .reads(
        PlistSize.fits(document.root, values: 1 << 20, bytes: 64 << 20)
          ? document.root.compactText : "more than can be written out")
    } catch {
      self = .refuses(error.code)
    }
  }
}

/// The files of the edge cases, which the project made itself.
enum EdgeFiles {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Fixtures/edge")

  /// The names of the files and of those that are made anew, without their extension.
  static let names: [String] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let stored = files.filter { $0.hasSuffix(".plist") }.map { String($0.dropLast(6)) }
    return (stored + generated.keys).sorted()
  }()

  /// What is too large to keep.
  static let generated: [String: @Sendable () -> [UInt8]] = [
    "b_depth200k": {
      let arrays = 200_000
      var bytes = Array("bplist00".utf8)
      for index in 1...arrays { bytes += [0xA1] + bigEndian(index, size: 3) }
      bytes += [0x51, 0x61]
      let table = bytes.count
      for index in 0...arrays { bytes += bigEndian(8 + 4 * index, size: 4) }
      bytes += [0, 0, 0, 0, 0, 0, 4, 3]
      for number in [arrays + 1, 0, table] { bytes += bigEndian(number, size: 8) }
      return bytes
    },
    "x_depth100k": {
      XMLSample.document(
        String(repeating: "<array>", count: 100_000)
          + String(repeating: "</array>", count: 100_000))
    },
    "x_str_10mb": {
      XMLSample.document(
        "<string>" + String(repeating: "a", count: 10_500_000) + "</string>")
    },
  ]

  static func bytes(_ name: String) throws -> [UInt8] {
    if let make = generated[name] { return make() }
    return Array(try Data(contentsOf: folder.appendingPathComponent(name + ".plist")))
  }

  private static func bigEndian(_ number: Int, size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }
}
