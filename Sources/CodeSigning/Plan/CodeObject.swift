internal import AppBundle
public import PlistKit

/// Something in an app that has a code signature of its own: a bundle with an executable, or a file of
/// code by itself.
public struct CodeObject: Sendable {
  /// What it is.
  public enum Kind: String, Sendable, CaseIterable {
    /// The main app, or one in another place than the next two.
    case app
    /// As ``AppBundle/BundleKind/watchApp``; so are those that follow, up to ``driverExtension``.
    case watchApp = "watch-app"
    case appClip = "app-clip"
    case appExtension = "app-extension"
    case framework
    case xpcService = "xpc-service"
    case systemExtension = "system-extension"
    case driverExtension = "driver-extension"
    /// A `.bundle` with an executable.
    case bundle
    /// A file `*.dylib`.
    case dynamicLibrary = "dylib"
    /// Another Mach-O file that is no bundle's executable.
    case tool
  }

  /// The bundle, or the file, from the input's root; `.` where the input is the app itself.
  public var path: String
  /// What it is.
  public var kind: Kind
  /// The folder from which its CodeResources counts paths: the bundle's own, `Contents`, or a
  /// framework's version; empty where that is the input's root, nil for a file by itself.
  public var folder: String?
  /// Its Info.plist, nil where it has none.
  public var infoPlistPath: String?
  /// The bytes of it, nil where it has none or it cannot be read.
  public var infoPlistBytes: [UInt8]?
  /// The values of it, nil where it has none or it cannot be read.
  public var infoPlist: PlistDictionary?
  /// The file with the code, nil where there is none.
  public var executablePath: String?

  /// An object of these.
  public init(
    path: String, kind: Kind, folder: String? = nil, infoPlistPath: String? = nil,
    infoPlistBytes: [UInt8]? = nil, infoPlist: PlistDictionary? = nil,
    executablePath: String? = nil
  ) {
    self.path = path
    self.kind = kind
    self.folder = folder
    self.infoPlistPath = infoPlistPath
    self.infoPlistBytes = infoPlistBytes
    self.infoPlist = infoPlist
    self.executablePath = executablePath
  }

  /// `CFBundleIdentifier`.
  public var bundleIdentifier: String? { infoPlist?["CFBundleIdentifier"]?.string }

  /// Whether a provisioning profile goes with it: it is an app, or an extension.
  public var takesProfile: Bool {
    switch kind {
    case .app, .watchApp, .appClip, .appExtension, .systemExtension, .driverExtension: true
    case .framework, .xpcService, .bundle, .dynamicLibrary, .tool: false
    }
  }

  /// Whether it keeps the signature that it has: Apple's own stub of an old watch app, which a device looks
  /// for as it is.
  public var keepsSignature: Bool { path.contains("/_WatchKitStub/") }

  /// Where its sealed resources are listed, nil for a file by itself.
  public var codeResourcesPath: String? {
    folder.map { Self.join($0, "_CodeSignature/CodeResources") }
  }

  /// Where its provisioning profile lies, or would: `embedded.mobileprovision`, in a deep bundle
  /// `embedded.provisionprofile`. Nil for what takes none.
  public var profilePath: String? {
    guard takesProfile, let folder else { return nil }
    let isDeep = BundlePlaces.isContents(folder)
    return Self.join(folder, isDeep ? "embedded.provisionprofile" : "embedded.mobileprovision")
  }

  /// Whether its resources lie in a folder of their own, as on the Mac: in `Contents`, or in a version of a
  /// framework. Then its CodeResources has other rules, and seals nested code by its CDHash.
  public var isDeep: Bool {
    folder.map { BundlePlaces.isContents($0) || $0.contains(".framework/Versions/") } ?? false
  }

  /// A path in a folder, which may be the root.
  public static func join(_ folder: String, _ rest: String) -> String {
    folder.isEmpty ? rest : "\(folder)/\(rest)"
  }
}
