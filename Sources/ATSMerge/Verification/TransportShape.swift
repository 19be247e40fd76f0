internal import PlistKit

/// What is wrong with the form of the App Transport Security dictionary.
enum TransportShape {
  /// Values of a type that the system does not read there.
  static func wrongTypes(in transport: PlistValue) -> [Observation] {
    guard let settings = transport.dictionary else {
      return [observation("a dictionary", transport, ATSKey.path)]
    }
    var found = wrongFlags(ATSKey.appWideFlags, in: settings, at: ATSKey.path)
    found += wrongStrings([ATSKey.appWideString], in: settings, at: ATSKey.path)
    found += wrongEntries(of: ATSKey.exceptionDomains, in: settings) { entry, path in
      wrongFlags(ATSKey.entryFlags, in: entry, at: path)
        + wrongStrings(ATSKey.entryStrings, in: entry, at: path)
        + wrongVersions(in: entry, at: path)
    }
    return found
      + wrongEntries(of: ATSKey.pinnedDomains, in: settings) { entry, path in
        wrongFlags([ATSKey.includesSubdomains], in: entry, at: path)
          + ATSKey.pins.flatMap { wrongPins($0, in: entry, at: path) }
      }
  }

  private static func wrongEntries(
    of key: String, in settings: PlistDictionary,
    _ check: (PlistDictionary, PlistKeyPath) -> [Observation]
  ) -> [Observation] {
    guard let value = settings[key] else { return [] }
    let path = ATSKey.path.appending(key: key)
    guard let domains = value.dictionary else { return [observation("a dictionary", value, path)] }
    return domains.entries.filter { !ATSKey.all.contains($0.key) }.flatMap { domain in
      let path = path.appending(key: domain.key)
      guard let entry = domain.value.dictionary else {
        return [observation("a dictionary", domain.value, path)]
      }
      return check(entry, path)
    }
  }

  /// What is wrong with the identities that a pinned domain names: an array of dictionaries with the
  /// hash of a public key each.
  private static func wrongPins(
    _ key: String, in entry: PlistDictionary, at path: PlistKeyPath
  ) -> [Observation] {
    guard let value = entry[key] else { return [] }
    let path = path.appending(key: key)
    guard let items = value.array else { return [observation("an array", value, path)] }
    let wrong = items.indices.filter { !isPin(items[$0]) }
    let told = wrong.prefix(mostItems).map { index in
      let path = path.appending(index: index)
      guard let identity = items[index].dictionary else {
        return observation("a dictionary", items[index], path)
      }
      guard let hash = identity[ATSKey.publicKeyHash] else {
        return Observation("item \(index) of \(key) has no \(ATSKey.publicKeyHash)", at: path)
      }
      return observation("a string", hash, path.appending(key: ATSKey.publicKeyHash))
    }
    let rest = wrong.count - told.count
    return rest == 0
      ? told : told + [Observation("\(rest) more items of \(key) are wrong", at: path)]
  }

  /// Items of one array that are told one by one: it may have a million.
  private static let mostItems = 100

  private static func isPin(_ item: PlistValue) -> Bool {
    item.dictionary?[ATSKey.publicKeyHash]?.string != nil
  }

  /// Keys at a level where they have no effect.
  static func misplacedKeys(in root: PlistValue) -> [Observation] {
    guard let root = root.dictionary else { return [] }
    var found: [Observation] = []
    for key in ATSKey.allInOrder where root[key] != nil {
      found.append(
        Observation(
          "\(key) stands at the top; it belongs \(home(of: key))", at: PlistKeyPath(keys: key)))
    }
    guard let settings = root[ATSKey.transportSecurity]?.dictionary else { return found }
    for key in ATSKey.entry + ATSKey.pins where settings[key] != nil {
      found.append(
        Observation(
          "\(key) stands beside the app-wide keys; it belongs in a domain's entry",
          at: ATSKey.path.appending(key: key)))
    }
    let domains = settings[ATSKey.exceptionDomains]?.dictionary
    found += misplacedKeys(
      among: domains, at: ATSKey.domainsPath, asDomains: ATSKey.appWide + ATSKey.entry,
      inEntries: ATSKey.appWide)
    let pinned = settings[ATSKey.pinnedDomains]?.dictionary
    return found
      + misplacedKeys(
        among: pinned, at: ATSKey.pinnedPath, asDomains: ATSKey.allInOrder,
        inEntries: ATSKey.appWide + ATSKey.entry.filter { $0 != ATSKey.includesSubdomains })
  }

