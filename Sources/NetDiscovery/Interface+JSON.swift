/// The JSON form of interfaces: a list of `{"name", "flags", "addresses"}`.
///
/// Flags have the names that `ifconfig` and `ip` print (`UP`, `LOOPBACK`, `RUNNING` or `LOWER_UP`,
/// `BROADCAST`, `MULTICAST`, `POINTOPOINT`); others are passed over. An address is a text, a zone
/// after `%`, or `{"address", "flags"}` with flags out of `TEMPORARY`, `DEPRECATED`, `TENTATIVE`.
/// Two more keys may be there: `kind`, a word of ``Interface/Kind`` (any other counts as not known),
/// and `defaultRoute`, a list of `ipv4` and `ipv6`.
extension NetworkSnapshot {
  /// Interfaces from their JSON form.
  /// - Throws: ``DiscoveryError`` with code `json` for what is no JSON, lacks a key, or holds a
  ///   text that is no address, and `limit`. The message has the place, as in `[2].addresses[0]`.
  public static func interfaces(
    fromJSON bytes: [UInt8], limits: DiscoveryLimits = DiscoveryLimits()
  ) throws(DiscoveryError) -> [Interface] {
    let subject = "the list of interfaces"
    let list = try decodeJSON([InterfaceJSON].self, from: bytes, subject: subject, limits: limits)
    guard list.count <= limits.maxInterfaces else {
      throw DiscoveryError(
        .limit, detail: "\(subject) has \(list.count) items, more than \(limits.maxInterfaces)")
    }
    for (index, item) in list.enumerated() where item.addresses.count > limits.maxAddresses {
      throw DiscoveryError(
        .limit,
        detail: "\(subject): [\(index)] has \(item.addresses.count) addresses, "
          + "more than \(limits.maxAddresses)")
    }
    return list.map {
      Interface(
        name: $0.name, flags: Interface.Flags(names: $0.flags),
        addresses: $0.addresses.map(\.value), kind: $0.kind.flatMap(Interface.Kind.init(rawValue:)),
        defaultRoutes: Interface.DefaultRoutes(names: $0.defaultRoute ?? []))
    }
  }

  /// The JSON form of interfaces, from which ``interfaces(fromJSON:limits:)`` makes the same again.
  public static func json(of interfaces: [Interface]) -> [UInt8] {
    encodeJSON(
      interfaces.map {
        InterfaceJSON(
          name: $0.name, flags: $0.flags.names, addresses: $0.addresses.map(AddressJSON.init),
          kind: $0.kind?.rawValue,
          defaultRoute: $0.defaultRoutes.isEmpty ? nil : $0.defaultRoutes.names)
      })
  }
}

private struct InterfaceJSON: Codable {
  var name: String
  var flags: [String]
  var addresses: [AddressJSON]
  var kind: String?
  var defaultRoute: [String]?

  enum CodingKeys: String, CodingKey { case name, flags, addresses, kind, defaultRoute }

  init(
    name: String, flags: [String], addresses: [AddressJSON], kind: String?,
    defaultRoute: [String]?
  ) {
    self.name = name
    self.flags = flags
    self.addresses = addresses
    self.kind = kind
    self.defaultRoute = defaultRoute
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decode(String.self, forKey: .name)
    guard isPlainName(name) else {
      throw JSONContentError(
        path: decoder.codingPath + [CodingKeys.name], problem: "is no interface name")
    }
    flags = try container.decode([String].self, forKey: .flags)
    addresses = try container.decode([AddressJSON].self, forKey: .addresses)
    kind = try container.decodeIfPresent(String.self, forKey: .kind)
    defaultRoute = try container.decodeIfPresent([String].self, forKey: .defaultRoute)
  }
}

private struct AddressJSON: Codable {
  var value: InterfaceAddress

  enum CodingKeys: String, CodingKey { case address, flags }

  init(_ value: InterfaceAddress) { self.value = value }

  init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: CodingKeys.self) {
      let text = try container.decode(String.self, forKey: .address)
      let flags = try container.decodeIfPresent([String].self, forKey: .flags) ?? []
      value = try Self.parse(
        text, state: InterfaceAddress.State(names: flags), path: decoder.codingPath)
    } else {
      let text = try decoder.singleValueContainer().decode(String.self)
      value = try Self.parse(text, state: [], path: decoder.codingPath)
    }
  }

  func encode(to encoder: any Encoder) throws {
    guard !value.state.isEmpty else {
      var container = encoder.singleValueContainer()
      return try container.encode(value.description)
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(value.description, forKey: .address)
    try container.encode(value.state.names, forKey: .flags)
  }

  private static func parse(
    _ text: String, state: InterfaceAddress.State, path: [any CodingKey]
  ) throws -> InterfaceAddress {
    let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
    let zone = parts.count == 2 ? String(parts[1]) : nil
    guard let host = try? Host(parsing: String(parts.first ?? "")), host.isAddress,
      !text.hasPrefix("["), zone.map(isPlainName) ?? true
    else {
      throw JSONContentError(path: path, problem: "is no address: \(quoted(text))")
    }
    return InterfaceAddress(host, zone: zone, state: state)
  }
}

/// Whether a text can be an interface's name and goes into a message or a line of output unharmed.
private func isPlainName(_ name: String) -> Bool {
  (1...255).contains(name.utf8.count)
    && name.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator: false
      default: true
      }
    }
}

extension Interface.Flags {
  private static let known: [(name: String, flag: Self)] = [
    ("UP", .up), ("RUNNING", .running), ("LOOPBACK", .loopback), ("BROADCAST", .broadcast),
    ("MULTICAST", .multicast), ("POINTOPOINT", .pointToPoint), ("LOWER_UP", .running),
  ]

  fileprivate init(names: [String]) {
    self.init(Self.known.filter { names.contains($0.name) }.map(\.flag))
  }

  fileprivate var names: [String] {
    Self.known.dropLast().filter { contains($0.flag) }.map(\.name)
  }
}

extension InterfaceAddress.State {
  private static let known: [(name: String, state: Self)] = [
    ("TEMPORARY", .temporary), ("DEPRECATED", .deprecated), ("TENTATIVE", .tentative),
  ]

  fileprivate init(names: [String]) {
    self.init(Self.known.filter { names.contains($0.name) }.map(\.state))
  }

  fileprivate var names: [String] { Self.known.filter { contains($0.state) }.map(\.name) }
}

extension Interface.DefaultRoutes {
  private static let known: [(name: String, family: Self)] = [("ipv4", .ipv4), ("ipv6", .ipv6)]

  fileprivate init(names: [String]) {
    self.init(Self.known.filter { names.contains($0.name) }.map(\.family))
  }

  fileprivate var names: [String] { Self.known.filter { contains($0.family) }.map(\.name) }
}
