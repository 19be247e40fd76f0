/// Percent-encoding, RFC 3986 section 2.1.
package enum PercentCoding {
  /// Encodes a query's value: every byte of UTF-8 but the unreserved characters.
  static func encode(_ text: String) -> String { encode(text) { !isUnreserved($0) } }

  /// Encodes a path: all but unreserved characters and slashes, also a colon, which would make a scheme
  /// of what stands before it.
  package static func encode(path: String) -> String {
    encode(path) { !isUnreserved($0) && $0 != UInt8(ascii: "/") }
  }

  /// Encodes the bytes of UTF-8 that a condition holds for.
  package static func encode(_ text: String, where isEncoded: (UInt8) -> Bool) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    for byte in text.utf8 {
      if isEncoded(byte) {
        result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Decodes percent-escapes; a form's `+` is a blank. What is no escape stays as it is.
  static func decode(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let high = Character(Unicode.Scalar(rest[rest.startIndex])).hexDigitValue,
        let low = Character(Unicode.Scalar(rest[rest.startIndex + 1])).hexDigitValue
      {
        bytes.append(UInt8(high << 4 | low))
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
