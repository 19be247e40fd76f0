extension CodeDirectory {
  /// Reads a CodeDirectory's blob.
  /// - Throws: ``SigningError`` with codes `wrongKind`, `truncated`, `malformed`, and `unsupported` for a
  ///   version before 0x20001, a hash or a page size that no system has.
  public init(
    parsing bytes: [UInt8], slot: CodeSignatureSlot = .codeDirectory
  ) throws(SigningError) {
    let fields = ByteFields(bytes, isBigEndian: true, name: "\(slot)")
    let magic = try fields.word(at: 0)
    guard magic == CodeSignatureMagic.codeDirectory else {
      throw fields.error(
        .wrongKind, "it begins with 0x\(String(magic, radix: 16)), no CodeDirectory does")
    }
    let length = Int(try fields.word(at: 4))
    guard length == bytes.count else {
      throw fields.error(
        length > bytes.count ? .truncated : .malformed, at: 4,
        "it declares \(length) bytes, and has \(bytes.count)")
    }
    let version = try fields.word(at: 8)
    // CodeDirectory::compatibilityLimit; those from 0x30000 on are no longer compatible.
    guard (0x20001..<0x30000).contains(version) else {
      throw fields.error(
        .unsupported, at: 8, "version 0x\(String(version, radix: 16)) is not read")
    }
    let layout = Layout(fields: fields, version: version)
    // The fields of a version stand before all that they point to.
    _ = try fields.slice(at: 0, count: layout.headerSize)
    let algorithm = try layout.hashAlgorithm()
    self.slot = slot
    self.bytes = bytes
    self.version = version
    flags = CodeDirectoryFlags(rawValue: try fields.word(at: 12))
    hashOffset = Int(try fields.word(at: 16))
    specialSlotCount = Int(try fields.word(at: 24))
    codeSlotCount = Int(try fields.word(at: 28))
    hashAlgorithm = algorithm
    platform = try fields.byte(at: 38)
    pageSize = try layout.pageSize()
    identifier = try layout.text(at: Int(try fields.word(at: 20)), "identifier")
    let teamOffset = version >= 0x20200 ? Int(try fields.word(at: 48)) : 0
    teamIdentifier = teamOffset == 0 ? nil : try layout.text(at: teamOffset, "team identifier")
    let longLimit = version >= 0x20300 ? try fields.long(at: 56) : 0
    codeLimit = longLimit != 0 ? longLimit : UInt64(try fields.word(at: 32))
    try layout.checkHashes(
      hashOffset, special: specialSlotCount, code: codeSlotCount, length: algorithm.length)
    scatter = try layout.scatter(codeSlotCount: codeSlotCount)
    execSegment = try layout.execSegment()
    let runtime = version >= 0x20500 ? try fields.word(at: 88) : 0
    self.runtime = runtime == 0 ? nil : MachOVersion(rawValue: runtime)
    let preEncrypt = version >= 0x20500 ? Int(try fields.word(at: 92)) : 0
    preEncryptHashOffset = preEncrypt == 0 ? nil : preEncrypt
    if preEncrypt != 0 {
      try layout.checkHashes(preEncrypt, special: 0, code: codeSlotCount, length: algorithm.length)
    }
    linkage = try layout.linkage()
  }
}

/// Where the fields of a CodeDirectory's version stand.
private struct Layout {
  let fields: ByteFields
  let version: UInt32

  /// Bytes of all fields that the version has.
  var headerSize: Int {
    switch version {
    case 0x20600...: 108
    case 0x20500...: 96
    case 0x20400...: 88
    case 0x20300...: 64
    case 0x20200...: 52
    case 0x20100...: 48
    default: 44
    }
  }

