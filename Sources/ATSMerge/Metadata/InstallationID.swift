/// The token that names one installation of an app: 48 hexadecimal digits.
///
/// It is a credential. Its description shows four digits; only ``revealed`` gives it whole.
/// Source: the update contract, "Detect support at runtime".
public struct InstallationID: Sendable, Hashable, CustomStringConvertible {
  /// All 48 digits: for the property list and the record file alone.
  public let revealed: String

  /// How many digits it has.
  public static let length = 48

  /// Reads 48 hexadecimal digits, of either case.
  public init?(parsing text: some StringProtocol) {
    guard text.utf8.count == Self.length, text.utf8.allSatisfy(\.isHexadecimalDigit) else {
      return nil
    }
    revealed = String(text)
  }

  /// A new one of 24 random bytes, in lower case.
  public init(using generator: inout some RandomNumberGenerator) {
    let digits = Array("0123456789abcdef")
    revealed = String(
      (0..<Self.length).map { _ in digits[Int(generator.next(upperBound: 16 as UInt8))] })
  }

  /// The first four digits and an ellipsis.
  public var description: String { revealed.prefix(Redaction.visibleDigits) + "…" }
}

extension UInt8 {
  var isHexadecimalDigit: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}
