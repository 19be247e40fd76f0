#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Why an application cannot be opened, read, compared or written.
public struct BundleError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong, in a form that stays the same between versions.
  public enum Code: String, Sendable, CaseIterable {
    /// The input does not exist.
    case notFound
    /// The input is there, but may not be read, or is neither a file nor a folder.
    case unreadable
    /// Nothing that could hold an application, and no property list.
    case notAnArchive
    /// An archive or folder without `Payload/`.
    case noPayload
    /// No application where one must lie, or none of the asked name.
    case noApplication
    /// More than one application, and none was chosen.
    case severalApplications
    /// The application has no Info.plist.
    case noInfoPlist
    /// A member that another one of the same name, or of one that a reader could take for the same,
    /// stands beside.
    case duplicateMember
    /// Info.plist is a folder, a symbolic link or a special file.
    case infoPlistNotAFile
    /// A member that was to be read is no regular file.
    case notAFile
    /// No member of that name.
    case noMember
    /// The member is encrypted.
    case encrypted
    /// The member's compression method is neither "stored" nor "deflated".
    case unsupportedMethod
    /// Two places that must agree do not: offsets, counts, sizes, names.
    case inconsistent
    /// Two members share bytes.
    case overlapping
    /// The bytes do not have the checksum that the archive tells.
    case checksum
    /// More than a bound of ``ArchiveLimits`` allows.
    case limit
    /// The file ends too early.
    case truncated
    /// A name or a link that leads out of the tree.
    case pathEscapes
    /// Something stands where the output would go.
    case outputExists
    /// The output's folder is missing or may not be written.
    case outputNotWritable
    /// The output's name asks for a form into which this input does not go.
    case wrongOutputKind
    /// What stands where the output would go is not of the output's kind, so it is not replaced.
    case outputOfOtherKind
    /// The output would go into the input.
    case outputInInput
    /// Reading or writing failed midway.
    case io
    /// The input was changed by something else while it was in use.
    case inputChanged
    /// A folder stands where a file is to be written.
    case isDirectory
  }

  /// What is wrong.
  public var code: Code
  /// The member concerned, relative to the input's root, as ``Member/path`` shows it.
  public var member: String?
  /// One line without capital and full stop.
  public var detail: String
  /// How to mend it, where that can be said.
  public var hint: String?

  /// An error of these parts.
  public init(_ code: Code, member: String? = nil, detail: String, hint: String? = nil) {
    self.code = code
    self.member = member
    self.detail = detail
    self.hint = hint
  }

  public var description: String { (member.map { "\($0): " } ?? "") + detail }

  /// Compares the codes: wording may change, codes do not.
  public static func == (a: Self, b: Self) -> Bool { a.code == b.code }
}

extension BundleError {
  /// What an archive lacks that begins as one and does not end as one.
  static var cutShort: BundleError {
    BundleError(
      .truncated, detail: "it begins as a zip archive and has no end record: it was cut short",
      hint: "download or pack it again")
  }

  /// The error of a call that reads the input.
  static func reading(_ number: Int32, _ doing: String, member: String? = nil) -> BundleError {
    let code: Code =
      switch number {
      case ENOENT, ENOTDIR: .notFound
      case EACCES, EPERM, ELOOP, ENAMETOOLONG: .unreadable
      default: .io
      }
    return BundleError(code, member: member, detail: "\(doing): \(text(number))")
  }

  /// The error of a call that makes the output.
  static func writing(_ number: Int32, _ doing: String) -> BundleError {
    let code: Code =
      switch number {
      case EEXIST, ENOTEMPTY: .outputExists
      case EISDIR: .isDirectory
      case ENOSPC, EDQUOT, EIO, EFBIG: .io
      default: .outputNotWritable
      }
    return BundleError(code, detail: "\(doing): \(text(number))")
  }

  private static func text(_ number: Int32) -> String {
    let text = String(cString: strerror(number))
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
