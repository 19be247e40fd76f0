/// The destinations that a machine offers for a listener.
///
/// Pure: the same arguments give the same result. Left out are addresses that no other machine can
/// reach or that the listener does not serve; ``Excluded/Reason`` lists the rules. The order is the
/// `.local` name, a bound host name, IPv4, unique-local IPv6, other IPv6, the Tailscale name,
/// Tailscale's IPv4 and IPv6 addresses; then addresses that a phone is less likely to reach: of the
/// shared and the benchmark range, of VPNs and other point-to-point links; last those of virtual
/// bridges and of interfaces without carrier. Within each of these come the addresses of the default
/// route's interface first, then the interfaces by name (numbers in it by value); of one interface
/// IPv4 addresses in the system's order, IPv6 by their bits. Order matters because an app waits long
/// for an address that is not there.
///
/// The result can be without destinations: a machine without network has none. For an app that runs
/// on this very machine `localhost` is the destination in that case, and the loopback address to
/// which a listener is bound.
/// - Throws: ``DiscoveryError`` with code `boundToLoopback`, `boundToUnusable` or `boundToAbsent`
///   where the listener's own setting is the cause.
public func destinations(
  from snapshot: NetworkSnapshot, listener: Listener,
  options: SelectionOptions = SelectionOptions()
) throws(DiscoveryError) -> Selection {
  let own =
    options.isOnOwnMachine ? Selection(onOwnMachine: listener, snapshot: snapshot) : nil
  do throws(DiscoveryError) {
    let found = try destinationsForOthers(from: snapshot, listener: listener, options: options)
    guard found.offers.isEmpty, let own, listener.bind == .all || listener.bind == .allIPv4 else {
      return found
    }
    return Selection(offers: own.offers, excluded: found.excluded, warnings: found.warnings)
  } catch {
    guard error.code == .boundToLoopback, let own else { throw error }
    return own
  }
}

private func destinationsForOthers(
  from snapshot: NetworkSnapshot, listener: Listener, options: SelectionOptions
) throws(DiscoveryError) -> Selection {
  let localName = snapshot.hostName.map(LocalName.init)
  let scope = try BindScope(listener.bind, snapshot: snapshot, localName: localName?.name)
  var selector = Selector(
    snapshot: snapshot, scope: scope, port: listener.port, options: options)
  selector.warnings += snapshot.warnings + [scope.warning].compactMap { $0 }
  if let localName { selector.add(localName) }
  if let hostName = snapshot.unansweredHostName {
    selector.add(unanswered: LocalName(hostName: hostName))
  }
  if let name = scope.boundName {
    selector.add(.name(name), kind: .given, at: .boundName, why: "the listener is bound to it")
  }
  for interface in snapshot.interfaces { selector.add(interface) }
  selector.addTailscale()
  if case .one(let host) = listener.bind { try selector.checkPresence(of: host) }
  return selector.selection()
}

private struct Selector {
  let scope: BindScope
  let port: UInt16
  let options: SelectionOptions
  let tailscale: TailscaleStatus?
  /// The addresses of a Tailscale that is running.
  let tailnet: Set<Host>
  /// Whether the flags tell of a carrier at all; a file may lack them.
  let knowsCarrier: Bool
  /// The addresses of interfaces that were judged.
  var met: Set<Host> = []
  /// The families of which an interface has the default route.
  let defaultRoutes: Interface.DefaultRoutes
  var candidates: [(offer: Offer, rank: Rank)] = []
  var excluded: [Excluded] = []
  var warnings: [String] = []

  init(
    snapshot: NetworkSnapshot, scope: BindScope, port: UInt16, options: SelectionOptions
  ) {
    self.scope = scope
    self.port = port
    self.options = options
    tailscale = snapshot.tailscale
    tailnet = Set(snapshot.runningTailscale?.addresses ?? [])
    knowsCarrier = snapshot.interfaces.contains {
      $0.flags.contains(.running) && !$0.flags.contains(.loopback)
    }
    defaultRoutes = snapshot.interfaces.reduce(into: []) { $0.formUnion($1.defaultRoutes) }
  }

  mutating func add(_ host: Host, kind: Destination.Kind, at place: Rank.Place, why: String) {
    let destination = Destination(host: host, port: port, kind: kind)
    candidates.append((Offer(destination, why: why), Rank(place: place)))
  }

