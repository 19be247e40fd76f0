public import PlistKit

extension VerificationSubject {
  /// A bundle as the rules look at it.
  public struct Bundle: Sendable {
    /// What kind of bundle.
    public enum Kind: Sendable {
      /// An app; in the main app one that is neither of the next two.
      case app
      /// `Watch/*.app`.
      case watchApp
      /// `AppClips/*.app`.
      case appClip
      /// `*.appex`.
      case appExtension
      /// `*.framework`.
      case framework
      /// `*.xpc`, `*.systemextension`.
      case service
      /// `*.bundle`: resources, seldom code.
      case resources
    }

    /// What was found of its Info.plist.
    public enum InfoPlist: Sendable {
      /// There is none.
      case missing
      /// It cannot be read: why.
      case unreadable(String)
      /// A property list, whose root should be a dictionary.
      case read(PlistValue)
    }

    /// What was found of the executable that Info.plist names.
    public enum Executable: Sendable, Equatable {
      /// Info.plist names none.
      case notNamed
      /// There is no such file.
      case missing
      /// There is a file without an execute bit.
      case notExecutable
      /// There is one, or nothing more can be told.
      case present
    }

    /// The path from the input's root.
    public var path: String
    /// What kind of bundle.
    public var kind: Kind
    /// Where its Info.plist lies, or would.
    public var infoPlistPath: String
    /// What was found of its Info.plist.
    public var infoPlist: InfoPlist
    /// What was found of its executable.
    public var executable: Executable

    /// A bundle of these.
    public init(
      path: String, kind: Kind, infoPlistPath: String, infoPlist: InfoPlist, executable: Executable
    ) {
      self.path = path
      self.kind = kind
      self.infoPlistPath = infoPlistPath
      self.infoPlist = infoPlist
      self.executable = executable
    }

    /// The Info.plist's dictionary, nil where there is none that can be read.
    var dictionary: PlistDictionary? {
      if case .read(let root) = infoPlist { root.dictionary } else { nil }
    }

    /// A text of the Info.plist.
    func text(_ key: String) -> String? { dictionary?[key]?.string }

    var identifier: String? { text("CFBundleIdentifier") }

    /// Whether it is one of those that a system installs as an app or an extension.
    var isInstalled: Bool {
      switch kind {
      case .app, .watchApp, .appClip, .appExtension: true
      case .framework, .service, .resources: false
      }
    }

    var isApp: Bool { isInstalled && kind != .appExtension }
  }
}

/// The main app and the bundles in it, with which lies in which.
struct BundleTree: Sendable {
  typealias Bundle = VerificationSubject.Bundle

  /// The main app; without one, an app of which nothing is known but the Info.plist.
  let main: Bundle
  let nested: [Bundle]
  private let places: [String: Int]

  init(_ subject: VerificationSubject) {
    main =
      subject.mainBundle
      ?? Bundle(
        path: "", kind: .app, infoPlistPath: subject.infoPlistPath,
        infoPlist: .read(subject.infoPlist), executable: .present)
    nested = subject.bundles
    places = Dictionary(
      subject.bundles.enumerated().map { ($1.path, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The nearest bundle around another one that a condition holds for, the main app in the end.
  func container(of bundle: Bundle, where isMeant: (Bundle) -> Bool) -> Bundle {
    var rest = bundle.path[...]
    while let slash = rest.lastIndex(of: "/") {
      rest = rest[..<slash]
      if let place = places[String(rest)], isMeant(nested[place]) { return nested[place] }
    }
    return main
  }

  /// The nested bundles with an Info.plist that could be read.
  var readable: [(bundle: Bundle, dictionary: PlistDictionary)] {
    nested.compactMap { bundle in bundle.dictionary.map { (bundle, $0) } }
  }
}
