/// The sealed resources of a bundle: what `_CodeSignature/CodeResources` says.
///
/// The file has two lists. `files` (version 1) holds SHA-1 hashes of files; `files2` (version 2, since
/// OS X 10.9 and iOS 7) SHA-256 hashes, symbolic links, and in deep bundles nested code by its CDHash. Where
/// there is a version 2, it alone counts. Form and meaning as in `resources.cpp` and `StaticCode.cpp` of
/// Apple's Security framework.
public struct CodeResources: Sendable, Equatable {
  /// What is sealed at one path.
  public enum Content: Sendable, Equatable {
    /// A file of these hashes; one of them is there at least.
    case file(sha1: [UInt8]?, sha256: [UInt8]?)
    /// A symbolic link to this target.
    case link(target: String)
    /// Code with a signature of its own: the first 20 bytes of its CodeDirectory's hash, and the requirement
    /// that it fulfils, as text. One of them is there at least.
    case code(cdHash: [UInt8]?, requirement: String?)
  }

  /// One sealed path.
  public struct Entry: Sendable, Equatable {
    /// The path from the bundle's folder.
    public var path: String
    /// What is sealed there.
    public var content: Content
    /// Whether it may be missing.
    public var isOptional: Bool

    /// An entry of these parts.
    public init(path: String, content: Content, isOptional: Bool = false) {
      self.path = path
      self.content = content
      self.isOptional = isOptional
    }
  }

  /// Which paths are sealed, and how. Of the rules that match a path the one of the greatest weight counts;
  /// of equal ones one that omits, else the first.
  public struct Rule: Sendable, Equatable {
    /// A POSIX extended regular expression that is looked for anywhere in the path.
    public var pattern: String
    /// How strong the rule is.
    public var weight: Double
    /// What it matches is left out.
    public var omits: Bool
    /// What it matches may be missing.
    public var isOptional: Bool
    /// What it matches is code with a signature of its own.
    public var isNested: Bool

    /// A rule of these parts.
    public init(
      _ pattern: String, weight: Double = 1, omits: Bool = false, isOptional: Bool = false,
      isNested: Bool = false
    ) {
      self.pattern = pattern
      self.weight = weight
      self.omits = omits
      self.isOptional = isOptional
      self.isNested = isNested
    }
  }

  /// One of the two lists with its rules.
  public struct List: Sendable, Equatable {
    /// What is sealed, in the file's order, each path once.
    public var entries: [Entry]
    /// The rules in the file's order.
    public var rules: [Rule]

    /// A list of these.
    public init(entries: [Entry] = [], rules: [Rule] = []) {
      self.entries = entries
      self.rules = rules
    }
  }

  /// `files` and `rules`, nil where there is neither.
  public var version1: List?
  /// `files2` and `rules2`, nil where there is neither.
  public var version2: List?

  /// Sealed resources of these lists.
  public init(version1: List?, version2: List?) {
    self.version1 = version1
    self.version2 = version2
  }

  /// The list that counts.
  public var effective: List { version2 ?? version1 ?? List() }
}
