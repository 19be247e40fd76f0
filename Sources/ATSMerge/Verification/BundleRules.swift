internal import PlistKit

extension RuleTable {
  private typealias Bundle = VerificationSubject.Bundle

  /// The rules on the bundles inside the app: what installing checks.
  ///
  /// Source: what `installd` answers (MIInstallerErrorDomain: `AppexBundleIDNotPrefixed`,
  /// `DuplicateIdentifier`, `InvalidCompanionAppBundleIdentifier`); Apple, "CFBundleIdentifier",
  /// "WKCompanionAppBundleIdentifier".
  static let bundleRules: [Rule] = [
    Rule(
      "bundle.info-plist", .error, "a nested bundle without an Info.plist that can be read",
      help: """
        Apps, extensions, frameworks and services each need an Info.plist, a dictionary; installing \
        fails without it. A *.bundle of resources may do without.
        """, examples: .bundleInfoPlist, for: [.verify, .plan],
      needs: .app
    ) { facts in
      facts.bundles.nested.filter { $0.kind != .resources }.compactMap { bundle in
        switch bundle.infoPlist {
        case .missing:
          Observation("\(bundle.path.shortened) has no Info.plist", file: bundle.infoPlistPath)
        case .unreadable(let reason):
          Observation(
            "the Info.plist of \(bundle.path.shortened) cannot be read: \(reason)",
            file: bundle.infoPlistPath)
        case .read(let root) where root.dictionary == nil:
          Observation(
            "the Info.plist of \(bundle.path.shortened) holds \(root.typeName), not a dictionary",
            file: bundle.infoPlistPath)
        case .read: nil
        }
      }
    },
    Rule(
      "bundle.executable", .error, "an executable that is missing or has no execute bit",
      help: """
        CFBundleExecutable names a file of the bundle, which in apps and extensions needs an execute \
        bit. Zip it with a tool that keeps modes, such as 'ipa-inject pack'; archives made on Windows \
        may have none at all, and then its presence counts.
        """, examples: .bundleExecutable, for: [.verify, .plan],
      needs: .app
    ) { facts in
      ([facts.bundles.main] + facts.bundles.nested).compactMap(executableProblem)
    },
    Rule(
      "bundle.identifier.prefix", .error, "a nested app or extension with a foreign identifier",
      help: """
        The identifier of an extension, a Watch app or an App Clip is that of the app around it, a dot \
        and at least one label: com.example.demo.share in com.example.demo. com.example.demolition is \
        no such one. Frameworks and services are free, and so are helper apps on the Mac.
        """, examples: .bundleIdentifierPrefix, for: [.verify, .plan],
      needs: .app
    ) { facts in
      facts.partsOfTheApp.compactMap { bundle, dictionary in
        let path = PlistKeyPath(keys: "CFBundleIdentifier")
        guard let identifier = dictionary["CFBundleIdentifier"]?.string else {
          let what = dictionary["CFBundleIdentifier"]?.typeName ?? "none"
          return Observation(
            "\(bundle.path.shortened) needs an identifier that is a string, and has \(what)",
            file: bundle.infoPlistPath, at: path)
        }
        let parent = facts.bundles.container(of: bundle, where: \.isApp)
        guard let prefix = parent.identifier, !identifier.isPrefixed(byLabels: prefix) else {
          return nil
        }
        return Observation(
          "\(bundle.path.shortened) is '\(identifier.shortened)', which does not start with "
            + "'\(prefix.shortened).', the identifier of the app around it",
          file: bundle.infoPlistPath, at: path)
      }
    },
    Rule(
      "bundle.companion", .error, "a Watch app or its extension that names another app",
      help: """
        WKCompanionAppBundleIdentifier of a Watch app is the main app's identifier, and \
        NSExtension/NSExtensionAttributes/WKAppBundleIdentifier of a Watch extension is the Watch \
        app's. Change them with the identifiers.
        """, examples: .bundleCompanion, for: [.verify, .plan],
      needs: .app
    ) { facts in
      let apps = facts.bundles.nested.filter(\.isApp)
      return facts.bundles.readable.flatMap { bundle, dictionary in
        bundle.kind == .appExtension
          ? watchExtensionProblems(bundle, dictionary, among: apps, facts)
          : bundle.isApp ? companionProblems(bundle, dictionary, facts) : []
      }
    },
    Rule(
      "bundle.identifier.duplicate", .error, "two bundles with one identifier",
      help: """
        Installing fails where an app or extension has the identifier of another one, or where two \
        frameworks or services of one app or extension share one, or have that of the bundle around \
        them. The same framework in the app and in an extension is fine, and resource bundles are not \
        compared; on the Mac only extensions are.
        """, examples: .bundleIdentifierDuplicate, for: [.verify, .plan],
      needs: .app
    ) { facts in duplicateIdentifiers(facts) },
    Rule(
      "bundle.version", .warning, "a nested bundle with another version than the app",
      help: """
        Extensions, Watch apps and App Clips have the app's CFBundleShortVersionString and \
        CFBundleVersion; the App Store refuses others, and a Watch may not install them. Frameworks have \
        versions of their own.
        """, examples: .bundleVersion, for: [.verify, .plan],
      needs: .app
    ) { facts in
      facts.partsOfTheApp.flatMap { bundle, dictionary in
        ["CFBundleShortVersionString", "CFBundleVersion"].compactMap { key in
          guard let own = dictionary[key]?.string, let version = facts.bundles.main.text(key),
            own != version
          else { return nil }
          return Observation(
            "\(key) of \(bundle.path.shortened) is '\(own.shortened)', the app's is "
              + "'\(version.shortened)'",
            file: bundle.infoPlistPath, at: PlistKeyPath(keys: key))
        }
      }
    },
  ]

