public import PlistKit

/// The keys of App Transport Security in Info.plist.
///
/// Source: Apple, "NSAppTransportSecurity" and its pages (Information Property List).
public enum ATSKey {
  /// The dictionary that holds all the others.
  public static let transportSecurity = "NSAppTransportSecurity"
  /// The dictionary of exception domains in it.
  public static let exceptionDomains = "NSExceptionDomains"
  /// The pins, by domain.
  static let pinnedDomains = "NSPinnedDomains"
  /// Lets a host be loaded over HTTP.
  public static let allowsInsecureHTTPLoads = "NSExceptionAllowsInsecureHTTPLoads"
  static let includesSubdomains = "NSIncludesSubdomains"
  static let minimumTLSVersion = "NSExceptionMinimumTLSVersion"
  static let requiresForwardSecrecy = "NSExceptionRequiresForwardSecrecy"
  static let requiresCertificateTransparency = "NSRequiresCertificateTransparency"
  static let arbitraryLoads = "NSAllowsArbitraryLoads"
  static let arbitraryLoadsForMedia = "NSAllowsArbitraryLoadsForMedia"
  static let arbitraryLoadsInWebContent = "NSAllowsArbitraryLoadsInWebContent"
  static let localNetworking = "NSAllowsLocalNetworking"

  /// A key of an entry, and its names from the first betas of iOS 9: read, never written.
  static func spellings(of key: String) -> [String] {
    [key] + legacyPrefixes.map { $0 + key.dropFirst("NSException".count) }
  }
  static let legacyPrefixes = ["NSTemporaryException", "NSThirdPartyException"]

  /// The app-wide keys that are booleans.
  static let appWideFlags = [
    arbitraryLoads, arbitraryLoadsForMedia, arbitraryLoadsInWebContent, localNetworking,
  ]
  /// The keys whose presence, with any value, switches `NSAllowsArbitraryLoads` off since iOS 10.
  static let narrowingFlags = [
    arbitraryLoadsForMedia, arbitraryLoadsInWebContent, localNetworking,
  ]
  /// The app-wide key that is a string.
  static let appWideString = "NSRequiresNIAPTLSPackageVersion"
  /// All keys that stand directly in the dictionary.
  static let appWide = appWideFlags + [exceptionDomains, pinnedDomains, appWideString]
  /// The keys of an exception domain's entry that are booleans.
  static let entryFlags =
    [includesSubdomains, requiresCertificateTransparency]
    + spellings(of: allowsInsecureHTTPLoads) + spellings(of: requiresForwardSecrecy)
  /// The keys of an exception domain's entry that are strings.
  static let entryStrings = tlsVersionKeys + ["NSExceptionRequiresNIAPTLSPackageVersion"]
  static let entry = entryFlags + entryStrings
  /// The keys of an entry that name a version of TLS, and what they can say.
  static let tlsVersionKeys = spellings(of: minimumTLSVersion)
  static let tlsVersions = ["TLSv1.0", "TLSv1.1", defaultTLSVersion, "TLSv1.3"]
  static let defaultTLSVersion = "TLSv1.2"
  /// The keys of a pinned domain's entry that are arrays.
  static let pins = ["NSPinnedCAIdentities", "NSPinnedLeafIdentities"]
  /// The key of an identity in them: the hash of its public key.
  static let publicKeyHash = "SPKI-SHA256-BASE64"
  /// Every key of App Transport Security, at whatever level it belongs.
  static let allInOrder = appWide + entry + pins
  static let all = Set(allInOrder)

  static let path = PlistKeyPath(keys: transportSecurity)
  static let domainsPath = PlistKeyPath(keys: transportSecurity, exceptionDomains)
  static let pinnedPath = PlistKeyPath(keys: transportSecurity, pinnedDomains)

  /// The path to a domain's entry.
  public static func path(domain: String) -> PlistKeyPath { domainsPath.appending(key: domain) }
}
