// swift-tools-version: 6.2
import PackageDescription

/// The same as the main package's: no warnings.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
]

// A package of its own, so that the main one never needs the libraries it is compared with.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  // The name is given because a path dependency is otherwise called like the folder of the checkout.
  dependencies: [.package(name: "ipa-inject", path: "..")],
  targets: [
    .systemLibrary(
      name: "CLibPlist", pkgConfig: "libplist-2.0",
      providers: [.apt(["libplist-dev"]), .brew(["libplist"])]),
    .systemLibrary(
      name: "CXMLParser", pkgConfig: "libxml-2.0",
      providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
    .systemLibrary(
      name: "CArchive", pkgConfig: "libzip",
      providers: [.apt(["libzip-dev"]), .brew(["libzip"])]),
    .target(
      name: "CPeers", dependencies: ["CLibPlist", "CXMLParser"],
      cSettings: [.treatAllWarnings(as: .error)]),
    .executableTarget(
      name: "libzip-rewrite", dependencies: ["CArchive"],
      cSettings: [.treatAllWarnings(as: .error)]),
    .executableTarget(
      name: "plist-benchmark",
      dependencies: [.product(name: "PlistKit", package: "ipa-inject"), "CPeers"],
      swiftSettings: settings),
  ]
)
