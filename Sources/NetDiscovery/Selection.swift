/// What of a machine's addresses and names goes into an app, and what does not.
public struct Selection: Sendable, Hashable {
  /// What is offered, in the order in which an app tries it, each host once.
  public var offers: [Offer]
  /// The addresses and names left out, in the order in which they were met.
  public var excluded: [Excluded]
  /// What the user should know.
  public var warnings: [String]

  /// A selection of these parts.
  public init(offers: [Offer], excluded: [Excluded], warnings: [String]) {
    self.offers = offers
    self.excluded = excluded
    self.warnings = warnings
  }

  /// The destinations of the offers.
  public var destinations: [Destination] { offers.map(\.destination) }
}

/// A destination, and why it stands where it does.
public struct Offer: Sendable, Hashable {
  public let destination: Destination
  /// What the address or name is, and what moved it up or down, for people: "Wi-Fi, default route".
  public let why: String

  /// An offer of these parts.
  public init(_ destination: Destination, why: String) {
    self.destination = destination
    self.why = why
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
    /// Made up for privacy and replaced within a day or a week.
    case temporary
    /// A `.local` name for which no mDNS responder runs.
    case noResponder = "no-responder"
    /// The listener does not listen there.
    case notBound = "not-bound"
    /// The same host stands further up.
    case duplicate
    /// Known from a Tailscale that is not running.
    case notRunning = "not-running"
    /// Switched off by ``SelectionOptions``.
    case switchedOff = "switched-off"

    /// The reason in a few words, to follow the address in a narrow table.
    public var explanation: String {
      switch self {
      case .loopback: "this machine alone"
      case .linkLocal: "needs a zone"
      case .unspecified: "no machine's address"
      case .multicast: "a group, not a machine"
      case .reserved: "no machine's, or its own"
      case .zone: "needs a zone"
      case .interfaceDown: "its interface is down"
      case .tentative: "may be another's"
      case .deprecated: "on its way out"
      case .temporary: "replaced within days"
      case .noResponder: "nobody answers for it"
      case .notBound: "no listener there"
      case .duplicate: "offered already"
      case .notRunning: "Tailscale is off"
      case .switchedOff: "by an option"
      }
    }
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
  /// Whether the app runs on this very machine, as one for a simulator does: loopback is no obstacle
  /// then.
  public var isOnOwnMachine: Bool

  /// Everything for another device, where nothing else is said.
  public init(
    includeTailscale: Bool = true, includeLocalName: Bool = true, isOnOwnMachine: Bool = false
  ) {
    self.includeTailscale = includeTailscale
    self.includeLocalName = includeLocalName
    self.isOnOwnMachine = isOnOwnMachine
  }
}
