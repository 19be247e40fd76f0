extension PlistDate {
  /// The moment to the second in UTC, as XML property lists have it: `2026-11-30T08:00:00Z`. Nil
  /// outside the years 1 to 9999 and for what is no number.
  public var iso8601: String? { XMLScalars.text(of: self) }
}

extension PlistValue {
  /// Bytes in base 64 (RFC 4648, section 4), on one line.
  public static func base64(_ bytes: [UInt8]) -> String {
    String(decoding: Base64.encode(bytes), as: UTF8.self)
  }
}
