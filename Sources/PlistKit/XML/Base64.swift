/// Base 64 (RFC 4648, section 4) as Core Foundation's property lists have it.
enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  /// Counts as 0, and shortens its group.
  private static let padding: UInt8 = 0x40
  /// A character to pass over.
  private static let other: UInt8 = 0x80
  /// What each character is: a value below 64, or one of the above. No ASCII is 0xFF.
  private static let kinds: [UInt8] = {
    var kinds = [UInt8](repeating: other, count: 128) + [UInt8](repeating: 0xFF, count: 128)
    for (value, character) in alphabet.enumerated() { kinds[Int(character)] = UInt8(value) }
    kinds[Int(UInt8(ascii: "="))] = padding
    return kinds
  }()

  /// The bytes of text, nil where it holds a byte above 127.
  ///
  /// Other characters than the alphabet's are passed over, and a last group of less than four is
  /// dropped. Padding shortens the group that it stands in, which need not be the last.
  static func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    if text.allSatisfy({ $0.isXMLSpace }) { return [] }
    var isValid = true
    let bytes = kinds.withUnsafeBufferPointer { kinds in
      [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3) { bytes, count in
        isValid = decode(text, kinds, into: bytes, &count)
      }
    }
    return isValid ? bytes : nil
  }

  /// Decodes text into a buffer that has room for three bytes for each four characters. Returns
  /// whether all is ASCII.
  private static func decode(
    _ text: UnsafeBufferPointer<UInt8>, _ kinds: UnsafeBufferPointer<UInt8>,
    into bytes: UnsafeMutableBufferPointer<UInt8>, _ count: inout Int
  ) -> Bool {
    var group: UInt32 = 0
    var length = 0
    var paddingLength = 0
    var index = 0
    while index < text.count {
      if length == 0, text.count - index >= 4 {
        // The common case: a group in one piece.
        let (a, b) = (kinds[Int(text[index])], kinds[Int(text[index + 1])])
        let (c, d) = (kinds[Int(text[index + 2])], kinds[Int(text[index + 3])])
        if a | b | c | d < 64 {
          let group = UInt32(a) << 18 | UInt32(b) << 12 | UInt32(c) << 6 | UInt32(d)
          bytes[count] = UInt8(truncatingIfNeeded: group >> 16)
          bytes[count + 1] = UInt8(truncatingIfNeeded: group >> 8)
          bytes[count + 2] = UInt8(truncatingIfNeeded: group)
          count += 3
          index += 4
          paddingLength = 0
          continue
        }
      }
      let kind = kinds[Int(text[index])]
      if kind == 0xFF { return false }
      if kind == padding {
        paddingLength += 1
      } else if !text[index].isXMLSpace {
        paddingLength = 0
      }
      index += 1
      if kind == other { continue }
      group = group << 6 | UInt32(kind & 0x3F)
      length += 1
      guard length == 4 else { continue }
      for place in 0..<(3 - min(paddingLength, 2)) {
        bytes[count] = UInt8(truncatingIfNeeded: group >> UInt32(16 - 8 * place))
        count += 1
      }
      length = 0
      group = 0
    }
    return true
  }

  /// The text of bytes, with padding and without line breaks.
  static func encode(_ bytes: [UInt8]) -> [UInt8] {
    let length = (bytes.count + 2) / 3 * 4
    return alphabet.withUnsafeBufferPointer { alphabet in
      [UInt8](unsafeUninitializedCapacity: length) { text, count in
        var index = 0
        while index < bytes.count {
          let present = min(3, bytes.count - index)
          let group =
            UInt32(bytes[index]) << 16 | (present > 1 ? UInt32(bytes[index + 1]) << 8 : 0)
            | (present > 2 ? UInt32(bytes[index + 2]) : 0)
          text[count] = alphabet[Int(group >> 18)]
          text[count + 1] = alphabet[Int(group >> 12 & 0x3F)]
          text[count + 2] = present > 1 ? alphabet[Int(group >> 6 & 0x3F)] : UInt8(ascii: "=")
          text[count + 3] = present > 2 ? alphabet[Int(group & 0x3F)] : UInt8(ascii: "=")
          index += 3
          count += 4
        }
      }
    }
  }
}
