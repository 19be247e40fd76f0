/// What an address is for, after the IANA special-purpose address registries (RFC 6890) and
/// RFC 4291, 2.4.
public enum AddressClass: String, Sendable, CaseIterable {
  /// 127.0.0.0/8, ::1.
  case loopback
  /// 169.254.0.0/16 (RFC 3927), fe80::/10.
  case linkLocal = "link-local"
  /// 0.0.0.0, ::.
  case unspecified
  /// 224.0.0.0/4, ff00::/8.
  case multicast
  /// 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16 (RFC 1918).
  case privateUse = "private"
  /// fc00::/7 (RFC 4193).
  case uniqueLocal = "unique-local"
  /// 100.64.0.0/10 (RFC 6598), from which Tailscale gives its addresses too.
  case shared
  /// Nothing another machine can reach: the rest of 0.0.0.0/8, 192.0.0.0/24 (RFC 6890; the inner
  /// side of DS-Lite and CLAT), 240.0.0.0/4, ::/96, fec0::/10 (RFC 3879), and all IPv6 outside the
  /// allocated ranges.
  case reserved
  /// 192.0.2.0/24, 198.51.100.0/24, 203.0.113.0/24 (RFC 5737), 2001:db8::/32 (RFC 3849),
  /// 3fff::/20 (RFC 9637). Closed networks do use them.
  case documentation
  /// 198.18.0.0/15 (RFC 2544), 2001:2::/48 (RFC 5180). Some VPNs use the first.
  case benchmarking
  /// All else: 2000::/3, and IPv4 outside the ranges above.
  case global

  /// The class of an IPv4 address.
  public init(of address: IPv4Address) {
    self =
      Self.ipv4Ranges.first { address.isIn($0.prefix, length: $0.length) }?.addressClass ?? .global
  }

  /// The class of an IPv6 address; an IPv4-mapped one has that of the IPv4 address.
  public init(of address: IPv6Address) {
    if let mapped = address.mappedIPv4 {
      self.init(of: mapped)
    } else if address.high == 0, address.low < 2 {
      self = address.low == 0 ? .unspecified : .loopback
    } else {
      self =
        Self.ipv6Ranges.first { address.isIn($0.prefix, length: $0.length) }?.addressClass
        ?? .reserved
    }
  }

  /// The first range that holds an address counts.
  private static let ipv4Ranges: [(prefix: UInt32, length: Int, addressClass: AddressClass)] = [
    (0x0000_0000, 32, .unspecified),
    (0x0000_0000, 8, .reserved),
    (0x0a00_0000, 8, .privateUse),
    (0x6440_0000, 10, .shared),
    (0x7f00_0000, 8, .loopback),
    (0xa9fe_0000, 16, .linkLocal),
    (0xac10_0000, 12, .privateUse),
    (0xc000_0000, 24, .reserved),
    (0xc000_0200, 24, .documentation),
    (0xc0a8_0000, 16, .privateUse),
    (0xc612_0000, 15, .benchmarking),
    (0xc633_6400, 24, .documentation),
    (0xcb00_7100, 24, .documentation),
    (0xe000_0000, 4, .multicast),
    (0xf000_0000, 4, .reserved),
  ]

  private static let ipv6Ranges: [(prefix: UInt64, length: Int, addressClass: AddressClass)] = [
    (0x2001_0db8_0000_0000, 32, .documentation),
    (0x3fff_0000_0000_0000, 20, .documentation),
    (0x2001_0002_0000_0000, 48, .benchmarking),
    (0x2000_0000_0000_0000, 3, .global),
    (0xfc00_0000_0000_0000, 7, .uniqueLocal),
    (0xfe80_0000_0000_0000, 10, .linkLocal),
    (0xff00_0000_0000_0000, 8, .multicast),
  ]
}