  func hashAlgorithm() throws(SigningError) -> HashAlgorithm {
    let number = try fields.byte(at: 37)
    guard let algorithm = HashAlgorithm(rawValue: number) else {
      throw fields.error(.unsupported, at: 37, "hash type \(number) is not known")
    }
    let size = try fields.byte(at: 36)
    guard Int(size) == algorithm.length else {
      throw fields.error(
        .malformed, at: 36,
        "its hashes have \(size) bytes, and those of \(algorithm.name) have \(algorithm.length)")
    }
    return algorithm
  }

  func pageSize() throws(SigningError) -> Int? {
    let power = try fields.byte(at: 39)
    // Systems have pages of 4 and 16 KiB; hashes of a few bytes each would only cost time.
    guard power == 0 || (9...20).contains(power) else {
      throw fields.error(.unsupported, at: 39, "pages of 2^\(power) bytes are not read")
    }
    return power == 0 ? nil : 1 << Int(power)
  }

  func text(at offset: Int, _ what: String) throws(SigningError) -> String {
    guard offset >= headerSize else {
      throw fields.error(
        .malformed, at: offset, "the \(what) begins at its byte \(offset), in the fields")
    }
    guard let text = fields.terminated(at: offset) else {
      throw fields.error(
        .truncated, at: offset,
        "the \(what) begins at its byte \(offset) and does not end in its \(fields.bytes.count) bytes"
      )
    }
    return String(decoding: text, as: UTF8.self)
  }

  func checkHashes(
    _ offset: Int, special: Int, code: Int, length: Int
  ) throws(SigningError) {
    guard offset <= fields.bytes.count, code <= (fields.bytes.count - offset) / length else {
      throw fields.error(
        .truncated, at: 28,
        "it declares \(code) code slots at its byte \(offset), and has \(fields.bytes.count) bytes")
    }
    guard offset >= headerSize, special <= (offset - headerSize) / length else {
      throw fields.error(
        .malformed, at: 24,
        "it declares \(special) special slots before its byte \(offset), in which they have no room"
      )
    }
  }

  func scatter(codeSlotCount: Int) throws(SigningError) -> [CodeDirectoryScatter]? {
    let offset = version >= 0x20100 ? Int(try fields.word(at: 44)) : 0
    guard offset != 0 else { return nil }
    guard offset >= headerSize else {
      throw fields.error(.malformed, at: 44, "the scatter table begins in the fields")
    }
    var runs: [CodeDirectoryScatter] = []
    var place = offset
    var end = 0
    var slots = 0
    while true {
      let count = Int(try fields.word(at: place))
      guard count > 0 else { return runs }
      let run = CodeDirectoryScatter(
        firstPage: Int(try fields.word(at: place + 4)), pageCount: count,
        firstSlot: slots, targetOffset: try fields.long(at: place + 8))
      guard run.firstPage >= end else {
        throw fields.error(.malformed, at: place, "the scatter table is not in order")
      }
      end = run.firstPage + count
      slots += count
      guard slots <= codeSlotCount else {
        throw fields.error(
          .malformed, at: place,
          "the scatter table has \(slots) pages or more, and there are \(codeSlotCount) code slots")
      }
      runs.append(run)
      place += 24
    }
  }

  func execSegment() throws(SigningError) -> CodeDirectoryExecSegment? {
    guard version >= 0x20400 else { return nil }
    return CodeDirectoryExecSegment(
      base: try fields.long(at: 64), limit: try fields.long(at: 72), flags: try fields.long(at: 80))
  }

  func linkage() throws(SigningError) -> CodeDirectoryLinkage? {
    guard version >= 0x20600 else { return nil }
    let offset = Int(try fields.word(at: 100))
    let size = Int(try fields.word(at: 104))
    guard size > 0 else { return nil }
    _ = try fields.slice(at: offset, count: size)
    guard offset >= headerSize else {
      throw fields.error(.malformed, at: 100, "the linkage hash begins in the fields")
    }
    return CodeDirectoryLinkage(
      hashType: try fields.byte(at: 96), applicationType: try fields.byte(at: 97),
      applicationSubtype: try fields.half(at: 98), range: offset..<offset + size)
  }
}
