internal import PlistKit

/// The three ways in which App Transport Security has decided so far.
///
/// Source: Apple, release notes of iOS 17 (101967030); the pages of `NSAllowsArbitraryLoads` and
/// `NSExceptionDomains`.
public enum ATSGeneration: String, Sendable, CaseIterable, Comparable {
  /// iOS 9, tvOS 9, watchOS 2, macOS 10.11.
  case os9
  /// iOS and tvOS 10 to 16, watchOS 3 to 9, macOS 10.12 to 13.
  case os10
  /// iOS and tvOS 17, watchOS 10, visionOS 1, macOS 14, and later.
  case os17

  /// The newest one.
  public static let newest = ATSGeneration.os17

  public static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  /// What it covers, in words.
  public var summary: String { summary(of: "iOS") }

  /// What it covers of a system by its name in ``AppPlatforms/system``.
  public func summary(of system: String) -> String {
    let (first, last) = versions(of: system)
    let others =
      switch last {
      case first?: ""
      case let last?: " to \(last)"
      case nil: " and later"
      }
    return "\(system) \(first)\(others)"
  }

  /// The first and the last version of a system that it covers; nil where there is no last one yet.
  /// visionOS came with the newest.
  public func versions(of system: String) -> (first: String, last: String?) {
    switch (self, system) {
    case (.os17, "visionOS"): ("1", nil)
    case (_, "visionOS"): ("-", "-")
    case (.os9, "watchOS"): ("2", "2")
    case (.os10, "watchOS"): ("3", "9")
    case (.os17, "watchOS"): ("10", nil)
    case (.os9, "macOS"): ("10.11", "10.11")
    case (.os10, "macOS"): ("10.12", "13")
    case (.os17, "macOS"): ("14", nil)
    case (.os9, _): ("9", "9")
    case (.os10, _): ("10", "16")
    case (.os17, _): ("17", nil)
    }
  }

  /// What some that follow one another cover together: `iOS 10 and later`.
  public static func summary(from first: Self, through last: Self, of system: String) -> String {
    guard first < last else { return first.summary(of: system) }
    let start = first.summary(of: system).split(separator: " ").prefix(2)
    let end = last.summary(of: system).split(separator: " ").suffix(2)
    return (start + end).joined(separator: " ")
  }

  /// Reads an OS with its version: `ios17`, `iOS 16.4`, `macos14`, `tvos17`, `visionos1`, or the
  /// name of a generation. Nil for an OS without App Transport Security and for one not known.
  public init?(parsing text: String) {
    let folded = text.lowercased().filter { $0 != " " && $0 != "-" }
    if let generation = Self(rawValue: folded) {
      self = generation
      return
    }
    let name = folded.prefix { $0.isLetter }
    let parts = folded.dropFirst(name.count).split(separator: ".")
    let version = parts.compactMap { Int($0) }
    guard !version.isEmpty, version.count == parts.count else { return nil }
    self.init(system: String(name), version: version)
  }

  /// The generation of the SDK that an app was linked with, the newest where that is not known.
  init(sdkOf infoPlist: PlistValue) {
    let sdk = Self.sdk(of: infoPlist)
    self = Self(platform: sdk.platform, version: sdk.version) ?? .newest
  }

  /// Whether an app was linked with an SDK from before App Transport Security.
  static func isOlderThanAll(sdkOf infoPlist: PlistValue) -> Bool {
    let sdk = sdk(of: infoPlist)
    let isVersion = sdk.version.split(separator: ".").allSatisfy { UInt16($0) != nil }
    return systems[sdk.platform] != nil && sdk.version.first?.isNumber == true && isVersion
      && Self(platform: sdk.platform, version: sdk.version) == nil
  }

  private static func sdk(of infoPlist: PlistValue) -> (platform: String, version: String) {
    let root = infoPlist.dictionary
    let name =
      root?["DTSDKName"]?.string
      ?? (root?["DTPlatformName"]?.string ?? "") + (root?["DTPlatformVersion"]?.string ?? "")
    let platform = name.prefix { $0.isLetter }
    return (platform.lowercased(), String(name.dropFirst(platform.count)))
  }

  private static let systems = [
    "iphoneos": "ios", "iphonesimulator": "ios", "appletvos": "tvos", "appletvsimulator": "tvos",
    "watchos": "watchos", "watchsimulator": "watchos", "macosx": "macos", "xros": "visionos",
    "xrsimulator": "visionos",
  ]

  /// The generation of a version of a platform by the names that SDKs and
  /// `CFBundleSupportedPlatforms` have for them.
  init?(platform: String, version: String) {
    let numbers = version.split(separator: ".").compactMap { Int($0) }
    guard let system = Self.systems[platform.lowercased()], !numbers.isEmpty else { return nil }
    self.init(system: system, version: numbers)
  }

  private init?(system: String, version: [Int]) {
    let major = version.first ?? 0
    let minor = version.dropFirst().first ?? 0
    switch system {
    case "ios", "ipados", "tvos":
      guard let found = Self(major, first: 9, second: 10, third: 17) else { return nil }
      self = found
    case "watchos":
      guard let found = Self(major, first: 2, second: 3, third: 10) else { return nil }
      self = found
    case "visionos", "xros":
      guard major >= 1 else { return nil }
      self = .os17
    case "macos", "macosx", "osx":
      // 10.11 came first; 11 followed 10.15.
      guard major >= 10 else { return nil }
      let step = major == 10 ? minor : min(major, 100) + 100
      guard let found = Self(step, first: 11, second: 12, third: 114) else { return nil }
      self = found
    default: return nil
    }
  }

  private init?(_ version: Int, first: Int, second: Int, third: Int) {
    guard version >= first else { return nil }
    self = version >= third ? .os17 : version >= second ? .os10 : .os9
  }
}

/// What loads a URL: each has an app-wide flag of its own.
public enum ATSContext: String, Sendable, CaseIterable {
  /// URLSession and what is built on it.
  case session
  /// A web view.
  case web
  /// AVFoundation.
  case media
}
