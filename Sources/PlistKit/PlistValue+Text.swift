extension PlistDate {
  /// The moment to the second in UTC, as XML property lists have it: `2026-11-30T08:00:00Z`. Nil
  /// more than 2^31 years away and for what is no number.
  public var iso8601: String? { XMLScalars.text(of: self) }

  /// As ``iso8601``, with as many digits of the second's fraction as tell this moment from others, nine
  /// at most.
  public var exactISO8601: String? {
    guard let whole = iso8601 else { return nil }
    let start = secondsSince2001.rounded(.down)
    let fraction = secondsSince2001 - start
    guard fraction > 0 else { return whole }
    var scale = 1.0
    for count in 1...9 {
      scale *= 10
      let digits = min((fraction * scale).rounded(), scale - 1)
      if count == 9 || start + digits / scale == secondsSince2001 {
        let text = String(Int(digits))
        return whole.dropLast() + "." + String(repeating: "0", count: count - text.count) + text
          + "Z"
      }
    }
    return whole
  }

  /// The moment of a text in the form of ``exactISO8601``, nil for another form and for a day or an
  /// hour that does not exist.
  public init?(iso8601 text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    var whole = text
    var fraction = 0.0
    if parts.count == 2 {
      let digits = parts[1].dropLast()
      guard parts[1].hasSuffix("Z"), !digits.isEmpty,
        digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = Double("0." + digits)
      else { return nil }
      whole = parts[0] + "Z"
      fraction = value
    }
    var copy = whole
    guard let date = copy.withUTF8({ XMLScalars.date($0)?.date }), date.iso8601 == whole else {
      return nil
    }
    self.init(secondsSince2001: date.secondsSince2001 + fraction)
  }
}

extension PlistInteger {
  /// The number of a text: an optional sign, then decimal digits, or hexadecimal ones behind `0x`.
  /// Nil for other text and beyond the range.
  public init?(_ text: String) {
    let isNegative = text.hasPrefix("-")
    var digits = text.unicodeScalars[...]
    if isNegative || text.hasPrefix("+") { digits = digits.dropFirst() }
    let isHexadecimal = digits.starts(with: "0x".unicodeScalars)
    if isHexadecimal { digits = digits.dropFirst(2) }
    // The numbers' own initializer would take one more sign.
    guard digits.allSatisfy({ $0.properties.isASCIIHexDigit }),
      let magnitude = UInt64(String(digits), radix: isHexadecimal ? 16 : 10)
    else { return nil }
    guard isNegative else {
      self.init(magnitude)
      return
    }
    guard magnitude <= Int64.min.magnitude else { return nil }
    self.init(Int64(truncatingIfNeeded: 0 &- magnitude))
  }
}

extension PlistReal {
  /// The 64-bit number of a text: a decimal number, or `nan`, `inf` or `infinity` with an optional
  /// sign. Nil for other text.
  public init?(_ text: String) {
    guard let real = XMLScalars.real(text) else { return nil }
    self = real
  }
}

extension PlistValue {
  /// Bytes in base 64 (RFC 4648, section 4), on one line.
  public static func base64(_ bytes: [UInt8]) -> String {
    String(decoding: Base64.encode(bytes), as: UTF8.self)
  }

  /// The bytes of text in base 64 with its padding, white space aside. Nil for other text.
  public static func bytes(base64 text: String) -> [UInt8]? {
    let plain = text.utf8.filter { !$0.isXMLSpace }
    let bytes = plain.withUnsafeBufferPointer { Base64.decode($0) }
    // The decoder passes over much that it does not know.
    guard let bytes, Base64.encode(bytes) == plain else { return nil }
    return bytes
  }
}
