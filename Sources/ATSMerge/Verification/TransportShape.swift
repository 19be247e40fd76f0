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
    }
    return found
      + wrongEntries(of: ATSKey.pinnedDomains, in: settings) { entry, path in
        wrongFlags([ATSKey.includesSubdomains], in: entry, at: path)
          + ATSKey.pins.compactMap { key in
            entry[key].flatMap { value in
              value.array == nil ? observation("an array", value, path.appending(key: key)) : nil
            }
          }
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

  /// Keys at a level where they have no effect.
  static func misplacedKeys(in root: PlistValue) -> [Observation] {
    guard let root = root.dictionary else { return [] }
    var found: [Observation] = []
    for key in ATSKey.allInOrder where root[key] != nil {
      let place =
        ATSKey.appWide.contains(key)
        ? "in \(ATSKey.transportSecurity)" : "in a domain's entry there"
      found.append(
        Observation("\(key) stands at the top; it belongs \(place)", at: PlistKeyPath(keys: key)))
    }
    guard let settings = root[ATSKey.transportSecurity]?.dictionary else { return found }
    for key in ATSKey.entry + ATSKey.pins where settings[key] != nil {
      found.append(
        Observation(
          "\(key) stands beside the app-wide keys; it belongs in a domain's entry",
          at: ATSKey.path.appending(key: key)))
    }
    let domains = settings[ATSKey.exceptionDomains]?.dictionary
    for domain in domains?.entries ?? [] {
      let path = ATSKey.path(domain: domain.key)
      if ATSKey.appWide.contains(domain.key) || ATSKey.entry.contains(domain.key) {
        found.append(
          Observation("\(domain.key) stands where a domain must; it has no effect here", at: path))
        continue
      }
      for key in ATSKey.appWide where domain.value.dictionary?[key] != nil {
        found.append(
          Observation(
            "\(key) stands in the entry of \(domain.key); it belongs in \(ATSKey.transportSecurity)",
            at: path.appending(key: key)))
      }
    }
    return found
  }

  /// Keys that the system does not know, with the nearest that it does.
  static func unknownKeys(in policy: ATSPolicy) -> [Observation] {
    func unknown(_ keys: [String], known: [String], at path: PlistKeyPath) -> [Observation] {
      keys.filter { !ATSKey.all.contains($0) }.enumerated().map { index, key in
        // A file can hold more strange keys than anyone reads suggestions for.
        let near = index < 20 ? Spelling.nearest(to: key, in: known) : nil
        return Observation(
          "\(key) is no key that the system knows\(near.map { "; did you mean \($0)?" } ?? "")",
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
      case .string(let text): "the string '\(Redaction.hidingIDs(in: text).prefix(40))'"
      case .integer(let number): "the integer \(number)"
      default: value.typeName
      }
    let name =
      switch path.components.last {
      case .key(let key)?: key
      default: ATSKey.transportSecurity
      }
    return Observation("\(name) is \(shown), not \(wanted)", at: path)
  }
}