  mutating func exclude(_ address: String, on interface: String? = nil, _ reason: Excluded.Reason) {
    excluded.append(Excluded(address: address, interface: interface, reason: reason))
  }

  mutating func add(_ localName: LocalName) {
    guard options.includeLocalName else {
      if let name = localName.name { exclude(name.text, .switchedOff) }
      return
    }
    warnings += [localName.warning].compactMap { $0 }
    guard let name = localName.name else { return }
    if scope.hasLocalName {
      add(.name(name), kind: .localName, at: .localName, why: "mDNS name")
    } else {
      exclude(name.text, .notBound)
    }
  }

  mutating func add(unanswered localName: LocalName) {
    guard let name = localName.name else { return }
    exclude(name.text, options.includeLocalName ? .noResponder : .switchedOff)
  }

  mutating func add(_ interface: Interface) {
    let isTailscale =
      interface.name.hasPrefix("tailscale")
      || interface.addresses.contains {
        tailnet.contains($0.host) || Tailnet.owns($0.host)
      }
    let sortKey = interface.sortKey
    for address in interface.addresses {
      met.insert(address.host)
      if let reason = reason(against: address, on: interface) {
        exclude(address.description, on: interface.name, reason)
      } else if isTailscale, !options.includeTailscale {
        exclude(address.description, on: interface.name, .switchedOff)
      } else {
        warnings += [warning(of: address)].compactMap { $0 }
        let isTailnet = tailnet.contains(address.host)
        let destination = Destination(
          host: address.host, port: port, kind: kind(of: address.host, isTailnet: isTailnet),
          interface: interface.name)
        let rank = rank(of: address, on: interface, sortKey, isTailnet: isTailnet)
        candidates.append((Offer(destination, why: why(address.host, on: interface, rank)), rank))
      }
    }
  }

  mutating func addTailscale() {
    guard let tailscale else { return }
    let refusal: Excluded.Reason? =
      !options.includeTailscale ? .switchedOff : tailscale.isRunning ? nil : .notRunning
    if refusal != .switchedOff { warnings += tailscale.warnings }
    if refusal == .notRunning {
      warnings.append("Tailscale is not running (its state is \(quoted(tailscale.state)))")
    }
    if let name = tailscale.dnsName {
      if let reason = refusal ?? (scope.hasTailscaleName ? nil : .notBound) {
        exclude(name.text, reason)
      } else {
        add(.name(name), kind: .tailscaleName, at: .tailscaleName, why: "MagicDNS name")
      }
    }
    for host in tailscale.addresses where !met.contains(host) {
      let reason =
        Excluded.Reason(classOf: host) ?? refusal ?? (scope.allows(host) ? nil : .notBound)
      if let reason {
        exclude(host.description, reason)
      } else {
        let kind = kind(of: host, isTailnet: true)
        add(
          host, kind: kind, at: kind == .tailscaleIPv4 ? .tailscaleIPv4 : .tailscaleIPv6,
          why: "Tailscale")
      }
    }
  }

  /// Sees to it that a listener with a bind address of its own has an address left.
  func checkPresence(of host: Host) throws(DiscoveryError) {
    guard let bound = scope.addresses, !bound.isEmpty,
      !candidates.contains(where: { bound.contains($0.offer.destination.host) })
    else { return }
    let cause = excluded.first { item in
      item.reason != .notBound && bound.contains { $0.description == item.address }
    }
    let detail =
      if let cause {
        "but \(cause.address)\(cause.interface.map { " on \($0)" } ?? "") is left out "
          + "(\(cause.reason.rawValue))"
      } else {
        (host.isAddress ? "an address that" : "whose addresses")
          + " no interface of this machine has now"
      }
    throw DiscoveryError(
      cause?.reason == .loopback ? .boundToLoopback : .boundToAbsent,
      detail: "the listener is bound to \(host), \(detail)", hint: DiscoveryError.bindHint)
  }

