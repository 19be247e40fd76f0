public import PlistKit

extension ATSMeanings {
  /// What an exception domain's entry means: first what it does by being there, then each of its keys, so
  /// many at most.
  public func entry(_ entry: PlistDictionary.Entry, limit: Int = .max) -> [ATSMeaning] {
    let path = ATSKey.path(domain: entry.key)
    guard let settings = entry.value.dictionary else {
      return [
        ATSMeaning(
          path: path, value: entry.value,
          sentence: "Allows nothing: the entry must be a dictionary, and is "
            + "\(entry.value.typeName).")
      ]
    }
    if let flaw = DomainKeyFlaw(in: entry.key) {
      let hint = flaw.meant.map { "; '\($0)' may be meant" } ?? ""
      return [
        ATSMeaning(
          path: path, value: entry.value,
          sentence: "Never matches a host: \(flaw.detail)\(hint).")
      ]
    }
    let keys = settings.entries.prefix(limit).map { setting in
      ATSMeaning(
        path: path.appending(key: setting.key), value: setting.value,
        sentence: sentence(setting.key, setting.value, of: entry.key, settings))
    }
    let match = ATSMatch(key: entry.key, kind: .exact, entry: settings)
    return match.insecureDecision.isAllowed
      ? keys
      : [ATSMeaning(path: path, value: entry.value, sentence: refusal(of: entry.key, settings))]
        + keys
  }

  private func refusal(of domain: String, _ settings: PlistDictionary) -> String {
    "HTTP to \(scope(of: domain, settings)) is refused, whatever the app-wide settings say: the entry "
      + "does not allow it."
  }

  private func sentence(
    _ key: String, _ value: PlistValue, of domain: String, _ settings: PlistDictionary
  ) -> String {
    if ATSKey.entryFlags.contains(key), value.boolean == nil {
      return "No effect: it must be true or false, and is \(value.typeName)."
    }
    if ATSKey.entryStrings.contains(key), value.string == nil {
      return "No effect: it must be a string, and is \(value.typeName)."
    }
    let scope = scope(of: domain, settings)
    let isTrue = value.boolean == true
    switch key {
    case ATSKey.allowsInsecureHTTPLoads:
      return isTrue
        ? "HTTP to \(scope) is allowed\(addressesSince(domain))."
        : "Says explicitly that HTTP is refused."
    case ATSKey.includesSubdomains:
      return isTrue
        ? "The entry also holds for all subdomains that have none of their own."
        : "The entry holds for this host alone, which is the default."
    case ATSKey.minimumTLSVersion:
      return minimumTLS(value.string ?? "", scope)
    case ATSKey.requiresForwardSecrecy:
      return isTrue
        ? "HTTPS needs forward secrecy, which is the default."
        : "HTTPS to \(scope) may do without forward secrecy."
    case ATSKey.requiresCertificateTransparency:
      return isTrue
        ? "HTTPS needs a certificate that is in public logs (Certificate Transparency)."
        : "Certificates need not be in public logs, which is the default."
    case _ where ATSKey.legacyPrefixes.contains { key.hasPrefix($0) } && ATSKey.all.contains(key):
      return "An older name from the first betas of iOS 9, read but better replaced."
    case _ where ATSKey.pins.contains(key):
      return "No effect here: pins belong in \(ATSKey.pinnedDomains)."
    case _ where ATSKey.entry.contains(key): return "Asks for the TLS rules of NIAP's package."
    case _ where ATSKey.all.contains(key): return "No effect here: it is an app-wide key."
    default: return "No effect: App Transport Security has no such key."
    }
  }

  private func minimumTLS(_ version: String, _ scope: String) -> String {
    let known = ATSKey.tlsVersions
    guard let rank = known.firstIndex(of: version),
      let usual = known.firstIndex(of: ATSKey.defaultTLSVersion)
    else { return "Not a version that App Transport Security knows: TLSv1.0 to TLSv1.3." }
    let number = version.dropFirst("TLSv".utf8.count)
    if rank == usual { return "HTTPS needs TLS 1.2 or later, which is the default." }
    return rank < usual
      ? "HTTPS to \(scope) may fall back to TLS \(number), where 1.2 is the default."
      : "HTTPS to \(scope) needs TLS \(number), more than the default of 1.2."
  }

  /// What an entry is for, in words.
  private func scope(of domain: String, _ settings: PlistDictionary) -> String {
    let name = domain.cut(to: 80)
    return switch ExceptionDomainKind(domain) {
    case .cidr: "the addresses of \(name)"
    case .name where settings[ATSKey.includesSubdomains]?.boolean == true:
      "\(name) and its subdomains"
    default: name
    }
  }

  private func addressesSince(_ domain: String) -> String {
    switch ExceptionDomainKind(domain) {
    case .ipv4, .ipv6, .cidr:
      " from \(start(of: .os17)) on; older systems neither need nor read entries of addresses"
    default: ""
    }
  }
}
