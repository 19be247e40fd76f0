import Foundation
import PlistFuzzTargets
import PlistKit

/// Writes a value as XML in one of the many ways in which it can be: white space, comments, CDATA,
/// references, attributes, headers and encodings as chance has it.
struct XMLWeaver {
  /// The character encodings that a document is written in.
  enum Encoding: CaseIterable {
    case utf8, utf8WithMark, utf16Little, utf16Big, utf32Little, utf32Big, latin1

    var declaredName: String {
      switch self {
      case .utf8, .utf8WithMark: "UTF-8"
      case .utf16Little, .utf16Big: "UTF-16"
      case .utf32Little, .utf32Big: "UTF-32"
      case .latin1: "ISO-8859-1"
      }
    }

    func bytes(of text: String) -> [UInt8]? {
      switch self {
      case .utf8: Array(text.utf8)
      case .utf8WithMark: [0xEF, 0xBB, 0xBF] + Array(text.utf8)
      case .utf16Little: text.data(using: .utf16LittleEndian).map { [0xFF, 0xFE] + Array($0) }
      case .utf16Big: text.data(using: .utf16BigEndian).map { [0xFE, 0xFF] + Array($0) }
      case .utf32Little:
        text.data(using: .utf32LittleEndian).map { [0xFF, 0xFE, 0, 0] + Array($0) }
      case .utf32Big: text.data(using: .utf32BigEndian).map { [0, 0, 0xFE, 0xFF] + Array($0) }
      case .latin1: text.data(using: .isoLatin1).map { Array($0) }
      }
    }
  }

  private var choices: Choices
  private let encoding: Encoding
  private let lineBreak: String
  /// Whether a carriage return may stand as it is, which XML parsers read as a line feed.
  private let keepsReturns: Bool

  private init(_ choices: Choices, _ encoding: Encoding, keepsReturns: Bool) {
    self.choices = choices
    self.encoding = encoding
    self.keepsReturns = keepsReturns
    lineBreak = self.choices.element(of: ["\n", "\n", "\r\n", "\r"])
  }

  /// The bytes of a document.
  static func document(
    _ value: PlistValue, seed: UInt64, encodings: [Encoding] = Encoding.allCases,
    keepsReturns: Bool = true
  ) throws -> [UInt8] {
    var choices = Choices(seed: seed)
    let encoding = choices.element(of: encodings)
    var weaver = XMLWeaver(choices, encoding, keepsReturns: keepsReturns)
    let text = weaver.document(value)
    guard let bytes = encoding.bytes(of: text) else { throw Failure.encoding }
    return bytes
  }

  enum Failure: Error { case encoding }

  private mutating func document(_ value: PlistValue) -> String {
    var text = ""
    if encoding == .latin1 || choices.happens(onceIn: 2) {
      let quote = choices.element(of: ["\"", "'"])
      text +=
        "<?xml version=\(quote)1.0\(quote) encoding=\(quote)\(encoding.declaredName)\(quote)?>"
    }
    text += space()
    if choices.happens(onceIn: 2) {
      text += """
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
        "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        """ + space()
    }
    let root = element(value)
    if choices.happens(onceIn: 5) {
      text += root
    } else {
      text += tag("plist", attributes: " version=\"1.0\"") + space() + root + space() + end("plist")
    }
    return text + space()
  }

  /// White space and comments that may stand between elements.
  private mutating func space() -> String {
    var text = ""
    for _ in 0..<choices.number(below: 4) {
      text += choices.element(of: [
        lineBreak, lineBreak, "\t", "  ", " ", "<!-- a <comment> & more -->", "<!---->",
        "<!--\(lineBreak)-->", "<?target some text?>", "\t\t",
      ])
    }
    return text
  }

  private mutating func tag(_ name: String, attributes: String = "") -> String {
    let more = choices.element(of: ["", "", "", " a='1'", " a=\"x\"  b = 'it is > \"1\"'", " "])
    return "<\(name)\(attributes)\(more)>"
  }

  private mutating func end(_ name: String) -> String {
    "</\(name)\(choices.element(of: ["", "", "", " ", lineBreak]))>"
  }

  private mutating func empty(_ name: String) -> String {
    choices.element(of: ["<\(name)/>", "<\(name) />", "<\(name)></\(name)>", "<\(name) a='1'/>"])
  }

