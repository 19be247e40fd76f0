public import PlistKit

/// The `IPAHub` dictionary of an app as it stands, judged by the contract.
///
/// Source: the update contract, "Detect support at runtime".
public struct UpdateMetadata: Sendable {
  /// What an update client would make of it.
  public enum State: String, Sendable {
    /// There is none.
    case absent
    /// There is one that an update client must not use.
    case malformed
    /// An update client can use it.
    case valid
  }

  /// One item of `updateURL`.
  public struct Entry: Sendable {
    /// Where it stands in the property list.
    public let path: PlistKeyPath
    /// The text, nil for an item that is no string.
    public let text: String?
    /// The URL, or what is wrong with it.
    public let url: Result<UpdateURL, UpdateURLError>?
  }

  /// What an update client would make of it.
  public let state: State
  /// The items of `updateURL` in their order.
  public let entries: [Entry]
  /// Whether `updateURL` is one string in place of an array, as older installations have it.
  public let isSingleString: Bool
  /// `source`, where it is a string.
  public let source: String?
  /// `filter`, where it is a string.
  public let filter: String?
  /// `team`, where it is a string.
  public let team: String?
  /// `release`, where it is a string.
  public let release: String?
  /// The keys that the contract does not name.
  public let unknownKeys: [String]
  /// The values of another type than the contract's, as sentences with their key paths.
  public let typeProblems: [(path: PlistKeyPath, message: String)]

  /// The dictionary's key in Info.plist.
  public static let key = "IPAHub"
  /// The keys of the contract, in the order in which they are written.
  public static let knownKeys = ["updateURL", "source", "filter", "team", "release"]
  /// Items of `updateURL` that are looked at. A machine has some ten addresses; a hostile file may name
  /// millions of destinations, each of which would be judged.
  public static let mostEntries = 4_096
  static let path = PlistKeyPath(keys: key)
  static let updateURLPath = PlistKeyPath(keys: key, "updateURL")

  /// Reads the metadata of an Info.plist.
  public init(infoPlist root: PlistValue) {
    let value = root.dictionary?[Self.key]
    let dictionary = value?.dictionary
    var problems: [(path: PlistKeyPath, message: String)] = []
    if let value, dictionary == nil {
      problems.append((Self.path, "IPAHub is \(value.typeName), not a dictionary"))
    }
    func text(_ key: String) -> String? {
      guard let field = dictionary?[key] else { return nil }
      if field.string == nil {
        problems.append(
          (Self.path.appending(key: key), "\(key) is \(field.typeName), not a string"))
      }
      return field.string
    }
    source = text("source")
    filter = text("filter")
    team = text("team")
    release = text("release")
    unknownKeys = dictionary?.keys.filter { !Self.knownKeys.contains($0) } ?? []
    let (items, isSingle, problem) = Self.items(dictionary?["updateURL"])
    isSingleString = isSingle
    if let problem { problems.append((Self.updateURLPath, problem)) }
    if items.count > Self.mostEntries {
      problems.append(
        (
          Self.updateURLPath,
          "updateURL holds \(items.count) items, and at most \(Self.mostEntries) are looked at"
        ))
    }
    entries = items.prefix(Self.mostEntries).enumerated().map { index, item in
      let path = isSingle ? Self.updateURLPath : Self.updateURLPath.appending(index: index)
      guard let text = item.string else {
        problems.append((path, "item \(index) of updateURL is \(item.typeName), not a string"))
        return Entry(path: path, text: nil, url: nil)
      }
      return Entry(
        path: path, text: text,
        url: Result { () throws(UpdateURLError) in try UpdateURL(parsing: text) })
    }
    typeProblems = problems
    let usable =
      !entries.isEmpty && problems.isEmpty && !Self.hasMixedInstallations(entries)
      && entries.allSatisfy { (try? $0.url?.get()) != nil }
    state = value == nil ? .absent : usable ? .valid : .malformed
  }

  /// The URLs that are valid, in their order.
  public var urls: [UpdateURL] { entries.compactMap { try? $0.url?.get() } }

  /// Whether the URLs are of more than one installation.
  public var hasMixedInstallations: Bool { Self.hasMixedInstallations(entries) }

  /// What is wrong, each as a sentence; empty where it is absent or valid.
  public var problems: [String] {
    guard state != .absent else { return [] }
    var problems = typeProblems.map(\.message)
    let hasListProblem = typeProblems.contains {
      $0.path == Self.updateURLPath || $0.path == Self.path
    }
    if entries.isEmpty && !hasListProblem { problems.append("updateURL names no destination") }
    for (index, entry) in entries.enumerated() {
      if case .failure(let error) = entry.url {
        problems.append("updateURL \(index): \(error.detail)")
      }
    }
    if hasMixedInstallations { problems.append("the URLs are of different installations") }
    return problems
  }

  private static func hasMixedInstallations(_ entries: [Entry]) -> Bool {
    Set(entries.compactMap { try? $0.url?.get().installationID }).count > 1
  }

  private static func items(_ value: PlistValue?) -> ([PlistValue], isSingle: Bool, String?) {
    switch value {
    case nil: ([], false, nil)
    case .array(let items): (items, false, nil)
    case .string?: ([value].compactMap(\.self), true, nil)
    case let other?: ([], false, "updateURL is \(other.typeName), not an array")
    }
  }
}
