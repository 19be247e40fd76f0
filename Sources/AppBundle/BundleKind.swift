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
  /// `*.dext`: a driver of DriverKit.
  case driverExtension = "driver-extension"
  /// `*.bundle`: resources, seldom code. `*.xctest`: tests.
  case bundle
  /// A file `*.dylib`: no bundle, yet signed as one.
  case dynamicLibrary = "dylib"

  /// The kind of a folder, nil where its name is not that of a bundle.
  init?(folder name: Span<UInt8>, parent: Span<UInt8>? = nil) {
    guard let point = name.indices.last(where: { name[$0] == MemberName.dot }), point > 0,
      !(name[0] == MemberName.dot && name[1] == UInt8(ascii: "_"))
    else { return nil }
    // Most names with a point are those of files, and end here.
    switch name.count - point - 1 {
    case 3, 4, 5, 6, 9, 15: break
    default: return nil
    }
    switch name[point + 1] {
    case UInt8(ascii: "a"):
      if name.hasSuffix(".app") {
        self = Self.app(in: parent)
      } else if name.hasSuffix(".appex") {
        self = .appex
      } else {
        return nil
      }
    case UInt8(ascii: "f") where name.hasSuffix(".framework"): self = .framework
    case UInt8(ascii: "x") where name.hasSuffix(".xpc"): self = .xpcService
    case UInt8(ascii: "s") where name.hasSuffix(".systemextension"): self = .systemExtension
    case UInt8(ascii: "d") where name.hasSuffix(".dext"): self = .driverExtension
    case UInt8(ascii: "b") where name.hasSuffix(".bundle"): self = .bundle
    case UInt8(ascii: "x") where name.hasSuffix(".xctest"): self = .bundle
    default: return nil
    }
  }

  private static func app(in parent: Span<UInt8>?) -> BundleKind {
    guard let parent else { return .app }
    if parent.count == 5, parent.hasSuffix("Watch") { return .watchApp }
    return parent.count == 8 && parent.hasSuffix("AppClips") ? .appClip : .app
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
