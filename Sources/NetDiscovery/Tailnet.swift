/// The addresses that every tailnet has (Tailscale, `net/tsaddr`).
enum Tailnet {
  /// Where each machine's own Tailscale answers: 100.100.100.100 and fd7a:115c:a1e0::53.
  static let serviceAddresses: [Host] = [
    .ipv4(IPv4Address(bits: 0x6464_6464)),
    .ipv6(IPv6Address(high: 0xfd7a_115c_a1e0_0000, low: 0x53)),
  ]

  /// Whether an address is of fd7a:115c:a1e0::/48, which is Tailscale's alone.
  static func owns(_ host: Host) -> Bool {
    if case .ipv6(let address) = host {
      address.isIn(0xfd7a_115c_a1e0_0000, length: 48)
    } else {
      false
    }
  }
}
