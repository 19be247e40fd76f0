internal import NetDiscovery

/// Where the update server finds new versions of an app.
public enum UpdateSource: Sendable, Hashable, CustomStringConvertible {
  /// A repository's releases: `gh:owner/repo`.
  case releases(String)
  /// One IPA at an `http` or `https` URL.
  case url(String)
  /// A file of the update server's machine.
  case file(String)

  /// Reads `gh:owner/repo`, a URL, or a path.
  ///
  /// Checked: an owner and a repository of letters, digits, `-`, `_` and `.`; a URL's host; no
  /// control characters.
  /// - Throws: ``UpdateSourceError`` with a sentence.
  public init(parsing text: String) throws(UpdateSourceError) {
    guard !text.isEmpty else { throw UpdateSourceError(detail: "the source is empty") }
    guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
      throw UpdateSourceError(detail: "the source has a control character in it")
    }
    if text.hasPrefix("gh:") {
      let parts = text.dropFirst(3).split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count == 2, parts.allSatisfy(Self.isRepositoryPart) else {
        throw UpdateSourceError(detail: "'\(text)' is not gh:OWNER/REPO")
      }
      self = .releases(text)
    } else if let colon = text.firstRange(of: "://") {
      guard Scheme(rawValue: text[..<colon.lowerBound].lowercased()) != nil else {
        throw UpdateSourceError(
          detail: "'\(text)' is neither gh:OWNER/REPO, an http or https URL, nor a path")
      }
      guard Self.hasHost(text[colon.upperBound...]) else {
        throw UpdateSourceError(detail: "'\(text)' has no valid host")
      }
      self = .url(text)
    } else {
      self = .file(text)
    }
  }

  /// The text as it is recorded.
  public var description: String {
    switch self {
    case .releases(let text), .url(let text), .file(let text): text
    }
  }

  /// Whether there are release channels: files and plain URLs have none.
  public var hasChannels: Bool {
    if case .releases = self { true } else { false }
  }

  private static func isRepositoryPart(_ part: Substring) -> Bool {
    !part.isEmpty && part != "." && part != ".."
      && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
  }

  private static func hasHost(_ rest: Substring) -> Bool {
    let authority = rest.prefix { !"/?#".contains($0) }
    let afterUser = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    return (try? Destination(parsing: "http://" + afterUser, defaultPort: 80)) != nil
  }
}

/// Why a text is no source.
public struct UpdateSourceError: Error, Sendable, CustomStringConvertible {
  /// A sentence without capital and full stop.
  public var detail: String
  public var description: String { detail }
}

/// Which releases of a source an installation follows.
public enum ReleaseChannel: String, Sendable {
  /// The latest stable release.
  case latest
  /// The latest pre-release.
  case preRelease = "pre-release"

  /// The channel for a request: a tag, even a pre-release's, follows `latest`.
  public init(request: String) {
    self = Self(rawValue: request) ?? .latest
  }
}
