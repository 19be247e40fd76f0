/// Writes the expression of a requirement as text, as Security's `reqdumper.cpp` does.
///
/// The numbers of the forms are `ExprOp`, `ExprForm` and `MatchOperation` of Security's `requirement.h`.
struct RequirementReader {
  private let fields: ByteFields
  private let depth: Int
  private var place = 12
  /// Whether no form was met that is not known.
  private(set) var isUnderstood = true
  /// Whether a form was met whose end cannot be known, so that nothing behind it can be read.
  private var isLost = false

  init(_ fields: ByteFields, depth: Int) {
    self.fields = fields
    self.depth = depth
  }

  mutating func text() throws(SigningError) -> String {
    let text = try expression(in: .top, depth: 0)
    guard isLost || place == fields.bytes.count else {
      throw fields.error(.malformed, at: place, "bytes follow on its expression")
    }
    return text
  }

  /// How tightly what stands around an expression binds: an `or` in an `and` takes parentheses.
  private enum Level: Int {
    case primary, and, or, top
  }

  private mutating func expression(
    in level: Level, depth: Int
  ) throws(SigningError) -> String {
    guard !isLost else { return "/* not read */" }
    guard depth < self.depth else {
      throw fields.error(
        .limit, at: place, "its expressions lie more than \(self.depth) inside one another")
    }
    let start = place
    let opcode = try number()
    switch opcode & 0xFF_FFFF {
    case 6: return try pair("and", .and, in: level, depth)
    case 7: return try pair("or", .or, in: level, depth)
    case 9: return "! " + (try expression(in: .primary, depth: depth + 1))
    default: break
    }
    if let text = try simple(opcode & 0xFF_FFFF) { return text }
    return try field(opcode, at: start)
  }

  private mutating func pair(
    _ word: String, _ own: Level, in level: Level, _ depth: Int
  ) throws(SigningError) -> String {
    let left = try expression(in: own, depth: depth + 1)
    let right = try expression(in: own, depth: depth + 1)
    let text = "\(left) \(word) \(right)"
    return level.rawValue < own.rawValue ? "(\(text))" : text
  }

  /// The forms without a match, nil for another.
  private mutating func simple(_ opcode: UInt32) throws(SigningError) -> String? {
    switch opcode {
    case 0: return "never"
    case 1: return "always"
    case 2: return "identifier " + RequirementText.value(try data())
    case 3: return "anchor apple"
    case 4: return "certificate \(try certificate()) = \(RequirementText.hash(try data()))"
    case 5:
      let key = RequirementText.value(try data(), allowsDots: true)
      return "info[\(key)] = \(RequirementText.value(try data()))"
    case 8: return "cdhash " + RequirementText.hash(try data())
    case 12: return "certificate \(try certificate()) trusted"
    case 13: return "anchor trusted"
    case 15: return "anchor apple generic"
    case 18: return "anchor apple " + RequirementText.value(try data())
    case 19: return "(\(RequirementText.value(try data())))"
    case 20: return "platform = \(Int32(bitPattern: try number()))"
    case 21: return "notarized"
    case 23: return "legacy"
    default: return nil
    }
  }

  /// The forms that match a field, and those that are not known.
  private mutating func field(
    _ opcode: UInt32, at start: Int
  ) throws(SigningError) -> String {
    switch opcode & 0xFF_FFFF {
    case 10: return "info[\(try key())]" + (try match())
    case 16: return "entitlement[\(try key())]" + (try match())
    case 11: return "certificate \(try certificate())[\(try key())]" + (try match())
    case 14: return "certificate \(try certificate())[field.\(try identifier())]" + (try match())
    case 17: return "certificate \(try certificate())[policy.\(try identifier())]" + (try match())
    case 22:
      return "certificate \(try certificate())[timestamp.\(try identifier())]" + (try match())
    default: break
    }
    isUnderstood = false
    let name = "opcode \(opcode & 0xFF_FFFF)"
    // opGenericFalse and opGenericSkip tell what to make of a form that is not known, whose data follow.
    if opcode & 0x8000_0000 != 0 {
      _ = try data()
      return "never /* \(name) is not known */"
    }
    if opcode & 0x4000_0000 != 0 {
      _ = try data()
      return "/* \(name) is not known, and left out */"
    }
    isLost = true
    place = start
    return "/* \(name) is not known */"
  }

