extension Destination {
  /// A destination as a user gives it: `HOST`, `HOST:PORT`, `[V6]`, `[V6]:PORT` or
  /// `http(s)://HOST[:PORT]`, the last also with one `/` at its end.
  ///
  /// Without a scheme it is HTTP, and `defaultPort` stands in for a missing port. With a scheme, a
  /// missing port is that scheme's own (80, 443), as in any URL. An IPv6 address may lack its
  /// brackets where neither scheme nor port is given and its end cannot be taken for a port.
  /// - Throws: ``HostError`` with any of its codes.
  public init(parsing text: String, defaultPort: UInt16) throws(HostError) {
    let url = try AuthorityText(parsing: text)
    if let extra = url.extra { throw extra }
    self.init(
      scheme: url.scheme ?? .http, host: url.host,
      port: url.port ?? url.scheme?.defaultPort ?? defaultPort)
  }
}

extension Destination {
  /// The destination that an `http` or `https` URL leads to; its path, query and fragment say nothing of
  /// it.
  ///
  /// A host that ends with a dot is refused: App Transport Security compares the dot, and the canonical
  /// form of a host has none.
  /// - Throws: ``HostError`` with any of its codes, `scheme` also where there is none.
  public init(ofURL text: String) throws(HostError) {
    let url = try AuthorityText(parsing: text)
    guard let scheme = url.scheme else {
      throw HostError(.scheme, detail: "it has no scheme, as in http://\(url.host.urlText)")
    }
    guard !url.hasRootDot else {
      throw HostError(
        .name, detail: "the host ends with a dot, which App Transport Security compares literally")
    }
    self.init(scheme: scheme, host: url.host, port: url.port ?? scheme.defaultPort)
  }
}

/// The scheme, host and port at the start of a URL, or of a text that is only host and port.
struct AuthorityText {
  let scheme: Scheme?
  let host: Host
  let port: UInt16?
  /// Whether the host is written with the dot of the DNS root.
  let hasRootDot: Bool
  /// Why the rest is more than a destination has; nil where it is empty or `/`.
  let extra: HostError?

  init(parsing text: String) throws(HostError) {
    var rest = text[...]
    scheme = try Self.takeScheme(&rest)
    let authority = rest.prefix { !"/?#\\".contains($0) }
    extra = Self.extra(rest[authority.endIndex...])
    guard !authority.contains("@") else {
      throw HostError(.userInfo, detail: "a user name or password has no place in a destination")
    }
    guard !authority.isEmpty else { throw HostError(.empty, detail: "the host is empty") }
    let (hostText, portText) = try Self.split(authority, hasScheme: scheme != nil)
    host = try Host(parsing: hostText)
    hasRootDot = hostText.hasSuffix(".")
    if let portText {
      guard let number = decimal(portText.utf8, atMost: 65535), number > 0 else {
        throw HostError(.port, detail: "the port of \(host) is no number from 1 to 65535")
      }
      port = UInt16(number)
    } else {
      port = nil
    }
  }

  private static func takeScheme(_ rest: inout Substring) throws(HostError) -> Scheme? {
    let name = rest.prefix { $0 != ":" && !"/?#@[".contains($0) }
    let after = rest[name.endIndex...]
    guard after.hasPrefix("://") else { return nil }
    guard let scheme = Scheme(rawValue: name.lowercased()) else {
      throw HostError(.scheme, detail: "scheme \(quoted(name)) is neither http nor https")
    }
    rest = after.dropFirst(3)
    return scheme
  }

  private static func extra(_ rest: Substring) -> HostError? {
    switch (rest.hasPrefix("/") ? rest.dropFirst() : rest).first {
    case nil: nil
    case "?": HostError(.query, detail: "a destination has no query")
    case "#": HostError(.fragment, detail: "a destination has no fragment")
    default: HostError(.path, detail: "a destination has no path")
    }
  }

  /// The host with its brackets, and what follows the colon after it.
  private static func split(
    _ authority: Substring, hasScheme: Bool
  ) throws(HostError) -> (String, Substring?) {
    if authority.hasPrefix("[") {
      guard let close = authority.firstIndex(of: "]") else {
        throw HostError(.brackets, detail: "the bracket before the IPv6 address is not closed")
      }
      let host = String(authority[...close])
      let rest = authority[authority.index(after: close)...]
      guard rest.isEmpty || rest.hasPrefix(":") else {
        throw HostError(.brackets, detail: "only a port can follow the bracket of an address")
      }
      return (host, rest.isEmpty ? nil : rest.dropFirst())
    }
    guard let colon = authority.lastIndex(of: ":") else { return (String(authority), nil) }
    let before = authority[..<colon]
    guard before.contains(":") else { return (String(before), authority[colon...].dropFirst()) }
    let isPort = (decimal(authority[colon...].dropFirst().utf8, atMost: 65535) ?? 0) > 0
    if hasScheme || isPort && IPv6Address.parse(before) != nil {
      throw HostError(
        .brackets, detail: "an IPv6 address needs brackets here, as in [fd00::10]:19464")
    }
    return (String(authority), nil)
  }
}
