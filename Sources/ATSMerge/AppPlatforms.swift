public import PlistKit

/// The platforms that an app says it is for, and the oldest OS that it runs on.
///
/// Source: Apple, "CFBundleSupportedPlatforms", "MinimumOSVersion", "LSMinimumSystemVersion"
/// (Information Property List).
public struct AppPlatforms: Sendable {
  /// The names in `CFBundleSupportedPlatforms`: `iPhoneOS`, `iPhoneSimulator`.
  public let names: [String]
  /// The oldest OS, nil where the app does not say.
  let oldest: (name: String, generation: ATSGeneration)?

  /// What an Info.plist says.
  public init(infoPlist root: PlistValue) {
    names = root.dictionary?["CFBundleSupportedPlatforms"]?.array?.compactMap(\.string) ?? []
    let platform = names.first ?? "iPhoneOS"
    let key = platform == "MacOSX" ? "LSMinimumSystemVersion" : "MinimumOSVersion"
    guard let version = root.dictionary?[key]?.string,
      let generation = ATSGeneration(platform: platform, version: version)
    else {
      oldest = nil
      return
    }
    let systems = ["AppleTV": "tvOS", "Watch": "watchOS", "XR": "visionOS", "MacOSX": "macOS"]
    let system = systems.first { platform.hasPrefix($0.key) }?.value ?? "iOS"
    oldest = ("\(system) \(version)", generation)
  }

  /// Whether the app runs in a simulator and nowhere else. A simulator has the network of the
  /// machine it runs on: its loopback addresses are that machine's.
  public var isSimulator: Bool {
    !names.isEmpty && names.allSatisfy { $0.hasSuffix("Simulator") }
  }
}
