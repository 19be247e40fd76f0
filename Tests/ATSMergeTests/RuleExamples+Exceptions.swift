import NetDiscovery
import PlistKit
import Testing

@testable import ATSMerge

extension RuleTests {
  static let exceptionExamples: [Example] = [
    Example(
      "ats.exception.missing", "only NSAllowsLocalNetworking",
      app("100.64.0.12", ["NSAllowsLocalNetworking": true]), ["100.64.0.12"]),
    Example(
      "ats.exception.missing", "only the app-wide flag",
      app("my-mac.local", ["NSAllowsArbitraryLoads": true]), ["my-mac.local"]),
    Example(
      "ats.exception.missing", "only a covering range",
      app("10.0.0.1", domains: ["10.0.0.0/8": allowed]), ["10.0.0.1"]),
    Example("ats.exception.missing", "there", ready),
    Example(
      "ats.exception.denied", "says no",
      app("h.local", domains: ["h.local": ["NSExceptionAllowsInsecureHTTPLoads": false]]),
      ["h.local"]),
    Example(
      "ats.exception.denied", "empty", app("h.local", domains: ["h.local": [:]]), ["h.local"]),
    Example(
      "ats.exception.denied", "an integer",
      app("h.local", domains: ["h.local": ["NSExceptionAllowsInsecureHTTPLoads": 1]]),
      ["an integer"]),
    Example(
      "ats.exception.denied", "no dictionary", app("h.local", domains: ["h.local": true]),
      ["a boolean"]),
    Example("ats.exception.denied", "right", ready),
    Example(
      "ats.destination.denied", "an address without exception", app("192.168.1.10", [:]),
      ["192.168.1.10"]),
    Example("ats.destination.denied", "the same before iOS 17", app("192.168.1.10", [:])) {
      $0.os = .os10
    },
    Example("ats.destination.denied", "a given destination", ready, ["example.com"]) { subject in
      subject.destinations = [destination("http://example.com")]
    },
    Example("ats.destination.denied", "a given secure destination", ready) { subject in
      subject.destinations = [destination("https://example.com")]
    },
    Example(
      "ats.exception.https", "needless",
      metadata([.string(urlText("h.example", scheme: "https"))]).with(
        "NSAppTransportSecurity", dictionary("NSExceptionDomains", ["h.example": allowed])),
      ["h.example"]),
    Example("ats.exception.https", "needed", ready),
    Example(
      "ats.exception.https", "an entry that refuses HTTP is no exception",
      metadata([.string(urlText("h.example", scheme: "https"))]).with(
        "NSAppTransportSecurity",
        dictionary(
          "NSExceptionDomains", ["h.example": ["NSExceptionAllowsInsecureHTTPLoads": false]]))),
    Example(
      "ats.address.old-os", "iOS 15",
      app("10.0.0.1", domains: ["10.0.0.1": allowed]).with("MinimumOSVersion", "15.0"), ["10.0.0.1"]
    ),
    Example(
      "ats.address.old-os", "iOS 17",
      app("10.0.0.1", domains: ["10.0.0.1": allowed]).with("MinimumOSVersion", "17.0")),
    Example(
      "ats.address.old-os", "visionOS 1",
      app("10.0.0.1", domains: ["10.0.0.1": allowed]).with("MinimumOSVersion", "1.0").with(
        "CFBundleSupportedPlatforms", ["XROS"])),
    Example(
      "ats.address.old-os", "watchOS 10",
      app("10.0.0.1", domains: ["10.0.0.1": allowed]).with("MinimumOSVersion", "10.0").with(
        "CFBundleSupportedPlatforms", ["WatchOS"])),
    Example(
      "ats.address.old-os", "watchOS 9",
      app("10.0.0.1", domains: ["10.0.0.1": allowed]).with("MinimumOSVersion", "9.0").with(
        "CFBundleSupportedPlatforms", ["WatchOS"]), ["watchOS 9.0"]),
  ]
}
