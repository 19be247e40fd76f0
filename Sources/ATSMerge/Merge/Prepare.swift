internal import NetDiscovery
public import PlistKit

extension PlistDocument {
  /// Merges update metadata, one exact exception for each HTTP host, and the local-network text.
  ///
  /// What is there stays: other keys of `IPAHub`, other exceptions, other keys of a host's entry, a
  /// local-network text that says something. Where the flag of an update host is an integer or a
  /// string, which App Transport Security does not read, it becomes a true boolean.
  /// A second run with the same URLs changes nothing.
  /// - Throws: ``MergeError`` with code `wrongType` where a value on the way cannot be merged into,
  ///   `noDestination` where there is no URL, `plist` where comparing hits a limit.
  public func preparing(_ injection: Injection) throws(MergeError) -> Preparation {
    guard !injection.urls.isEmpty else {
      throw MergeError(
        code: .noDestination, keyPath: .root, detail: "there is no update URL to write")
    }
    guard var root = root.dictionary else {
      throw .wrongType(self.root, at: .root, wanted: "a dictionary")
    }
    var notes: [String] = []
    let existing = UpdateMetadata(infoPlist: self.root)
    try root.mergeMetadata(injection)
    try root.mergeExceptions(for: injection, replacing: existing, notes: &notes)
    try root.mergeLocalNetworkText(injection.purpose)
    var preparation = try edited(to: root, notes: notes)
    if !preparation.changes.isEmpty {
      preparation.platformNotes = injection.notesOnOldestOS(of: .dictionary(root))
    }
    return preparation
  }

  /// Undoes an injection: takes out `IPAHub`, the exceptions of its hosts that hold exactly what an
  /// injection adds, and the contract's local-network text; dictionaries that are left empty by it go
  /// too.
  /// - Throws: ``MergeError`` with code `wrongType` where the root is no dictionary, `plist` where
  ///   comparing hits a limit.
  public func stripping() throws(MergeError) -> Preparation {
    guard var root = root.dictionary else {
      throw .wrongType(self.root, at: .root, wanted: "a dictionary")
    }
    var notes: [String] = []
    let hosts = UpdateMetadata(infoPlist: self.root).urls.exceptionHosts
    root[UpdateMetadata.key] = nil
    notes += root.removeOwnExceptions(of: hosts.map(\.description))
    if root[LocalNetworkText.key]?.string == LocalNetworkText.standard {
      root[LocalNetworkText.key] = nil
    }
    return try edited(to: root, notes: notes)
  }

  private func edited(
    to root: PlistDictionary, notes: [String]
  ) throws(MergeError) -> Preparation {
    var document = self
    document.root = .dictionary(root)
    do {
      let changes = try PlistChange.changes(from: self.root, to: document.root)
      return Preparation(document: document, changes: changes, notes: notes)
    } catch {
      throw MergeError(code: .plist, keyPath: error.keyPath ?? .root, detail: error.detail)
    }
  }
}

/// What an injection writes into a host's entry: an entry that holds this and nothing else is one
/// that it added.
let ownException = PlistDictionary([(ATSKey.allowsInsecureHTTPLoads, .boolean(true))])

extension PlistDictionary {
  fileprivate mutating func mergeMetadata(_ injection: Injection) throws(MergeError) {
    var metadata = try dictionary(UpdateMetadata.key, at: UpdateMetadata.path)
    switch metadata["updateURL"] {
    case nil, .array?, .string?: break
    case let other?: throw .wrongType(other, at: UpdateMetadata.updateURLPath, wanted: "an array")
    }
    let fields: [(String, String?)] = [
      ("source", injection.source.description), ("filter", injection.filter),
      ("team", injection.team), ("release", injection.release?.rawValue),
    ]
    metadata["updateURL"] = .array(injection.urls.map { .string($0.revealed) })
    for (key, text) in fields {
      if let old = metadata[key], old.string == nil {
        throw .wrongType(old, at: UpdateMetadata.path.appending(key: key), wanted: "a string")
      }
      metadata[key] = text.map(PlistValue.string)
    }
    self[UpdateMetadata.key] = .dictionary(metadata)
  }