  /// Sorts the candidates and takes each host once.
  func selection() -> Selection {
    var result = Selection(offers: [], excluded: excluded, warnings: warnings)
    var seen: Set<Host> = []
    let sorted = candidates.enumerated().sorted {
      ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset)
    }
    for (_, candidate) in sorted {
      let destination = candidate.offer.destination
      guard seen.insert(destination.host).inserted else {
        result.excluded.append(
          Excluded(
            address: destination.host.description, interface: destination.interface,
            reason: .duplicate))
        continue
      }
      result.offers.append(candidate.offer)
      if let range = destination.host.addressClass, [.documentation, .benchmarking].contains(range)
      {
        result.warnings.append(
          "\(destination.host) is of a range for \(range.rawValue), which only closed networks use")
      }
    }
    return result
  }

  private func reason(
    against address: InterfaceAddress, on interface: Interface
  ) -> Excluded.Reason? {
    if let reason = Excluded.Reason(classOf: address.host) { return reason }
    if interface.flags.contains(.loopback) { return .loopback }
    if !interface.flags.contains(.up) { return .interfaceDown }
    if address.zone != nil { return .zone }
    if address.state.contains(.tentative) { return .tentative }
    guard scope.allows(address.host) else { return .notBound }
    // To the address that the listener is bound to there is no better one.
    guard scope.addresses == nil else { return nil }
    if address.state.contains(.deprecated) { return .deprecated }
    return address.state.contains(.temporary) ? .temporary : nil
  }

  /// What may soon be wrong with an address to which the listener is bound.
  private func warning(of address: InterfaceAddress) -> String? {
    if address.state.contains(.deprecated) {
      "\(address.host) is deprecated: this machine will soon be without it"
    } else if address.state.contains(.temporary) {
      "\(address.host) is a privacy address, which is replaced within days"
    } else {
      nil
    }
  }

  private func kind(of host: Host, isTailnet: Bool) -> Destination.Kind {
    switch host {
    case .ipv4: isTailnet ? .tailscaleIPv4 : .ipv4
    case .ipv6: isTailnet ? .tailscaleIPv6 : .ipv6
    case .name: .given
    }
  }

  private func rank(
    of address: InterfaceAddress, on interface: Interface, _ sortKey: [UInt8], isTailnet: Bool
  ) -> Rank {
    let family: Interface.DefaultRoutes
    let bits: IPv6Address
    if case .ipv6(let ipv6) = address.host {
      (family, bits) = (defaultRoutes.contains(.ipv6) ? .ipv6 : .ipv4, ipv6)
    } else {
      (family, bits) = (.ipv4, IPv6Address(high: 0, low: 0))
    }
    return Rank(
      place: Rank.Place(of: address.host, on: interface, isTailnet: isTailnet),
      isLast: !isTailnet && (interface.isVirtualBridge || lacksCarrier(interface)),
      isAside: !interface.defaultRoutes.contains(family), interface: sortKey, address: bits)
  }

  private func lacksCarrier(_ interface: Interface) -> Bool {
    knowsCarrier && !interface.flags.contains(.running)
  }

  /// What an interface's address is, and what moved it up or down.
  private func why(_ host: Host, on interface: Interface, _ rank: Rank) -> String {
    var words: [String] = []
    switch rank.place {
    case .tailscaleIPv4, .tailscaleIPv6: words.append("Tailscale")
    case .other where interface.isTunnel: words.append("VPN or tunnel")
    default: words.append(interface.kind?.word ?? host.addressClass?.word ?? "")
    }
    if !rank.isAside { words.append("default route") }
    if interface.isVirtualBridge { words = ["for containers or VMs"] }
    if lacksCarrier(interface) { words.append("no carrier") }
    return words.joined(separator: ", ")
  }
}

extension Interface.Kind {
  /// The kind as people say it, nil where that says nothing.
  fileprivate var word: String? {
    switch self {
    case .wireless: "Wi-Fi"
    case .ethernet: "Ethernet"
    case .vlan: "VLAN"
    case .bond, .bridge, .veth, .loopback, .tunnel: rawValue
    case .peerToPeer: "between devices"
    case .other: nil
    }
  }
}

extension AddressClass {
  /// What is said of an address where the interface's kind is not known.
  fileprivate var word: String {
    switch self {
    case .privateUse: "private address"
    case .uniqueLocal: "unique local address"
    case .global: "public address"
    default: "\(rawValue) address"
    }
  }
}
