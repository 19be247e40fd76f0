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
        """
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
      "local-network.localized", .warning, "a blank localized local-network text",
      help:
        "A text in xx.lproj/InfoPlist.strings outweighs the one in Info.plist, even a blank one."
    ) { facts in
      facts.subject.localizedTexts.filter { LocalNetworkText.isBlank($0.text) }.map { localized in
        Observation(
          "the text of language '\(localized.language)' is blank, and it outweighs Info.plist's",
          file: localized.path, at: PlistKeyPath(keys: LocalNetworkText.key))
      }
    },
    Rule(
      "local-network.nested", .note, "local-network settings where they do not count",
      help: """
        The system reads the text and NSBonjourServices of the app, not of its extensions. An App Clip \
        can never use the local network.
        """
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
        + facts.subject.nested.filter(\.isExtension).flatMap { nested in
          [LocalNetworkText.key, "NSBonjourServices"]
            .filter { nested.root.dictionary?[$0] != nil }
            .map { key in
              Observation(
                "\(key) of \(nested.bundlePath) does not count; the app's own does",
                file: nested.path, at: PlistKeyPath(keys: key))
            }
        }
    },
  ]
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
