internal import NetDiscovery
internal import PlistKit

extension RuleTable {
  /// The rule that compares with the app as it was before.
  static let changeRules: [Rule] = [
    Rule(
      "change.unexpected", .error, "a change that the contract does not make",
      help: """
        With --before: apart from IPAHub, one exact exception for each HTTP update host, and a missing \
        or blank local-network text, nothing may differ from the original app.
        """, examples: .changeUnexpected, needs: .original
    ) { facts in
      guard let comparison = facts.subject.comparison else { return [] }
      let members = comparison.memberDifferences.map { Observation($0.message, file: $0.path) }
      return members + unexpectedChanges(from: comparison.original, facts: facts)
    }
  ]

  private static func unexpectedChanges(
    from original: PlistValue, facts: VerificationFacts
  ) -> [Observation] {
    let changes: [PlistChange]
    do {
      let (before, after) = (withContainers(original), withContainers(facts.root))
      changes = try PlistChange.changes(from: before, to: after)
    } catch {
      return [Observation("the two Info.plists cannot be compared: \(error.detail)")]
    }
    let allowed = AllowedChanges(original: original, facts: facts)
    let hasLostMetadata =
      original[UpdateMetadata.path]?.dictionary != nil && facts.root[UpdateMetadata.path] == nil
    let unexpected = changes.filter { change in
      // Of metadata that is gone as a whole the fields are gone too.
      let isPartOfLost =
        hasLostMetadata && change.path.components.first == .key(UpdateMetadata.key)
      return !isPartOfLost && !allowed.contains(change)
    }
    return containerChanges(from: original, to: facts.root)
      + unexpected.map { change in
        let what =
          switch change.op {
          case .add: "was added"
          case .remove: "was removed"
          case .replace: "was replaced"
          }
        return Observation(
          "\(change.path.description.shortened) \(what), which no injection does", at: change.path)
      }
  }

  /// What the comparison of values cannot see for itself, because it takes a missing dictionary for an
  /// empty one: an empty dictionary that came or went, and metadata that is gone.
  private static func containerChanges(
    from original: PlistValue, to root: PlistValue
  ) -> [Observation] {
    var found: [Observation] = []
    for path in [ATSKey.path, ATSKey.domainsPath, UpdateMetadata.path] {
      let (old, new) = (original[path]?.dictionary, root[path]?.dictionary)
      if new?.isEmpty == true, old?.isEmpty != true {
        let what = old == nil ? "was added and is empty" : "is empty now"
        found.append(Observation("\(path) \(what), which no injection leaves", at: path))
      }
      if new == nil, let old, old.isEmpty || path == UpdateMetadata.path {
        found.append(Observation("\(path) was removed, which no injection does", at: path))
      }
    }
    let metadata = root[UpdateMetadata.path]?.dictionary
    if let metadata, metadata["source"] == nil,
      original[UpdateMetadata.path]?.dictionary?["source"] == nil,
      metadata != original[UpdateMetadata.path]?.dictionary
    {
      found.append(
        Observation(
          "\(UpdateMetadata.path) holds no source, which every injection writes",
          at: UpdateMetadata.path))
    }
    return found
  }

  /// The value with empty dictionaries where an injection may create them, so that what it puts into
  /// them shows as changes of its own.
  private static func withContainers(_ root: PlistValue) -> PlistValue {
    guard var dictionary = root.dictionary else { return root }
    func dictionaryOrEmpty(_ value: PlistValue?) -> PlistDictionary? {
      value == nil ? PlistDictionary() : value?.dictionary
    }
    if let metadata = dictionaryOrEmpty(dictionary[UpdateMetadata.key]) {
      dictionary[UpdateMetadata.key] = .dictionary(metadata)
    }
    if var transport = dictionaryOrEmpty(dictionary[ATSKey.transportSecurity]) {
      if let domains = dictionaryOrEmpty(transport[ATSKey.exceptionDomains]) {
        transport[ATSKey.exceptionDomains] = .dictionary(domains)
      }
      dictionary[ATSKey.transportSecurity] = .dictionary(transport)
    }
    return .dictionary(dictionary)
  }
}

/// The changes that an injection makes, and no others.
private struct AllowedChanges {
  /// Whether there is metadata as an injection writes it, each URL once; without it nothing was
  /// injected.
  let isInjected: Bool
  let updateHosts: Set<String>
  let formerHosts: Set<String>

  init(original: PlistValue, facts: VerificationFacts) {
    let urls = facts.metadata.urls
    isInjected = facts.metadata.state == .valid && Set(urls).count == urls.count
    updateHosts = Set(facts.updateHosts.map(\.description))
    formerHosts = Set(UpdateMetadata(infoPlist: original).urls.exceptionHosts.map(\.description))
  }

  func contains(_ change: PlistChange) -> Bool {
    // XML has one width of reals: another form of the same number is no change.
    if case (.real(let old)?, .real(let new)?) = (change.old, change.new),
      old.value.bitPattern == new.value.bitPattern
    {
      return true
    }
    guard isInjected, change.path.components.count >= 1 else { return false }
    // An index leads nowhere that an injection writes, but to the update URLs.
    let keys = change.path.components.map { component -> String? in
      if case .key(let key) = component { key } else { nil }
    }
    switch (keys[0], keys.count) {
    case (UpdateMetadata.key?, 2...): return isMetadata(change, Array(keys.dropFirst()))
    case (LocalNetworkText.key?, 1): return isTextForNone(change)
    case (ATSKey.transportSecurity?, 3...) where keys[1] == ATSKey.exceptionDomains:
      let rest = keys.dropFirst(3).compactMap(\.self)
      guard let host = keys[2], rest.count == keys.count - 3 else { return false }
      return isException(change, host: host, rest: rest)
    default: return false
    }
  }

  /// An injection writes a list of URLs, replaces items of one, and writes, replaces or drops the other
  /// fields, but for the source.
  private func isMetadata(_ change: PlistChange, _ keys: [String?]) -> Bool {
    switch (keys[0], keys.count) {
    case ("updateURL"?, 1): change.new?.array != nil
    case ("updateURL"?, 2): keys[1] == nil
    case ("source"?, 1):
      change.new?.string.map { (try? UpdateSource(parsing: $0)) != nil } ?? false
    case ("filter"?, 1), ("team"?, 1): change.op == .remove || change.new?.string != nil
    case ("release"?, 1):
      change.op == .remove || change.new?.string.flatMap(ReleaseChannel.init(rawValue:)) != nil
    default: false
    }
  }

  private func isTextForNone(_ change: PlistChange) -> Bool {
    guard let text = change.new?.string, !LocalNetworkText.isBlank(text) else { return false }
    return change.old.map { $0.string.map(LocalNetworkText.isBlank) ?? false } ?? true
  }

  private func isException(_ change: PlistChange, host: String, rest: [String]) -> Bool {
    switch (change.op, rest) {
    case (.add, []): updateHosts.contains(host) && change.new?.dictionary == ownException
    case (.remove, []):
      formerHosts.contains(host) && !updateHosts.contains(host)
        && change.old?.dictionary == ownException
    case (.add, [ATSKey.allowsInsecureHTTPLoads]):
      updateHosts.contains(host) && change.new?.boolean == true
    case (.replace, [ATSKey.allowsInsecureHTTPLoads]):
      updateHosts.contains(host) && change.new?.boolean == true && isMendableFlag(change.old)
    default: false
    }
  }

  /// Whether an injection replaces the value by true; it refuses all others.
  private func isMendableFlag(_ value: PlistValue?) -> Bool {
    switch value {
    case .boolean?, .integer?, .string?: true
    default: false
    }
  }
}
