/// Goes through the load commands of a slice.
struct MachOCommandReader {
  private(set) var commands: [MachOLoadCommand] = []
  private(set) var segments: [MachOSegment] = []
  private(set) var uuid: [UInt8]?
  private(set) var signature: MachOSignaturePlace?
  private(set) var encryption: MachOEncryption?
  private(set) var builds: [MachOBuild] = []
  private(set) var libraries: [MachOLibrary] = []
  private(set) var installName: String?
  private(set) var runPaths: [String] = []
  private let header: MachOHeader
  private let sliceSize: UInt64

  init(
    _ source: ByteRange, header: MachOHeader, base: UInt64, limits: SigningLimits
  ) throws(SigningError) {
    self.header = header
    sliceSize = source.size
    guard header.commandCount <= limits.loadCommands else {
      throw header.fields.error(
        .limit, at: 16,
        "it declares \(header.commandCount) load commands, and at most \(limits.loadCommands) are read"
      )
    }
    guard header.commandBytes <= limits.loadCommandBytes else {
      throw header.fields.error(
        .limit, at: 20,
        "it declares \(header.commandBytes) bytes of load commands, and at most \(limits.loadCommandBytes) are read"
      )
    }
    let start = UInt64(header.size)
    guard UInt64(header.commandBytes) <= source.size - start else {
      throw header.fields.error(
        .truncated, at: 20,
        "it declares \(header.commandBytes) bytes of load commands, and \(source.size - start) remain"
      )
    }
    let fields = ByteFields(
      try source.bytes(at: start, count: header.commandBytes),
      isBigEndian: header.fields.isBigEndian, name: "the load commands", base: base + start)
    try readAll(fields)
  }

  private mutating func readAll(_ fields: ByteFields) throws(SigningError) {
    var place = 0
    for index in 0..<Int(header.commandCount) {
      let number = try fields.word(at: place)
      let size = Int(try fields.word(at: place + 4))
      guard size >= 8, size % 4 == 0 else {
        throw fields.error(
          .malformed, at: place, "load command \(index) declares \(size) bytes, which cannot be")
      }
      let bytes = Array(try fields.slice(at: place, count: size))
      commands.append(
        MachOLoadCommand(number: number, offset: header.size + place, size: size))
      try read(
        number, index,
        ByteFields(
          bytes, isBigEndian: fields.isBigEndian, name: "load command \(index)",
          base: fields.base + UInt64(place)))
      place += size
    }
    guard place == fields.bytes.count else {
      throw fields.error(
        .malformed, at: place,
        "the \(header.commandCount) commands have \(place) bytes, and \(fields.bytes.count) are declared"
      )
    }
  }

  private mutating func read(
    _ number: UInt32, _ index: Int, _ fields: ByteFields
  ) throws(SigningError) {
    typealias Number = MachOCommandNumber
    switch number {
    case Number.segment: segments.append(try segment(index, fields, is64Bit: false))
    case Number.segment64: segments.append(try segment(index, fields, is64Bit: true))
    case Number.uuid:
      try checkOnce(uuid == nil, "LC_UUID", fields)
      uuid = Array(try fields.slice(at: 8, count: 16))
    case Number.codeSignature:
      try checkOnce(signature == nil, "LC_CODE_SIGNATURE", fields)
      signature = MachOSignaturePlace(
        command: index, range: try range(fields, "the code signature"))
    case Number.encryptionInfo, Number.encryptionInfo64:
      try checkOnce(encryption == nil, "LC_ENCRYPTION_INFO", fields)
      encryption = MachOEncryption(
        command: index, range: try range(fields, "what is encrypted"),
        cryptID: try fields.word(at: 16))
    case Number.loadDylib, Number.reexportDylib, Number.lazyLoadDylib, Number.loadUpwardDylib:
      libraries.append(MachOLibrary(name: try text(fields), isWeak: false))
    case Number.loadWeakDylib:
      libraries.append(MachOLibrary(name: try text(fields), isWeak: true))
    case Number.idDylib:
      try checkOnce(installName == nil, "LC_ID_DYLIB", fields)
      installName = try text(fields)
    case Number.runPath: runPaths.append(try text(fields))
    default: try readBuild(number, fields)
    }
  }

  private mutating func readBuild(
    _ number: UInt32, _ fields: ByteFields
  ) throws(SigningError) {
    typealias Number = MachOCommandNumber
    let isIntel = MachOArchitecture.isIntel(header.cpuType)
    let platform: MachOPlatform
    var place = 8
    switch number {
    case Number.buildVersion:
      platform = MachOPlatform(rawValue: try fields.word(at: 8))
      place = 12
    case Number.versionMinMacOS: platform = .macOS
    // Only simulators run these systems on Intel's processors.
    case Number.versionMinIOS: platform = isIntel ? .iOSSimulator : .iOS
    case Number.versionMinTVOS: platform = isIntel ? .tvOSSimulator : .tvOS
    case Number.versionMinWatchOS: platform = isIntel ? .watchOSSimulator : .watchOS
    default: return
    }
    builds.append(
      MachOBuild(
        platform: platform, minimumVersion: MachOVersion(rawValue: try fields.word(at: place)),
        sdk: MachOVersion(rawValue: try fields.word(at: place + 4))))
  }

