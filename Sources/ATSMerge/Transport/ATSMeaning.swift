public import PlistKit

/// What a setting of App Transport Security means, in words for people who do not know its keys.
///
/// Source: Apple, "NSAppTransportSecurity" and its pages (Information Property List).
public struct ATSMeaning: Sendable, Equatable {
  /// Where the setting stands.
  public let path: PlistKeyPath
  /// The setting.
  public let value: PlistValue
  /// What it means, one or two sentences.
  public let sentence: String
}

/// The meanings of an app's settings; each looks at what stands beside it.
public struct ATSMeanings: Sendable {
  /// What decides.
  public let policy: ATSPolicy
  /// What the app runs on.
  public let platforms: AppPlatforms
  /// What stands under `NSAppTransportSecurity`, where it is no dictionary.
  private let wrongRoot: PlistValue?

  /// The settings of an Info.plist.
  public init(infoPlist root: PlistValue) {
    policy = ATSPolicy(infoPlist: root)
    platforms = AppPlatforms(infoPlist: root)
    let value = root.dictionary?[ATSKey.transportSecurity]
    wrongRoot = value?.dictionary == nil ? value : nil
  }

  /// What App Transport Security is off for on the newest system, in words: `the whole app`, or `web
  /// views` and `media`. Empty where no app-wide exception is in force.
  public var exempted: [String] {
    let generation = policy.generation(on: .newest)
    if policy.appWideFlag(generation: generation, context: .session) != nil {
      return ["the whole app"]
    }
    return [(ATSContext.web, "web views"), (.media, "media")].compactMap { context, words in
      policy.appWideFlag(generation: generation, context: context).map { _ in words }
    }
  }

  /// What holds where the app has no settings at all.
  public var defaults: String {
    let generations = platforms.generations
    var open: [String] = []
    if generations.contains(where: { $0 > .os9 }) {
      open.append(
        "local names" + (generations.contains(.os9) ? " from \(start(of: .os10)) on" : ""))
    }
    if generations.contains(.os10) {
      open.append("addresses on \(ATSGeneration.os10.summary(of: platforms.system))")
    }
    let exceptions = open.isEmpty ? "" : " but for " + open.joined(separator: " and ")
    return "HTTP is refused\(exceptions). HTTPS needs TLS 1.2 and forward secrecy."
  }

  /// What the app-wide settings mean, in their order, so many of them at most.
  public func appWide(limit: Int = .max) -> [ATSMeaning] {
    if let wrongRoot {
      return [
        ATSMeaning(
          path: ATSKey.path, value: wrongRoot,
          sentence: "No effect: a dictionary belongs here, and this is \(wrongRoot.typeName).")
      ]
    }
    return policy.settings.entries.lazy.filter { $0.key != ATSKey.exceptionDomains }.prefix(limit)
      .map { entry in
        ATSMeaning(
          path: ATSKey.path.appending(key: entry.key), value: entry.value,
          sentence: sentence(appWide: entry.key, entry.value))
      }
  }

  private func sentence(appWide key: String, _ value: PlistValue) -> String {
    switch key {
    case ATSKey.appWideString:
      return value.string == nil
        ? "No effect: it must be a string, and is \(value.typeName)."
        : "Asks for the TLS rules of NIAP's functional package."
    case ATSKey.pinnedDomains:
      guard let dictionary = value.dictionary else {
        return "No effect: it must be a dictionary, and is \(value.typeName)."
      }
      return dictionary.isEmpty
        ? "Pins nothing: it is empty."
        : "HTTPS to \(dictionary.keys.shortList) succeeds only with a certificate of one of the pinned "
          + "identities."
    case _ where ATSKey.appWideFlags.contains(key): break
    case _ where ATSKey.all.contains(key):
      return "No effect here: it belongs in the entry of a domain."
    default: return "No effect: App Transport Security has no such key."
    }
    guard let flag = value.boolean else {
      return "No effect: it must be true or false, and is \(value.typeName)."
        + (ATSKey.narrowingFlags.contains(key) ? switchingOff(by: key) : "")
    }
    return flag
      ? sentence(allowing: key)
      : "Allows nothing, as if it were absent."
        + (ATSKey.narrowingFlags.contains(key) ? switchingOff(by: key) : "")
  }

  private func sentence(allowing key: String) -> String {
    let since = "from \(start(of: .os10)) on"
    switch key {
    case ATSKey.arbitraryLoads: return arbitraryLoads
    case ATSKey.arbitraryLoadsForMedia:
      return "Audio and video that AVFoundation plays may come over HTTP from any host, and over "
        + "HTTPS without App Transport Security's requirements, \(since).\(kept)"
        + switchingOff(by: key)
    case ATSKey.arbitraryLoadsInWebContent:
      return "Pages in web views may come over HTTP from any host, and over HTTPS without App "
        + "Transport Security's requirements, \(since).\(kept)" + switchingOff(by: key)
    default:
      return "HTTP to .local names and names without a dot is allowed \(since), and to private, "
        + "link-local and loopback addresses from \(start(of: .os17)) on. All other hosts "
        + "keep App Transport Security." + switchingOff(by: key)
    }
  }

  private var arbitraryLoads: String {
    let open =
      "the app may load any host over HTTP, and over HTTPS without App Transport Security's "
      + "requirements (TLS 1.2, forward secrecy)"
    guard let other = policy.switchedOffBy(generation: .newest) else {
      return "App Transport Security is off for the whole app: \(open).\(kept)"
    }
    let start = start(of: .os10)
    let ignored = "Ignored from \(start) on, because \(other) stands beside it."
    return platforms.generations.contains(.os9)
      ? ignored + " Before that, \(open).\(kept)" : ignored
  }

  /// Which hosts an app-wide exception leaves alone.
  private var kept: String {
    let domains = policy.domains.keys.filter { ExceptionDomainKind($0) != .invalid }
    guard !domains.isEmpty else { return " No host keeps it: there is no exception domain." }
    return " Hosts with an entry of their own keep it: \(domains.shortList)."
  }

  private func switchingOff(by key: String) -> String {
    policy.settings[ATSKey.arbitraryLoads]?.boolean == true
      && policy.switchedOffBy(generation: .newest) == key
      ? " Because this key is present, \(ATSKey.arbitraryLoads) is ignored." : ""
  }

  /// The first version of a generation: `tvOS 17`.
  func start(of generation: ATSGeneration) -> String {
    "\(platforms.system) \(generation.versions(of: platforms.system).first)"
  }
}
