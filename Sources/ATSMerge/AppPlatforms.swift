public import PlistKit

/// The platforms that an app says it is for, and the oldest OS that it runs on.
///
/// Source: Apple, "CFBundleSupportedPlatforms", "MinimumOSVersion", "LSMinimumSystemVersion"
/// (Information Property List).
public struct AppPlatforms: Sendable {
  /// The names in `CFBundleSupportedPlatforms`: `iPhoneOS`, `iPhoneSimulator`.
  public let names: [String]
  /// What the first platform's system is called: `iOS` where the app does not say.
  public let system: String
  /// The oldest OS, nil where the app does not say.
  let oldest: (name: String, generation: ATSGeneration)?

  /// The generations that the app can meet, the oldest first.
  public var generations: [ATSGeneration] {
    let first = oldest?.generation ?? (system == "visionOS" ? .os17 : .os9)
    return ATSGeneration.allCases.filter { $0 >= first }
  }

  /// What an Info.plist says.
  public init(infoPlist root: PlistValue) {
    names = root.dictionary?["CFBundleSupportedPlatforms"]?.array?.compactMap(\.string) ?? []
    let platform = names.first ?? "iPhoneOS"
    let systems = ["AppleTV": "tvOS", "Watch": "watchOS", "XR": "visionOS", "MacOSX": "macOS"]
    system = systems.first { platform.hasPrefix($0.key) }?.value ?? "iOS"
    let key = platform == "MacOSX" ? "LSMinimumSystemVersion" : "MinimumOSVersion"
    guard let version = root.dictionary?[key]?.string,
      let generation = ATSGeneration(platform: platform, version: version)
    else {
      oldest = nil
      return
    }
    oldest = ("\(system) \(version)", generation)
  }

  /// Whether the app is for the Mac, Mac Catalyst included.
  var isMac: Bool { names.first == "MacOSX" }

  /// Whether the app runs in a simulator and nowhere else. A simulator has the network of the
  /// machine it runs on: its loopback addresses are that machine's.
  public var isSimulator: Bool {
    !names.isEmpty && names.allSatisfy { $0.hasSuffix("Simulator") }
  }
}
