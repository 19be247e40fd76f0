import PlistKit
import Testing

@testable import ATSMerge

extension RuleTests {
  private typealias Bundle = VerificationSubject.Bundle

  private static func identified(_ text: String) -> PlistValue {
    ["CFBundleIdentifier": .string(text)]
  }

  private static let demo = identified("com.example.demo")

  /// Bundles of an app with the identifier com.example.demo.
  private static func row(
    _ rule: String, _ name: String, _ bundles: [Bundle], _ mentions: [String] = [],
    app: PlistValue = demo
  ) -> Example {
    Example(rule, name, app, mentions) { $0.bundles = bundles }
  }

  private static func appex(_ identifier: String) -> Bundle { nested(identified(identifier)) }

  private static func framework(_ path: String, _ identifier: String) -> Bundle {
    bundle(path, .framework, identified(identifier))
  }

  private static func watchExtension(_ app: PlistValue, at path: String) -> Bundle {
    bundle(
      path, .appExtension,
      identified("com.example.demo.watch.x").with(
        "NSExtension", ["NSExtensionAttributes": ["WKAppBundleIdentifier": app]]))
  }

  private static func bundle(
    without infoPlist: Bundle.InfoPlist, _ kind: Bundle.Kind, at path: String
  ) -> Bundle {
    var bundle = bundle(path, kind, [:])
    bundle.infoPlist = infoPlist
    return bundle
  }

  static let bundleExamples: [Example] =
    infoPlistRows + executableRows + prefixRows + companionRows + duplicateRows + versionRows
    + boundDomainRows

  private static let infoPlistRows: [Example] = [
    row(
      "bundle.info-plist", "a framework without one",
      [bundle(without: .missing, .framework, at: "Frameworks/Kit.framework")], ["Kit.framework"]),
    row(
      "bundle.info-plist", "one that is damaged",
      [bundle(without: .unreadable("it ends early"), .appExtension, at: "PlugIns/A.appex")],
      ["A.appex", "it ends early"]),
    row(
      "bundle.info-plist", "an array",
      [bundle(without: .read([]), .watchApp, at: "Watch/W.app")], ["an array"]),
    row(
      "bundle.info-plist", "resources need none",
      [bundle(without: .missing, .resources, at: "Strings.bundle")]),
  ]

  private static let executableRows: [Example] = [
    row(
      "bundle.executable", "one of an extension is missing",
      [
        bundle(
          "PlugIns/A.appex", .appExtension, demo.with("CFBundleExecutable", "A"), .missing)
      ], ["A.appex", "missing"]),
    row(
      "bundle.executable", "an extension names none",
      [bundle("PlugIns/A.appex", .appExtension, demo, .notNamed)], ["A.appex", "names no"]),
    row(
      "bundle.executable", "one of a framework is missing",
      [bundle("Frameworks/K.framework", .framework, demo, .missing)], ["K.framework"]),
    row(
      "bundle.executable", "a framework is mapped, not executed",
      [bundle("Frameworks/K.framework", .framework, demo, .notExecutable)]),
    row(
      "bundle.executable", "a framework of resources",
      [bundle("Frameworks/K.framework", .framework, demo, .notNamed)]),
    row("bundle.executable", "resources", [bundle("R.bundle", .resources, demo, .missing)]),
    Example("bundle.executable", "the app's is missing", demo, ["missing"]) {
      $0.mainBundle = bundle("", .app, demo, .missing)
    },
  ]

