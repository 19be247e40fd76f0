/// What a listener's bind address lets through.
struct BindScope {
  /// The addresses to which the listener is bound; nil for all of a family.
  let addresses: Set<Host>?
  let isIPv4Only: Bool
  /// Whether the listener answers where the `.local` name leads.
  let hasLocalName: Bool
  /// Whether it answers where the Tailscale name leads.
  let hasTailscaleName: Bool
  /// The host name to which the listener is bound, where it is another than those two.
  let boundName: DNSName?
  let warning: String?

  /// What the bind address means on this machine.
  ///
  /// Bound to addresses, the `.local` name stays where one of them is on an interface that is up,
  /// carries mDNS and is neither Tailscale's nor for containers and virtual machines; the Tailscale
  /// name stays where one is Tailscale's. A bound host name stays for itself, with the addresses that
  /// the snapshot says it has.
  /// - Throws: ``DiscoveryError`` with codes `boundToLoopback` and `boundToUnusable`.
  init(
    _ bind: Listener.Bind, snapshot: NetworkSnapshot, localName: DNSName?
  ) throws(DiscoveryError) {
    switch bind {
    case .all, .allIPv4:
      self.init(
        addresses: nil, isIPv4Only: bind == .allIPv4, hasLocalName: true, hasTailscaleName: true)
    case .one(.name(let name)):
      self = try Self.name(name, snapshot: snapshot, localName: localName)
    case .one(let host):
      try Self.check([host], boundTo: host)
      self.init(addresses: [host], snapshot: snapshot)
    }
  }

  func allows(_ host: Host) -> Bool {
    if isIPv4Only, case .ipv6 = host { return false }
    return addresses?.contains(host) ?? true
  }

  private init(
    addresses: Set<Host>?, isIPv4Only: Bool = false, hasLocalName: Bool, hasTailscaleName: Bool,
    boundName: DNSName? = nil, warning: String? = nil
  ) {
    self.addresses = addresses
    self.isIPv4Only = isIPv4Only
    self.hasLocalName = hasLocalName
    self.hasTailscaleName = hasTailscaleName
    self.boundName = boundName
    self.warning = warning
  }

  private init(
    addresses: Set<Host>, snapshot: NetworkSnapshot, keeping name: DNSName? = nil,
    localName: DNSName? = nil
  ) {
    let tailscale = snapshot.runningTailscale
    let tailnet = Set(tailscale?.addresses ?? [])
    let carriesLocalName = snapshot.interfaces.contains { interface in
      interface.carriesLocalNameToPhones
        && interface.addresses.contains {
          addresses.contains($0.host) && !tailnet.contains($0.host)
        }
    }
    let isLocalName = name != nil && name == localName
    let isTailscaleName = name != nil && name == tailscale?.dnsName
    self.init(
      addresses: addresses,
      hasLocalName: carriesLocalName || isLocalName,
      hasTailscaleName: !tailnet.isDisjoint(with: addresses) || isTailscaleName,
      boundName: isLocalName || isTailscaleName ? nil : name)
  }

  private static func name(
    _ name: DNSName, snapshot: NetworkSnapshot, localName: DNSName?
  ) throws(DiscoveryError) -> BindScope {
    guard !name.isLocalhost else { throw .boundToLoopback(.name(name)) }
    let tailscale = snapshot.runningTailscale
    var addresses = snapshot.boundAddresses ?? []
    if addresses.isEmpty, name == tailscale?.dnsName { addresses = tailscale?.addresses ?? [] }
    if addresses.isEmpty, name == localName { addresses = snapshot.localNameAddresses }
    guard !addresses.isEmpty else {
      return BindScope(
        addresses: [], hasLocalName: name == localName, hasTailscaleName: false,
        boundName: name == localName ? nil : name,
        warning: "the listener is bound to \(name), whose addresses are not known (names are "
          + "looked up in the hosts file alone): only the name is offered")
    }
    try check(addresses, boundTo: .name(name))
    return BindScope(
      addresses: Set(addresses), snapshot: snapshot, keeping: name, localName: localName)
  }

  /// Refuses what no other machine can reach.
  private static func check(_ addresses: [Host], boundTo host: Host) throws(DiscoveryError) {
    let reasons = addresses.map(Excluded.Reason.init(classOf:))
    guard !reasons.contains(nil), let reason = reasons.first ?? nil else { return }
    if reasons.allSatisfy({ $0 == .loopback }) {
      throw .boundToLoopback(host, found: host.isAddress ? nil : addresses.first)
    }
    throw DiscoveryError(
      .boundToUnusable,
      detail:
        "the listener is bound to \(host) (\(reason.rawValue)), which no other machine can reach",
      hint: DiscoveryError.bindHint)
  }
}

extension NetworkSnapshot {
  /// What the `.local` name leads to: the addresses of the interfaces that carry mDNS, without those
  /// that do not last.
  fileprivate var localNameAddresses: [Host] {
    let tailnet = Set(runningTailscale?.addresses ?? [])
    let carriers = interfaces.filter(\.carriesLocalNameToPhones)
    return carriers.flatMap(\.addresses).filter { address in
      address.state.isEmpty && address.zone == nil && !tailnet.contains(address.host)
        && Excluded.Reason(classOf: address.host) == nil
    }.map(\.host)
  }
}

extension DiscoveryError {
  static let bindHint = "bind the server to all addresses or to one of the local network"

  static func boundToLoopback(_ host: Host, found address: Host? = nil) -> DiscoveryError {
    let place = address.map { " (\($0) in the hosts file)" } ?? ""
    return DiscoveryError(
      .boundToLoopback,
      detail: "the listener is bound to \(host)\(place), which only this machine itself can reach",
      hint: bindHint)
  }
}

extension Excluded.Reason {
  /// Why an address can never be a destination; nil where it can, and for a name.
  init?(classOf host: Host) {
    switch host.addressClass {
    case .loopback: self = .loopback
    case .linkLocal: self = .linkLocal
    case .unspecified: self = .unspecified
    case .multicast: self = .multicast
    case .reserved: self = .reserved
    case _ where Tailnet.serviceAddresses.contains(host): self = .reserved
    default: return nil
    }
  }
}
