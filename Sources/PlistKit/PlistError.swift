/// Why a property list cannot be read, edited or written.
public struct PlistError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong, in a form that stays the same between versions.
  public enum Code: String, Sendable {
    /// Nothing that any reader knows as a property list.
    case unknownFormat
    /// The bytes end too early.
    case truncated
    /// The bytes break the format's grammar.
    case malformed
    /// Bytes that are no text in the encoding they claim, or an encoding that is not known.
    case encoding
    /// An entity that is not predefined, or a document type with an internal subset.
    case entity
    /// Bytes after the end of the property list.
    case trailingBytes
    /// A key twice in one dictionary.
    case duplicateKey
    /// A reference to an object that is not there, or to one that holds the referring one.
    case badReference
    /// Text that is no number, date or base 64 where one must stand.
    case badValue
    /// More than a bound of ``ParseLimits`` allows.
    case limit
    /// A value that the format cannot hold.
    case unrepresentable
    /// A key path that cannot be read, or that leads nowhere.
    case keyPath
  }

  /// What is wrong.
  public var code: Code
  /// Where in the bytes.
  public var location: PlistLocation?
  /// Where in the value.
  public var keyPath: PlistKeyPath?
  /// A sentence without capital and full stop.
  public var detail: String

  /// An error of these parts.
  public init(
    _ code: Code, at location: PlistLocation? = nil, keyPath: PlistKeyPath? = nil, detail: String
  ) {
    self.code = code
    self.location = location
    self.keyPath = keyPath
    self.detail = detail
  }

  public var description: String {
    let path = keyPath.flatMap { $0.components.isEmpty ? nil : "\($0.brief): " } ?? ""
    return (location.map { "\($0): " } ?? "") + path + detail
  }

  /// Compares the codes: wording may change, codes do not.
  public static func == (a: Self, b: Self) -> Bool { a.code == b.code }
}

/// A place in the bytes of a property list.
public enum PlistLocation: Sendable, Hashable, CustomStringConvertible {
  /// A place in text; both count from 1, the column in bytes of UTF-8.
  case line(Int, column: Int)
  /// A place in a binary file, counted from 0.
  case offset(Int)

  public var description: String {
    switch self {
    case .line(let line, let column): "line \(line), column \(column)"
    case .offset(let offset): "byte \(offset)"
    }
  }
}

/// Something that was read all the same, and that another reader may refuse.
public struct PlistDiagnostic: Sendable, Equatable {
  /// What kind of thing.
  public enum Code: String, Sendable {
    /// Bytes before or after the document that were left alone.
    case surroundingBytes
    /// Something that Apple's reader refuses.
    case refusedByApple
    /// Something that the reader of entitlements refuses: a comment, or the binary form.
    case refusedInEntitlements
    /// Text that no Swift string can hold, shown with replacement characters.
    case unpairedSurrogate
    /// Deeper than the 128 levels that iOS reads.
    case deep
    /// A key twice in one dictionary, where the strictness lets it pass.
    case duplicateKey
    /// A pair whose key is no string: it stays in the file and is not shown.
    case hiddenPair
    /// XML that is not well-formed, where the strictness lets it pass.
    case notWellFormed
  }

  /// What kind of thing.
  public var code: Code
  /// Where in the bytes.
  public var location: PlistLocation?
  /// Where in the value.
  public var keyPath: PlistKeyPath?
  /// A sentence without capital and full stop.
  public var detail: String
}
