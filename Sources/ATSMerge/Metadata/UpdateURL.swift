public import NetDiscovery

/// One update URL: where the app asks for updates of one installation.
///
/// `http(s)://HOST[:PORT]/api/app/<48 hex>/update[?QUERY]`, or the older path `/update/<48 hex>`.
/// Checked: scheme, no user info, a valid host, a port of 1 to 65535, the path, the ID, no fragment,
/// no `release` query item, no white space or control character, 16 KiB at most. The text is kept byte
/// for byte.
/// It is a credential: the description hides the ID, only ``revealed`` shows it.
/// Source: the update contract, "URL and authorization contract".
public struct UpdateURL: Sendable, Hashable, CustomStringConvertible {
  /// The whole text: for the property list and the record file alone.
  public let revealed: String
  /// How the app connects.
  public let scheme: Scheme
  /// Where it connects.
  public let host: Host
  /// The port, the scheme's own where the text names none.
  public let port: UInt16
  /// The installation that the URL is for.
  public let installationID: InstallationID
  /// Whether it has the older path `/update/<id>`.
  public let isLegacy: Bool
  /// The query items in their order, percent-decoded.
  public let query: [QueryItem]

  /// How long a URL is read. Servers take about as much in a request's first line.
  static let mostBytes = 16 << 10

  /// A name and a value of the query.
  public struct QueryItem: Sendable, Hashable {
    /// The name.
    public let name: String
    /// The value, empty where there is none.
    public let value: String
  }

  /// The URL with the ID cut to its first four digits.
  public var description: String { Redaction.hidingIDs(in: revealed) }

  /// The URL for an installation at a destination.
  ///
  /// Items with an empty or no value are left out; values are percent-encoded down to RFC 3986's
  /// unreserved characters, so a plus sign is `%2B` (form decoders read a bare one as a blank).
  public init(
    destination: Destination, installationID: InstallationID,
    items: [(name: String, value: String?)]
  ) {
    let present: [QueryItem] = items.compactMap { item in
      guard let value = item.value, !value.isEmpty else { return nil }
      return QueryItem(name: item.name, value: value)
    }
    let encoded = present.map { "\($0.name)=\(PercentCoding.encode($0.value))" }
    let path = "/api/app/\(installationID.revealed)/update"
    revealed =
      destination.origin + path + (encoded.isEmpty ? "" : "?" + encoded.joined(separator: "&"))
    scheme = destination.scheme
    host = destination.host
    port = destination.port
    self.installationID = installationID
    isLegacy = false
    query = present
  }

