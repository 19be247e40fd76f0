/// Where the update server listens.
public struct Listener: Sendable, Hashable {
  /// To which addresses a listener is bound.
  public enum Bind: Sendable, Hashable {
    /// All of IPv4 and IPv6, as servers on `::` are.
    case all
    /// All of IPv4.
    case allIPv4
    /// One address, or the addresses of one name.
    case one(Host)
  }

  /// Which setting decided.
  public enum Source: String, Sendable {
    case option
    case publicURL = "public-url"
    case environment
    case saved
    case `default`
  }

  /// The port of a server without any setting.
  public static let defaultPort: UInt16 = 19464

  public let bind: Bind
  public let port: UInt16
  public let hostFrom: Source
  public let portFrom: Source

  /// A listener of these parts.
  public init(
    bind: Bind = .all, port: UInt16 = Listener.defaultPort, hostFrom: Source = .default,
    portFrom: Source = .default
  ) {
    self.bind = bind
    self.port = port
    self.hostFrom = hostFrom
    self.portFrom = portFrom
  }

  /// The bind address as text: `::` for all, `0.0.0.0` for all of IPv4.
  public var host: String { bind.text }
}

extension Listener {
  /// The listener that settings of several sources make.
  ///
  /// For the port the first of these counts: the option, the public URL's port where it names one,
  /// the environment, the saved listener, 19464. For the bind address: the option, the saved
  /// listener, all. The source that counts must be valid: the next one does not stand in for a
  /// wrong one. The public URL is checked wherever it is given.
  ///
  /// `port`, `bind` and `publicURL` are the options as typed, the last an `http` or `https` URL
  /// whose path does not count; ``Bind/init(parsing:)`` has the forms of a bind address.
  /// `environmentPort` is `IPA_HUB_PORT`, nil where it is not set; empty is a wrong one.
  /// - Throws: ``DiscoveryError`` with codes `port`, `bind`, `boundToUnusable`, `publicURL`,
  ///   `saved`.
  public static func resolve(
    port: String? = nil, bind: String? = nil, publicURL: String? = nil,
    environmentPort: String? = nil, saved: SavedListener? = nil
  ) throws(DiscoveryError) -> Listener {
    let urlPort = try publicURL.flatMap { (url) throws(DiscoveryError) in try Self.port(of: url) }
    let (number, portFrom): (UInt16, Source) =
      if let port {
        (try Self.port(parsing: port, of: "the port"), .option)
      } else if let urlPort {
        (urlPort, .publicURL)
      } else if let environmentPort {
        (try Self.port(parsing: environmentPort, of: "IPA_HUB_PORT"), .environment)
      } else if let savedPort = saved?.port {
        (savedPort, .saved)
      } else {
        (defaultPort, .default)
      }
    if let bind {
      return Listener(
        bind: try Bind(parsing: bind), port: number, hostFrom: .option, portFrom: portFrom)
    }
    guard let savedHost = saved?.host else {
      return Listener(bind: .all, port: number, hostFrom: .default, portFrom: portFrom)
    }
    do throws(DiscoveryError) {
      return Listener(
        bind: try Bind(parsing: savedHost), port: number, hostFrom: .saved, portFrom: portFrom)
    } catch {
      let code = error.code == .bind ? .saved : error.code
      throw DiscoveryError(code, detail: "the saved listener: \(error.detail)", hint: error.hint)
    }
  }

  private static func port(
    parsing text: String, of subject: String
  ) throws(DiscoveryError) -> UInt16 {
    guard let number = decimal(text.utf8, atMost: 65535), number > 0 else {
      throw DiscoveryError(
        .port, detail: "\(subject) is \(quoted(text)), no number from 1 to 65535")
    }
    return UInt16(number)
  }

  private static func port(of url: String) throws(DiscoveryError) -> UInt16? {
    do throws(HostError) {
      let authority = try AuthorityText(parsing: url)
      guard authority.scheme != nil else {
        throw HostError(.scheme, detail: "it does not start with http:// or https://")
      }
      if let extra = authority.extra, extra.code != .path { throw extra }
      return authority.port
    } catch {
      throw DiscoveryError(.publicURL, detail: "the public URL cannot be used: \(error.detail)")
    }
  }
}

extension Listener.Bind {
  /// The canonical text: `::` for all, `0.0.0.0` for all of IPv4.
  var text: String {
    switch self {
    case .all: "::"
    case .allIPv4: "0.0.0.0"
    case .one(let host): host.description
    }
  }

  /// A bind address from its text: an address, a name, or for all of them nothing, `*` or `::`;
  /// `0.0.0.0` for all of IPv4. Any spelling of an address means the same.
  /// - Throws: ``DiscoveryError`` with code `bind`, or `boundToUnusable` for an address with a
  ///   zone.
  public init(parsing text: String) throws(DiscoveryError) {
    guard !text.isEmpty, text != "*" else {
      self = .all
      return
    }
    do throws(HostError) {
      switch try Host(parsing: text) {
      case .ipv6(IPv6Address(high: 0, low: 0)): self = .all
      case .ipv4(IPv4Address(bits: 0)): self = .allIPv4
      case let host: self = .one(host)
      }
    } catch {
      let hasZone = error.code == .zone
      throw DiscoveryError(
        hasZone ? .boundToUnusable : .bind,
        detail: "the bind address cannot be used: \(error.detail)",
        hint: hasZone ? DiscoveryError.bindHint : nil)
    }
  }
}
