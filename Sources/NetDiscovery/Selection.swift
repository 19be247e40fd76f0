/// What of a machine's addresses and names goes into an app, and what does not.
public struct Selection: Sendable, Hashable {
  /// The destinations in the order in which an app tries them, each host once.
  public var destinations: [Destination]
  /// The addresses and names left out, in the order in which they were met.
  public var excluded: [Excluded]
  /// What the user should know.
  public var warnings: [String]

  /// A selection of these parts.
  public init(destinations: [Destination], excluded: [Excluded], warnings: [String]) {
    self.destinations = destinations
    self.excluded = excluded
    self.warnings = warnings
  }
}

/// An address or name that is no destination.
public struct Excluded: Sendable, Hashable {
  /// Why it is none.
  public enum Reason: String, Sendable, CaseIterable {
    /// A loopback address, or any address of a loopback interface.
    case loopback
    case linkLocal = "link-local"
    case unspecified
    case multicast
    /// An address of ``AddressClass/reserved``, or one that Tailscale keeps for its own services.
    case reserved
    /// An address that only has a meaning together with the name of an interface.
    case zone
    case interfaceDown = "interface-down"
    /// Not, or not yet, known to be this machine's alone.
    case tentative
    /// Past its preferred lifetime.
    case deprecated
    /// Replaced within days, while the interface has a lasting address of the same network.
    case temporary
    /// The listener does not listen there.
    case notBound = "not-bound"
    /// The same host stands further up.
    case duplicate
    /// Known from a Tailscale that is not running.
    case notRunning = "not-running"
    /// Switched off by ``SelectionOptions``.
    case switchedOff = "switched-off"
  }

  /// The canonical text of the address, with its zone, or the name.
  public let address: String
  /// The interface that has the address.
  public let interface: String?
  public let reason: Reason

  /// An exclusion of these parts.
  public init(address: String, interface: String? = nil, reason: Reason) {
    self.address = address
    self.interface = interface
    self.reason = reason
  }
}

/// What the user wants among the destinations.
public struct SelectionOptions: Sendable, Hashable {
  /// Whether Tailscale's name and addresses may be destinations. Where not, all addresses of
  /// Tailscale's interface are left out too.
  public var includeTailscale: Bool
  /// Whether the `.local` name may be one.
  public var includeLocalName: Bool

  /// Everything, where nothing else is said.
  public init(includeTailscale: Bool = true, includeLocalName: Bool = true) {
    self.includeTailscale = includeTailscale
    self.includeLocalName = includeLocalName
  }
}
