/// The code for one architecture: a thin Mach-O file, or a part of a fat one.
///
/// Offsets count from the slice's start. Structures and numbers are those of `<mach-o/loader.h>` and
/// `<mach/machine.h>`.
public struct MachOSlice: Sendable {
  /// Where it lies in the file.
  public let range: Range<UInt64>
  /// The power of two to which a fat header aligns it, 0 in a thin file.
  public let alignment: UInt32
  /// `cputype`.
  public let cpuType: UInt32
  /// `cpusubtype`, with its capability bits.
  public let cpuSubtype: UInt32
  /// `filetype`.
  public let fileType: MachOFileType
  /// `flags`.
  public let flags: UInt32
  /// Whether header and commands are those of 64-bit files.
  public let is64Bit: Bool
  /// Whether numbers are big-endian.
  public let isBigEndian: Bool
  /// `sizeofcmds`, the bytes of all load commands.
  public let loadCommandBytes: Int
  /// The load commands in their order.
  public let loadCommands: [MachOLoadCommand]
  /// The segments in the order of their commands.
  public let segments: [MachOSegment]
  /// The 16 bytes of LC_UUID, nil without one.
  public let uuid: [UInt8]?
  /// What LC_CODE_SIGNATURE says, nil without one.
  public let signature: MachOSignaturePlace?
  /// What LC_ENCRYPTION_INFO or LC_ENCRYPTION_INFO_64 says, nil without one.
  public let encryption: MachOEncryption?
  /// The platforms of LC_BUILD_VERSION or LC_VERSION_MIN_…; a file for macOS and Mac Catalyst has two.
  public let builds: [MachOBuild]
  /// The libraries it loads, in their order.
  public let libraries: [MachOLibrary]
  /// The install name of LC_ID_DYLIB, nil where it is no dynamic library.
  public let installName: String?
  /// The folders of LC_RPATH.
  public let runPaths: [String]

  /// Bytes of the header: 32 in 64-bit files, else 28.
  public var headerSize: Int { is64Bit ? 32 : 28 }

  /// How many bytes it has.
  public var size: UInt64 { range.upperBound - range.lowerBound }

  /// Where the load commands end.
  public var loadCommandEnd: Int { headerSize + loadCommandBytes }

  /// Unused bytes behind the load commands, up to the first byte of a section, of a segment that does not
  /// begin at the header, or the end.
  public var loadCommandRoom: UInt64 {
    var first = size
    for segment in segments {
      if segment.fileSize > 0, segment.fileOffset > 0 { first = min(first, segment.fileOffset) }
      for section in segment.sections where section.hasBytes && section.fileOffset > 0 {
        first = min(first, section.fileOffset)
      }
    }
    let end = UInt64(loadCommandEnd)
    return first > end ? first - end : 0
  }

  /// The segment of a name, the first where there are several.
  public func segment(_ name: String) -> MachOSegment? { segments.first { $0.name == name } }

  /// The name that `lipo` and `codesign` use: `arm64`, `armv7`, `x86_64`.
  public var architecture: String {
    MachOArchitecture.name(cpuType: cpuType, cpuSubtype: cpuSubtype)
  }

  /// LC_UUID as text, `8-4-4-4-12` in upper case as `dwarfdump --uuid` prints it.
  public var uuidText: String? {
    guard let uuid, uuid.count == 16 else { return nil }
    return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { uuid[$0].hexadecimal.uppercased() }
      .joined(separator: "-")
  }

  /// The bytes of a file of which this is a slice.
  /// - Throws: ``SigningError`` with code `truncated` where the file is shorter.
  public func bytes(of file: any ByteSource) throws(SigningError) -> ByteRange {
    try ByteRange(file, range)
  }
}

extension MachOSlice {
  /// Reads the header and the load commands.
  ///
  /// `declared` is the `cputype` of the fat header.
  init(
    _ file: any ByteSource, range: Range<UInt64>, alignment: UInt32, declared: UInt32?,
    limits: SigningLimits
  ) throws(SigningError) {
    let source = try ByteRange(file, range)
    let header = try MachOHeader(source, base: range.lowerBound)
    if let declared, declared != header.cpuType {
      throw header.fields.error(
        .malformed, at: 4,
        "its cputype is \(header.cpuType), and the fat header says \(declared)")
    }
    let reader = try MachOCommandReader(
      source, header: header, base: range.lowerBound, limits: limits)
    self.range = range
    self.alignment = alignment
    cpuType = header.cpuType
    cpuSubtype = header.cpuSubtype
    fileType = MachOFileType(rawValue: header.fileType)
    flags = header.flags
    is64Bit = header.is64Bit
    isBigEndian = header.fields.isBigEndian
    loadCommandBytes = header.commandBytes
    loadCommands = reader.commands
    segments = reader.segments
    uuid = reader.uuid
    signature = reader.signature
    encryption = reader.encryption
    builds = reader.builds
    libraries = reader.libraries
    installName = reader.installName
    runPaths = reader.runPaths
  }
}

/// `mach_header` or `mach_header_64`.
struct MachOHeader {
  let fields: ByteFields
  let is64Bit: Bool
  let cpuType: UInt32
  let cpuSubtype: UInt32
  let fileType: UInt32
  let commandCount: UInt32
  let commandBytes: Int
  let flags: UInt32

  var size: Int { is64Bit ? 32 : 28 }

  init(_ source: ByteRange, base: UInt64) throws(SigningError) {
    let head = try source.bytes(at: 0, count: Int(min(source.size, 32)))
    let magic = try ByteFields(
      head, isBigEndian: true, name: "the Mach-O header", base: base
    ).word(at: 0)
    typealias Magic = MachOFile.Magic
    switch magic {
    case Magic.thin32, Magic.thin64, Magic.thin32.byteSwapped, Magic.thin64.byteSwapped: break
    case 0x213C_6172:  // "!<ar", the first bytes of an archive of object files.
      throw SigningError(.unsupported, offset: base, detail: "a static library")
    default: throw SigningError(.wrongKind, offset: base, detail: "the slice is no Mach-O file")
    }
    let isBigEndian = magic == Magic.thin32 || magic == Magic.thin64
    is64Bit = magic == Magic.thin64 || magic.byteSwapped == Magic.thin64
    fields = ByteFields(head, isBigEndian: isBigEndian, name: "the Mach-O header", base: base)
    _ = try fields.slice(at: 0, count: is64Bit ? 32 : 28)
    cpuType = try fields.word(at: 4)
    cpuSubtype = try fields.word(at: 8)
    fileType = try fields.word(at: 12)
    commandCount = try fields.word(at: 16)
    commandBytes = Int(try fields.word(at: 20))
    flags = try fields.word(at: 24)
  }
}
