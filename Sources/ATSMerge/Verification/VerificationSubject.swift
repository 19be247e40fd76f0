public import NetDiscovery
public import PlistKit

/// What the rules look at, gathered from an app beforehand: plain data, no file is read by a rule.
public struct VerificationSubject: Sendable {
  /// The local-network text of one language, from an `InfoPlist.strings`.
  public struct LocalizedText: Sendable {
    /// The language, as its `.lproj` folder is called.
    public var language: String
    /// The file's path.
    public var path: String
    /// The text, or what stands in its place.
    public var value: PlistValue

    /// A text of these.
    public init(language: String, path: String, value: PlistValue) {
      self.language = language
      self.path = path
      self.value = value
    }
  }

  /// A comparison with the app as it was before.
  public struct Comparison: Sendable {
    /// The Info.plist as it was.
    public var original: PlistValue
    /// What differs in the other members, each as a path and a sentence.
    public var memberDifferences: [(path: String, message: String)]

    /// A comparison of these.
    public init(original: PlistValue, memberDifferences: [(path: String, message: String)]) {
      self.original = original
      self.memberDifferences = memberDifferences
    }
  }

  /// What was found of code, signatures, profiles and entitlements. Whoever reads them judges them too:
  /// the rules tell it.
  public struct Signing: Sendable {
    /// Something that breaks a rule.
    public struct Problem: Sendable {
      /// The rule's ID.
      public var rule: String
      /// What was found and what to do.
      public var message: String
      /// The member it was found in.
      public var file: String?
      /// The value it was found at.
      public var path: PlistKeyPath?
      /// The level, where it is not the rule's own.
      public var level: FindingLevel?

      /// A problem of these parts.
      public init(
        rule: String, message: String, file: String? = nil, path: PlistKeyPath? = nil,
        level: FindingLevel? = nil
      ) {
        self.rule = rule
        self.message = message
        self.file = file
        self.path = path
        self.level = level
      }
    }

    /// What breaks a rule, in the order in which it is told.
    public var problems: [Problem]
    /// Whether the app must be signed.
    public var isRequired: Bool

    /// What was found.
    public init(problems: [Problem], isRequired: Bool = false) {
      self.problems = problems
      self.isRequired = isRequired
    }
  }

  /// The main app's Info.plist.
  public var infoPlist: PlistValue
  /// Its path.
  public var infoPlistPath: String
  /// The main app as a bundle, nil for an Info.plist without an app around it.
  public var mainBundle: Bundle?
  /// The bundles inside the main app.
  public var bundles: [Bundle] = []
  /// The localized local-network texts.
  public var localizedTexts: [LocalizedText] = []
  /// Hosts that the app must be able to reach, beside its update URLs.
  public var destinations: [Destination] = []
  /// The OS on which the app has to work.
  public var os = ATSGeneration.newest
  /// The comparison with an earlier state, where one was asked for.
  public var comparison: Comparison?
  /// What the app is looked at for.
  public var task = VerificationTask.verify
  /// What was found of code and signatures, nil where they are left alone.
  public var signing: Signing?

  /// A subject with nothing but an Info.plist.
  public init(infoPlist: PlistValue, infoPlistPath: String) {
    self.infoPlist = infoPlist
    self.infoPlistPath = infoPlistPath
  }
}

/// A subject with what several rules need worked out once.
struct VerificationFacts {
  let subject: VerificationSubject
  let metadata: UpdateMetadata
  let policy: ATSPolicy
  /// The hosts of HTTP update URLs, each once.
  let updateHosts: [Host]
  let platforms: AppPlatforms
  /// The main app and the bundles in it.
  let bundles: BundleTree

  var root: PlistValue { subject.infoPlist }
  /// The value of `NSAppTransportSecurity`, whatever its type.
  var transport: PlistValue? { root.dictionary?[ATSKey.transportSecurity] }

  init(_ subject: VerificationSubject) {
    self.subject = subject
    metadata = UpdateMetadata(infoPlist: subject.infoPlist)
    policy = ATSPolicy(infoPlist: subject.infoPlist)
    updateHosts = metadata.urls.exceptionHosts
    platforms = AppPlatforms(infoPlist: subject.infoPlist)
    bundles = BundleTree(subject)
  }

  /// The oldest OS that the app runs on, nil where it does not say.
  var oldestOS: (name: String, generation: ATSGeneration)? { platforms.oldest }
}
