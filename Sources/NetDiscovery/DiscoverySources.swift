/// Something that knows the name under which this machine answers to mDNS.
public protocol LocalNameSource: Sendable {
  /// The name, nil where there is none to expect.
  /// - Throws: ``DiscoveryError`` where there should be one and it cannot be told.
  func localName() throws(DiscoveryError) -> FoundLocalName?
}

/// What is known of a machine's `.local` name. Names are labels, or have `.local` behind them.
public enum FoundLocalName: Sendable, Hashable {
  /// The mDNS responder answers for it.
  case answered(String)
  /// The machine is called so, but no mDNS responder runs that would answer for it.
  case unanswered(String)
}

/// Something that knows this machine's place in a tailnet.
public protocol TailscaleSource: Sendable {
  /// What `tailscale status --json` would print; nil where there is no Tailscale.
  /// - Throws: ``DiscoveryError`` where there is one and it does not answer.
  func statusJSON() throws(DiscoveryError) -> [UInt8]?
}
