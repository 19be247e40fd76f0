internal import PlistKit

/// Something that is not as it should be with what came back from a signer.
package struct HandOffFinding: Sendable, Equatable {
  /// What may be wrong beside what the rules of `verify` find.
  package enum Kind: String, Sendable, CaseIterable {
    /// A rule on signatures found something.
    case signature = "signature"
    /// A symbolic link became a file, or is gone.
    case symbolicLinks = "sign.symbolic-links"
    /// A file that could be executed no longer can.
    case executeBits = "sign.execute-bits"
    /// A file that nobody may read.
    case permissions = "sign.permissions"
    /// A name is another one than before.
    case names = "sign.names"
    /// A file whose name, or whose folder's, begins with a point is gone.
    case hiddenFiles = "sign.hidden-files"
    /// Another file is gone.
    case removed = "sign.removed"
    /// A file has come.
    case added = "sign.added"
    /// A property list has another format.
    case plistFormat = "sign.plist-format"
    /// What an update needs is gone from Info.plist, or changed.
    case updateMetadata = "sign.update-metadata"
    /// Another value of Info.plist changed.
    case plistValues = "sign.plist-values"
    /// A bundle has another identifier.
    case identifier = "sign.identifier"
    /// The team of the signature is not the profile's.
    case team = "sign.team"
    /// The archive is much larger.
    case size = "sign.size"

    /// Whether devices mind.
    package var level: SigningProblem.Level {
      switch self {
      case .added, .plistFormat, .plistValues, .size: .warning
      default: .error
      }
    }

    /// What it means, as it stands in the documentation.
    package var summary: String {
      switch self {
      case .signature: "a rule on signatures found something"
      case .symbolicLinks: "a symbolic link became a file, or is gone"
      case .executeBits: "a file that could be executed no longer can"
      case .permissions: "a file that nobody may read"
      case .names: "a name is another one than before"
      case .hiddenFiles: "a file or folder whose name begins with a point is gone"
      case .removed: "another file is gone"
      case .added: "a file has come"
      case .plistFormat: "a property list has another format"
      case .updateMetadata: "what updates need is gone from Info.plist, or changed"
      case .plistValues: "another value of Info.plist changed"
      case .identifier: "a bundle has another identifier"
      case .team: "the team of the signature is not the profile's"
      case .size: "the archive is much larger"
      }
    }
  }

  /// The rule, as `verify` names it, or the kind.
  package var rule: String
  package var level: SigningProblem.Level
  /// What was found, as a sentence without a full stop.
  package var message: String
  /// What the signer is known for, and how to get around it.
  package var trap: String?
  package var file: String?
  package var keyPath: String?

  package init(
    _ kind: Kind, _ message: String, file: String? = nil, keyPath: String? = nil,
    level: SigningProblem.Level? = nil, trap: String? = nil
  ) {
    rule = kind.rawValue
    self.level = level ?? kind.level
    self.message = message
    self.file = file
    self.keyPath = keyPath
    self.trap = trap
  }

  /// What a rule on signatures found.
  package init(_ problem: SigningProblem, trap: String? = nil) {
    rule = problem.rule.rawValue
    level = problem.level ?? .error
    message = problem.message
    file = problem.file
    keyPath = problem.keyPath?.description
    self.trap = trap
  }

  /// The finding in one line.
  package var line: String {
    message + (trap.map { " (\($0))" } ?? "")
  }
}
