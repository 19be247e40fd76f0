/// Base 64 (RFC 4648, section 4) as Core Foundation's property lists have it.
enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  /// The value of each ASCII character; `=` counts as 0, 0xFF is a character to pass over.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 128)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    values[Int(UInt8(ascii: "="))] = 0
    return values
  }()

  /// The bytes of text, nil where it holds a byte above 127.
  ///
  /// Other characters than the alphabet's are passed over, and a last group of less than four is
  /// dropped. Padding shortens the group that it stands in, which need not be the last.
  static func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    let values = values
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var group: UInt32 = 0
    var length = 0
    var padding = 0
    for character in text {
      guard character < 128 else { return nil }
      if character == UInt8(ascii: "=") {
        padding += 1
      } else if !character.isXMLSpace {
        padding = 0
      }
      let value = values[Int(character)]
      if value == 0xFF { continue }
      group = group << 6 | UInt32(value)
      length += 1
      if length == 4 {
        bytes.append(UInt8(truncatingIfNeeded: group >> 16))
        if padding < 2 { bytes.append(UInt8(truncatingIfNeeded: group >> 8)) }
        if padding < 1 { bytes.append(UInt8(truncatingIfNeeded: group)) }
        length = 0
        group = 0
      }
    }
    return bytes
  }

  /// The text of bytes, with padding and without line breaks.
  static func encode(_ bytes: [UInt8]) -> [UInt8] {
    let alphabet = alphabet
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var index = 0
    while index < bytes.count {
      let present = min(3, bytes.count - index)
      var group: UInt32 = 0
      for offset in 0..<3 {
        group = group << 8 | (offset < present ? UInt32(bytes[index + offset]) : 0)
      }
      for sextet in 0..<4 {
        let value = Int(group >> UInt32(18 - 6 * sextet) & 0x3F)
        text.append(sextet <= present ? alphabet[value] : UInt8(ascii: "="))
      }
      index += 3
    }
    return text
  }
}