  private static let prefixRows: [Example] = [
    row("bundle.identifier.prefix", "the app's own", [appex("com.example.demo")], ["Share.appex"]),
    row("bundle.identifier.prefix", "a dot and no label", [appex("com.example.demo.")], ["demo.'"]),
    row("bundle.identifier.prefix", "an empty label", [appex("com.example.demo..x")], ["demo..x"]),
    row("bundle.identifier.prefix", "another case", [appex("com.example.Demo.x")], ["Demo.x"]),
    row(
      "bundle.identifier.prefix", "another label", [appex("com.example.demolition.x")],
      ["demolition"]),
    row("bundle.identifier.prefix", "several labels", [appex("com.example.demo.a.b")]),
    row("bundle.identifier.prefix", "none at all", [nested([:])], ["has none"]),
    row(
      "bundle.identifier.prefix", "an integer", [nested(["CFBundleIdentifier": 1])], ["an integer"]),
    row(
      "bundle.identifier.prefix", "an App Clip",
      [bundle("AppClips/C.app", .appClip, identified("com.example.clip"))], ["C.app"]),
    row(
      "bundle.identifier.prefix", "an extension goes by the Watch app around it",
      [
        bundle("Watch/W.app", .watchApp, identified("com.example.demo.watch")),
        bundle("Watch/W.app/PlugIns/X.appex", .appExtension, identified("com.example.demo.x")),
      ], ["com.example.demo.watch."]),
    row(
      "bundle.identifier.prefix", "a Watch app inside an extension goes by the app",
      [
        bundle("PlugIns/X.appex", .appExtension, identified("com.example.demo.x")),
        bundle("PlugIns/X.appex/W.app", .app, identified("com.example.demo.watch")),
      ]),
    row(
      "bundle.identifier.prefix", "frameworks are free",
      [framework("Frameworks/K.framework", "org.k")]),
    row("bundle.identifier.prefix", "the app has none", [appex("com.other")], app: [:]),
    row(
      "bundle.identifier.prefix", "a helper app on the Mac",
      [bundle("Contents/Helper.app", .app, identified("org.helper"))],
      app: on(["MacOSX"], demo)),
    row(
      "bundle.identifier.prefix", "an extension on the Mac", [appex("org.helper")], ["org.helper"],
      app: on(["MacOSX"], demo)),
  ]

  private static let companionRows: [Example] = [
    row(
      "bundle.companion", "no string",
      [bundle("Watch/W.app", .watchApp, ["WKCompanionAppBundleIdentifier": true])], ["a boolean"]),
    row("bundle.companion", "none", [bundle("Watch/W.app", .watchApp, [:])]),
    row(
      "bundle.companion", "a Watch extension of another Watch app",
      [
        bundle("Watch/W.app", .watchApp, identified("com.example.demo.watch")),
        watchExtension("com.example.demo.other", at: "Watch/W.app/PlugIns/X.appex"),
      ], ["com.example.demo.other", "com.example.demo.watch"]),
    row(
      "bundle.companion", "a Watch extension of its Watch app",
      [
        bundle("Watch/W.app", .watchApp, identified("com.example.demo.watch")),
        watchExtension("com.example.demo.watch", at: "Watch/W.app/PlugIns/X.appex"),
      ]),
    row(
      "bundle.companion", "a Watch extension without a string",
      [
        bundle("Watch/W.app", .watchApp, identified("com.example.demo.watch")),
        watchExtension(1, at: "Watch/W.app/PlugIns/X.appex"),
      ], ["an integer"]),
    row(
      "bundle.companion", "in the form for watchOS 1",
      [
        watchExtension("com.example.demo.watch", at: "PlugIns/X.appex"),
        bundle("PlugIns/X.appex/W.app", .app, identified("com.example.demo.watch")),
      ]),
    row(
      "bundle.companion", "a Watch extension without any Watch app",
      [watchExtension("com.example.demo.watch", at: "PlugIns/X.appex")], ["no Watch app"]),
  ]

