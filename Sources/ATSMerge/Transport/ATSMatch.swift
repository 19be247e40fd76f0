internal import NetDiscovery
internal import PlistKit

/// The exception domain that matches a host best.
struct ATSMatch: Sendable {
  enum Kind: Sendable { case exact, parent, range }

  let key: String
  let kind: Kind
  /// The entry; nil where the key holds no dictionary.
  let entry: PlistDictionary?

  var path: PlistKeyPath { ATSKey.path(domain: key) }

  /// What the entry says of HTTP. An entry that does not allow it denies, whatever the app-wide
  /// flags say.
  var insecureDecision: ATSDecision {
    let flag = path.appending(key: ATSKey.allowsInsecureHTTPLoads)
    switch entry?[ATSKey.allowsInsecureHTTPLoads] {
    case .boolean(true)?:
      return ATSDecision(isAllowed: true, reason: "the entry of \(key) allows it", path: flag)
    case .boolean(false)?:
      return ATSDecision(
        isAllowed: false, reason: "the entry of \(key) refuses insecure loads", path: flag)
    case let other?:
      return ATSDecision(
        isAllowed: false, reason: "the flag of \(key) is \(other.typeName), not a boolean",
        path: flag)
    case nil: break
    }
    let older = ATSKey.spellings(of: ATSKey.allowsInsecureHTTPLoads).dropFirst()
    if let legacy = older.first(where: { entry?[$0]?.boolean == true }) {
      return ATSDecision(
        isAllowed: true, reason: "the older key \(legacy) of \(key) allows it",
        path: path.appending(key: legacy))
    }
    return ATSDecision(
      isAllowed: false,
      reason:
        "the entry of \(key) does not allow insecure loads, and it outweighs app-wide settings",
      path: path)
  }

  /// Whether this is a range of all addresses: by what people report the system takes such a key for
  /// none, and two of `/1` are needed.
  private var isWhole: Bool { kind == .range && key.hasSuffix("/0") }

  /// Whether Apple leaves open what the system makes of the entry for HTTP: it is no dictionary, its
  /// flag no boolean, an older key allows what the newer one refuses, or it is for all addresses.
  var isOpenForHTTP: Bool {
    guard let entry, !isWhole else { return true }
    return !insecureDecision.isAllowed
      && entry.hasOther(than: false, under: ATSKey.spellings(of: ATSKey.allowsInsecureHTTPLoads))
  }

  /// The same for HTTPS.
  var isOpenForHTTPS: Bool {
    guard let entry, !isWhole else { return true }
    let flags =
      ATSKey.spellings(of: ATSKey.requiresForwardSecrecy) + [ATSKey.requiresCertificateTransparency]
    return flags.contains { entry[$0].map { $0.boolean == nil } ?? false }
  }
}

extension PlistDictionary {
  fileprivate func hasOther(than flag: Bool, under keys: [String]) -> Bool {
    keys.contains { self[$0].map { $0.boolean != flag } ?? false }
  }
}

extension ATSPolicy {
  /// The entry of the host itself; for addresses else the longest range that holds it; for names
  /// else the nearest parent whose entry includes subdomains.
  ///
  /// Keys compare byte by byte with the host's canonical text. Before iOS 17 addresses cannot be
  /// keys. Source: Apple, "NSExceptionDomains".
  func bestMatch(for host: Host, generation: ATSGeneration) -> ATSMatch? {
    if host.isAddress && generation < .os17 { return nil }
    let text = host.description
    if let value = domains[text] {
      return ATSMatch(key: text, kind: .exact, entry: value.dictionary)
    }
    if host.isAddress { return domains.ranges(holding: host).first }
    return host.parentNames.lazy.compactMap { parent in
      guard let entry = domains[parent]?.dictionary,
        entry[ATSKey.includesSubdomains]?.boolean == true
      else { return nil }
      return ATSMatch(key: parent, kind: .parent, entry: entry)
    }.first
  }

  /// The names above a host that have an entry, the nearest first.
  func parents(of host: Host) -> [String] { host.parentNames.filter { domains[$0] != nil } }
}
