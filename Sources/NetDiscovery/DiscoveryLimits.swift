/// The bounds on what discovery reads.
public struct DiscoveryLimits: Sendable {
  /// Bytes of one JSON document, also as a daemon or a command sends it. A Tailscale answer lists
  /// every peer and can have megabytes.
  public var maxBytes = 16 << 20
  /// Interfaces in one list.
  public var maxInterfaces = 16384
  /// Addresses of one interface or one Tailscale node.
  public var maxAddresses = 65536
  /// Bytes before the body of a daemon's answer.
  public var maxHeaderBytes = 64 << 10
  /// Header fields of a daemon's answer.
  public var maxHeaderFields = 128

  /// The default bounds.
  public init() {}
}