  private func checkOnce(
    _ isFirst: Bool, _ name: String, _ fields: ByteFields
  ) throws(SigningError) {
    guard isFirst else { throw fields.error(.malformed, "a second \(name)") }
  }

  /// The offset and size at bytes 8 and 12 of a command.
  private func range(_ fields: ByteFields, _ what: String) throws(SigningError) -> Range<UInt64> {
    let offset = UInt64(try fields.word(at: 8))
    let size = UInt64(try fields.word(at: 12))
    return try inSlice(offset, size, fields, what)
  }

  private func inSlice(
    _ offset: UInt64, _ size: UInt64, _ fields: ByteFields, _ what: String
  ) throws(SigningError) -> Range<UInt64> {
    guard offset <= sliceSize, size <= sliceSize - offset else {
      throw fields.error(
        .truncated, at: 8,
        "\(what) has \(size) bytes at byte \(offset), and the slice has \(sliceSize)")
    }
    return offset..<offset + size
  }

  /// The `lc_str` at byte 8: an offset in the command, from which a text goes up to a NUL or the end.
  private func text(_ fields: ByteFields) throws(SigningError) -> String {
    let offset = Int(try fields.word(at: 8))
    guard offset >= 12, offset <= fields.bytes.count else {
      throw fields.error(
        .malformed, at: 8, "its text begins at its byte \(offset), and it has \(fields.bytes.count)"
      )
    }
    return try fields.paddedText(at: offset, count: fields.bytes.count - offset)
  }
}

extension MachOCommandReader {
  /// The command of a segment with its sections, at most as many as its bytes hold.
  private func segment(
    _ index: Int, _ fields: ByteFields, is64Bit: Bool
  ) throws(SigningError) -> MachOSegment {
    let width = is64Bit ? 8 : 4
    let name = try fields.paddedText(at: 8, count: 16)
    let numbers = try (0..<4).map { number throws(SigningError) in
      try Self.number(fields, at: 24 + number * width, is64Bit)
    }
    let rest = 24 + 4 * width
    let count = Int(try fields.word(at: rest + 8))
    let start = is64Bit ? 72 : 56
    let sectionSize = is64Bit ? 80 : 68
    guard count <= (fields.bytes.count - min(start, fields.bytes.count)) / sectionSize else {
      throw fields.error(
        .truncated, at: rest + 8,
        "the segment declares \(count) sections, and its command has \(fields.bytes.count) bytes")
    }
    // The segments of a file of debug symbols tell where those of the code lie.
    if header.fileType != MachOFileType.debugSymbols.rawValue {
      _ = try inSlice(numbers[2], numbers[3], fields, "the segment")
    }
    guard !numbers[0].addingReportingOverflow(numbers[1]).overflow else {
      throw fields.error(.malformed, at: 24, "the segment goes beyond the address space")
    }
    let sections = try (0..<count).map { number throws(SigningError) in
      try section(fields, at: start + number * sectionSize, is64Bit)
    }
    return MachOSegment(
      name: name, command: index, address: numbers[0], addressSize: numbers[1],
      fileOffset: numbers[2], fileSize: numbers[3],
      maximumProtection: try fields.word(at: rest),
      initialProtection: try fields.word(at: rest + 4),
      sections: sections)
  }

  private func section(
    _ fields: ByteFields, at place: Int, _ is64Bit: Bool
  ) throws(SigningError) -> MachOSection {
    let width = is64Bit ? 8 : 4
    let rest = place + 32 + 2 * width
    let section = MachOSection(
      name: try fields.paddedText(at: place, count: 16),
      segmentName: try fields.paddedText(at: place + 16, count: 16),
      address: try Self.number(fields, at: place + 32, is64Bit),
      size: try Self.number(fields, at: place + 32 + width, is64Bit),
      fileOffset: UInt64(try fields.word(at: rest)), flags: try fields.word(at: rest + 16))
    if section.hasBytes, header.fileType != MachOFileType.debugSymbols.rawValue {
      _ = try inSlice(section.fileOffset, section.size, fields, "a section")
    }
    return section
  }

  private static func number(
    _ fields: ByteFields, at place: Int, _ is64Bit: Bool
  ) throws(SigningError) -> UInt64 {
    is64Bit ? try fields.long(at: place) : UInt64(try fields.word(at: place))
  }
}