  private static func executableProblem(_ bundle: Bundle) -> Observation? {
    guard bundle.dictionary != nil, bundle.kind != .resources else { return nil }
    let path = PlistKeyPath(keys: executableKey)
    func observation(_ text: String) -> Observation {
      Observation(text, file: bundle.infoPlistPath, at: path)
    }
    let name = bundle.text(executableKey).map { "'\($0.shortened)'" } ?? "that"
    let place = bundle.path.isEmpty || bundle.path == "." ? "the app" : bundle.path.shortened
    switch bundle.executable {
    case .present: return nil
    case .notNamed where bundle.kind == .framework: return nil
    case .notNamed: return observation("\(place) names no executable (\(executableKey))")
    case .missing: return observation("the executable \(name) of \(place) is missing")
    // The loader maps a framework's code; it does not execute the file.
    case .notExecutable where bundle.kind == .framework: return nil
    case .notExecutable: return observation("the executable \(name) of \(place) has no execute bit")
    }
  }

  private static func companionProblems(
    _ bundle: Bundle, _ dictionary: PlistDictionary, _ facts: VerificationFacts
  ) -> [Observation] {
    let key = "WKCompanionAppBundleIdentifier"
    guard let main = facts.bundles.main.identifier else { return [] }
    let shown: String
    switch dictionary[key] {
    case nil: return []
    case .string(let text)?:
      guard text != main else { return [] }
      shown = "'\(text.shortened)'"
    case let other?: shown = other.typeName
    }
    return [
      Observation(
        "\(key) of \(bundle.path.shortened) is \(shown), and the app is '\(main.shortened)'",
        file: bundle.infoPlistPath, at: PlistKeyPath(keys: key))
    ]
  }

  private static func watchExtensionProblems(
    _ bundle: Bundle, _ dictionary: PlistDictionary, among nestedApps: [Bundle],
    _ facts: VerificationFacts
  ) -> [Observation] {
    let path = PlistKeyPath(keys: "NSExtension", "NSExtensionAttributes", "WKAppBundleIdentifier")
    guard let value = PlistValue.dictionary(dictionary)[path] else { return [] }
    let around = facts.bundles.container(of: bundle, where: \.isApp)
    // In the form for watchOS 1 the extension lies in the app, and the Watch app in the extension.
    let apps = around.path == facts.bundles.main.path ? nestedApps : [around]
    let identifiers = apps.compactMap(\.identifier)
    guard value.string.map(identifiers.contains) != true, !identifiers.isEmpty || apps.isEmpty
    else {
      return []
    }
    let shown = value.string.map { "'\($0.shortened)'" } ?? value.typeName
    let wanted =
      identifiers.isEmpty
      ? "there is no Watch app" : "the Watch app is '\(identifiers[0].shortened)'"
    return [
      Observation(
        "WKAppBundleIdentifier of \(bundle.path.shortened) is \(shown), and \(wanted)",
        file: bundle.infoPlistPath, at: path)
    ]
  }

  private static func duplicateIdentifiers(_ facts: VerificationFacts) -> [Observation] {
    let isMac = facts.platforms.isMac
    /// What must be unique in what: an identifier in the whole app, or in one bundle.
    struct Scope: Hashable {
      let container: String?
      let identifier: ExactText
    }
    var owners: [Scope: String] = [:]
    func claim(_ bundle: Bundle, in container: String?) -> String? {
      guard let identifier = bundle.identifier else { return nil }
      let scope = Scope(container: container, identifier: ExactText(identifier))
      guard let owner = owners[scope] else {
        owners[scope] = bundle.path
        return nil
      }
      return owner
    }
    let main = facts.bundles.main
    let installed = [main] + facts.bundles.nested.filter(\.isInstalled)
    let counted = installed.filter { !isMac || $0.kind == .appExtension || $0.path == main.path }
    // Each app and extension is known in the whole app, and to the frameworks and services in it.
    let known = counted.map { ($0, claim($0, in: nil)) }
    for bundle in counted { _ = claim(bundle, in: bundle.path) }
    let parts =
      isMac
      ? []
      : facts.bundles.nested.filter { $0.kind == .framework || $0.kind == .service }.map { bundle in
        (bundle, claim(bundle, in: facts.bundles.container(of: bundle, where: \.isInstalled).path))
      }
    return (known + parts).compactMap { bundle, owner in
      guard let owner, let identifier = bundle.identifier else { return nil }
      let place = owner == main.path ? "the app" : owner.shortened
      return Observation(
        "\(bundle.path.shortened) has the identifier '\(identifier.shortened)' of \(place)",
        file: bundle.infoPlistPath, at: PlistKeyPath(keys: "CFBundleIdentifier"))
    }
  }

  private static let executableKey = "CFBundleExecutable"
}

extension VerificationFacts {
  /// The nested bundles that are installed as parts of the app; on the Mac a helper app is one of its own.
  fileprivate var partsOfTheApp: [(bundle: VerificationSubject.Bundle, dictionary: PlistDictionary)]
  {
    bundles.readable.filter { bundle, _ in
      bundle.isInstalled && !(bundle.kind == .app && platforms.isMac)
    }
  }
}

extension String {
  /// Whether the identifier is another one, a dot, and labels that are not empty.
  fileprivate func isPrefixed(byLabels prefix: String) -> Bool {
    guard utf8.starts(with: prefix.utf8), utf8.dropFirst(prefix.utf8.count).first == 0x2E else {
      return false
    }
    let labels = utf8.dropFirst(prefix.utf8.count + 1)
      .split(separator: 0x2E, omittingEmptySubsequences: false)
    return labels.allSatisfy { !$0.isEmpty }
  }
}
