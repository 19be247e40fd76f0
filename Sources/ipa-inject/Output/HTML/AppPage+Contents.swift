internal import ATSMerge
internal import AppBundle
internal import PlistKit

extension AppPage {
  /// What the app says when it asks for the local network.
  var localNetwork: HTML {
    let root = report.loaded.root.dictionary
    let base = root?[LocalNetworkText.key]
    let services = report.bonjourServices
    let texts = report.localizedTexts
    return .group([
      HTML.facts([
        (
          "Text",
          base.map { value in
            value.string.map { LocalNetworkText.isBlank($0) ? HTML.text("blank") : HTML.own($0) }
              ?? HTML.text("\(value.typeName), not a string")
          } ?? HTML.text("none")
        ),
        (
          "Bonjour services",
          services.isEmpty
            ? nil
            : .group([
              HTML.own(services.prefix(20).joined(separator: ", ")),
              HTML.more(than: 20, of: services.count, "services"),
            ])
        ),
      ]),
      texts.isEmpty
        ? .empty
        : HTML.table(
          "languages",
          caption: "The text by language", columns: ["Language", "Text"],
          rows: texts.prefix(Self.mostRows).map { text in
            [
              HTML.code(text.language),
              LocalNetworkText.isBlank(text.text) ? HTML.text("blank") : HTML.own(text.text),
            ]
          }),
      HTML.more(than: Self.mostRows, of: texts.count, "languages"),
    ])
  }

  /// The app with all that is in it.
  var bundles: HTML {
    guard let path = report.loaded.bundlePath else { return .empty }
    let tree = BundleTree(report.nested, below: path, most: Self.mostRows)
    return .group([
      tag(.ul, .class("tree")) {
        tag(.li) {
          bundle(
            path == "." ? name : path, kind: .app,
            identifier: report.loaded.text("CFBundleIdentifier"),
            version: report.loaded.text("CFBundleShortVersionString"),
            isSigned: report.loaded.application.isSealed)
          list(tree.children)
        }
      },
      HTML.more(than: Self.mostRows, of: report.nested.count, "bundles"),
    ])
  }

  private func list(_ children: [BundleTree.Node]) -> HTML {
    guard !children.isEmpty else { return .empty }
    return tag(.ul) {
      for node in children {
        tag(.li) {
          bundle(
            node.shown, kind: node.nested.bundle.kind,
            identifier: node.nested.text("CFBundleIdentifier"),
            version: node.nested.text("CFBundleShortVersionString"),
            isSigned: node.nested.bundle.isSealed)
          list(node.children)
        }
      }
    }
  }

  private func bundle(
    _ path: String, kind: BundleKind, identifier: String?, version: String?, isSigned: Bool
  ) -> HTML {
    .group([
      tag(.div, .class("path")) { HTML.path(path) },
      tag(.div, .class("bundle")) {
        kind.word
        if let identifier {
          ", "
          HTML.code(identifier, limit: 200)
        }
        if let version {
          ", version "
          HTML.own(version, limit: 60)
        }
        switch kind {
        case .dynamicLibrary: HTML.empty
        // Resources are sealed with the bundle around them.
        case .bundle: isSigned ? ", signed" : ""
        default: isSigned ? ", signed" : ", not signed"
        }
      },
    ])
  }

  /// What the app is and where it came from.
  var about: HTML {
    let loaded = report.loaded
    return .group([
      HTML.facts([
        ("Name", report.name.map { HTML.own($0) }),
        ("Identifier", loaded.text("CFBundleIdentifier").map { HTML.code($0) }),
        ("Version", loaded.text("CFBundleShortVersionString").map { HTML.own($0) }),
        ("Build", loaded.text("CFBundleVersion").map { HTML.own($0) }),
        ("Platforms", report.platforms.joined(separator: ", ").nonEmpty.map { HTML.own($0) }),
        (
          "Needs",
          report.minimumOSVersion.map { version in
            .group([
              HTML.text(meanings.platforms.system + " "), HTML.own(version, limit: 60),
              HTML.text(" or later"),
            ])
          }
        ),
        ("Executable", loaded.text("CFBundleExecutable").map { HTML.code($0) }),
        ("Info.plist", HTML.path(loaded.application.infoPlistPath)),
        ("Its form", HTML.text(loaded.document.format.rawValue)),
        (
          "Container",
          HTML.text(
            "\(loaded.application.kind.rawValue), \(loaded.application.byteCount.grouped) bytes, "
              + "\(loaded.application.entryCount.grouped) "
              + (loaded.application.entryCount == 1 ? "entry" : "entries"))
        ),
        ("Icon", icon.note.map { HTML.text($0) }),
      ]),
      report.warnings.isEmpty
        ? .empty
        : .group([
          tag(.h3, text: "Oddities of the container"),
          tag(.ul) {
            for warning in report.warnings.prefix(20) { tag(.li) { HTML.own(warning) } }
          },
          HTML.more(than: 20, of: report.warnings.count, "oddities"),
        ]),
    ])
  }
}

extension BundleKind {
  /// What it is, in words.
  fileprivate var word: String {
    switch self {
    case .app: "App"
    case .watchApp: "Watch app"
    case .appClip: "App Clip"
    case .appex: "App extension"
    case .framework: "Framework"
    case .xpcService: "XPC service"
    case .systemExtension: "System extension"
    case .driverExtension: "Driver extension"
    case .bundle: "Resource bundle"
    case .dynamicLibrary: "Dynamic library"
    }
  }
}
