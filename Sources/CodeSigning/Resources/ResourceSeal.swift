/// How the files of a bundle stand to its CodeResources.
public struct ResourceSeal: Sendable {
  /// Whether there is a list to check them by.
  public enum State: Sendable, Equatable {
    /// Each entry was checked.
    case checked
    /// There is no `_CodeSignature/CodeResources`.
    case noList
    /// The list cannot be read, or goes beyond a limit, or another run changed the input.
    case unreadable(SigningError)
  }

  /// Something that differs from what is sealed.
  public struct Problem: Sendable, Equatable {
    /// How it differs.
    public enum Kind: String, Sendable, CaseIterable {
      /// A file has other bytes.
      case changed
      /// It is sealed and not there.
      case missing
      /// It is there and not sealed.
      case added
      /// A symbolic link leads elsewhere.
      case linkChanged = "link-changed"
      /// A file is sealed and there is a link or a folder, or the other way round.
      case kindChanged = "kind-changed"
      /// Nested code has another CDHash.
      case codeChanged = "code-changed"
      /// `files` and `files2` tell two SHA-1 hashes of one file.
      case disagreement
      /// It is there and cannot be read.
      case unreadable
    }

    /// How it differs.
    public var kind: Kind
    /// The path from the bundle's folder, as the list has it or as ``AppBundle/Member/path`` shows it.
    public var path: String
    /// More about it, where there is more.
    public var detail: String?

    /// A problem of these parts.
    public init(_ kind: Kind, _ path: String, detail: String? = nil) {
      self.kind = kind
      self.path = path
      self.detail = detail
    }

    /// A sentence without a full stop.
    public var message: String {
      let sentence =
        switch kind {
        case .changed: "\(path) was changed after it was signed"
        case .missing: "\(path) is sealed and missing"
        case .added: "\(path) was added after signing: it is not sealed"
        case .linkChanged: "the symbolic link \(path) was changed"
        case .kindChanged: "\(path) is of another kind than the sealed one"
        case .codeChanged: "\(path) has another signature than the sealed one"
        case .disagreement: "the two lists of CodeResources have different hashes of \(path)"
        case .unreadable: "\(path) cannot be read"
        }
      return detail.map { "\(sentence): \($0)" } ?? sentence
    }
  }

  /// The code object, as ``CodeObject/path``.
  public var object: String
  /// The list, from the input's root.
  public var listPath: String
  /// Whether there is a list.
  public var state: State
  /// The first problems by path, at most ``SigningLimits/resourceProblems``.
  public var problems: [Problem] = []
  /// How many problems there are of each kind.
  public var counts: [Problem.Kind: Int] = [:]
  /// Entries of the list that counts.
  public var entryCount = 0
  /// Rules whose expression is not understood. While there is one, nothing is said to be ``Problem/Kind/added``.
  public var unknownRules: [String] = []
  /// Whether `embedded.mobileprovision` lies there and is not sealed. It is no problem: the profile has a
  /// signature of its own, and `zsign` leaves it out in nested bundles.
  public var leavesProfileOut = false

  /// How many problems there are, those that are not kept by name too.
  public var problemCount: Int { counts.values.reduce(0, +) }
  /// Whether all is as it was sealed.
  public var isIntact: Bool { state == .checked && counts.isEmpty }

  init(object: String, listPath: String, state: State) {
    self.object = object
    self.listPath = listPath
    self.state = state
  }
}