  /// Reads a complete update URL.
  /// - Throws: ``UpdateURLError`` with the first thing that is against the contract.
  public init(parsing text: String) throws(UpdateURLError) {
    guard !text.isEmpty else { throw UpdateURLError(.scheme, "it is empty") }
    guard text.utf8.count <= Self.mostBytes else {
      throw UpdateURLError(
        .length, "it has \(text.utf8.count) bytes, more than \(Self.mostBytes)")
    }
    guard text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value < 0x7F }) else {
      throw UpdateURLError(.character, "a blank, control or non-ASCII character in it")
    }
    let schemeText = text.prefix { $0 != ":" }
    let behind = text[schemeText.endIndex...]
    guard behind.hasPrefix("://"), let scheme = Scheme(rawValue: schemeText.lowercased()) else {
      throw UpdateURLError(.scheme, "the scheme is neither http nor https")
    }
    let rest = behind.dropFirst(3)
    guard !rest.contains("#") else { throw UpdateURLError(.fragment, "it has a fragment") }
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let target = rest.dropFirst(authority.count)
    let path = target.prefix { $0 != "?" }
    let (host, port) = try Self.hostAndPort(authority, scheme: scheme)
    let (id, isLegacy) = try Self.installation(path)
    query = Self.items(target.dropFirst(path.count + 1))
    guard !query.contains(where: { $0.name.lowercased() == "release" }) else {
      throw UpdateURLError(.release, "the query has a release item; the server knows the channel")
    }
    revealed = text
    self.scheme = scheme
    self.host = host
    self.port = port
    installationID = id
    self.isLegacy = isLegacy
  }

  private static func hostAndPort(
    _ authority: Substring, scheme: Scheme
  ) throws(UpdateURLError) -> (Host, UInt16) {
    guard !authority.contains("@") else {
      throw UpdateURLError(.userInfo, "it has user info before the host")
    }
    let hostText: Substring
    if authority.hasPrefix("[") {
      guard let end = authority.firstIndex(of: "]") else {
        throw UpdateURLError(.host, "the bracket before the host is not closed")
      }
      hostText = authority[...end]
    } else {
      hostText = authority.prefix { $0 != ":" }
    }
    guard !hostText.isEmpty else { throw UpdateURLError(.host, "it has no host") }
    guard !hostText.hasSuffix(".") else {
      throw UpdateURLError(
        .host, "the host ends with a dot, and App Transport Security would compare it literally")
    }
    let host: Host
    do throws(HostError) { host = try Host(parsing: String(hostText)) } catch {
      throw UpdateURLError(
        error.code == .zone ? .zone : .host, "the host '\(hostText)' is not valid: \(error.detail)")
    }
    let portText = authority.dropFirst(hostText.count)
    guard !portText.isEmpty else { return (host, scheme.defaultPort) }
    guard portText.hasPrefix(":"),
      portText.dropFirst().utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
      let port = UInt16(portText.dropFirst()), port > 0
    else {
      let hint = authority.filter({ $0 == ":" }).count > 1 ? "; an IPv6 address needs brackets" : ""
      throw UpdateURLError(.port, "'\(portText)' after the host is no port of 1 to 65535\(hint)")
    }
    return (host, port)
  }

  private static func installation(
    _ path: Substring
  ) throws(UpdateURLError) -> (InstallationID, isLegacy: Bool) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    let segments = Array(parts)
    let id: Substring
    let isLegacy: Bool
    if segments.count == 4, segments[0] == "api", segments[1] == "app", segments[3] == "update" {
      (id, isLegacy) = (segments[2], false)
    } else if segments.count == 2, segments[0] == "update" {
      (id, isLegacy) = (segments[1], true)
    } else {
      throw UpdateURLError(.path, "the path is not /api/app/<48 hexadecimal digits>/update")
    }
    guard let installation = InstallationID(parsing: id) else {
      let what = id.utf8.allSatisfy(\.isHexadecimalDigit) ? "" : ", not all of them hexadecimal"
      throw UpdateURLError(
        .installationID,
        "the installation ID has \(id.count) characters\(what), not 48 hexadecimal digits")
    }
    return (installation, isLegacy)
  }

  private static func items(_ query: Substring) -> [QueryItem] {
    query.split(separator: "&").map { part in
      let name = part.prefix { $0 != "=" }
      return QueryItem(
        name: PercentCoding.decode(name),
        value: PercentCoding.decode(part.dropFirst(name.count + 1)))
    }
  }
}

/// What about an update URL is against the contract.
public struct UpdateURLError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The part that is wrong.
  public enum Code: String, Sendable {
    /// Not `http` or `https`, or nothing at all.
    case scheme
    /// A blank, a control character or one beyond ASCII.
    case character
    /// Something before an `@`.
    case userInfo
    /// None, or one that no device can look up.
    case host
    /// A link-local address with a zone.
    case zone
    /// Not 1 to 65535.
    case port
    /// Neither of the two forms.
    case path
    /// Not 48 hexadecimal digits.
    case installationID
    /// Anything after a `#`.
    case fragment
    /// A `release` query item.
    case release
    /// More than 16 KiB.
    case length
  }

  /// The part that is wrong.
  public var code: Code
  /// A sentence without capital and full stop.
  public var detail: String

  init(_ code: Code, _ detail: String) {
    self.code = code
    self.detail = Redaction.hidingIDs(in: detail)
  }

  public var description: String { detail }

  /// Compares the codes.
  public static func == (a: Self, b: Self) -> Bool { a.code == b.code }
}
