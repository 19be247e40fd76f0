/// Why an icon cannot be shown.
public struct IconError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong.
  public enum Code: String, Sendable {
    /// Not a PNG at all.
    case notPNG
    /// A PNG whose parts do not fit together.
    case malformed
    /// More bytes or pixels than are looked at.
    case limit
  }

  /// What is wrong.
  public var code: Code
  /// A sentence without capital and full stop.
  public var detail: String

  init(_ code: Code, _ detail: String) {
    self.code = code
    self.detail = detail
  }

  public var description: String { detail }

  /// Compares the codes.
  public static func == (a: Self, b: Self) -> Bool { a.code == b.code }
}
