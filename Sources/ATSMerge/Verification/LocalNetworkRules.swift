internal import NetDiscovery
internal import PlistKit

extension RuleTable {
  /// The rules on the local-network permission.
  ///
  /// Source: Apple, TN3179 "Understanding local network privacy"; "NSLocalNetworkUsageDescription".
  static let localNetworkRules: [Rule] = [
    Rule(
      "local-network.description", .error, "no local-network text while an update host is local",
      help: """
        The system asks for the local network with NSLocalNetworkUsageDescription as the reason. \
        Without it connections to .local names and private addresses can fail in silence. tvOS and \
        watchOS have no such permission.
        """, examples: .localNetworkDescription
    ) { facts in
      guard facts.hasLocalNetworkPermission,
        let host = facts.metadata.urls.map(\.host).first(where: \.isOnLocalNetwork)
      else { return [] }
      let path = PlistKeyPath(keys: LocalNetworkText.key)
      let flaw: String? =
        switch facts.root.dictionary?[LocalNetworkText.key] {
        case nil: "is missing"
        case .string(let text)?: LocalNetworkText.isBlank(text) ? "is blank" : nil
        case let other?: "is \(other.typeName), not a string"
        }
      return flaw.map {
        [Observation("\(LocalNetworkText.key) \($0), and \(host) is local", at: path)]
      }
        ?? []
    },
    Rule(
      "local-network.type", .error, "local-network settings of the wrong type",
      help: """
        NSLocalNetworkUsageDescription is a string, NSBonjourServices an array of strings such as \
        _http._tcp. The system does not read values of another type.
        """, examples: .localNetworkType
    ) { facts in
      var found: [Observation] = []
      let text = facts.root.dictionary?[LocalNetworkText.key]
      if let text, text.string == nil {
        found.append(
          Observation(
            "\(LocalNetworkText.key) is \(text.typeName), not a string",
            at: PlistKeyPath(keys: LocalNetworkText.key)))
      }
      guard let services = facts.root.dictionary?[bonjourKey] else { return found }
      let path = PlistKeyPath(keys: bonjourKey)
      guard let items = services.array else {
        return found
          + [Observation("\(bonjourKey) is \(services.typeName), not an array", at: path)]
      }
      return found + wrongStrings(in: items, of: bonjourKey)
    },
    Rule(
      "local-network.localized", .warning, "a blank localized local-network text",
      help:
        "A text in xx.lproj/InfoPlist.strings outweighs the one in Info.plist, even a blank one.",
      examples: .localNetworkLocalized, needs: .app
    ) { facts in
      facts.subject.localizedTexts.compactMap { localized in
        let flaw: String
        switch localized.value {
        case .string(let text):
          guard LocalNetworkText.isBlank(text) else { return nil }
          flaw = "blank"
        case let other: flaw = "\(other.typeName), not a string"
        }
        return Observation(
          "the text of language '\(localized.language.shortened)' is \(flaw), and it outweighs "
            + "Info.plist's",
          file: localized.path, at: PlistKeyPath(keys: LocalNetworkText.key))
      }
    },
    Rule(
      "local-network.nested", .note, "local-network settings where they do not count",
      help: """
        The system reads the text and NSBonjourServices of the app, not of its extensions. An App Clip \
        can never use the local network.
        """, examples: .localNetworkNested, needs: .app
    ) { facts in
      let clip =
        facts.root.dictionary?["NSAppClip"] == nil
        ? []
        : [
          Observation(
            "the app is an App Clip, which can never use the local network",
            at: PlistKeyPath(keys: "NSAppClip"))
        ]
      return clip
        + facts.bundles.readable.filter { $0.bundle.kind == .appExtension }.flatMap { found in
          [LocalNetworkText.key, bonjourKey].filter { found.dictionary[$0] != nil }.map { key in
            Observation(
              "\(key) of \(found.bundle.path.shortened) does not count; the app's own does",
              file: found.bundle.infoPlistPath, at: PlistKeyPath(keys: key))
          }
        }
    },
  ]

  private static let bonjourKey = LocalNetworkText.bonjourServices

  /// The items of an array under a key that are no strings: a hundred one by one, then how many more.
  static func wrongStrings(in items: [PlistValue], of key: String) -> [Observation] {
    let path = PlistKeyPath(keys: key)
    let wrong = items.indices.filter { items[$0].string == nil }
    let told = wrong.prefix(100).map { index in
      Observation(
        "item \(index) of \(key) is \(items[index].typeName), not a string",
        at: path.appending(index: index))
    }
    let rest = wrong.count - told.count
    return rest == 0
      ? told : told + [Observation("\(rest) more items of \(key) are no strings", at: path)]
  }
}

extension VerificationFacts {
  /// Whether the app runs on a system that has the permission.
  var hasLocalNetworkPermission: Bool {
    let without: Set = ["AppleTVOS", "AppleTVSimulator", "WatchOS", "WatchSimulator"]
    return platforms.names.isEmpty || !without.isSuperset(of: platforms.names)
  }
}

extension Host {
  /// Whether connecting to the host needs the local-network permission: `.local` names, and
  /// addresses that lie on a LAN. Tailscale's addresses are reached through a VPN.
  var isOnLocalNetwork: Bool {
    switch self {
    case .name: isLocalName && !isLoopback
    case .ipv4, .ipv6:
      [.privateUse, .uniqueLocal, .linkLocal].contains(addressClass) && !isTailscaleAddress
    }
  }
}