  private static let duplicateRows: [Example] = [
    row(
      "bundle.identifier.duplicate", "an extension has the app's", [appex("com.example.demo")],
      ["of the app"]),
    row(
      "bundle.identifier.duplicate", "a framework has the app's",
      [framework("Frameworks/K.framework", "com.example.demo")], ["K.framework"]),
    row(
      "bundle.identifier.duplicate", "two frameworks side by side",
      [framework("Frameworks/K.framework", "org.k"), framework("Frameworks/L.framework", "org.k")],
      ["L.framework", "K.framework"]),
    row(
      "bundle.identifier.duplicate", "one framework in the app and in an extension",
      [
        appex("com.example.demo.share"), framework("Frameworks/K.framework", "org.k"),
        framework("PlugIns/Share.appex/Frameworks/K.framework", "org.k"),
      ]),
    row(
      "bundle.identifier.duplicate", "a framework has that of the extension around it",
      [
        appex("com.example.demo.share"),
        framework("PlugIns/Share.appex/Frameworks/K.framework", "com.example.demo.share"),
      ], ["K.framework"]),
    row(
      "bundle.identifier.duplicate", "resources",
      [
        bundle("A.bundle", .resources, identified("r")),
        bundle("B.bundle", .resources, identified("r")),
      ]
    ),
    row(
      "bundle.identifier.duplicate", "helper apps on the Mac",
      [
        bundle("Contents/A.app", .app, identified("h")),
        bundle("Contents/B.app", .app, identified("h")),
      ],
      app: on(["MacOSX"], demo)),
  ]

  private static let versionRows: [Example] = [
    row(
      "bundle.version", "another build", [nested(["CFBundleVersion": "2"])], ["'2'", "'1'"],
      app: ["CFBundleVersion": "1"]),
    row(
      "bundle.version", "a framework's",
      [bundle("Frameworks/K.framework", .framework, ["CFBundleVersion": "2"])],
      app: ["CFBundleVersion": "1"]),
    row("bundle.version", "none", [nested([:])], app: ["CFBundleVersion": "1"]),
  ]

  private static let boundDomainRows: [Example] = [
    Example("web.app-bound-domains", "a string", ["WKAppBoundDomains": "a"], ["a string"]),
    Example("web.app-bound-domains", "an integer in it", ["WKAppBoundDomains": [1]], ["item 0"]),
    Example(
      "web.app-bound-domains", "ten",
      ["WKAppBoundDomains": .array((0..<10).map { .string("h\($0).example") })]),
    Example(
      "web.app-bound-domains", "an update host outside",
      metadata("my-mac.local").with("WKAppBoundDomains", ["example.com"]), ["my-mac.local"]),
    Example(
      "web.app-bound-domains", "an update host below one",
      metadata("nas.example.com").with("WKAppBoundDomains", ["example.com"])),
    Example(
      "local-network.type", "an integer", ["NSLocalNetworkUsageDescription": 1], ["an integer"]),
    Example("local-network.type", "an item", ["NSBonjourServices": [[:]]], ["item 0"]),
    Example("local-network.localized", "an array", ready, ["an array"]) { subject in
      subject.localizedTexts = [
        .init(language: "de", path: "de.lproj/InfoPlist.strings", value: [])
      ]
    },
    Example(
      "ats.value.type", "another version of TLS",
      infoPlist(domains: ["a": ["NSExceptionMinimumTLSVersion": "1.2"]]), ["TLSv1.3"]),
    Example(
      "ats.value.type", "a pin that is a string",
      infoPlist(ats: ["NSPinnedDomains": ["a": ["NSPinnedCAIdentities": ["x"]]]]), ["item 0"]),
    Example(
      "ats.value.type", "a pin without a hash",
      infoPlist(ats: ["NSPinnedDomains": ["a": ["NSPinnedCAIdentities": [[:]]]]]), ["item 0"]),
    Example(
      "ats.misplaced", "a domain's flag among pinned domains",
      infoPlist(ats: ["NSPinnedDomains": ["NSIncludesSubdomains": true]]), ["NSIncludesSubdomains"]),
    Example(
      "ats.misplaced", "an exception's flag in a pinned domain",
      infoPlist(ats: ["NSPinnedDomains": ["a": ["NSExceptionAllowsInsecureHTTPLoads": true]]]),
      ["NSExceptionAllowsInsecureHTTPLoads"]),
  ]
}
