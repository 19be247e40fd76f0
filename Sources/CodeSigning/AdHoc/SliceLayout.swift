/// How a slice looks with room for a signature: its first bytes anew, what follows as it is, the signature.
///
/// An earlier signature goes. Nothing else changes but the load command LC_CODE_SIGNATURE, the sizes of
/// `__LINKEDIT`, and in the header the number and size of the commands where one is added. Structures as in
/// `<mach-o/loader.h>`.
struct SliceLayout {
  /// Where a signature begins, and of how many bytes it is a multiple.
  static let alignment: UInt64 = 16
  private static let commandSize = 16

  /// The header and the load commands; the sizes are set by ``setSignature(size:)``.
  private(set) var head: [UInt8]
  /// Where the slice's own bytes end, from its start.
  let contentEnd: UInt64
  /// Where the signature begins: the content's end, up to a multiple of 16 bytes.
  let codeLimit: UInt32
  /// Bytes of the signature with its padding.
  private(set) var signatureSize: UInt64 = 0
  private let slice: MachOSlice
  private let linkEdit: MachOSegment
  private let signatureCommand: Int

  /// The slice's bytes once it is signed.
  var size: UInt64 { UInt64(codeLimit) + signatureSize }

  /// - Throws: ``SigningError`` with codes `unsupported` for encrypted code, debug symbols and slices of
  ///   4 GiB, `malformed` where there is no room for the load command, or the end is not that of `__LINKEDIT`,
  ///   and those of reading.
  init(_ slice: MachOSlice, of file: any ByteSource) throws(SigningError) {
    guard slice.encryption?.isEncrypted != true else {
      throw SigningError(
        .unsupported, detail: "the code for \(slice.architecture) is encrypted for the App Store",
        hint: "sign the app as it was before the store encrypted it")
    }
    // The segments of such a file tell where those of the code lie, which may be anywhere.
    guard slice.fileType != .debugSymbols else {
      throw SigningError(.unsupported, detail: "debug symbols are no code that can be signed")
    }
    let source = try slice.bytes(of: file)
    let linkEdit = try Self.linkEdit(of: slice)
    let end = slice.signature?.range.lowerBound ?? linkEdit.fileOffset + linkEdit.fileSize
    try Self.checkEnd(slice, linkEdit, end, source)
    let limit =
      end.addingReportingOverflow(Self.alignment - 1).partialValue / Self.alignment
      * Self.alignment
    guard end <= UInt64(UInt32.max) - Self.alignment else { throw Self.tooLarge }
    self.slice = slice
    self.linkEdit = linkEdit
    contentEnd = end
    codeLimit = UInt32(limit)
    if let signature = slice.signature {
      head = try source.bytes(at: 0, count: slice.loadCommandEnd)
      signatureCommand = slice.loadCommands[signature.command].offset
    } else {
      guard slice.loadCommandRoom >= UInt64(Self.commandSize) else {
        throw SigningError(
          .malformed,
          detail: "the code for \(slice.architecture) has \(slice.loadCommandRoom) bytes of room "
            + "behind its load commands, and LC_CODE_SIGNATURE takes \(Self.commandSize)",
          hint: "link it with -headerpad 0x20")
      }
      head = try source.bytes(at: 0, count: slice.loadCommandEnd)
      head += [UInt8](repeating: 0, count: Self.commandSize)
      signatureCommand = slice.loadCommandEnd
      put(UInt32(slice.loadCommands.count + 1), at: 16)
      put(UInt32(slice.loadCommandBytes + Self.commandSize), at: 20)
    }
    guard UInt64(head.count) <= contentEnd else {
      throw SigningError(
        .malformed, detail: "the code for \(slice.architecture) ends in its load commands")
    }
  }

  private static var tooLarge: SigningError {
    SigningError(.unsupported, detail: "code of 4 GiB for one architecture cannot be signed")
  }

  private static func linkEdit(of slice: MachOSlice) throws(SigningError) -> MachOSegment {
    guard let segment = slice.segment("__LINKEDIT") else {
      throw SigningError(
        .malformed,
        detail: "the code for \(slice.architecture) has no segment __LINKEDIT to hold a signature")
    }
    return segment
  }

