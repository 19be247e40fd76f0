/// Why no destinations can be told.
public struct DiscoveryError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong, in a form that stays the same between versions.
  public enum Code: String, Sendable {
    /// Bytes that are no JSON, or not of the wanted shape.
    case json
    /// More than a bound of ``DiscoveryLimits`` allows.
    case limit
    /// The system does not tell its interfaces.
    case interfaces
    /// A daemon of this machine that does not answer, not in time, or not as it should.
    case daemon
    /// A port, given or in the environment, that is no number from 1 to 65535.
    case port
    /// A bind address or host that is none.
    case bind
    /// A public URL that is none.
    case publicURL = "public-url"
    /// A saved listener with a host or port that is none.
    case saved
    /// The listener can be reached from its own machine alone.
    case boundToLoopback = "bound-to-loopback"
    /// The listener is bound to an address that no other machine can reach.
    case boundToUnusable = "bound-to-unusable"
    /// The listener is bound to an address that this machine does not have now.
    case boundToAbsent = "bound-to-absent"
  }

  /// What is wrong.
  public var code: Code
  /// A sentence without capital and full stop.
  public var detail: String
  /// What to do about it, where that is known.
  public var hint: String?

  /// An error of these parts.
  public init(_ code: Code, detail: String, hint: String? = nil) {
    self.code = code
    self.detail = detail
    self.hint = hint
  }

  public var description: String { detail }

  /// Compares the codes: wording may change, codes do not.
  public static func == (a: Self, b: Self) -> Bool { a.code == b.code }
}
