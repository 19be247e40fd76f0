/// The scheme of an update URL.
public enum Scheme: String, Sendable {
  case http
  case https

  /// The port that a URL without one means (RFC 9110, 4.2).
  public var defaultPort: UInt16 {
    switch self {
    case .http: 80
    case .https: 443
    }
  }
}

/// Where an app will connect for its updates.
public struct Destination: Sendable, Hashable {
  /// Where the host comes from.
  public enum Kind: String, Sendable, CaseIterable {
    case localName = "local-name"
    case ipv4
    case ipv6
    case tailscaleName = "tailscale-name"
    case tailscaleIPv4 = "tailscale-ipv4"
    case tailscaleIPv6 = "tailscale-ipv6"
    /// Named by the user, or the host name to which the listener is bound.
    case given
  }

  /// How the app talks to the server.
  public let scheme: Scheme
  /// The host.
  public let host: Host
  /// The TCP port, never 0 where the text was parsed.
  public let port: UInt16
  /// Where the host comes from.
  public let kind: Kind
  /// The interface that has the address.
  public let interface: String?

  /// A destination of these parts.
  public init(
    scheme: Scheme = .http, host: Host, port: UInt16, kind: Kind = .given, interface: String? = nil
  ) {
    self.scheme = scheme
    self.host = host
    self.port = port
    self.kind = kind
    self.interface = interface
  }

  /// The start of the destination's URLs, without the scheme's default port:
  /// `http://[fd00::10]:19464`.
  public var origin: String {
    let port = port == scheme.defaultPort ? "" : ":\(port)"
    return "\(scheme.rawValue)://\(host.urlText)\(port)"
  }
}
