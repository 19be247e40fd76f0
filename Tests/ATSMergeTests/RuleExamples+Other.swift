import NetDiscovery
import PlistKit
import Testing

@testable import ATSMerge

extension RuleTests {
  static let otherExamples: [Example] = [
    Example("local-network.description", "missing", app("my-mac.local", [:]), ["my-mac.local"]),
    Example(
      "local-network.description", "blank",
      app("192.168.1.10", [:], [("NSLocalNetworkUsageDescription", " \n")]), ["blank"]),
    Example(
      "local-network.description", "an integer",
      app("fd00::10".bracketed, [:], [("NSLocalNetworkUsageDescription", 1)]), ["an integer"]),
    Example("local-network.description", "there", ready),
    Example("local-network.description", "only Tailscale", app("100.64.0.12", [:])),
    Example("local-network.description", "Tailscale's IPv6", app("[fd7a:115c:a1e0::c]", [:])),
    Example(
      "local-network.description", "tvOS has no such permission",
      app("my-mac.local", [:], [("CFBundleSupportedPlatforms", ["AppleTVOS"])])),
    Example("local-network.localized", "blank", ready, ["de"]) { subject in
      subject.localizedTexts = [
        .init(language: "de", path: "de.lproj/InfoPlist.strings", value: " ")
      ]
    },
    Example("local-network.localized", "there", ready) { subject in
      subject.localizedTexts = [
        .init(language: "de", path: "de.lproj/InfoPlist.strings", value: "Findet")
      ]
    },
    Example("local-network.nested", "text in an extension", ready, ["Share.appex"]) { subject in
      subject.bundles = [nested(["NSLocalNetworkUsageDescription": "x"])]
    },
    Example("local-network.nested", "an App Clip", ["NSAppClip": [:]], ["App Clip"]),
    Example("local-network.nested", "right", ready) { $0.bundles = [nested([:])] },
    Example("change.unexpected", "another key", ready, ["/CFBundleName"]) {
      $0.compare(["CFBundleName": "Demo"])
    },
    Example(
      "change.unexpected", "an exception for another host", ready.adding(domain: "evil.example"),
      ["evil.example"]
    ) { $0.compare([:]) },
    Example(
      "change.unexpected", "an app-wide flag",
      app(
        "my-mac.local",
        ["NSAllowsArbitraryLoads": true, "NSExceptionDomains": ["my-mac.local": allowed]]),
      ["/NSAppTransportSecurity/NSAllowsArbitraryLoads"]
    ) { $0.compare([:]) },
    Example(
      "change.unexpected", "an entry that holds more",
      app(
        "h.local",
        domains: [
          "h.local": ["NSExceptionAllowsInsecureHTTPLoads": true, "NSIncludesSubdomains": true]
        ]), ["h.local"]
    ) { $0.compare([:]) },
    Example(
      "change.unexpected", "a text that was replaced", ready, ["/NSLocalNetworkUsageDescription"]
    ) { $0.compare(["NSLocalNetworkUsageDescription": "Mine"]) },
    Example(
      "change.unexpected", "an unknown field",
      metadata([.string(urlText("h"))], PlistDictionary([("x", 1)])), ["/IPAHub/x"]
    ) { $0.compare([:]) },
    Example("change.unexpected", "a member", ready, ["Payload/Demo.app/Demo"]) { subject in
      subject.compare([:], [("Payload/Demo.app/Demo", "Payload/Demo.app/Demo has other contents")])
    },
    Example("change.unexpected", "only what an injection does", ready) {
      $0.compare(["NSLocalNetworkUsageDescription": " "])
    },
    Example("change.unexpected", "a flag turned on", ready) { subject in
      subject.compare(
        infoPlist(domains: ["my-mac.local": ["NSExceptionAllowsInsecureHTTPLoads": false]]))
    },
    Example("change.unexpected", "an exception that was pruned", ready) { subject in
      subject.compare(app("old.local", domains: ["old.local": allowed]))
    },
    Example("change.unexpected", "another exception that is gone", ready, ["mine.local"]) {
      subject in
      subject.compare(app("old.local", domains: ["mine.local": allowed]))
    },
    Example(
      "change.unexpected", "an empty dictionary that came",
      metadata([.string(urlText("h", scheme: "https"))]).with("NSAppTransportSecurity", [:]),
      ["/NSAppTransportSecurity"]
    ) { $0.compare([:]) },
    Example(
      "change.unexpected", "empty domains that came",
      metadata([.string(urlText("h", scheme: "https"))]).with(
        "NSAppTransportSecurity", ["NSExceptionDomains": [:]]),
      ["/NSAppTransportSecurity/NSExceptionDomains"]
    ) { $0.compare(["NSAppTransportSecurity": [:]]) },
    Example(
      "change.unexpected", "an empty dictionary that went",
      metadata([.string(urlText("h", scheme: "https"))]), ["/NSAppTransportSecurity"]
    ) { $0.compare(["NSAppTransportSecurity": [:]]) },
    Example("change.unexpected", "metadata that went", [:], ["/IPAHub"]) {
      $0.compare(metadata("h"))
    },
    Example(
      "change.unexpected", "a source that went", ["IPAHub": ["updateURL": [.string(urlText("h"))]]],
      ["/IPAHub/source"]
    ) { $0.compare(metadata("h")) },
    Example(
      "change.unexpected", "a flag that no injection mends",
      app("h.local", domains: ["h.local": allowed]), ["NSExceptionAllowsInsecureHTTPLoads"]
    ) { subject in
      subject.compare(infoPlist(domains: ["h.local": ["NSExceptionAllowsInsecureHTTPLoads": [:]]]))
    },
    Example(
      "change.unexpected", "another type of the same text", ready.with("CFBundleVersion", 1),
      ["/CFBundleVersion"]
    ) { $0.compare(["CFBundleVersion": "1"]) },
    Example(
      "change.unexpected", "another width of the same number",
      ready.with("x", .real(PlistReal(0.5)))
    ) { $0.compare(["x": .real(PlistReal(Float(0.5)))]) },
  ]
}