  private mutating func element(_ value: PlistValue) -> String {
    switch value {
    case .dictionary(let dictionary):
      guard !dictionary.isEmpty else { return empty("dict") }
      var text = tag("dict")
      for entry in dictionary.entries {
        text += space() + leaf("key", entry.key.isEmpty ? "" : characters(entry.key))
        text += space() + element(entry.value)
      }
      return text + space() + end("dict")
    case .array(let items):
      guard !items.isEmpty else { return empty("array") }
      var text = tag("array")
      for item in items { text += space() + element(item) }
      return text + space() + end("array")
    case .string(let text): return text.isEmpty ? empty("string") : leaf("string", characters(text))
    case .integer(let number): return leaf("integer", digits(number))
    case .real(let real): return leaf("real", decimal(real.value))
    case .date(let date):
      return leaf("date", moment(date.secondsSince2001))
    case .data(let bytes): return leaf("data", base64(bytes))
    case .boolean(let truth): return empty(truth ? "true" : "false")
    case .uid(let number): return element(["CF$UID": .integer(PlistInteger(UInt64(number)))])
    case .null, .set: return ""
    }
  }

  private mutating func leaf(_ name: String, _ content: String) -> String {
    tag(name) + content + end(name)
  }

  private mutating func digits(_ number: PlistInteger) -> String {
    guard let magnitude = number.uint64 else { return "\(number)" }
    return choices.element(of: [
      "\(number)", "\(number)", "+\(number)", "00\(number)", " \(lineBreak)\(number)",
      "0x" + String(magnitude, radix: 16), "0X" + String(magnitude, radix: 16, uppercase: true),
    ])
  }

  private mutating func decimal(_ number: Double) -> String {
    if number.isNaN { return choices.element(of: ["nan", "NaN"]) }
    if number.isInfinite {
      return (number < 0 ? "-" : choices.element(of: ["", "+"]))
        + choices.element(of: ["inf", "infinity", "Infinity"])
    }
    let plus = number.sign == .minus ? "" : "+"
    return choices.element(of: ["\(number)", "\(number)".uppercased(), plus + "\(number)"])
  }

  /// Foundation's calendars are Julian before 1582, the C library's is not.
  private func moment(_ secondsSince2001: Double) -> String {
    var seconds = time_t(secondsSince2001) + 978_307_200
    var parts = tm()
    gmtime_r(&seconds, &parts)
    return String(
      format: "%04d-%02d-%02dT%02d:%02d:%02dZ", parts.tm_year + 1900, parts.tm_mon + 1,
      parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec)
  }

  private mutating func base64(_ bytes: [UInt8]) -> String {
    var text = ""
    for character in Data(bytes).base64EncodedString() {
      text.append(character)
      if choices.happens(onceIn: 20) { text += lineBreak + "\t" }
    }
    // Nothing at all between the tags is no data, as Apple's reader has it.
    return text.isEmpty ? "\n" : text
  }
}

extension XMLWeaver {
  /// Text, each character in one of the ways that XML has for it.
  private mutating func characters(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var isInSection = false
    func append(_ text: String) { result.append(contentsOf: text.unicodeScalars) }
    func leaveSection() {
      if isInSection { append("]]>") }
      isInSection = false
    }
    for scalar in text.unicodeScalars {
      let mustBeReference =
        encoding == .latin1 && scalar.value > 0xFF || scalar == "\r" && !keepsReturns
      if mustBeReference || choices.happens(onceIn: 12) {
        leaveSection()
        append(reference(scalar))
        continue
      }
      if !isInSection, choices.happens(onceIn: 15) {
        append("<![CDATA[")
        isInSection = true
      } else if isInSection, choices.happens(onceIn: 6) || scalar == ">" {
        leaveSection()
      }
      if isInSection {
        result.append(scalar)
      } else {
        if choices.happens(onceIn: 60) { append("<!-- in text -->") }
        append(plain(scalar, after: result.last))
      }
    }
    leaveSection()
    return String(result)
  }

  private mutating func reference(_ scalar: Unicode.Scalar) -> String {
    let zeros = choices.element(of: ["", "", "0"])
    return choices.happens(onceIn: 2)
      ? "&#\(zeros)\(scalar.value);" : "&#x\(String(scalar.value, radix: 16, uppercase: true));"
  }

  private mutating func plain(_ scalar: Unicode.Scalar, after last: Unicode.Scalar?) -> String {
    switch scalar {
    case "&": return "&amp;"
    case "<": return "&lt;"
    case ">" where last == "]" || choices.happens(onceIn: 2): return "&gt;"
    case "\"" where choices.happens(onceIn: 2): return "&quot;"
    case "'" where choices.happens(onceIn: 2): return "&apos;"
    default: return String(scalar)
    }
  }
}
