/// A Mach-O file: its slices, one for each architecture.
///
/// A fat file (`<mach-o/fat.h>`) holds several, each a Mach-O file of its own; a thin one is its only slice.
/// Its header is big-endian whatever its slices are. Slices must lie in the file, behind the header, and
/// none may overlap another.
public struct MachOFile: Sendable {
  /// Whether a fat header stands before the slices, be it of one slice only.
  public let isFat: Bool
  /// Whether the fat header has 64-bit offsets (`FAT_MAGIC_64`).
  public let isFat64: Bool
  /// The slices in the order of the header; never empty.
  public let slices: [MachOSlice]

  /// Reads the headers and load commands of all slices.
  /// - Throws: ``SigningError`` with codes `wrongKind` where this is no Mach-O file, `truncated`,
  ///   `malformed`, `limit`, `unsupported`, `unreadable`, `io`.
  public init(
    _ source: any ByteSource, limits: SigningLimits = .standard
  ) throws(SigningError) {
    let head = try source.bytes(at: 0, count: Int(min(source.size, 8)))
    switch Self.kind(ofFirst: head) {
    case .thin:
      isFat = false
      isFat64 = false
      slices = [
        try MachOSlice(source, range: 0..<source.size, alignment: 0, declared: nil, limits: limits)
      ]
    case .fat(let is64Bit):
      isFat = true
      isFat64 = is64Bit
      slices = try FatHeader(source, is64Bit: is64Bit, limits: limits).architectures
        .map { architecture throws(SigningError) in
          try MachOSlice(
            source, range: architecture.range, alignment: architecture.alignment,
            declared: architecture.cpuType, limits: limits)
        }
    case .swappedFat:
      throw SigningError(
        .unsupported, offset: 0,
        detail: "a fat header in little-endian order, which no system reads")
    case .other:
      throw SigningError(.wrongKind, offset: 0, detail: "it is no Mach-O file")
    }
  }

  /// Whether a file that begins with these bytes, of which 8 are enough, is a Mach-O file.
  public static func isMachO(first bytes: some Sequence<UInt8>) -> Bool {
    switch kind(ofFirst: Array(bytes.prefix(8))) {
    case .thin, .fat: true
    case .swappedFat, .other: false
    }
  }

  private enum Kind {
    case thin, swappedFat, other
    case fat(is64Bit: Bool)
  }

  /// What the first eight bytes say.
  private static func kind(ofFirst head: [UInt8]) -> Kind {
    let fields = ByteFields(head, isBigEndian: true, name: "the file")
    guard let magic = try? fields.word(at: 0) else { return .other }
    switch magic {
    case Magic.thin32, Magic.thin64, Magic.thin32.byteSwapped, Magic.thin64.byteSwapped:
      return .thin
    case Magic.fat:
      guard let count = try? fields.word(at: 4), count < Magic.javaVersions else { return .other }
      return .fat(is64Bit: false)
    case Magic.fat64: return .fat(is64Bit: true)
    case Magic.fat.byteSwapped, Magic.fat64.byteSwapped: return .swappedFat
    default: return .other
    }
  }

  /// `MH_MAGIC`, `MH_MAGIC_64` of `<mach-o/loader.h>`, `FAT_MAGIC`, `FAT_MAGIC_64` of `<mach-o/fat.h>`.
  enum Magic {
    static let thin32: UInt32 = 0xFEED_FACE
    static let thin64: UInt32 = 0xFEED_FACF
    static let fat: UInt32 = 0xCAFE_BABE
    static let fat64: UInt32 = 0xCAFE_BABF
    /// A Java class file has the magic of a fat one, then, where that has the number of slices, its version,
    /// which is this or more (Java Virtual Machine Specification, 4.1).
    static let javaVersions: UInt32 = 45
  }
}

/// The header of a fat file: `fat_header`, then `fat_arch` or `fat_arch_64` of `<mach-o/fat.h>`.
private struct FatHeader {
  struct Architecture {
    let cpuType: UInt32
    let range: Range<UInt64>
    let alignment: UInt32
  }

  let architectures: [Architecture]

  init(
    _ source: any ByteSource, is64Bit: Bool, limits: SigningLimits
  ) throws(SigningError) {
    let start = ByteFields(
      try source.bytes(at: 0, count: 8), isBigEndian: true, name: "the fat header")
    let count = try start.word(at: 4)
    guard count > 0 else { throw start.error(.malformed, at: 4, "it declares no slice") }
    guard count <= limits.slices else {
      throw start.error(
        .limit, at: 4, "it declares \(count) slices, and at most \(limits.slices) are read")
    }
    let entrySize = is64Bit ? 32 : 20
    let size = 8 + Int(count) * entrySize
    let fields = ByteFields(
      try source.bytes(at: 0, count: size), isBigEndian: true, name: "the fat header")
    var found: [Architecture] = []
    for index in 0..<Int(count) {
      let place = 8 + index * entrySize
      found.append(try Self.architecture(fields, at: place, index, is64Bit, source.size))
    }
    architectures = found
    try Self.checkApart(found, headerSize: UInt64(size), fields)
  }

  private static func architecture(
    _ fields: ByteFields, at place: Int, _ index: Int, _ is64Bit: Bool, _ fileSize: UInt64
  ) throws(SigningError) -> Architecture {
    let offset =
      is64Bit ? try fields.long(at: place + 8) : UInt64(try fields.word(at: place + 8))
    let size =
      is64Bit ? try fields.long(at: place + 16) : UInt64(try fields.word(at: place + 12))
    let alignment = try fields.word(at: place + (is64Bit ? 24 : 16))
    guard offset <= fileSize, size <= fileSize - offset else {
      throw fields.error(
        .truncated, at: place,
        "slice \(index) has \(size) bytes at byte \(offset), and the file ends at byte \(fileSize)")
    }
    guard alignment < 32 else {
      throw fields.error(.malformed, at: place, "slice \(index) is aligned to 2^\(alignment) bytes")
    }
    return Architecture(
      cpuType: try fields.word(at: place), range: offset..<offset + size, alignment: alignment)
  }

  private static func checkApart(
    _ architectures: [Architecture], headerSize: UInt64, _ fields: ByteFields
  ) throws(SigningError) {
    let order = architectures.indices.sorted {
      architectures[$0].range.lowerBound < architectures[$1].range.lowerBound
    }
    var end = headerSize
    var before = "the fat header"
    for index in order {
      let range = architectures[index].range
      guard range.lowerBound >= end else {
        throw fields.error(
          .malformed, "slice \(index) begins at byte \(range.lowerBound), in \(before)")
      }
      end = range.upperBound
      before = "slice \(index)"
    }
  }
}