  /// Keys that stand where a domain must, and keys in the domains' entries that have no effect there.
  private static func misplacedKeys(
    among domains: PlistDictionary?, at path: PlistKeyPath, asDomains: [String], inEntries: [String]
  ) -> [Observation] {
    let (asDomains, inEntries) = (Set(asDomains), Set(inEntries))
    return (domains?.entries ?? []).flatMap { domain -> [Observation] in
      let path = path.appending(key: domain.key)
      if asDomains.contains(domain.key) {
        return [
          Observation("\(domain.key) stands where a domain must; it has no effect here", at: path)
        ]
      }
      let keys = domain.value.dictionary?.keys ?? []
      return keys.filter(inEntries.contains).map { key in
        Observation(
          "\(key) stands in the entry of \(domain.key.shortened); it belongs \(home(of: key))",
          at: path.appending(key: key))
      }
    }
  }

  /// Where a key belongs.
  private static func home(of key: String) -> String {
    if ATSKey.appWide.contains(key) { return "in \(ATSKey.transportSecurity)" }
    let list = ATSKey.pins.contains(key) ? ATSKey.pinnedDomains : ATSKey.exceptionDomains
    return "in a domain's entry of \(list)"
  }

  /// Keys that the system does not know, with the nearest that it does.
  static func unknownKeys(in policy: ATSPolicy) -> [Observation] {
    // A file can hold more strange keys than anyone reads suggestions for.
    var suggestionsLeft = 20
    func unknown(_ keys: [String], known: [String], at path: PlistKeyPath) -> [Observation] {
      keys.filter { !ATSKey.all.contains($0) }.map { key in
        suggestionsLeft -= 1
        let near = suggestionsLeft >= 0 ? Spelling.nearest(to: key, in: known) : nil
        return Observation(
          "\(key.shortened) is no key that the system knows"
            + (near.map { "; did you mean \($0)?" } ?? ""),
          at: path.appending(key: key))
      }
    }
    func unknown(
      in domains: [PlistDictionary.Entry], known: [String], at path: PlistKeyPath
    ) -> [Observation] {
      domains.filter { !ATSKey.all.contains($0.key) }.flatMap { domain in
        unknown(
          domain.value.dictionary?.keys ?? [], known: known, at: path.appending(key: domain.key))
      }
    }
    let pinned = policy.settings[ATSKey.pinnedDomains]?.dictionary?.entries ?? []
    return unknown(policy.settings.keys, known: ATSKey.appWide, at: ATSKey.path)
      + unknown(in: policy.domains.entries, known: ATSKey.entry, at: ATSKey.domainsPath)
      + unknown(
        in: pinned, known: [ATSKey.includesSubdomains] + ATSKey.pins, at: ATSKey.pinnedPath)
  }

  private static func wrongStrings(
    _ keys: [String], in dictionary: PlistDictionary, at path: PlistKeyPath
  ) -> [Observation] {
    keys.compactMap { key in
      dictionary[key].flatMap { value in
        value.string == nil ? observation("a string", value, path.appending(key: key)) : nil
      }
    }
  }

  private static func wrongVersions(
    in entry: PlistDictionary, at path: PlistKeyPath
  ) -> [Observation] {
    ATSKey.tlsVersionKeys.compactMap { key in
      guard let value = entry[key], let text = value.string, !ATSKey.tlsVersions.contains(text)
      else { return nil }
      return observation(
        "one of \(ATSKey.tlsVersions.joined(separator: ", "))", value,
        path.appending(key: key))
    }
  }

  private static func wrongFlags(
    _ keys: [String], in dictionary: PlistDictionary, at path: PlistKeyPath
  ) -> [Observation] {
    keys.compactMap { key in
      dictionary[key].flatMap { value in
        value.boolean == nil ? observation("a boolean", value, path.appending(key: key)) : nil
      }
    }
  }

  private static func observation(
    _ wanted: String, _ value: PlistValue, _ path: PlistKeyPath
  ) -> Observation {
    let shown: String =
      switch value {
      case .string(let text):
        "the string '\(Redaction.hidingIDs(in: text.shortened).prefix(40))'"
      case .integer(let number): "the integer \(number)"
      default: value.typeName
      }
    let name =
      switch path.components.last {
      case .key(let key)?: key.shortened
      case .index(let index)?: "item \(index)"
      case nil: ATSKey.transportSecurity
      }
    return Observation("\(name) is \(shown), not \(wanted)", at: path)
  }
}
