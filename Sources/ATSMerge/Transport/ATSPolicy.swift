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
  /// Whether that SDK is from before App Transport Security, which is off for such an app.
  let isExempt: Bool
  /// The key that says the SDK.
  let sdkPath: PlistKeyPath

  /// The settings of an Info.plist.
  public init(infoPlist root: PlistValue) {
    settings = root.dictionary?[ATSKey.transportSecurity]?.dictionary ?? PlistDictionary()
    domains = ExceptionDomains(settings[ATSKey.exceptionDomains]?.dictionary ?? PlistDictionary())
    sdk = ATSGeneration(sdkOf: root)
    isExempt = ATSGeneration.isOlderThanAll(sdkOf: root)
    let sdkKey = root.dictionary?["DTSDKName"]?.string == nil ? "DTPlatformVersion" : "DTSDKName"
    sdkPath = PlistKeyPath(keys: sdkKey)
  }

  /// The generation that decides on an OS: iOS 17 and later treat an app that was linked with an
  /// older SDK as iOS 16 does.
  func generation(on os: ATSGeneration) -> ATSGeneration {
    os == .os17 && sdk < .os17 ? .os10 : os
  }

  /// Whether a host may be loaded on an OS by what loads, what decides it and what was looked at: HTTP
  /// is judged, HTTPS is allowed with requirements.
  public func decision(
    scheme: Scheme, host: Host, on os: ATSGeneration = .newest, context: ATSContext = .session
  ) -> ATSDecision {
    var inquiry = ATSInquiry(self, host: host, os: os, context: context)
    if isExempt { return inquiry.exemption() }
    return scheme == .http ? inquiry.insecureDecision() : inquiry.secureDecision()
  }

  /// The app-wide flag that is in force for what loads, nil where there is none.
  func appWideFlag(generation: ATSGeneration, context: ATSContext) -> String? {
    if generation > .os9, let flag = context.flag, isTrue(flag) { return flag }
    return isTrue(ATSKey.arbitraryLoads) && switchedOffBy(generation: generation) == nil
      ? ATSKey.arbitraryLoads : nil
  }

  /// The key whose presence switches `NSAllowsArbitraryLoads` off.
  func switchedOffBy(generation: ATSGeneration) -> String? {
    generation > .os9 ? ATSKey.narrowingFlags.first { settings[$0] != nil } : nil
  }

  private func isTrue(_ key: String) -> Bool { settings[key]?.boolean == true }

  /// Whether a host is of the local network in the sense of `NSAllowsLocalNetworking`.
  ///
  /// Source: Apple, "NSAllowsLocalNetworking"; that shared addresses are not (100.64.0.0/10, RFC 6598,
  /// which Tailscale gives its nodes) is what people measured.
  func isLocal(_ host: Host, generation: ATSGeneration) -> Bool {
    switch host {
    case .name: host.isLocalName
    case .ipv4, .ipv6:
      generation == .os17
        && [.privateUse, .uniqueLocal, .linkLocal, .loopback].contains(host.addressClass)
    }
  }

  /// The pinned domain that a host falls under, and whether it names a key: its own, else the nearest
  /// parent that includes subdomains. iOS 9 knows no pins.
  ///
  /// Source: Apple, "NSPinnedDomains".
  func pinnedDomain(for host: Host, generation: ATSGeneration) -> (name: String, hasKeys: Bool)? {
    guard generation > .os9, let pinned = settings[ATSKey.pinnedDomains]?.dictionary else {
      return nil
    }
    return ([host.description] + host.parentNames).lazy.compactMap { name in
      guard let entry = pinned[name]?.dictionary,
        name == host.description || entry[ATSKey.includesSubdomains]?.boolean == true
      else { return nil }
      return (name, ATSKey.pins.contains { entry[$0]?.array?.isEmpty == false })
    }.first
  }
}

extension Host {
  /// Whether the name is of the local network: `.local`, or a single label.
  var isLocalName: Bool {
    guard case .name = self else { return false }
    let labels = description.split(separator: ".")
    return labels.count == 1 || labels.last == "local"
  }

  /// The names above this one, the nearest first; none above an address.
  var parentNames: [String] {
    guard case .name = self else { return [] }
    var rest = description[...]
    var names: [String] = []
    while let dot = rest.firstIndex(of: ".") {
      rest = rest[rest.index(after: dot)...]
      names.append(String(rest))
    }
    return names
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
