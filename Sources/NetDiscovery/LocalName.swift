/// The `.local` name that belongs to a host's name.
public struct LocalName: Sendable, Hashable {
  /// The name, nil where none can be told.
  public let name: DNSName?
  /// Why there is none, or why it is not what the user may expect.
  public let warning: String?

  /// The first label of the host's name in lower case, under `.local` (RFC 6762, 3).
  ///
  /// The label may stand alone or under `.local`, a root dot behind it. Another domain is left out
  /// with a warning, because a DNS name is not what mDNS answers to. `localhost` and an empty name
  /// give none; so does, with a warning, what is no host name: a computer's name with blanks, an
  /// address.
  public init(hostName: String) {
    guard !hostName.isEmpty else {
      self.init(nil, nil)
      return
    }
    guard let host = try? Host(parsing: hostName), case .name(let full) = host,
      let name = try? DNSName(parsing: full.firstLabel + ".local")
    else {
      self.init(nil, "no .local name: \(quoted(hostName)) is no host name")
      return
    }
    guard full.firstLabel != "localhost" else {
      self.init(nil, nil)
      return
    }
    let domain = full.text.dropFirst(full.firstLabel.utf8.count + 1)
    guard domain.isEmpty || domain == "local" else {
      self.init(name, "\(name) is offered for \(quoted(full.text)): mDNS knows no other domain")
      return
    }
    self.init(name, nil)
  }

  private init(_ name: DNSName?, _ warning: String?) {
    self.name = name
    self.warning = warning
  }
}
