// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
]

/// A program whose `main` is libFuzzer's.
func fuzzer(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: "fuzz-" + name, dependencies: dependencies,
    swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])])
}

// Built with --sanitize=fuzzer, which makes every module tell the fuzzer what it runs through, those
// of the main package too.
let package = Package(
  name: "ipa-inject-fuzz",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "ipa-inject", path: "..")],
  targets: [
    // The main package's tests compile the same folder, to replay what was found.
    .target(
      name: "PlistFuzzTargets",
      dependencies: [.product(name: "PlistKit", package: "ipa-inject")],
      swiftSettings: settings),
    .target(name: "FuzzMain", dependencies: ["PlistFuzzTargets"], swiftSettings: settings),
    .target(
      name: "SigningFuzzTargets",
      dependencies: [.product(name: "CodeSigning", package: "ipa-inject")],
      swiftSettings: settings),
    .target(
      name: "SigningFuzzMain", dependencies: ["SigningFuzzTargets"], swiftSettings: settings),
  ]
    + ["xml", "binary", "openstep", "json", "edit", "convert"].map {
      fuzzer($0, ["FuzzMain", "PlistFuzzTargets"])
    }
    + ["macho", "superblob", "requirements", "der", "cms", "profile", "coderesources"].map {
      fuzzer($0, ["SigningFuzzMain", "SigningFuzzTargets"])
    }
)
