public import NetDiscovery
public import PlistKit

/// What is to be written into an app's Info.plist.
public struct Injection: Sendable {
  /// The update URLs in the order in which the app is to try them.
  public var urls: [UpdateURL]
  /// Where the update server finds new versions.
  public var source: UpdateSource
  /// Which of several files of a release.
  public var filter: String?
  /// The signing team that was asked for.
  public var team: String?
  /// The channel; nil where the source has none.
  public var release: ReleaseChannel?
  /// The local-network text for an app without one.
  public var purpose = LocalNetworkText.standard
  /// Whether to drop the exceptions of an earlier injection that are no longer needed.
  public var prunes = false

  /// An injection of URLs; a text that is repeated counts once.
  public init(
    urls: [UpdateURL], source: UpdateSource, filter: String? = nil, team: String? = nil,
    release: ReleaseChannel? = nil
  ) {
    var seen: Set<UpdateURL> = []
    self.urls = urls.filter { seen.insert($0).inserted }
    self.source = source
    self.filter = filter
    self.team = team
    self.release = release
  }

  /// The hosts that need an exception: those of HTTP URLs, each once, in order.
  public var exceptionHosts: [Host] { urls.exceptionHosts }
}

extension [UpdateURL] {
  /// The hosts of the HTTP URLs, each once, in order.
  package var exceptionHosts: [Host] {
    var seen: Set<Host> = []
    return filter { $0.scheme == .http }.map(\.host).filter { seen.insert($0).inserted }
  }
}

/// An Info.plist with something changed in it.
public struct Preparation: Sendable {
  /// The edited document.
  public var document: PlistDocument
  /// What differs from the one that was given, in the order of the document.
  public var changes: [PlistChange]
  /// What a person should know about it, as sentences.
  public var notes: [String]
  /// What the oldest OS that the app runs on makes of the exceptions, as sentences: none where that OS
  /// reads them all, or nothing changed.
  public var platformNotes: [String] = []
}

/// Why an Info.plist cannot be edited.
public struct MergeError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong.
  public enum Code: String, Sendable {
    /// A value on the way is of a type that cannot be merged into.
    case wrongType
    /// There is nothing to write.
    case noDestination
    /// The property list cannot be compared or written.
    case plist
  }

  /// What is wrong.
  public var code: Code
  /// The value in question.
  public var keyPath: PlistKeyPath
  /// A sentence without capital and full stop.
  public var detail: String

  public var description: String { keyPath.components.isEmpty ? detail : "\(keyPath): \(detail)" }

  /// Compares the codes.
  public static func == (a: Self, b: Self) -> Bool { a.code == b.code }

  static func wrongType(_ value: PlistValue, at path: PlistKeyPath, wanted: String) -> MergeError {
    MergeError(
      code: .wrongType, keyPath: path,
      detail: "it is \(value.typeName), and \(wanted) is needed; nothing was changed")
  }
}
