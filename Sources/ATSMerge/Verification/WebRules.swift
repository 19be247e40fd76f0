internal import NetDiscovery
internal import PlistKit

extension RuleTable {
  /// The rules on web views.
  ///
  /// Source: WebKit, "App-Bound Domains" (webkit.org/blog/10882).
  static let webRules: [Rule] = [
    Rule(
      "web.app-bound-domains", .error, "a list of app-bound domains that does not do what it says",
      help: """
        WKAppBoundDomains binds web views alone, and WebKit reads ten domains of it. An update client \
        loads its hosts by URLSession and needs none of them in the list, so a note tells which are not.
        """, examples: .webAppBoundDomains
    ) { facts in
      let path = PlistKeyPath(keys: boundDomainsKey)
      guard let value = facts.root.dictionary?[boundDomainsKey] else { return [] }
      guard let items = value.array else {
        return [Observation("\(boundDomainsKey) is \(value.typeName), not an array", at: path)]
      }
      let wrong = wrongStrings(in: items, of: boundDomainsKey)
      let long =
        items.count <= mostBoundDomains
        ? []
        : [
          Observation(
            "\(boundDomainsKey) holds \(items.count) domains, and WebKit reads the first "
              + "\(mostBoundDomains)", at: path)
        ]
      let domains = Set(items.prefix(mostBoundDomains).compactMap { $0.string?.lowercased() })
      let outside = facts.updateHosts.filter { !$0.isCovered(by: domains) }.map(\.description)
      let note =
        outside.isEmpty
        ? []
        : [
          Observation(
            "not app-bound, so out of reach for a bound web view, not for URLSession: "
              + outside.shortList, at: path, level: .note)
        ]
      return long + wrong + note
    }
  ]

  private static let boundDomainsKey = "WKAppBoundDomains"
  private static let mostBoundDomains = 10
}

extension Host {
  /// Whether it is one of some domains or lies below one.
  fileprivate func isCovered(by domains: Set<String>) -> Bool {
    domains.contains(description) || parentNames.contains(where: domains.contains)
  }
}
