/// Why a text names no host or destination.
public struct HostError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong, in a form that stays the same between versions.
  public enum Code: String, Sendable {
    /// No text, or no host in it.
    case empty
    /// Letters beyond ASCII: the `xn--` form is wanted.
    case notASCII
    /// A character, a label or a length that no DNS name has.
    case name
    /// Something that was meant as an address and is none in its plain form.
    case address
    /// An address with a zone (`fe80::1%en0`), which means nothing on another machine.
    case zone
    /// Brackets that are missing around an IPv6 address, unbalanced, or around something else.
    case brackets
    /// A scheme other than `http` and `https`, or none where one must stand.
    case scheme
    /// A user name or password.
    case userInfo
    /// A path other than `/`.
    case path
    /// A query.
    case query
    /// A fragment.
    case fragment
    /// A port that is no number from 1 to 65535.
    case port
  }

  /// What is wrong.
  public var code: Code
  /// A sentence without capital and full stop. It never holds a path, a query or user info.
  public var detail: String

  /// An error of these parts.
  public init(_ code: Code, detail: String) {
    self.code = code
    self.detail = detail
  }

  public var description: String { detail }

  /// Compares the codes: wording may change, codes do not.
  public static func == (a: Self, b: Self) -> Bool { a.code == b.code }
}

/// Text from outside, fit for one line of a message: in quotes, control characters escaped, cut
/// after some 64 characters, and of 32 or more hexadecimal digits in a row, which may be an
/// installation's ID, only the first four.
func quoted(_ text: some StringProtocol) -> String {
  var shown = ""
  var digits = ""
  func flush() {
    shown += digits.utf8.count < 32 ? digits : digits.prefix(4) + "…"
    digits = ""
  }
  for scalar in text.unicodeScalars.prefix(256) where shown.unicodeScalars.count <= 64 {
    if scalar.isASCII, isHexDigit(UInt8(truncatingIfNeeded: scalar.value)) {
      digits.unicodeScalars.append(scalar)
      continue
    }
    flush()
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned:
      shown += "\\u{" + String(scalar.value, radix: 16) + "}"
    default: shown.unicodeScalars.append(scalar)
    }
  }
  flush()
  let scalars = shown.unicodeScalars
  return "'" + String(scalars.prefix(64))
    + (scalars.count > 64 || text.unicodeScalars.count > 256 ? "…'" : "'")
}