  fileprivate mutating func mergeExceptions(
    for injection: Injection, replacing existing: UpdateMetadata, notes: inout [String]
  ) throws(MergeError) {
    let hosts = injection.exceptionHosts.map(\.description)
    if !hosts.isEmpty {
      var transport = try dictionary(ATSKey.transportSecurity, at: ATSKey.path)
      var domains = try transport.dictionary(ATSKey.exceptionDomains, at: ATSKey.domainsPath)
      noteNarrowing(of: hosts.filter { domains[$0] == nil }, notes: &notes)
      for host in hosts { try domains.allowInsecureLoads(host, notes: &notes) }
      transport[ATSKey.exceptionDomains] = .dictionary(domains)
      self[ATSKey.transportSecurity] = .dictionary(transport)
    }
    let needed = Set(hosts)
    let left = existing.urls.exceptionHosts.map(\.description).filter { !needed.contains($0) }
    if injection.prunes {
      notes += removeOwnExceptions(of: left)
    } else {
      let stale = ownExceptions(of: left)
      if !stale.isEmpty {
        notes.append(
          "exceptions of an earlier injection are still there: \(Self.list(stale))"
            + " (--prune drops them)")
      }
    }
  }

  /// The hosts of these that have an entry which holds exactly what an injection adds.
  private func ownExceptions(of hosts: [String]) -> [String] {
    let hosts = Set(hosts)
    let domains = self[ATSKey.domainsPath]?.dictionary?.entries ?? []
    return domains.filter { hosts.contains($0.key) && $0.value.dictionary == ownException }.map(
      \.key)
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(10).joined(separator: ", ")
      + (names.count > 10 ? " and \(names.count - 10) more" : "")
  }

  /// Says where an entry of its own takes a host out of an app-wide exception.
  private func noteNarrowing(of hosts: [String], notes: inout [String]) {
    let policy = ATSPolicy(infoPlist: .dictionary(self))
    guard !hosts.isEmpty,
      let flag = policy.appWideFlag(generation: .newest, context: .session)
    else { return }
    notes.append(
      "an entry of its own takes a host out of \(flag): HTTPS to \(Self.list(hosts)) now needs "
        + "TLS 1.2 and forward secrecy")
  }

  private mutating func allowInsecureLoads(
    _ host: String, notes: inout [String]
  ) throws(MergeError) {
    let path = ATSKey.path(domain: host)
    var entry = try dictionary(host, at: path)
    switch entry[ATSKey.allowsInsecureHTTPLoads] {
    case nil, .boolean(true)?: break
    case .boolean(false)?:
      notes.append("the entry of \(host) refused insecure loads; it allows them now")
    case .integer?, .string?:
      notes.append("the flag of \(host) was no boolean, so it was not read; it is true now")
    case let other?:
      let flag = path.appending(key: ATSKey.allowsInsecureHTTPLoads)
      throw .wrongType(other, at: flag, wanted: "a boolean")
    }
    entry[ATSKey.allowsInsecureHTTPLoads] = true
    self[host] = .dictionary(entry)
  }

  /// Takes out the entries of these hosts that hold exactly what an injection adds, and the
  /// dictionaries that are empty then. Says which entries hold more and stay.
  fileprivate mutating func removeOwnExceptions(of hosts: [String]) -> [String] {
    guard var transport = self[ATSKey.transportSecurity]?.dictionary,
      var domains = transport[ATSKey.exceptionDomains]?.dictionary
    else { return [] }
    let own = Set(ownExceptions(of: hosts))
    let hosts = Set(hosts)
    let kept = domains.entries.filter { !own.contains($0.key) }
    let more = kept.map(\.key).filter { hosts.contains($0) }
    let notes =
      more.isEmpty
      ? [] : ["exceptions that hold more than an injection adds stay: \(Self.list(more))"]
    guard kept.count < domains.count else { return notes }
    domains = PlistDictionary(kept.map { ($0.key, $0.value) })
    transport[ATSKey.exceptionDomains] = domains.isEmpty ? nil : .dictionary(domains)
    self[ATSKey.transportSecurity] = transport.isEmpty ? nil : .dictionary(transport)
    return notes
  }

  fileprivate mutating func mergeLocalNetworkText(_ purpose: String) throws(MergeError) {
    switch self[LocalNetworkText.key] {
    case nil: break
    case .string(let text)? where LocalNetworkText.isBlank(text): break
    case .string?: return
    case let other?:
      throw .wrongType(other, at: PlistKeyPath(keys: LocalNetworkText.key), wanted: "a string")
    }
    self[LocalNetworkText.key] = .string(purpose)
  }

  /// The dictionary under a key, an empty one where there is none.
  private func dictionary(
    _ key: String, at path: PlistKeyPath
  ) throws(MergeError) -> PlistDictionary {
    switch self[key] {
    case nil: return PlistDictionary()
    case .dictionary(let value)?: return value
    case let other?: throw .wrongType(other, at: path, wanted: "a dictionary")
    }
  }

  private subscript(path: PlistKeyPath) -> PlistValue? {
    PlistValue.dictionary(self)[path]
  }
}
