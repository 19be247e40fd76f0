/// A host as it can stand in a URL: a name or an address, in canonical form.
public enum Host: Sendable, Hashable, CustomStringConvertible {
  case name(DNSName)
  case ipv4(IPv4Address)
  case ipv6(IPv6Address)

  /// A host from its text, an IPv6 address with or without brackets.
  ///
  /// An IPv4-mapped IPv6 address becomes the IPv4 address in it. See ``DNSName/init(parsing:)``,
  /// ``IPv4Address/init(parsing:)`` and ``IPv6Address/init(parsing:)`` for the forms.
  /// - Throws: ``HostError`` with codes `empty`, `notASCII`, `name`, `address`, `zone`, `brackets`.
  public init(parsing text: String) throws(HostError) {
    if text.hasPrefix("[") || text.hasSuffix("]") {
      guard text.hasPrefix("["), text.hasSuffix("]"), text.contains(":") else {
        throw HostError(.brackets, detail: "brackets stand only around an IPv6 address")
      }
      self = .init(try Self.ipv6(String(text.dropFirst().dropLast())))
    } else if text.contains(":") {
      self = .init(try Self.ipv6(text))
    } else if let bits = IPv4Address.parse(text[...]) {
      self = .ipv4(IPv4Address(bits: bits))
    } else {
      if let percent = text.firstIndex(of: "%"), IPv4Address.parse(text[..<percent]) != nil {
        throw .zoned(text[..<percent])
      }
      self = .name(try DNSName(parsing: text))
    }
  }

  /// An IPv6 address, or the IPv4 address that is mapped into it.
  public init(_ address: IPv6Address) {
    self = address.mappedIPv4.map(Host.ipv4) ?? .ipv6(address)
  }

  /// The canonical text without brackets, as an ATS exception's key has it: `fd00::10`.
  public var description: String {
    switch self {
    case .name(let name): name.description
    case .ipv4(let address): address.description
    case .ipv6(let address): address.description
    }
  }

  /// The text as it stands in a URL, an IPv6 address in brackets (RFC 3986, 3.2.2).
  public var urlText: String {
    if case .ipv6 = self { "[\(description)]" } else { description }
  }

  /// Whether this is an address, not a name.
  public var isAddress: Bool {
    if case .name = self { false } else { true }
  }

  /// Whether this means the machine that asks: a loopback address, or `localhost`.
  public var isLoopback: Bool {
    if case .name(let name) = self { name.isLocalhost } else { addressClass == .loopback }
  }

  /// What kind of address this is; nil for a name.
  public var addressClass: AddressClass? {
    switch self {
    case .name: nil
    case .ipv4(let address): AddressClass(of: address)
    case .ipv6(let address): AddressClass(of: address)
    }
  }

  /// The address of a text with a colon. What is none may be a whole URL with an installation's ID
  /// in it, which no message may repeat.
  private static func ipv6(_ text: String) throws(HostError) -> IPv6Address {
    let isAddressText = text.prefix { $0 != "%" }.utf8.allSatisfy {
      isHexDigit($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
    }
    guard isAddressText else {
      throw HostError(.address, detail: "what holds a colon and is no IPv6 address is no host")
    }
    return try IPv6Address(parsing: text)
  }
}
