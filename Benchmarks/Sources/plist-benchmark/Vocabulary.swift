/// The words of the generated property lists.
enum Vocabulary {
  /// What the root says about an application.
  static let application: [(String, String)] = [
    ("BuildMachineOSBuild", "24F74"), ("CFBundleDevelopmentRegion", "en"),
    ("CFBundleDisplayName", "Beispiel"), ("CFBundleExecutable", "Example"),
    ("CFBundleIdentifier", "com.example.app"), ("CFBundleInfoDictionaryVersion", "6.0"),
    ("CFBundleName", "Example"), ("CFBundlePackageType", "APPL"),
    ("CFBundleShortVersionString", "3.14.2"), ("CFBundleVersion", "1042"),
    ("DTCompiler", "com.apple.compilers.llvm.clang.1_0"), ("DTPlatformBuild", "22F76"),
    ("DTPlatformName", "iphoneos"), ("DTPlatformVersion", "18.5"), ("DTSDKName", "iphoneos18.5"),
    ("DTXcode", "1640"), ("DTXcodeBuild", "16F6"), ("MinimumOSVersion", "16.0"),
    ("NSCameraUsageDescription", "Codes are read with the camera."),
    ("NSLocalNetworkUsageDescription", "To find devices in your network."),
    ("NSPhotoLibraryUsageDescription", "Für Bilder, die du anhängst."),
    ("UILaunchStoryboardName", "LaunchScreen"),
  ]

  static let orientations = [
    "UIInterfaceOrientationPortrait", "UIInterfaceOrientationPortraitUpsideDown",
    "UIInterfaceOrientationLandscapeLeft", "UIInterfaceOrientationLandscapeRight",
  ]

  /// The keys of records.
  static let keys = [
    "CFBundleIconFiles", "CFBundleIconName", "CFBundleTypeExtensions", "CFBundleTypeName",
    "CFBundleTypeRole", "CFBundleURLName", "CFBundleURLSchemes", "DefaultValue", "Description",
    "Enabled", "FooterText", "Identifier", "IncludesSubdomains", "Key", "KeyboardType",
    "LSHandlerRank", "LSItemContentTypes", "MaximumValue", "MinimumValue", "Name",
    "NSExceptionAllowsInsecureHTTPLoads", "NSExceptionMinimumTLSVersion", "NSExtensionAttributes",
    "NSIncludesSubdomains", "NSPrivacyAccessedAPIType", "NSPrivacyCollectedDataType", "Offset",
    "Options", "Parent", "Path", "PreferenceSpecifiers", "Priority", "Scale", "Size", "Source",
    "State", "StringsTable", "SupportsDocumentBrowser", "Title", "Titles", "Type",
    "UIApplicationShortcutItemType", "UIColorName", "UIImageName", "UISceneClassName",
    "UISceneConfigurationName", "UISceneDelegateClassName", "UTTypeConformsTo", "UTTypeDescription",
    "UTTypeIdentifier", "UTTypeTagSpecification", "Values", "Version", "checksum", "created",
    "data", "duration", "flags", "height", "index", "modified", "uuid", "width", "x", "y", "zIndex",
  ]

  /// Values that come again and again.
  static let texts = [
    "Alternate", "Default", "Editor", "None", "Owner", "PSGroupSpecifier", "PSTextFieldSpecifier",
    "PSToggleSwitchSpecifier", "TLSv1.2", "UIWindowSceneSessionRoleApplication", "Viewer",
    "com.apple.product-type.application", "com.example.app", "public.data", "public.image",
    "public.json", "public.plain-text", "sourcecode.swift", "wrapper.framework", "",
    "The file could not be opened because its format is not known.",
    "https://updates.example.com/api/app/latest?channel=release",
  ]

  static let otherScripts = [
    "Größe ändern", "Préférences de l’application", "設定を開く", "Настройки уведомлений",
    "한국어 설명", "Überprüfung läuft …", "開始 🚀", "Añadir a favoritos",
  ]

  static let words = [
    "Account", "Album", "Archive", "Battery", "Bookmark", "Calendar", "Camera", "Channel",
    "Comment", "Detail", "Document", "Download", "Editor", "Favorite", "Folder", "Gallery",
    "History", "Inbox", "Keyboard", "Library", "Message", "Network", "Note", "Onboarding",
    "Payment", "Player", "Profile", "Reader", "Search", "Session", "Settings", "Share", "Sidebar",
    "Timeline", "Upload", "Widget",
  ]

  static let base64 = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}
