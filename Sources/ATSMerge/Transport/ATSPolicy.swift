public import NetDiscovery
public import PlistKit

/// The App Transport Security settings of an Info.plist, and what they decide.
public struct ATSPolicy: Sendable {
  /// The dictionary; empty where there is none or where it is of another type.
  let settings: PlistDictionary
  /// The entries of `NSExceptionDomains`.
  let domains: ExceptionDomains
  /// The generation of the SDK that the app was linked with.
  let sdk: ATSGeneration

  /// The settings of an Info.plist.
  public init(infoPlist root: PlistValue) {
    settings = root.dictionary?[ATSKey.transportSecurity]?.dictionary ?? PlistDictionary()
    domains = ExceptionDomains(settings[ATSKey.exceptionDomains]?.dictionary ?? PlistDictionary())
    sdk = ATSGeneration(sdkOf: root)
  }

  /// The generation that decides on an OS: iOS 17 and later treat an app that was linked with an
  /// older SDK as iOS 16 does.
  func generation(on os: ATSGeneration) -> ATSGeneration {
    os == .os17 && sdk < .os17 ? .os10 : os
  }

  /// Whether a host may be loaded on an OS by what loads, and what decides it: HTTP is judged, HTTPS
  /// is allowed with requirements.
  public func decision(
    scheme: Scheme, host: Host, on os: ATSGeneration = .newest, context: ATSContext = .session
  ) -> ATSDecision {
    let generation = generation(on: os)
    let match = bestMatch(for: host, generation: generation)
    guard scheme == .http else {
      return secureDecision(match, generation: generation, context: context)
    }
    if let match { return match.insecureDecision }
    if let decision = localNetworkingDecision(host, generation: generation) { return decision }
    if let key = appWideFlag(generation: generation, context: context) {
      return ATSDecision(
        isAllowed: true, reason: "\(key) is true", path: ATSKey.path.appending(key: key))
    }
    return defaultDecision(host, generation: generation)
  }

  /// The app-wide flag that is in force for what loads, nil where there is none.
  func appWideFlag(generation: ATSGeneration, context: ATSContext) -> String? {
    if generation > .os9 {
      switch context {
      case .web where isTrue(ATSKey.arbitraryLoadsInWebContent):
        return ATSKey.arbitraryLoadsInWebContent
      case .media where isTrue(ATSKey.arbitraryLoadsForMedia): return ATSKey.arbitraryLoadsForMedia
      default: break
      }
    }
    return isTrue(ATSKey.arbitraryLoads) && switchedOffBy(generation: generation) == nil
      ? ATSKey.arbitraryLoads : nil
  }

  /// The key whose presence switches `NSAllowsArbitraryLoads` off.
  func switchedOffBy(generation: ATSGeneration) -> String? {
    generation > .os9 ? ATSKey.narrowingFlags.first { settings[$0] != nil } : nil
  }

  private func isTrue(_ key: String) -> Bool { settings[key]?.boolean == true }

  private func localNetworkingDecision(_ host: Host, generation: ATSGeneration) -> ATSDecision? {
    guard generation > .os9, isTrue(ATSKey.localNetworking) else { return nil }
    let isLocal: Bool =
      switch host {
      case .name: host.isLocalName
      case .ipv4, .ipv6:
        generation == .os17
          && [.privateUse, .uniqueLocal, .linkLocal, .loopback].contains(host.addressClass)
      }
    guard isLocal else { return nil }
    return ATSDecision(
      isAllowed: true, reason: "\(ATSKey.localNetworking) covers \(host)",
      path: ATSKey.path.appending(key: ATSKey.localNetworking))
  }

  private func defaultDecision(_ host: Host, generation: ATSGeneration) -> ATSDecision {
    switch generation {
    case .os9: break
    case .os10 where host.isAddress:
      return ATSDecision(isAllowed: true, reason: "addresses are not restricted before iOS 17")
    case .os10, .os17:
      if host.isLocalName {
        return ATSDecision(isAllowed: true, reason: "local names are allowed since iOS 10")
      }
    }
    return ATSDecision(
      isAllowed: false, reason: "no exception covers \(host), and HTTP is refused by default")
  }

  private func secureDecision(
    _ match: ATSMatch?, generation: ATSGeneration, context: ATSContext
  ) -> ATSDecision {
    if match == nil, let key = appWideFlag(generation: generation, context: context) {
      return ATSDecision(
        isAllowed: true, reason: "HTTPS is allowed; \(key) lifts the requirements",
        path: ATSKey.path.appending(key: key))
    }
    var decision = ATSDecision(isAllowed: true, reason: "HTTPS is allowed", path: match?.path)
    decision.requirements = ATSRequirements(entry: match?.entry)
    return decision
  }
}

/// What App Transport Security says of one URL.
public struct ATSDecision: Sendable, Equatable {
  /// Whether the app may load it.
  public var isAllowed: Bool
  /// Why, as a sentence.
  public var reason: String
  /// The key that decides, nil where a default does.
  public var path: PlistKeyPath?
  /// What the connection must meet, for HTTPS.
  public var requirements: ATSRequirements?

  init(isAllowed: Bool, reason: String, path: PlistKeyPath? = nil) {
    self.isAllowed = isAllowed
    self.reason = reason
    self.path = path
  }
}

/// What an HTTPS connection must meet.
public struct ATSRequirements: Sendable, Equatable {
  /// The oldest protocol version, `TLSv1.2` unless an entry says another.
  public var minimumTLSVersion: String
  /// Whether only forward-secret ciphers count.
  public var forwardSecrecy: Bool
  /// Whether the certificate must be logged.
  public var certificateTransparency: Bool

  init(entry: PlistDictionary?) {
    minimumTLSVersion = entry?[ATSKey.minimumTLSVersion]?.string ?? "TLSv1.2"
    forwardSecrecy = entry?[ATSKey.requiresForwardSecrecy]?.boolean ?? true
    certificateTransparency = entry?[ATSKey.requiresCertificateTransparency]?.boolean ?? false
  }
}

extension Host {
  /// Whether the name is of the local network: `.local`, or a single label.
  var isLocalName: Bool {
    guard case .name = self else { return false }
    let labels = description.split(separator: ".")
    return labels.count == 1 || labels.last == "local"
  }

  /// Whether the address lies in the ranges that Tailscale gives its nodes, which are reached through
  /// a VPN and not over the local network.
  var isTailscaleAddress: Bool {
    switch self {
    case .name: false
    case .ipv4: addressClass == .shared
    case .ipv6: description.hasPrefix("fd7a:115c:a1e0:")
    }
  }
}
