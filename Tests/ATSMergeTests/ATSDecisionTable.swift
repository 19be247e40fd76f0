import NetDiscovery
import PlistKit
import Testing

@testable import ATSMerge

/// What App Transport Security says of a URL, as it was derived by hand from Apple's text: setting
/// by URL by OS by what loads, each row with the sentence it comes from.
enum ATSDecisionTable {
  static let all: [ATSDecisionRow] =
    defaults + exceptions + subdomains + addresses + ranges + localNetworking + arbitraryLoads
    + webAndMedia + requirements + pins + olderKeys + wrongTypes + keyForms + sdks
}

/// One row of the table.
struct ATSDecisionRow: Sendable, CustomTestStringConvertible {
  let name: String
  /// The value of `NSAppTransportSecurity`, nil where there is none.
  let settings: PlistValue?
  /// Scheme and host.
  let url: String
  let os: ATSGeneration
  let context: ATSContext
  /// `DTSDKName`, nil for an app that does not say.
  let sdk: String?
  let expected: Expectation
  let certainty: ATSCertainty
  let source: ATSSource

  init(
    _ name: String, _ settings: PlistValue?, _ url: String, on os: ATSGeneration = .os17,
    in context: ATSContext = .session, sdk: String? = nil, _ expected: Expectation,
    sure certainty: ATSCertainty = .documented, _ source: ATSSource
  ) {
    self.name = name
    self.settings = settings
    self.url = url
    self.os = os
    self.context = context
    self.sdk = sdk
    self.expected = expected
    self.certainty = certainty
    self.source = source
  }

  var testDescription: String { name }

  /// The app's Info.plist.
  var infoPlist: PlistValue {
    var root = PlistDictionary()
    if let sdk { root["DTSDKName"] = .string(sdk) }
    if let settings { root["NSAppTransportSecurity"] = settings }
    return .dictionary(root)
  }
}

/// The expected column.
struct Expectation: Sendable {
  let isAllowed: Bool
  let path: PlistKeyPath?
  let requirements: Requirements?

  /// What HTTPS must meet.
  struct Requirements: Sendable, Equatable {
    let tls: String
    let forwardSecrecy: Bool
    let transparency: Bool
    let pinned: Bool
  }

  /// The key that decides.
  enum Decider {
    /// None: a default.
    case byDefault
    /// The entry of an exception domain.
    case entry(String)
    /// A key of the entry of an exception domain.
    case key(String, String)
    /// The flag of an exception domain.
    case flag(String)
    /// A key of NSAppTransportSecurity.
    case app(String)
    /// The SDK that the app was linked with.
    case sdk

    var path: PlistKeyPath? {
      let root = PlistKeyPath(keys: "NSAppTransportSecurity")
      let domains = root.appending(key: "NSExceptionDomains")
      return switch self {
      case .byDefault: nil
      case .entry(let domain): domains.appending(key: domain)
      case .key(let domain, let key): domains.appending(key: domain).appending(key: key)
      case .flag(let domain):
        domains.appending(key: domain).appending(key: "NSExceptionAllowsInsecureHTTPLoads")
      case .app(let key): root.appending(key: key)
      case .sdk: PlistKeyPath(keys: "DTSDKName")
      }
    }
  }

  /// Allowed without a requirement: HTTP, or HTTPS where the requirements are lifted.
  static func allowed(_ decider: Decider = .byDefault) -> Self {
    Self(isAllowed: true, path: decider.path, requirements: nil)
  }

  static func denied(_ decider: Decider = .byDefault) -> Self {
    Self(isAllowed: false, path: decider.path, requirements: nil)
  }

  /// HTTPS, allowed with requirements.
  static func secure(
    _ decider: Decider = .byDefault, tls: String = "TLSv1.2", forwardSecrecy: Bool = true,
    transparency: Bool = false, pinned: Bool = false
  ) -> Self {
    Self(
      isAllowed: true, path: decider.path,
      requirements: Requirements(
        tls: tls, forwardSecrecy: forwardSecrecy, transparency: transparency, pinned: pinned))
  }
}

extension ATSDecisionTable {
  static let insecure = "NSExceptionAllowsInsecureHTTPLoads"
  static let denying: PlistValue = ["NSExceptionAllowsInsecureHTTPLoads": false]
  static let empty: PlistValue = [:]
  static let withSubdomains: PlistValue = [
    "NSExceptionAllowsInsecureHTTPLoads": true, "NSIncludesSubdomains": true,
  ]
  static let anyLoads: PlistValue = ["NSAllowsArbitraryLoads": true]
  static let localLoads: PlistValue = ["NSAllowsLocalNetworking": true]
  static let anyBesideLocal: PlistValue = [
    "NSAllowsArbitraryLoads": true, "NSAllowsLocalNetworking": true,
  ]

  /// Settings with one exception domain.
  static func domain(_ key: String, _ entry: PlistValue) -> PlistValue {
    dictionary("NSExceptionDomains", dictionary(key, entry))
  }

  /// Settings with one exception domain beside `NSAllowsArbitraryLoads`.
  static func anyLoadsBut(_ key: String, _ entry: PlistValue) -> PlistValue {
    ["NSAllowsArbitraryLoads": true, "NSExceptionDomains": dictionary(key, entry)]
  }

  /// Settings with these exception domains.
  static func domains(_ entries: PlistValue) -> PlistValue {
    dictionary("NSExceptionDomains", entries)
  }
}