  /// Nothing that the slice needs may lie behind the place of the signature.
  private static func checkEnd(
    _ slice: MachOSlice, _ linkEdit: MachOSegment, _ end: UInt64, _ source: ByteRange
  ) throws(SigningError) {
    for segment in slice.segments where segment != linkEdit && segment.fileSize > 0 {
      guard segment.fileOffset + segment.fileSize <= end else {
        throw SigningError(
          .malformed,
          detail: "segment \(segment.name) for \(slice.architecture) ends behind __LINKEDIT's own "
            + "bytes, where the signature goes")
      }
    }
    let linkEnd = linkEdit.fileOffset + linkEdit.fileSize
    if let signature = slice.signature {
      guard signature.range.lowerBound >= linkEdit.fileOffset,
        signature.range.upperBound <= linkEnd
      else {
        throw SigningError(
          .malformed,
          detail: "the signature for \(slice.architecture) does not lie in __LINKEDIT")
      }
    }
    let tail = slice.signature?.range.upperBound ?? linkEnd
    guard try source.holdsZeros(tail..<source.size) else {
      throw SigningError(
        .malformed, offset: slice.range.lowerBound + tail,
        detail: "the code for \(slice.architecture) goes on behind the end of "
          + (slice.signature == nil ? "__LINKEDIT" : "its signature"))
    }
  }

  /// Makes room for a signature of so many bytes, which are padded with zeros.
  /// - Throws: ``SigningError`` with codes `unsupported` for slices of 4 GiB, `malformed` where
  ///   `__LINKEDIT` cannot grow in the address space.
  mutating func setSignature(size: Int) throws(SigningError) {
    let padded = (UInt64(size) + Self.alignment - 1) / Self.alignment * Self.alignment
    guard padded <= UInt64(UInt32.max) - UInt64(codeLimit) else { throw Self.tooLarge }
    signatureSize = padded
    put(MachOCommandNumber.codeSignature, at: signatureCommand)
    if slice.signature == nil { put(UInt32(Self.commandSize), at: signatureCommand + 4) }
    put(codeLimit, at: signatureCommand + 8)
    put(UInt32(padded), at: signatureCommand + 12)
    let fileSize = UInt64(codeLimit) + padded - linkEdit.fileOffset
    let page = MachOArchitecture.segmentAlignment(slice.cpuType)
    let addressSize = (fileSize + page - 1) / page * page
    try checkAddresses(addressSize)
    let place = slice.loadCommands[linkEdit.command].offset
    if slice.is64Bit {
      put(addressSize, at: place + 32)
      put(fileSize, at: place + 48)
    } else {
      put(UInt32(truncatingIfNeeded: addressSize), at: place + 28)
      put(UInt32(truncatingIfNeeded: fileSize), at: place + 36)
    }
  }

  private func checkAddresses(_ addressSize: UInt64) throws(SigningError) {
    let end = linkEdit.address.addingReportingOverflow(addressSize)
    let bound = slice.is64Bit ? UInt64.max : UInt64(UInt32.max) + 1
    let isTaken = slice.segments.contains {
      $0 != linkEdit && $0.addressSize > 0 && $0.address >= linkEdit.address
        && $0.address < end.partialValue
    }
    guard !end.overflow, end.partialValue <= bound, addressSize <= linkEdit.addressSize || !isTaken
    else {
      throw SigningError(
        .malformed,
        detail: "__LINKEDIT for \(slice.architecture) cannot grow: its addresses end at another "
          + "segment's or at the last one")
    }
  }

  /// Writes an integer in the slice's byte order. All places lie in commands that were read.
  private mutating func put<Integer: FixedWidthInteger & UnsignedInteger>(
    _ value: Integer, at place: Int
  ) {
    let width = Integer.bitWidth / 8
    guard place >= 0, place <= head.count - width else { return }
    for index in 0..<width {
      let shift = 8 * (slice.isBigEndian ? width - 1 - index : index)
      head[place + index] = UInt8(truncatingIfNeeded: value >> Integer(shift))
    }
  }
}

extension MachOArchitecture {
  /// Of how many bytes the size of `__LINKEDIT` in memory is a multiple: 16 KiB for ARM, else 4 KiB, as
  /// `codesign_allocate` rounds it (`get_segalign_from_flag` in Apple's cctools).
  fileprivate static func segmentAlignment(_ cpuType: UInt32) -> UInt64 {
    // CPU_TYPE_ARM, with the bits of 64-bit ones.
    cpuType & 0xFF_FFFF == 12 ? 0x4000 : 0x1000
  }
}

extension ByteSource {
  /// Whether a part has no byte but zeros. It is read in blocks.
  func holdsZeros(_ range: Range<UInt64>) throws(SigningError) -> Bool {
    var place = range.lowerBound
    while place < range.upperBound {
      let count = Int(min(1 << 20, range.upperBound - place))
      guard try bytes(at: place, count: count).allSatisfy({ $0 == 0 }) else { return false }
      place += UInt64(count)
    }
    return true
  }
}
