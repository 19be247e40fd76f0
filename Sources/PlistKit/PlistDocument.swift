/// The form in which a property list is stored.
public enum PlistFormat: String, Sendable {
  /// Apple's XML form (PropertyList-1.0.dtd).
  case xml
  /// The binary form, `bplist00`.
  case binary
  /// The text form of OpenStep and of `.strings` files; it is read, never written.
  case openStep = "openstep"
}

/// A property list with the bytes it came from.
///
/// Change ``root`` as any value; ``serialized()`` then works out what differs from what was read and
/// changes only the bytes of that. Without a difference it returns the very bytes that were read, so
/// undoing an edit undoes it to the byte.
///
/// ```swift
/// var document = try PlistDocument(parsing: bytes)
/// document.root = try document.root.setting("My app", at: PlistKeyPath(keys: "CFBundleName"))
/// let edited = try document.serialized()
/// ```
public struct PlistDocument: Sendable {
  /// The form in which it is written.
  public let format: PlistFormat
  /// The value. Assign to it to edit.
  public var root: PlistValue
  /// What was read all the same, and that another reader may refuse.
  public let diagnostics: [PlistDiagnostic]

  private let original: PlistValue?
  private let layout: (any PlistLayout)?

  /// Reads a property list; the format is told from the content.
  ///
  /// `bplist` at the start makes it binary, and a damaged binary file is tried as nothing else unless
  /// ``ParseStrictness/readsDamagedBinaryAsText`` is on. Otherwise it is XML if the first character
  /// after a byte-order mark and white space is `<` and starts no hexadecimal data, else OpenStep text.
  /// - Throws: ``PlistError`` of every code but `keyPath` and `unrepresentable`.
  public init(
    parsing bytes: [UInt8], limits: ParseLimits = .standard, strictness: ParseStrictness = .strict
  ) throws(PlistError) {
    guard bytes.count <= limits.bytes else {
      throw PlistError(
        .limit, detail: "\(bytes.count) bytes, and at most \(limits.bytes) are read")
    }
    let parsed: ParsedPlist
    (format, parsed) = try Self.parse(bytes, limits: limits, strictness: strictness)
    root = parsed.root
    original = parsed.root
    layout = parsed.layout
    diagnostics = parsed.diagnostics
  }

  /// A new property list, to be written in a format.
  public init(root: PlistValue, format: PlistFormat) {
    self.format = format
    self.root = root
    diagnostics = []
    original = nil
    layout = nil
  }

  /// The bytes: those that were read, changed where ``root`` was.
  /// - Throws: ``PlistError`` with code `unrepresentable` where the format cannot hold a value, or
  ///   `limit` where writing shared objects out comes to too many.
  public func serialized() throws(PlistError) -> [UInt8] {
    if let layout, let original { return try layout.serialized(root, original: original) }
    return switch format {
    case .xml: try XMLPlist.serialize(root)
    case .binary: try BinaryPlist.serialize(root)
    case .openStep:
      throw PlistError(.unrepresentable, detail: "OpenStep text is only read, never written")
    }
  }

  /// Where a value stands in the bytes that were read, nil for one that came later.
  public func location(of path: PlistKeyPath) -> PlistLocation? {
    guard let place = places(of: [path])[0], place.isExact else { return nil }
    return place.location
  }

  /// Where the values at some paths stand in the bytes that were read; for one that is missing the
  /// nearest container of those that its path leads through. The time is that of the document and the
  /// paths together. Nil throughout for a document that was not read.
  public func places(of paths: [PlistKeyPath]) -> [PlistPlace?] {
    guard let layout, let original else { return paths.map { _ in nil } }
    return layout.places(of: paths, in: original)
  }

  private static func parse(
    _ bytes: [UInt8], limits: ParseLimits, strictness: ParseStrictness
  ) throws(PlistError) -> (PlistFormat, ParsedPlist) {
    let format = try format(of: bytes)
    switch format {
    case .xml: return (format, try XMLPlist.parse(bytes, limits: limits, strictness: strictness))
    case .openStep:
      return (format, try OpenStepPlist.parse(bytes, limits: limits, strictness: strictness))
    case .binary:
      do throws(PlistError) {
        return (format, try BinaryPlist.parse(bytes, limits: limits, strictness: strictness))
      } catch {
        guard strictness.readsDamagedBinaryAsText,
          let text = try? OpenStepPlist.parse(bytes, limits: limits, strictness: strictness)
        else { throw error }
        return (.openStep, text)
      }
    }
  }

  private static func format(of bytes: [UInt8]) throws(PlistError) -> PlistFormat {
    if bytes.starts(with: "bplist".utf8) { return .binary }
    guard !bytes.isEmpty else {
      throw PlistError(.unknownFormat, detail: "the file is empty")
    }
    // The UTF-16 and UTF-32 forms of '<' hold it among zero bytes.
    let first = bytes.firstIndex { byte in
      switch byte {
      case 0xEF, 0xBB, 0xBF, 0xFE, 0xFF, 0x00, 0x09, 0x0A, 0x0D, 0x20: false
      default: true
      }
    }
    guard let first, bytes[first] == UInt8(ascii: "<") else { return .openStep }
    return isData(bytes[(first + 1)...]) ? .openStep : .xml
  }

  /// Whether bytes continue a `<` as OpenStep's data, which no element of a property list can: each
  /// name has a letter beyond the hexadecimal digits.
  private static func isData(_ bytes: ArraySlice<UInt8>) -> Bool {
    let other = bytes.first { byte in
      switch byte {
      case 0x00, 0x09, 0x0A, 0x0D, 0x20, 0xE2, 0x80, 0xA8, 0xA9: false
      default: byte.digit(radix: 16) == nil
      }
    }
    return other == UInt8(ascii: ">")
  }
}

/// What a reader returns.
struct ParsedPlist: Sendable {
  var root: PlistValue
  var layout: any PlistLayout
  var diagnostics: [PlistDiagnostic] = []
}

/// The source of a document: its bytes, and where in them each value stands.
protocol PlistLayout: Sendable {
  /// The source's bytes with what differs between the two values changed in them.
  func serialized(_ edited: PlistValue, original: PlistValue) throws(PlistError) -> [UInt8]
  /// Where the values at some paths of the original stand, or the nearest containers of those.
  func places(of paths: [PlistKeyPath], in original: PlistValue) -> [PlistPlace?]
}
