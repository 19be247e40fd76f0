/// Where the members of a JSON document's outermost object stand in its bytes (RFC 8259).
///
/// It looks at strings, brackets, commas and colons alone, and is for documents that a full reader has
/// taken already; there is no recursion in it.
struct JSONObjectText {
  struct Member {
    /// The name with its escapes resolved.
    let name: String
    /// The name with its quotes.
    let nameRange: Range<Int>
    let valueRange: Range<Int>
  }

  let bytes: [UInt8]
  private(set) var members: [Member] = []
  /// The place of the bracket that opens the object, and of the one that closes it.
  private(set) var open = 0
  private(set) var close = 0

  /// Nil for what is no object in UTF-8, with or without a byte-order mark.
  init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    var scanner = Scanner(bytes: bytes[...])
    scanner.skipByteOrderMark()
    scanner.skipSpace()
    open = scanner.place
    guard String(validating: bytes, as: UTF8.self) != nil, scanner.take(UInt8(ascii: "{")) else {
      return nil
    }
    scanner.skipSpace()
    var hasMore = scanner.next != UInt8(ascii: "}")
    while hasMore {
      guard let member = scanner.member() else { return nil }
      members.append(member)
      hasMore = scanner.take(UInt8(ascii: ","))
      if hasMore { scanner.skipSpace() }
    }
    close = scanner.place
    guard scanner.take(UInt8(ascii: "}")) else { return nil }
    scanner.skipSpace()
    guard scanner.next == nil else { return nil }
  }
}

private struct Scanner {
  let bytes: ArraySlice<UInt8>
  var place = 0

  init(bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  var next: UInt8? { place < bytes.endIndex ? bytes[place] : nil }

  mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    place += 1
    return true
  }

  mutating func skipByteOrderMark() {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place += 3 }
  }

  mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      place += 1
    }
  }

  /// A name, a colon, a value, and the white space between and after them.
  mutating func member() -> JSONObjectText.Member? {
    let nameStart = place
    guard skipString() else { return nil }
    let nameRange = nameStart..<place
    guard let name = Self.name(bytes[nameRange]) else { return nil }
    skipSpace()
    guard take(UInt8(ascii: ":")) else { return nil }
    skipSpace()
    let valueStart = place
    guard skipValue() else { return nil }
    let valueRange = valueStart..<place
    skipSpace()
    return JSONObjectText.Member(name: name, nameRange: nameRange, valueRange: valueRange)
  }

  private static func name(_ text: ArraySlice<UInt8>) -> String? {
    // A decoder for each of a million names would take seconds.
    text.contains(UInt8(ascii: "\\"))
      ? try? decodedString(text)
      : String(decoding: text.dropFirst().dropLast(), as: UTF8.self)
  }

  private mutating func skipString() -> Bool {
    guard take(UInt8(ascii: "\"")) else { return false }
    while let byte = next {
      place += 1
      if byte == UInt8(ascii: "\"") { return true }
      if byte == UInt8(ascii: "\\") {
        guard next != nil else { return false }
        place += 1
      }
    }
    return false
  }

  /// Skips a string, a number, a literal, or all up to the bracket that closes the first one.
  private mutating func skipValue() -> Bool {
    var depth = 0
    let start = place
    repeat {
      switch next {
      case nil: return false
      case UInt8(ascii: "\"")?: guard skipString() else { return false }
      case UInt8(ascii: "{")?, UInt8(ascii: "[")?:
        depth += 1
        place += 1
      case UInt8(ascii: "}")?, UInt8(ascii: "]")?:
        guard depth > 0 else { return false }
        depth -= 1
        place += 1
      case let byte? where depth == 0 && !Self.isPlain(byte): return false
      case let byte? where Self.isPlain(byte):
        while let byte = next, Self.isPlain(byte) { place += 1 }
      default: place += 1
      }
    } while depth > 0
    return place > start
  }

  /// Whether a byte is of a number or a literal.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }
}
