internal import NetDiscovery

/// What a key of `NSExceptionDomains` is.
public enum ExceptionDomainKind: String, Sendable {
  /// A DNS name.
  case name
  /// An IPv4 address.
  case ipv4
  /// An IPv6 address.
  case ipv6
  /// A range of addresses.
  case cidr
  /// A key that can never match.
  case invalid

  /// Told from the key's form.
  public init(_ key: String) {
    switch DomainKeyFlaw.host(ofExact: key) {
    case .name?: self = .name
    case .ipv4?: self = .ipv4
    case .ipv6?: self = .ipv6
    case nil: self = AddressRange(parsing: key) == nil ? .invalid : .cidr
    }
  }
}
