// swift-tools-version: 6.2
import PackageDescription

/// One list for every target, so that no module is held to less than another.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
]

func library(
  _ name: String, _ dependencies: [Target.Dependency], testing: [Target.Dependency] = [],
  testFolders: [String] = []
) -> [Target] {
  [
    .target(name: name, dependencies: dependencies, swiftSettings: settings),
    .testTarget(
      name: name + "Tests", dependencies: [.init(stringLiteral: name)] + dependencies + testing,
      exclude: testFolders, swiftSettings: settings),
  ]
}

let package = Package(
  name: "ipa-inject",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "PlistKit", targets: ["PlistKit"]),
    .library(name: "NetDiscovery", targets: ["NetDiscovery"]),
    .library(name: "ATSMerge", targets: ["ATSMerge"]),
    .library(name: "AppBundle", targets: ["AppBundle"]),
    .library(name: "CodeSigning", targets: ["CodeSigning"]),
    .library(name: "AppIcon", targets: ["AppIcon"]),
    .executable(name: "ipa-inject", targets: ["ipa-inject"]),
  ],
  targets: [
    .systemLibrary(
      name: "CLibXML2", pkgConfig: "libxml-2.0",
      providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
    .systemLibrary(
      name: "CLibZip", pkgConfig: "libzip",
      providers: [.apt(["libzip-dev"]), .brew(["libzip"])]),
    .systemLibrary(
      name: "CLibCrypto", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .systemLibrary(
      name: "CLibPNG", pkgConfig: "libpng",
      providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
  ]
    + library(
      "PlistKit", ["CLibXML2"], testing: ["PlistFuzzTargets"],
      testFolders: ["Fixtures", "FuzzFindings"])
    + library("Processes", [])
    + library("NetDiscovery", ["Processes"])
    + library("ATSMerge", ["PlistKit", "NetDiscovery"])
    + library("AppBundle", ["CLibZip"])
    + library("CodeSigning", ["PlistKit", "AppBundle", "Processes", "CLibCrypto"])
    + library("AppIcon", ["PlistKit", "CLibPNG", "CZlib"])
    + [
      // The tool opens each library at its first use; the modules are linked with them as usual.
      .target(
        name: "CLazyLibraries",
        dependencies: ["CLibXML2", "CLibZip", "CLibCrypto", "CLibPNG", "CZlib"]),
      .executableTarget(
        name: "ipa-inject",
        dependencies: [
          "PlistKit", "Processes", "NetDiscovery", "ATSMerge", "AppBundle", "CodeSigning",
          "AppIcon",
          "CLibXML2", "CLibZip", "CLibCrypto",
          .target(name: "CLazyLibraries", condition: .when(platforms: [.linux])),
        ],
        swiftSettings: settings),
      // What the package in Fuzz/ feeds inputs to, here for the tests that replay what it found.
      .target(
        name: "PlistFuzzTargets", dependencies: ["PlistKit"],
        path: "Fuzz/Sources/PlistFuzzTargets", swiftSettings: settings),
      .target(
        name: "SigningFuzzTargets", dependencies: ["CodeSigning"],
        path: "Fuzz/Sources/SigningFuzzTargets", swiftSettings: settings),
      .testTarget(
        name: "SigningFuzzTests", dependencies: ["SigningFuzzTargets"], exclude: ["Findings"],
        swiftSettings: settings),
      .testTarget(
        name: "ipa-injectTests", dependencies: ["ipa-inject"], exclude: ["Transcripts"],
        swiftSettings: settings),
    ]
)
