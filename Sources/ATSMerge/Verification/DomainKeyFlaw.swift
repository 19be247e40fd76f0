internal import NetDiscovery

/// Why a key of `NSExceptionDomains` can never match a host.
///
/// Source: Apple, "NSExceptionDomains": lower case, no port, no wildcard, a trailing dot literal.
struct DomainKeyFlaw: Sendable {
  /// What is wrong, without capital and full stop.
  let detail: String
  /// The key that was probably meant.
  let meant: String?

  /// Nil for a key that can match.
  init?(in key: String) {
    guard let detail = Self.flaw(in: key) else { return nil }
    self.detail = detail
    meant = Self.hostMeant(by: key).flatMap { $0 == key ? nil : $0 }
  }

  private static func flaw(in key: String) -> String? {
    if key.isEmpty { return "it is empty" }
    if AddressRange(parsing: key) != nil { return nil }
    if key.contains(where: \.isWhitespace) { return "it has a blank in it" }
    if !key.allSatisfy(\.isASCII) { return "it is not ASCII, and hosts are compared as xn-- names" }
    if key.contains("://") { return "it has a scheme" }
    if key.contains("/") {
      return flaw(inRange: key)
    }
    if key.contains("*") { return "it has a wildcard; NSIncludesSubdomains covers subdomains" }
    if key.contains("[") || key.contains("]") { return "it has brackets" }
    if key.contains("%") { return "it has a zone" }
    if let host = try? Host(parsing: key) {
      if key.hasSuffix(".") { return "it ends with a dot, which is compared literally" }
      if host.description == key { return nil }
      if host.description == key.lowercased() { return "it has upper case" }
      return "it is not in the canonical form"
    }
    if let colon = key.lastIndex(of: ":"), Int(key[key.index(after: colon)...]) != nil {
      return "it has a port"
    }
    return "it is no host name and no address"
  }

  private static func flaw(inRange key: String) -> String {
    let base = String(key.prefix { $0 != "/" })
    guard let host = try? Host(parsing: base), host.isAddress else { return "it has a path" }
    let canonical = host.description + key.dropFirst(base.count)
    guard AddressRange(parsing: canonical) != nil, !base.hasPrefix("[") else {
      return "it is no valid range"
    }
    return canonical == key.lowercased() ? "it has upper case" : "it is not in the canonical form"
  }

  private static func hostMeant(by key: String) -> String? {
    var text = key.filter { !$0.isWhitespace }[...]
    if let scheme = text.firstRange(of: "://") { text = text[scheme.upperBound...] }
    text = text.drop { "/*.".contains($0) }
    text = text.prefix { !"/%?#".contains($0) }
    if text.hasSuffix(":") { text.removeLast() }
    if text.hasPrefix("["), text.hasSuffix("]"), !text.contains(":") {
      text = text.dropFirst().dropLast()
    }
    if let destination = try? Destination(parsing: String(text), defaultPort: 80) {
      return destination.host.description
    }
    return nil
  }
}
