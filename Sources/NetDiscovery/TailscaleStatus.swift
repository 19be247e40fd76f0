/// This machine's own place in a tailnet.
public struct TailscaleStatus: Sendable, Hashable {
  /// `BackendState`: `Running`, `Stopped`, `NeedsLogin` and so on. Only `Running` counts: the name
  /// and the addresses are there in other states too, from the last network map.
  public let state: String
  /// The MagicDNS name, nil where there is none or MagicDNS is off.
  public let dnsName: DNSName?
  /// The addresses, IPv4 first as Tailscale lists them.
  public let addresses: [Host]
  /// What was passed over.
  public let warnings: [String]

  /// A status of these parts.
  public init(state: String, dnsName: DNSName?, addresses: [Host], warnings: [String] = []) {
    self.state = state
    self.dnsName = dnsName
    self.addresses = addresses
    self.warnings = warnings
  }

  /// Whether the machine is on its tailnet now.
  public var isRunning: Bool { state == "Running" }

  /// The status that `tailscale status --json` prints and the local API sends.
  ///
  /// Of Tailscale's `ipnstate.Status`, `BackendState`, `CurrentTailnet.MagicDNSEnabled` and of
  /// `Self`, `DNSName` (without its root dot) and `TailscaleIPs` are read, never a peer. Each may
  /// be null or missing, as before the first log-in. Where `Self` has no list of addresses, the one
  /// beside it stands in, which is the same. MagicDNS counts as on unless it is said to be off.
  /// - Throws: ``DiscoveryError`` with codes `json` and `limit`.
  public init(
    parsing json: [UInt8], limits: DiscoveryLimits = DiscoveryLimits()
  ) throws(DiscoveryError) {
    let subject = "the Tailscale status"
    let status = try decodeJSON(StatusJSON.self, from: json, subject: subject, limits: limits)
    guard let state = status.backendState else {
      throw DiscoveryError(.json, detail: "\(subject) lacks 'BackendState'")
    }
    let texts = status.node?.addresses ?? status.addresses ?? []
    guard texts.count <= limits.maxAddresses else {
      throw DiscoveryError(
        .limit,
        detail: "\(subject) has \(texts.count) addresses, more than \(limits.maxAddresses)")
    }
    var warnings: [String] = []
    let hosts = texts.map { try? Host(parsing: $0) }
    addresses = hosts.compactMap { $0 }.filter(\.isAddress)
    let others = texts.count - addresses.count
    if let first = zip(texts, hosts).first(where: { $1?.isAddress != true })?.0 {
      let count = others == 1 ? "" : ", and \(others - 1) more"
      warnings.append("Tailscale gives \(quoted(first)), which is no address\(count)")
    }
    let name = status.node?.dnsName ?? ""
    let hasMagicDNS = status.tailnet?.magicDNSEnabled ?? true
    dnsName = hasMagicDNS && !name.isEmpty ? try? DNSName(parsing: name) : nil
    if hasMagicDNS, !name.isEmpty, dnsName == nil {
      warnings.append("Tailscale gives \(quoted(name)), which is no host name")
    }
    self.state = state
    self.warnings = warnings
  }
}

extension TailscaleStatus {
  /// A status with nothing in it but what ``init(parsing:limits:)`` reads, as JSON.
  ///
  /// Even without the peers it tells the user's name and picture, and the machine's keys, capabilities
  /// and public addresses, none of which belongs into the report of a fault.
  /// - Throws: ``DiscoveryError`` with codes `json` and `limit`.
  public static func reduced(
    _ json: [UInt8], limits: DiscoveryLimits = DiscoveryLimits()
  ) throws(DiscoveryError) -> [UInt8] {
    encodeJSON(
      try decodeJSON(StatusJSON.self, from: json, subject: "the Tailscale status", limits: limits))
  }
}

private struct StatusJSON: Codable {
  var backendState: String?
  var tailnet: Tailnet?
  var node: Node?
  var addresses: [String]?

  enum CodingKeys: String, CodingKey {
    case backendState = "BackendState"
    case tailnet = "CurrentTailnet"
    case node = "Self"
    case addresses = "TailscaleIPs"
  }

  struct Tailnet: Codable {
    var magicDNSEnabled: Bool?

    enum CodingKeys: String, CodingKey { case magicDNSEnabled = "MagicDNSEnabled" }
  }

  struct Node: Codable {
    var dnsName: String?
    var addresses: [String]?

    enum CodingKeys: String, CodingKey {
      case dnsName = "DNSName"
      case addresses = "TailscaleIPs"
    }
  }
}
