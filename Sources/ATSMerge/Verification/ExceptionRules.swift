internal import NetDiscovery
internal import PlistKit

extension RuleTable {
  /// The rules on what update hosts need of App Transport Security.
  static let exceptionRules: [Rule] = [
    Rule(
      "ats.exception.missing", .error, "an HTTP update host without an exception of its own",
      help: """
        The contract asks for one exact entry in NSExceptionDomains for each host of an http update \
        URL: without a port, an IPv6 address without brackets. A name's entry says nothing of its \
        addresses, and NSAllowsLocalNetworking does not cover 100.64.0.0/10 or ts.net names.
        """, examples: .atsExceptionMissing
    ) { facts in
      facts.updateHosts.compactMap { host in
        guard facts.policy.domains[host.description] == nil else { return nil }
        return Observation(
          "\(host) has no entry of its own; 'ipa-inject inject' adds it",
          at: ATSKey.path(domain: host.description))
      }
    },
    Rule(
      "ats.exception.denied", .error, "an update host's entry that does not allow HTTP",
      help: """
        An entry that matches a host decides for it, whatever the app-wide settings say. \
        NSExceptionAllowsInsecureHTTPLoads must be a boolean true in it.
        """, examples: .atsExceptionDenied
    ) { facts in
      facts.updateHosts.compactMap { host in
        guard let value = facts.policy.domains[host.description] else { return nil }
        let flag = value.dictionary?[ATSKey.allowsInsecureHTTPLoads]
        guard flag?.boolean != true else { return nil }
        let what =
          value.dictionary == nil
          ? "is \(value.typeName), not a dictionary"
          : flag.map { $0.boolean == nil ? "has \($0.typeName) as its flag" : "says false" }
            ?? "does not say that insecure loads are allowed"
        return Observation(
          "the entry of \(host) \(what); NSExceptionAllowsInsecureHTTPLoads must be true",
          at: ATSKey.path(domain: host.description))
      }
    },
    Rule(
      "ats.destination.denied", .error, "a destination that App Transport Security refuses",
      help: """
        Give the host an entry in NSExceptionDomains with NSExceptionAllowsInsecureHTTPLoads true, or \
        use HTTPS. From iOS 17 on HTTP to addresses and to names beyond the local network is refused \
        unless an exception names them; --os asks about another OS.
        """, examples: .atsDestinationDenied
    ) { facts in
      let updates = facts.metadata.urls.map { ($0.scheme, $0.host) }
      let given = facts.subject.destinations.map { ($0.scheme, $0.host) }
      let os = facts.subject.os
      let isByOlderSDK = facts.policy.generation(on: os) != os
      var seen: Set<Host> = []
      return (updates + given).compactMap { scheme, host in
        guard scheme == .http, seen.insert(host).inserted else { return nil }
        let decision = facts.policy.decision(scheme: scheme, host: host, on: os)
        guard !decision.isAllowed else { return nil }
        return Observation(
          "HTTP to \(host) is refused on \(os.summary)"
            + "\(isByOlderSDK ? " for an app linked with an older SDK" : ""): \(decision.reason)",
          at: decision.path ?? ATSKey.domainsPath)
      }
    },
    Rule(
      "ats.exception.https", .note, "an exception for a host that is only reached by HTTPS",
      help: "An https destination needs no exception for insecure loads. It can be taken out.",
      examples: .atsExceptionHTTPS
    ) { facts in
      let secure = facts.metadata.urls.filter { $0.scheme == .https }.map(\.host)
      let insecure = Set(facts.updateHosts.map(\.description))
      return secure.map(\.description).uniqued.compactMap { host in
        guard !insecure.contains(host),
          facts.policy.domains[host]?.dictionary?[ATSKey.allowsInsecureHTTPLoads]?.boolean == true
        else { return nil }
        return Observation(
          "\(host) is only reached by HTTPS and needs no exception", at: ATSKey.path(domain: host))
      }
    },
    Rule(
      "ats.address.old-os", .note, "address exceptions on an OS that does not read them",
      help: """
        Before iOS 17 an address cannot be an exception domain, and none is needed: HTTP to addresses \
        is allowed there.
        """, examples: .atsAddressOldOS
    ) { facts in
      guard let oldest = facts.oldestOS, oldest.generation < .os17,
        let key = facts.policy.domains.keys.first(where: {
          [.ipv4, .ipv6, .cidr].contains(ExceptionDomainKind($0))
        })
      else { return [] }
      return [
        Observation(
          "the app also runs on \(oldest.name), which neither reads nor needs the entry of \(key)",
          at: ATSKey.path(domain: key))
      ]
    },
  ]
}
