public import PlistKit

/// What code claims to be allowed, as it stands in its signature or in a profile.
///
/// A signature holds it twice: as an XML property list (slot 5), and as DER (slot 7), which iOS 15 and
/// later read. Values are booleans, integers, strings, arrays and dictionaries.
public struct Entitlements: Sendable, Equatable {
  /// The values by key.
  public var values: PlistDictionary

  /// Entitlements of these values.
  public init(_ values: PlistDictionary = PlistDictionary()) { self.values = values }

  /// Reads an XML or binary property list.
  ///
  /// No bytes, or white space alone, are entitlements without values: signers leave such blobs. A
  /// byte-order mark, white space and a document type before the list are passed over, and zeros behind it.
  /// - Throws: ``SigningError`` with codes `wrongKind` where it is no property list or no dictionary,
  ///   `malformed`, `limit`.
  public init(
    parsing bytes: [UInt8], limits: SigningLimits = .standard
  ) throws(SigningError) {
    var bytes = bytes[...]
    if !bytes.starts(with: Array("bplist".utf8)) {
      while bytes.last == 0 { bytes.removeLast() }
    }
    let marks: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.starts(with: marks) ? bytes.dropFirst(marks.count) : bytes
    guard !text.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) else {
      self.init()
      return
    }
    self.init(try PlistDictionary(parsing: Array(bytes), of: "entitlements", limits: limits))
  }

  /// The value under a key.
  public subscript(key: String) -> PlistValue? {
    get { values[key] }
    set { values[key] = newValue }
  }

  /// Whether there are none.
  public var isEmpty: Bool { values.isEmpty }

  /// The keys that name an application identifier: of iOS and its kin, then of macOS.
  static let applicationIdentifierKeys = [
    "application-identifier", "com.apple.application-identifier",
  ]
  static let teamIdentifierKey = "com.apple.developer.team-identifier"
  static let debuggingKeys = ["get-task-allow", "com.apple.security.get-task-allow"]

  /// `TEAM.bundle.identifier`, of a profile perhaps with `*` as the last label. Nil where it is no string.
  public var applicationIdentifier: String? {
    Self.applicationIdentifierKeys.lazy.compactMap { values[$0]?.string }.first
  }

  /// `com.apple.developer.team-identifier`, nil where it is no string.
  public var teamIdentifier: String? { values[Self.teamIdentifierKey]?.string }

  /// Whether a debugger may attach: `get-task-allow`, nil where it is no boolean.
  public var allowsDebugging: Bool? {
    Self.debuggingKeys.lazy.compactMap { values[$0]?.boolean }.first
  }

  /// The XML property list, as Apple's tools write it, keys in the order of their bytes.
  /// - Throws: ``SigningError`` with code `unsupported` where XML cannot hold a value.
  public func xml() throws(SigningError) -> [UInt8] {
    do throws(PlistError) {
      let root = PlistValue.dictionary(values).sortedByKey
      return try PlistDocument(root: root, format: .xml).serialized()
    } catch {
      throw SigningError(.unsupported, detail: "\(error)")
    }
  }

  /// Whether both have the same keys with the same values; their order does not matter.
  public static func == (a: Entitlements, b: Entitlements) -> Bool {
    PlistValue.dictionary(a.values).sortedByKey == PlistValue.dictionary(b.values).sortedByKey
  }

  /// A key under which two sets of entitlements differ.
  public struct Difference: Sendable, Equatable {
    /// The key.
    public let key: String
    /// The value in the first, nil where it has none.
    public let first: PlistValue?
    /// The value in the second, nil where it has none.
    public let second: PlistValue?
  }

  /// Where others differ from these, by key in the order of their bytes. The order of keys does not matter.
  public func differences(to others: Entitlements) -> [Difference] {
    var seconds: [[UInt8]: PlistValue] = [:]
    for entry in others.values.entries { seconds[Array(entry.key.utf8)] = entry.value }
    var differences: [Difference] = []
    for entry in values.entries {
      let second = seconds.removeValue(forKey: Array(entry.key.utf8))
      guard second?.sortedByKey != entry.value.sortedByKey else { continue }
      differences.append(Difference(key: entry.key, first: entry.value, second: second))
    }
    for (key, value) in seconds {
      differences.append(
        Difference(key: String(decoding: key, as: UTF8.self), first: nil, second: value))
    }
    return differences.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}

extension PlistValue {
  /// The same value, with the keys of every dictionary in the order of their bytes.
  var sortedByKey: PlistValue {
    switch self {
    case .dictionary(let dictionary):
      let sorted = dictionary.entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      return .dictionary(PlistDictionary(sorted.map { ($0.key, $0.value.sortedByKey) }))
    case .array(let values): return .array(values.map(\.sortedByKey))
    default: return self
    }
  }
}

extension PlistDictionary {
  /// Reads a property list in XML or binary form whose root is a dictionary, as Apple's readers do.
  /// - Throws: ``SigningError`` with codes `wrongKind`, `malformed`, `limit`.
  init(parsing bytes: [UInt8], of what: String, limits: SigningLimits) throws(SigningError) {
    var bounds = ParseLimits.standard
    bounds.bytes = limits.profileBytes
    bounds.depth = limits.depth
    bounds.objects = limits.values
    bounds.pairs = limits.values
    bounds.expandedObjects = limits.values
    bounds.expandedBytes = limits.profileBytes
    let document: PlistDocument
    do throws(PlistError) {
      document = try PlistDocument(parsing: bytes, limits: bounds, strictness: .apple)
    } catch {
      throw SigningError(error, reading: "the \(what)")
    }
    guard document.format != .openStep else {
      throw SigningError(.wrongKind, detail: "the \(what) are no XML or binary property list")
    }
    guard case .dictionary(let dictionary) = document.root else {
      throw SigningError(
        .wrongKind, detail: "the \(what) are no dictionary but \(document.root.typeName)")
    }
    self = dictionary
  }
}
