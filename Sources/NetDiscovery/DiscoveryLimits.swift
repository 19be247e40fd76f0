/// The bounds on what discovery reads.
public struct DiscoveryLimits: Sendable {
  /// Bytes of one JSON document. A Tailscale answer lists every peer and can have megabytes.
  public var maxBytes = 16 << 20
  /// Interfaces in one list.
  public var maxInterfaces = 16384
  /// Addresses of one interface or one Tailscale node.
  public var maxAddresses = 65536

  /// The default bounds.
  public init() {}
}
