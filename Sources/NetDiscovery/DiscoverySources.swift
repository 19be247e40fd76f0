/// Something that knows the name under which this machine answers to mDNS.
public protocol LocalNameSource: Sendable {
  /// The name, a label or with `.local`; nil where there is none to expect.
  /// - Throws: ``DiscoveryError`` where there should be one and it cannot be told.
  func hostName() throws(DiscoveryError) -> String?
}

/// Something that knows this machine's place in a tailnet.
public protocol TailscaleSource: Sendable {
  /// What `tailscale status --json` would print; nil where there is no Tailscale.
  /// - Throws: ``DiscoveryError`` where there is one and it does not answer.
  func statusJSON() throws(DiscoveryError) -> [UInt8]?
}