  /// A match: `MatchOperation`.
  private mutating func match() throws(SigningError) -> String {
    let operation = try number()
    switch operation {
    case 0: return " /* exists */"
    case 14: return " absent"
    case 1: return " = " + RequirementText.value(try data())
    case 2: return " ~ " + RequirementText.value(try data())
    case 3: return " = " + RequirementText.value(try data()) + "*"
    case 4: return " = *" + RequirementText.value(try data())
    case 5: return " < " + RequirementText.value(try data())
    case 6: return " > " + RequirementText.value(try data())
    case 7: return " <= " + RequirementText.value(try data())
    case 8: return " >= " + RequirementText.value(try data())
    case 9...13:
      let signs = [" = ", " < ", " > ", " <= ", " >= "]
      return signs[Int(operation) - 9] + "timestamp \(try timestamp())"
    default:
      isUnderstood = false
      isLost = true
      return " /* match \(operation) is not known */"
    }
  }

  private mutating func key() throws(SigningError) -> String {
    RequirementText.value(try data(), allowsDots: true)
  }

  private mutating func identifier() throws(SigningError) -> String {
    RequirementText.objectIdentifier(try data())
  }

  /// A certificate's place in the chain: 0 is the leaf, -1 the root.
  private mutating func certificate() throws(SigningError) -> String {
    let number = Int32(bitPattern: try number())
    return number == 0 ? "leaf" : number == -1 ? "root" : "\(number)"
  }

  /// Seconds from 2001 on.
  private mutating func timestamp() throws(SigningError) -> Int64 {
    let value = Int64(bitPattern: try fields.long(at: place))
    place += 8
    return value
  }

  private mutating func number() throws(SigningError) -> UInt32 {
    let value = try fields.word(at: place)
    place += 4
    return value
  }

  /// Bytes with their count before and zeros behind, up to a multiple of four.
  private mutating func data() throws(SigningError) -> ArraySlice<UInt8> {
    let count = Int(try number())
    let bytes = try fields.slice(at: place, count: count)
    let padded = (count + 3) & ~3
    _ = try fields.slice(at: place, count: padded)
    place += padded
    return bytes
  }
}

/// How values are written in a requirement's text.
enum RequirementText {
  /// Letters and digits as they are where the first is a letter, printable text in quotes, else hexadecimal.
  static func value(_ bytes: ArraySlice<UInt8>, allowsDots: Bool = false) -> String {
    let isPlain =
      bytes.first.map(isLetter) ?? false
      && bytes.allSatisfy { isLetter($0) || isDigit($0) || allowsDots && $0 == 0x2E }
    if isPlain { return String(decoding: bytes, as: UTF8.self) }
    guard bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { return "0x" + bytes.hexadecimal }
    var text = "\""
    for byte in bytes {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { text += "\\" }
      text.unicodeScalars.append(UnicodeScalar(byte))
    }
    return text + "\""
  }

  static func hash(_ bytes: ArraySlice<UInt8>) -> String { "H\"\(bytes.hexadecimal)\"" }

  /// An object identifier from its BER contents (X.690, 8.19), in hexadecimal where it is none.
  static func objectIdentifier(_ bytes: ArraySlice<UInt8>) -> String {
    var numbers: [UInt64] = []
    var value: UInt64 = 0
    var isOpen = true
    for byte in bytes {
      guard value < 1 << 56 else { return "0x" + bytes.hexadecimal }
      value = value << 7 | UInt64(byte & 0x7F)
      isOpen = byte & 0x80 != 0
      guard !isOpen else { continue }
      if numbers.isEmpty {
        let first = min(value / 40, 2)
        numbers = [first, value - 40 * first]
      } else {
        numbers.append(value)
      }
      value = 0
    }
    guard !isOpen else { return "0x" + bytes.hexadecimal }
    return numbers.map(String.init).joined(separator: ".")
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
