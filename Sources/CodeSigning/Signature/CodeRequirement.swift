/// What a signature asks of code: `Requirement` of Security's `requirement.h`.
public struct CodeRequirement: Sendable, Equatable {
  /// Of whom it is asked: a `kSec…RequirementType` of `CSCommon.h`.
  public enum Kind: Sendable, Hashable, CustomStringConvertible {
    case host, guest, designated, library, plugin
    /// A number that has no name here.
    case other(UInt32)

    /// The name as `csreq` writes it, else the number.
    public var description: String {
      switch self {
      case .host: "host"
      case .guest: "guest"
      case .designated: "designated"
      case .library: "library"
      case .plugin: "plugin"
      case .other(let number): "requirement \(number)"
      }
    }

    init(_ number: UInt32) {
      switch number {
      case 1: self = .host
      case 2: self = .guest
      case 3: self = .designated
      case 4: self = .library
      case 5: self = .plugin
      default: self = .other(number)
      }
    }
  }

  /// Of whom it is asked.
  public let kind: Kind
  /// The expression as `codesign -d -r-` writes it. A form that is not known stands in a comment: it says
  /// its number.
  public let text: String
  /// Whether all of its forms are known, so that the text says all.
  public let isUnderstood: Bool

  /// The requirements of a requirements blob (`kSecCodeMagicRequirementSet`).
  /// - Throws: ``SigningError`` with codes `wrongKind`, `truncated`, `malformed`, `limit`.
  public static func set(
    parsing bytes: [UInt8], limits: SigningLimits = .standard
  ) throws(SigningError) -> [CodeRequirement] {
    guard bytes.count <= limits.requirementBytes else {
      throw SigningError(
        .limit,
        detail:
          "the requirements have \(bytes.count) bytes, and at most \(limits.requirementBytes) are read"
      )
    }
    let index = try SuperBlobIndex(
      bytes, magic: CodeSignatureMagic.requirements, name: "the requirements", limit: limits.blobs)
    return try index.entries.map { entry throws(SigningError) in
      try CodeRequirement(
        parsing: Array(bytes[entry.range]), kind: Kind(entry.type), limits: limits)
    }
  }

  /// One requirement (`kSecCodeMagicRequirement`).
  /// - Throws: ``SigningError`` with codes `wrongKind`, `truncated`, `malformed`, `limit`.
  public init(
    parsing bytes: [UInt8], kind: Kind, limits: SigningLimits = .standard
  ) throws(SigningError) {
    let fields = ByteFields(bytes, isBigEndian: true, name: "the \(kind) requirement")
    guard try fields.word(at: 0) == CodeSignatureMagic.requirement else {
      throw fields.error(.wrongKind, "it is no requirement")
    }
    let form = try fields.word(at: 8)
    self.kind = kind
    // The other form, lwcrForm, is a launch constraint in DER.
    guard form == 1 else {
      text = "/* form \(form) is not known */"
      isUnderstood = false
      return
    }
    var reader = RequirementReader(fields, depth: limits.depth)
    text = try reader.text()
    isUnderstood = reader.isUnderstood
  }
}
