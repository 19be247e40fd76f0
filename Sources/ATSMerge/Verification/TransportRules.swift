internal import NetDiscovery
internal import PlistKit

extension RuleTable {
  /// The rules on the form and the app-wide settings of App Transport Security.
  static let transportRules: [Rule] = [
    Rule(
      "ats.key.form", .warning, "an exception key that can never match",
      help: """
        A key is a lower-case DNS name, an address, or a range such as 192.168.0.0/16. A port, a \
        scheme, a path, brackets, a wildcard, a blank, upper case, a trailing dot or a character \
        beyond ASCII keep it from ever matching.
        """, examples: .atsKeyForm
    ) { facts in
      let hosts = Set(facts.updateHosts.map(\.description))
      return facts.policy.domains.keys.compactMap { key in
        guard !ATSKey.all.contains(key), let flaw = DomainKeyFlaw(in: key) else { return nil }
        let isForUpdates = flaw.meant.map(hosts.contains) ?? false
        let hint = flaw.meant.map { "; write '\($0)'" } ?? ""
        return Observation(
          "'\(key.shortened)' never matches: \(flaw.detail)\(hint)", at: ATSKey.path(domain: key),
          level: isForUpdates ? .error : nil)
      }
    },
    Rule(
      "ats.value.type", .error, "an App Transport Security value of the wrong type",
      help: "Flags are booleans (true or false), not 1 or \"YES\"; entries are dictionaries.",
      examples: .atsValueType
    ) { facts in
      facts.transport.map(TransportShape.wrongTypes) ?? []
    },
    Rule(
      "ats.misplaced", .error, "an App Transport Security key at the wrong level",
      help: """
        NSExceptionDomains and the app-wide flags stand in NSAppTransportSecurity, the flags of a \
        domain in its entry. Anywhere else they have no effect.
        """, examples: .atsMisplaced
    ) { facts in TransportShape.misplacedKeys(in: facts.root) },
    Rule(
      "ats.unknown-key", .warning, "a misspelt App Transport Security key",
      help: "The system ignores keys that it does not know.", examples: .atsUnknownKey
    ) { facts in TransportShape.unknownKeys(in: facts.policy) },
    Rule(
      "ats.legacy-key", .warning, "a key from the first betas of iOS 9",
      help: "NSTemporaryException… and NSThirdPartyException… became NSException…; use those.",
      examples: .atsLegacyKey
    ) { facts in
      facts.policy.domains.entries.flatMap { domain in
        (domain.value.dictionary?.keys ?? []).compactMap { key in
          guard let prefix = ATSKey.legacyPrefixes.first(where: { key.hasPrefix($0) }),
            ATSKey.entry.contains(key)
          else { return nil }
          let modern = "NSException" + key.dropFirst(prefix.count)
          return Observation(
            "\(key) of \(domain.key.shortened) is an older name of \(modern)",
            at: ATSKey.path(domain: domain.key).appending(key: key))
        }
      }
    },
    Rule(
      "ats.arbitrary-loads", .warning, "an app-wide exception is in force",
      help: """
        Update destinations do not need it: the exceptions of their hosts are enough. Hosts with an \
        entry of their own keep App Transport Security, and App Review asks for a reason.
        """, examples: .atsArbitraryLoads
    ) { facts in
      let generation = facts.policy.generation(on: facts.subject.os)
      let flags = ATSContext.allCases.compactMap {
        facts.policy.appWideFlag(generation: generation, context: $0)
      }
      return flags.uniqued.map { flag in
        let kept = facts.policy.domains.keys.filter { key in
          switch ExceptionDomainKind(key) {
          case .name: true
          case .ipv4, .ipv6, .cidr: generation == .os17
          case .invalid: false
          }
        }
        let rest = kept.isEmpty ? "" : "; hosts with an entry keep it: " + kept.shortList
        return Observation(
          "\(flag) switches App Transport Security off\(scopes[flag] ?? "")\(rest)",
          at: ATSKey.path.appending(key: flag))
      }
    },
    Rule(
      "ats.arbitrary-loads.ignored", .note, "an app-wide exception that another key switches off",
      help: """
        Since iOS 10 NSAllowsArbitraryLoads is ignored where NSAllowsArbitraryLoadsForMedia, \
        NSAllowsArbitraryLoadsInWebContent or NSAllowsLocalNetworking is present with any value.
        """, examples: .atsArbitraryLoadsIgnored
    ) { facts in
      guard facts.policy.settings[ATSKey.arbitraryLoads]?.boolean == true,
        let other = facts.policy.switchedOffBy(generation: .newest)
      else { return [] }
      return [
        Observation(
          "\(ATSKey.arbitraryLoads) is ignored since iOS 10, because \(other) is present",
          at: ATSKey.path.appending(key: ATSKey.arbitraryLoads))
      ]
    },
    Rule(
      "ats.arbitrary-loads.narrowed", .note, "an update host taken out of an app-wide exception",
      help: """
        A host's own entry outweighs the app-wide setting, so HTTPS to it now needs TLS 1.2 and \
        forward secrecy. HTTP to it stays allowed by the entry.
        """, examples: .atsArbitraryLoadsNarrowed
    ) { facts in
      let generation = facts.policy.generation(on: facts.subject.os)
      guard let flag = facts.policy.appWideFlag(generation: generation, context: .session) else {
        return []
      }
      return facts.updateHosts.compactMap { host in
        guard facts.policy.bestMatch(for: host, generation: generation)?.kind == .exact else {
          return nil
        }
        return Observation(
          "the entry of \(host) takes it out of \(flag): HTTPS to it needs TLS 1.2 and forward secrecy",
          at: ATSKey.path(domain: host.description))
      }
    },
    Rule(
      "ats.pinned.misplaced", .warning, "pins inside NSExceptionDomains",
      help: "Pinned identities stand in NSPinnedDomains, beside NSExceptionDomains.",
      examples: .atsPinnedMisplaced
    ) { facts in
      let direct = facts.policy.domains.entries.filter { ATSKey.pins.contains($0.key) }.map {
        (pin: $0.key, path: ATSKey.path(domain: $0.key))
      }
      let nested = facts.policy.domains.entries.flatMap { domain in
        ATSKey.pins.filter { domain.value.dictionary?[$0] != nil }.map {
          (pin: $0, path: ATSKey.path(domain: domain.key).appending(key: $0))
        }
      }
      return (direct + nested).map { pin, path in
        Observation(
          "\(pin) has no effect in \(ATSKey.exceptionDomains); it belongs in a domain's entry of "
            + ATSKey.pinnedDomains, at: path)
      }
    },
  ]

  private static let scopes = [
    ATSKey.arbitraryLoads: " for all hosts",
    ATSKey.arbitraryLoadsForMedia: " for media",
    ATSKey.arbitraryLoadsInWebContent: " for web views",
  ]
}
