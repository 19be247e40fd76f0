/// The destinations of a listener for an app that runs on the listener's own machine.
extension Selection {
  /// The loopback destinations of a listener that no other machine can reach: `localhost` for
  /// 127.0.0.1, `::1` and that name itself, and each other address as it is. Nil where the listener
  /// is bound to a name whose addresses are not known.
  init?(onOwnMachine listener: Listener, snapshot: NetworkSnapshot) {
    var hosts: [Host] = []
    switch listener.bind {
    case .all, .allIPv4: hosts = [.localhost].compactMap(\.self)
    case .one(let host) where host.isAddress || host.isLoopback: hosts = [host]
    case .one: hosts = snapshot.boundAddresses ?? []
    }
    var seen: Set<Host> = []
    hosts = hosts.compactMap { $0.isCommonLoopback ? .localhost : $0 }
      .filter { seen.insert($0).inserted }
    guard !hosts.isEmpty else { return nil }
    self.init(
      offers: hosts.map { host in
        Offer(
          Destination(host: host, port: listener.port, kind: .given),
          why: "this machine itself, whose network a simulator has")
      }, excluded: [], warnings: snapshot.warnings)
  }
}

extension Host {
  /// `localhost`.
  fileprivate static var localhost: Host? { try? Host(parsing: "localhost") }

  /// Whether `localhost` leads here on every machine.
  fileprivate var isCommonLoopback: Bool {
    switch self {
    case .name(let name): name.isLocalhost
    case .ipv4(let address): address.bits == 0x7f00_0001
    case .ipv6(let address): address == IPv6Address(high: 0, low: 1)
    }
  }
}
