/// A network interface as the system or a file describes it.
public struct Interface: Sendable, Hashable {
  /// What the interface is and can do (`netdevice(7)`, `net/if.h`).
  public struct Flags: OptionSet, Sendable, Hashable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Switched on.
    public static let up = Flags(rawValue: 1)
    /// Has a carrier.
    public static let running = Flags(rawValue: 2)
    public static let loopback = Flags(rawValue: 4)
    public static let broadcast = Flags(rawValue: 8)
    public static let multicast = Flags(rawValue: 16)
    /// A tunnel or another link with one machine at its end.
    public static let pointToPoint = Flags(rawValue: 32)
  }

  /// What an interface is, as far as its system tells.
  public enum Kind: String, Sendable, CaseIterable {
    case loopback
    case ethernet
    case wireless
    /// Any bridge; ``Interface/isVirtualBridge`` tells those of containers and virtual machines.
    case bridge
    case bond
    case vlan
    /// One end of a pair, inside a container its only way out.
    case veth
    /// A VPN or another tunnel: tun, tap, WireGuard, utun, PPP.
    case tunnel
    /// Between Apple devices without a network (AWDL and its low-latency companion).
    case peerToPeer = "peer-to-peer"
    /// Something else that the system has a word for.
    case other
  }

  /// For which families the default route, the one of the lowest metric, goes through an interface.
  public struct DefaultRoutes: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let ipv4 = DefaultRoutes(rawValue: 1)
    public static let ipv6 = DefaultRoutes(rawValue: 2)
  }

  /// The system's name for it.
  public let name: String
  public let flags: Flags
  /// The addresses in the system's order.
  public let addresses: [InterfaceAddress]
  /// What it is, nil where that is not known.
  public let kind: Kind?
  public let defaultRoutes: DefaultRoutes

  /// An interface of these parts.
  public init(
    name: String, flags: Flags, addresses: [InterfaceAddress], kind: Kind? = nil,
    defaultRoutes: DefaultRoutes = []
  ) {
    self.name = name
    self.flags = flags
    self.addresses = addresses
    self.kind = kind
    self.defaultRoutes = defaultRoutes
  }

  /// Whether the name is one that container and virtual-machine software gives its bridges: a phone
  /// cannot reach what is behind them. `br0` and `bridge0` are a user's own bridges, and so is any
  /// that carries the default route.
  public var isVirtualBridge: Bool {
    guard defaultRoutes.isEmpty else { return false }
    let stem = name.prefix { !$0.isNumber }
    let number = Int(name.dropFirst(stem.count))
    return Self.virtualPrefixes.contains { name.hasPrefix($0) }
      || stem == "bridge" && number.map { $0 >= 100 } == true
  }

  /// Docker, libvirt, VMware, macOS virtualization, LXC, LXD, Incus, Podman, CNI, VirtualBox,
  /// Parallels.
  private static let virtualPrefixes = [
    "docker", "br-", "virbr", "vmnet", "vmenet", "lxcbr", "lxdbr", "incusbr", "podman", "cni",
    "vboxnet", "vnic",
  ]

  /// Whether other machines on the interface's network can ask for this one's `.local` name. mDNS
  /// daemons leave point-to-point links out.
  var carriesLocalName: Bool {
    flags.isSuperset(of: [.up, .multicast]) && flags.isDisjoint(with: [.loopback, .pointToPoint])
  }

  /// The same, where the other machines may be phones.
  var carriesLocalNameToPhones: Bool { carriesLocalName && !isVirtualBridge }
}

/// An address of an interface.
public struct InterfaceAddress: Sendable, Hashable, CustomStringConvertible {
  /// What the system says about an IPv6 address (RFC 4862, 5.5.4; RFC 8981).
  public struct State: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Made up for privacy and replaced within days.
    public static let temporary = State(rawValue: 1)
    /// Past its preferred lifetime.
    public static let deprecated = State(rawValue: 2)
    /// Not yet, or not, known to be the machine's alone.
    public static let tentative = State(rawValue: 4)
  }

  /// The address.
  public let host: Host
  /// The zone that the system gave with it, as in `fe80::1%en0`.
  public let zone: String?
  public let state: State

  /// An address of these parts.
  public init(_ host: Host, zone: String? = nil, state: State = []) {
    self.host = host
    self.zone = zone
    self.state = state
  }

  /// The canonical text with the zone.
  public var description: String { host.description + (zone.map { "%" + $0 } ?? "") }
}
