/// Why something of code signing cannot be read or made.
public struct SigningError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong, in a form that stays the same between versions.
  public enum Code: String, Sendable, CaseIterable {
    /// The bytes are of another kind: no Mach-O, no profile, no property list.
    case wrongKind
    /// The bytes end before what they declare.
    case truncated
    /// Numbers, offsets or structures that contradict each other.
    case malformed
    /// More than a bound of ``SigningLimits`` allows.
    case limit
    /// A form that exists and is not handled.
    case unsupported
    /// The member is missing, or cannot be read from its archive or folder.
    case unreadable
    /// libcrypto failed.
    case crypto
    /// A signer, a file or a tool that is not there.
    case missing
    /// A signer that ended with an error, or with a wrong result.
    case signer
    /// Reading or writing failed midway.
    case io
  }

  /// What is wrong.
  public var code: Code
  /// The file or member concerned.
  public var file: String?
  /// The byte at which it was seen, in that file or structure.
  public var offset: UInt64?
  /// One line without capital and full stop.
  public var detail: String
  /// How to mend it, where that can be said.
  public var hint: String?

  /// An error of these parts.
  public init(
    _ code: Code, file: String? = nil, offset: UInt64? = nil, detail: String, hint: String? = nil
  ) {
    self.code = code
    self.file = file
    self.offset = offset
    self.detail = detail
    self.hint = hint
  }

  /// The place as far as it is known, then the sentence.
  public var description: String {
    let place = offset.map { "byte \($0)" }
    return [file, place, detail].compactMap(\.self).joined(separator: ": ")
  }

  /// Looks at the code alone.
  public static func == (a: Self, b: Self) -> Bool { a.code == b.code }

  /// The same error in a file.
  public func inFile(_ path: String) -> SigningError {
    var copy = self
    copy.file = file ?? path
    return copy
  }
}
