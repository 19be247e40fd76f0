/// What a machine says of its network at one moment; plain data, from which
/// ``destinations(from:listener:options:)`` makes its choice.
public struct NetworkSnapshot: Sendable {
  /// The interfaces in the system's order.
  public var interfaces: [Interface]
  /// The host's name as the user or the mDNS daemon gave it; `my-mac` and `my-mac.local` are the
  /// same. Nil where there is none.
  public var hostName: String?
  /// The host's name where no mDNS responder answers for it.
  public var unansweredHostName: String?
  /// What Tailscale said, nil where it was not asked or gave no answer.
  public var tailscale: TailscaleStatus?
  /// The addresses of the host name to which the listener is bound, nil where that was not
  /// resolved.
  public var boundAddresses: [Host]?
  /// What went wrong on the way, for the user.
  public var warnings: [String]

  /// A snapshot of these parts.
  public init(
    interfaces: [Interface] = [], hostName: String? = nil, unansweredHostName: String? = nil,
    tailscale: TailscaleStatus? = nil, boundAddresses: [Host]? = nil, warnings: [String] = []
  ) {
    self.interfaces = interfaces
    self.hostName = hostName
    self.unansweredHostName = unansweredHostName
    self.tailscale = tailscale
    self.boundAddresses = boundAddresses
    self.warnings = warnings
  }

  /// Tailscale's status where it counts.
  var runningTailscale: TailscaleStatus? { tailscale.flatMap { $0.isRunning ? $0 : nil } }

  /// This machine as it is now. What a source cannot tell becomes a warning.
  /// - Throws: ``DiscoveryError`` with code `interfaces`.
  public static func current(
    localName: some LocalNameSource, tailscale: some TailscaleSource
  ) throws(DiscoveryError) -> NetworkSnapshot {
    var snapshot = NetworkSnapshot(interfaces: try Interface.current())
    snapshot.addHostName(from: localName)
    snapshot.addTailscale(from: tailscale)
    return snapshot
  }

  /// Takes the host's name from a source; what it cannot tell becomes a warning.
  public mutating func addHostName(from source: some LocalNameSource) {
    do throws(DiscoveryError) {
      switch try source.localName() {
      case .answered(let name): hostName = name
      case .unanswered(let name): unansweredHostName = name
      case nil: break
      }
    } catch {
      let hint = error.hint.map { " (\($0))" } ?? ""
      warnings.append("no .local name: \(error.detail)\(hint)")
    }
  }

  /// Takes Tailscale's status from a source; what it cannot tell becomes a warning.
  public mutating func addTailscale(from source: some TailscaleSource) {
    if let json = statusJSON(from: source) { addTailscale(json: json) }
  }

  /// Tailscale's status from a source, nil where it has none; what it cannot tell becomes a warning.
  public mutating func statusJSON(from source: some TailscaleSource) -> [UInt8]? {
    do throws(DiscoveryError) { return try source.statusJSON() } catch {
      warnOfTailscale(error)
      return nil
    }
  }

  /// Takes what `tailscale status --json` printed; what is none becomes a warning.
  public mutating func addTailscale(
    json: [UInt8], limits: DiscoveryLimits = DiscoveryLimits()
  ) {
    do throws(DiscoveryError) {
      tailscale = try TailscaleStatus(parsing: json, limits: limits)
    } catch {
      warnOfTailscale(error)
    }
  }

  private mutating func warnOfTailscale(_ error: DiscoveryError) {
    warnings.append("nothing is known of Tailscale: \(error.detail)")
  }
}
