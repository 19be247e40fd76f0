import NetDiscovery
import PlistKit
import Testing

@testable import ATSMerge

extension RuleTests {
  static let transportExamples: [Example] = [
    Example(
      "ats.key.form", "a port", app("h.local", domains: ["other.example:80": allowed]), ["port"]),
    Example(
      "ats.key.form", "right",
      app(
        "h.local",
        domains: ["h.local": allowed, "10.0.0.0/8": [:], "fd00::1": [:], "2001:db8::/32": [:]])),
    Example(
      "ats.key.form", "a misplaced key is no domain",
      infoPlist(domains: ["NSAllowsArbitraryLoads": true, "NSPinnedCAIdentities": []])),
    Example(
      "ats.key.form", "a range in upper case", app("h.local", domains: ["FD00::/8": allowed]),
      ["upper case"]),
    Example(
      "ats.value.type", "YES", infoPlist(ats: ["NSAllowsArbitraryLoads": "YES"]),
      ["NSAllowsArbitraryLoads"]),
    Example(
      "ats.value.type", "1 in an entry", infoPlist(domains: ["a": ["NSIncludesSubdomains": 1]]),
      ["NSIncludesSubdomains"]),
    Example("ats.value.type", "entry is a boolean", infoPlist(domains: ["a": true]), ["a boolean"]),
    Example("ats.value.type", "domains are an array", infoPlist(domains: []), ["an array"]),
    Example(
      "ats.value.type", "pins are a string",
      infoPlist(ats: ["NSPinnedDomains": ["a": ["NSPinnedLeafIdentities": "x"]]]),
      ["NSPinnedLeafIdentities"]),
    Example(
      "ats.value.type", "the NIAP key is an integer",
      infoPlist(ats: ["NSRequiresNIAPTLSPackageVersion": 1]), ["NSRequiresNIAPTLSPackageVersion"]),
    Example(
      "ats.value.type", "a misplaced key is no domain",
      infoPlist(domains: ["NSExceptionAllowsInsecureHTTPLoads": true])),
    Example(
      "ats.value.type", "all of it is a boolean", infoPlist(ats: true), ["NSAppTransportSecurity"]),
    Example(
      "ats.value.type", "TLS version is a real",
      infoPlist(domains: ["a": ["NSExceptionMinimumTLSVersion": .real(PlistReal(1.2))]]),
      ["NSExceptionMinimumTLSVersion"]),
    Example("ats.value.type", "right", ready),
    Example(
      "ats.misplaced", "domains at the top", ["NSExceptionDomains": [:]], ["NSExceptionDomains"]),
    Example(
      "ats.misplaced", "a domain's flag at the top", ["NSExceptionAllowsInsecureHTTPLoads": true],
      ["NSExceptionAllowsInsecureHTTPLoads"]),
    Example(
      "ats.misplaced", "app-wide flag among the domains",
      infoPlist(domains: ["NSAllowsArbitraryLoads": true]), ["NSAllowsArbitraryLoads"]),
    Example(
      "ats.misplaced", "app-wide flag in an entry",
      infoPlist(domains: ["a": ["NSAllowsLocalNetworking": true]]), ["NSAllowsLocalNetworking"]),
    Example(
      "ats.misplaced", "a domain's flag beside the app-wide ones",
      infoPlist(ats: ["NSIncludesSubdomains": true]), ["NSIncludesSubdomains"]),
    Example("ats.misplaced", "right", ready),
    Example(
      "ats.unknown-key", "misspelt app-wide key", infoPlist(ats: ["NSAllowsArbitaryLoads": true]),
      ["NSAllowsArbitraryLoads"]),
    Example(
      "ats.unknown-key", "misspelt flag",
      infoPlist(domains: ["a": ["NSExceptionAllowInsecureHTTPLoads": true]]),
      ["NSExceptionAllowsInsecureHTTPLoads"]),
    Example(
      "ats.unknown-key", "misspelt pins",
      infoPlist(ats: ["NSPinnedDomains": ["a": ["NSPinedLeafIdentities": []]]]),
      ["NSPinnedLeafIdentities"]),
    Example(
      "ats.unknown-key", "a misplaced key is known",
      infoPlist(domains: ["NSPinnedDomains": ["example.com": [:]]])),
    Example("ats.unknown-key", "right", ready),
    Example(
      "ats.legacy-key", "temporary",
      infoPlist(domains: ["a": ["NSTemporaryExceptionMinimumTLSVersion": "TLSv1.0"]]),
      ["NSExceptionMinimumTLSVersion"]),
    Example("ats.legacy-key", "right", ready),
    Example(
      "ats.arbitrary-loads", "in force",
      infoPlist(ats: ["NSAllowsArbitraryLoads": true, "NSExceptionDomains": ["a.example": [:]]]),
      ["a.example"]),
    Example(
      "ats.arbitrary-loads", "switched off",
      infoPlist(ats: ["NSAllowsArbitraryLoads": true, "NSAllowsLocalNetworking": false])),
    Example("ats.arbitrary-loads", "right", ready),
    Example(
      "ats.arbitrary-loads.ignored", "by local networking",
      infoPlist(ats: ["NSAllowsArbitraryLoads": true, "NSAllowsLocalNetworking": false]),
      ["NSAllowsLocalNetworking"]),
    Example(
      "ats.arbitrary-loads.ignored", "in force", infoPlist(ats: ["NSAllowsArbitraryLoads": true])),
    Example(
      "ats.arbitrary-loads.narrowed", "by the update host",
      app("h.local", ["NSAllowsArbitraryLoads": true, "NSExceptionDomains": ["h.local": allowed]]),
      ["h.local"]),
    Example("ats.arbitrary-loads.narrowed", "no app-wide flag", ready),
    Example(
      "ats.arbitrary-loads.narrowed", "an address before iOS 17",
      app(
        "10.0.0.1", ["NSAllowsArbitraryLoads": true, "NSExceptionDomains": ["10.0.0.1": allowed]])
    ) { $0.os = .os10 },
    Example(
      "ats.pinned.misplaced", "in an entry",
      infoPlist(domains: ["a": ["NSPinnedCAIdentities": []]]), ["NSPinnedDomains"]),
    Example(
      "ats.pinned.misplaced", "among the domains",
      infoPlist(domains: ["NSPinnedLeafIdentities": []]), ["NSPinnedDomains"]),
    Example("ats.pinned.misplaced", "right", ready),
  ]
}
