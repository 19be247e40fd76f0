package import PlistKit

extension PlistValue {
  /// A value of any kind that the choices come to; containers no deeper than some levels.
  package static func made(by choices: inout Choices, depth: Int = 3) -> PlistValue {
    switch choices.number(below: depth > 0 ? 14 : 10) {
    case 0: return .string(text(by: &choices))
    case 1: return .boolean(choices.happens(onceIn: 2))
    case 2: return .integer(integer(by: &choices))
    case 3: return .real(real(by: &choices))
    case 4: return .date(date(by: &choices))
    case 5:
      let count = choices.number(below: choices.happens(onceIn: 10) ? 300 : 20)
      return .data((0..<count).map { _ in UInt8(choices.number(below: 256)) })
    case 6: return .uid(choices.element(of: uids))
    case 7: return choices.happens(onceIn: 6) ? .null : .string(text(by: &choices))
    case 8: return choices.happens(onceIn: 6) ? .set([.string(text(by: &choices))]) : .boolean(true)
    case 9: return .string(choices.element(of: words))
    case 10, 11: return .array(items(by: &choices, depth: depth))
    default:
      var dictionary = PlistDictionary()
      for item in items(by: &choices, depth: depth) { dictionary[key(by: &choices)] = item }
      return .dictionary(dictionary)
    }
  }

  /// A chain of containers, each in the one before.
  package static func chain(by choices: inout Choices, depth: Int) -> PlistValue {
    (0..<depth).reduce(made(by: &choices, depth: 1)) { value, _ in
      choices.happens(onceIn: 2) ? .array([value]) : [key(by: &choices): value]
    }
  }

  /// A dictionary's key.
  package static func key(by choices: inout Choices) -> String {
    choices.happens(onceIn: 2) ? choices.element(of: words) : text(by: &choices)
  }

  private static func items(by choices: inout Choices, depth: Int) -> [PlistValue] {
    let most = choices.happens(onceIn: 12) ? 40 : 6
    return (0..<choices.number(below: most)).map { _ in made(by: &choices, depth: depth - 1) }
  }

  private static let words = [
    "CFBundleName", "CF$UID", "NSAppTransportSecurity", "updateURL", "", "é", "e\u{301}", "0", "1",
    "a", "b", "/", "~", ":", "key", "value", "日本語", "😀", "\u{FEFF}", "a & b < c > d", "]]>",
    "<!-- no comment -->", "&amp;", "fourteen chars", "exactly 15 char", "line\nbreak",
    "cr\rlf\r\n",
    " space ", "\ttab", "plain text that is longer than what fits beside its marker",
  ]
  private static let uids: [UInt32] = [0, 1, 255, 256, 65_535, 65_536, .max]
  private static let scalars: [ClosedRange<UInt32>] = [
    0x20...0x7E, 0x20...0x7E, 0x09...0x0A, 0x0D...0x0D, 0x80...0x24F, 0x300...0x36F, 0x590...0x6FF,
    0x1100...0x11FF, 0x2000...0x206F, 0x3040...0x30FF, 0xAC00...0xACFF, 0xE000...0xE0FF,
    0xFE00...0xFE0F, 0xFFF0...0xFFFD, 0x1F1E6...0x1F1FF, 0x1F300...0x1F6FF, 0xE0001...0xE007F,
    0x10FF00...0x10FFFF,
  ]

  private static func text(by choices: inout Choices) -> String {
    // Once in a while a character that XML has no form for.
    if choices.happens(onceIn: 60) { return choices.element(of: ["\0", "a\u{1}b", "\u{FFFF}"]) }
    let length = choices.number(below: choices.happens(onceIn: 10) ? 100 : 12)
    var text = String.UnicodeScalarView()
    for _ in 0..<length {
      let range = choices.element(of: scalars)
      let value = range.lowerBound + UInt32(choices.number(below: range.count))
      if let scalar = Unicode.Scalar(value) { text.append(scalar) }
    }
    return String(text)
  }

  private static func integer(by choices: inout Choices) -> PlistInteger {
    let bits = choices.bits() >> UInt64(choices.number(below: 64))
    switch choices.number(below: 4) {
    case 0: return PlistInteger(bits)
    case 1: return PlistInteger(Int64(bitPattern: bits))
    case 2: return PlistInteger(Int64(bitPattern: ~bits))
    default:
      return choices.element(of: [
        PlistInteger(UInt64.max), PlistInteger(Int64.min), PlistInteger(Int64.max),
        PlistInteger(UInt64(1) << 63), PlistInteger(Int64(0)), PlistInteger(Int64(-1)),
      ])
    }
  }

  private static func real(by choices: inout Choices) -> PlistReal {
    switch choices.number(below: 4) {
    case 0: return PlistReal(Double(bitPattern: choices.bits()))
    case 1: return PlistReal(Float(bitPattern: UInt32(truncatingIfNeeded: choices.bits())))
    case 2: return PlistReal(Double(choices.number(below: 10_000)) / 100)
    default:
      return choices.element(of: [
        PlistReal(0.0), PlistReal(-0.0), PlistReal(Double.nan), PlistReal(Double.infinity),
        PlistReal(-Double.infinity), PlistReal(Double.leastNonzeroMagnitude),
        PlistReal(Double.greatestFiniteMagnitude), PlistReal(Float(0.1)), PlistReal(0.1),
      ])
    }
  }

  private static func date(by choices: inout Choices) -> PlistDate {
    switch choices.number(below: 6) {
    case 0: return PlistDate(secondsSince2001: Double(bitPattern: choices.bits()))
    case 1: return PlistDate(secondsSince2001: Double(choices.number(below: 1_000_000)) / 1000)
    case 2:
      return PlistDate(
        secondsSince2001: choices.element(of: [
          -63_113_904_000, -63_113_904_001, 252_423_993_599, 252_423_993_600, -0.0, -0.5, .nan,
        ]))
    default:
      let seconds = Double(choices.number(below: 1 << 38)) - 3e10
      return PlistDate(secondsSince2001: seconds)
    }
  }
}
