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

  /// Longer than any host name (253 bytes), address or range, with what people write around one.
  private static let longest = 512

  private static func flaw(in key: String) -> String? {
    let bytes = key.utf8
    if bytes.isEmpty { return "it is empty" }
    guard bytes.count <= longest else { return "it is too long for a host name" }
    if host(ofExact: key) != nil || AddressRange(parsing: key) != nil { return nil }
    if key.unicodeScalars.contains(where: isBlank) { return "it has a blank in it" }
    if bytes.contains(where: { $0 >= 0x80 }) {
      return "it is not ASCII, and hosts are compared as xn-- names"
    }
    if behindScheme(bytes) != nil { return "it has a scheme" }
    if bytes.contains(slash) { return flaw(inRange: key) }
    if bytes.contains(UInt8(ascii: "*")) {
      return "it has a wildcard; NSIncludesSubdomains covers subdomains"
    }
    if bytes.contains(where: { "[]".utf8.contains($0) }) { return "it has brackets" }
    if bytes.contains(UInt8(ascii: "%")) { return "it has a zone" }
    if let host = try? Host(parsing: key) {
      if bytes.last == dot { return "it ends with a dot, which is compared literally" }
      return host.description == key.lowercased()
        ? "it has upper case" : "it is not in the canonical form"
    }
    let behind = bytes.lastIndex(of: colon).map { bytes[bytes.index(after: $0)...] }
    return behind.map(isNumber) == true ? "it has a port" : "it is no host name and no address"
  }

  /// The host of a key that is one in the form in which hosts are compared.
  static func host(ofExact key: String) -> Host? {
    guard key.utf8.count <= longest, let host = try? Host(parsing: key),
      key.utf8.elementsEqual(host.description.utf8)
    else { return nil }
    return host
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    // The table of properties takes ten times as long.
    scalar.isASCII
      ? scalar == " " || (9...13).contains(scalar.value) : scalar.properties.isWhitespace
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
    guard key.utf8.count <= longest, key.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    var rest = key.utf8.filter { $0 > 0x20 }[...]
    if let host = behindScheme(rest) { rest = rest[host...] }
    rest = rest.drop { "/*.".utf8.contains($0) }
    rest = rest.prefix { !"/%?#".utf8.contains($0) }
    if rest.last == colon { rest.removeLast() }
    if rest.first == UInt8(ascii: "["), let end = rest.firstIndex(of: UInt8(ascii: "]")) {
      let port = rest[(end + 1)...]
      guard port.isEmpty || (port.first == colon && isNumber(port.dropFirst())) else { return nil }
      return host(rest[..<end].dropFirst())
    }
    // Without brackets the end of an IPv6 address may be one.
    if let whole = host(rest) { return whole }
    guard let last = rest.lastIndex(of: colon), isNumber(rest[(last + 1)...]) else { return nil }
    return host(rest[..<last])
  }

  private static func host(_ bytes: ArraySlice<UInt8>) -> String? {
    (try? Host(parsing: String(decoding: bytes, as: UTF8.self)))?.description
  }

  /// The place behind the first `://`; the standard library's search takes ten times as long.
  private static func behindScheme<Bytes: Collection<UInt8>>(_ bytes: Bytes) -> Bytes.Index? {
    var slashes: Int?
    for index in bytes.indices {
      switch (bytes[index], slashes) {
      case (colon, _): slashes = 0
      case (slash, 0?): slashes = 1
      case (slash, 1?): return bytes.index(after: index)
      default: slashes = nil
      }
    }
    return nil
  }

  private static func isNumber(_ bytes: some Collection<UInt8>) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  private static let colon = UInt8(ascii: ":")
  private static let dot = UInt8(ascii: ".")
  private static let slash = UInt8(ascii: "/")
}
