/// What an input is, told from its content.
public enum InputKind: String, Sendable {
  /// A zip archive that holds `Payload/`.
  case ipa
  /// A folder that holds `Payload/`.
  case payload
  /// A folder with an Info.plist of its own.
  case app
  /// A folder that holds `Products/Applications/`.
  case xcarchive
  /// A property-list file by itself.
  case plist
}

/// How the inside of a bundle is laid out.
public enum BundleLayout: String, Sendable {
  /// Info.plist lies in the bundle's folder, as on iOS.
  case flat
  /// Info.plist lies in `Contents/`, or in a framework's `Versions/`, as on macOS.
  case deep
}

/// What kind of bundle a nested one is, told from its path.
public enum BundleKind: String, Sendable, CaseIterable {
  /// `*.app` in any other place than the next two.
  case app
  /// `Watch/*.app`.
  case watchApp = "watch-app"
  /// `AppClips/*.app`.
  case appClip = "app-clip"
  /// `*.appex`: `PlugIns/`, `Extensions/`.
  case appex = "app-extension"
  /// `*.framework`.
  case framework
  /// `*.xpc`: `XPCServices/`.
  case xpcService = "xpc-service"
  /// `*.systemextension`.
  case systemExtension = "system-extension"
  /// `*.bundle`: resources, seldom code.
  case bundle
  /// A file `*.dylib`: no bundle, yet signed as one.
  case dynamicLibrary = "dylib"

  /// The kind of a folder, nil where its name is not that of a bundle.
  init?(folder name: ArraySlice<UInt8>, parent: ArraySlice<UInt8>?) {
    guard let point = name.lastIndex(of: MemberName.dot), point > name.startIndex,
      !name.starts(with: "._".utf8)
    else { return nil }
    switch String(decoding: name[(point + 1)...], as: UTF8.self) {
    case "app":
      switch parent.map({ String(decoding: $0, as: UTF8.self) }) {
      case "Watch": self = .watchApp
      case "AppClips": self = .appClip
      default: self = .app
      }
    case "appex": self = .appex
    case "framework": self = .framework
    case "xpc": self = .xpcService
    case "systemextension": self = .systemExtension
    case "bundle": self = .bundle
    default: return nil
    }
  }
}

/// A bundle inside the main application.
public struct NestedBundle: Sendable, Equatable {
  /// The path from the input's root, for example `Payload/Demo.app/PlugIns/Share.appex`.
  public let path: String
  /// What kind of bundle.
  public let kind: BundleKind
  /// How it is laid out.
  public let layout: BundleLayout
  /// Its Info.plist from the input's root, nil where it has none.
  public let infoPlistPath: String?
  /// Whether it holds `_CodeSignature/CodeResources`.
  public let isSealed: Bool
}
