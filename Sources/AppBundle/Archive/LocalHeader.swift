/// A member's local header (APPNOTE.TXT 4.3.7), its name and its extra field.
struct LocalHeader: Sendable {
  /// The whole header.
  let bytes: [UInt8]

  static let signature: UInt32 = 0x0403_4B50
  static let length = 30

  var flags: UInt16 { bytes.uint16(at: 6) }
  var method: UInt16 { bytes.uint16(at: 8) }
  var checksum: UInt32 { bytes.uint32(at: 14) }
  var name: Range<Int> { Self.length..<Self.length + Int(bytes.uint16(at: 26)) }
  var extra: Range<Int> { name.upperBound..<bytes.count }
  /// The names that the extra fields give the member, for readers that heed them.
  var otherNames: [ArraySlice<UInt8>] {
    ExtraFields.fields(ExtraFields.unicodePath, in: bytes, extra).filter { $0.count > 5 }
      .map { bytes[($0.lowerBound + 5)..<$0.upperBound] }
  }
  var zip64: ExtraFields.Zip64Places? {
    ExtraFields.zip64Places(
      size: bytes.uint32(at: 22) == .max, compressedSize: bytes.uint32(at: 18) == .max,
      offset: false, in: bytes, extra)
  }
  var compressedSize: UInt64 {
    zip64?.compressedSize.map { bytes.uint64(at: $0) } ?? UInt64(bytes.uint32(at: 18))
  }
  var size: UInt64 { zip64?.size.map { bytes.uint64(at: $0) } ?? UInt64(bytes.uint32(at: 22)) }

  /// How much a header takes, from its fixed part; nil where that is no header.
  static func fullLength(_ fixed: [UInt8]) -> Int? {
    guard fixed.count == length, fixed.uint32(at: 0) == signature else { return nil }
    return length + Int(fixed.uint16(at: 26)) + Int(fixed.uint16(at: 28))
  }

  /// What the header says otherwise than the central record, nil where they agree.
  ///
  /// Where a data descriptor follows, sizes and checksum may be zero; Archive Utility fills in the
  /// compressed size all the same. `otherNames` are what the record's extra fields call the member.
  func difference(
    from record: CentralRecord, name recordName: ArraySlice<UInt8>, otherNames: [[UInt8]]
  ) -> String? {
    if !bytes[name].elementsEqual(recordName) {
      let local = bytes[name].isEmpty ? "nothing" : MemberName.display(bytes[name])
      return "its local header names \(local)"
    }
    let allowed = otherNames.isEmpty ? [Array(recordName)] : otherNames
    if let local = self.otherNames.first(where: { !allowed.contains(Array($0)) }) {
      return "its local header names it \(MemberName.display(local)) in an extra field"
    }
    if method != record.method {
      return "its local header has method \(method), the central directory \(record.method)"
    }
    if !record.agrees(withFlags: flags) {
      return "its local header's flags differ from the central directory's"
    }
    guard zip64 != nil else { return "its local zip64 field is cut short or there twice" }
    func agrees(_ local: UInt64, _ central: UInt64) -> Bool {
      local == central || (record.hasDescriptor && local == 0)
    }
    guard agrees(compressedSize, record.compressedSize), agrees(size, record.size) else {
      return "its local header declares \(compressedSize) bytes for \(size), the central "
        + "directory \(record.compressedSize) for \(record.size)"
    }
    guard agrees(UInt64(checksum), UInt64(record.checksum)) else {
      return "its local header has another checksum than the central directory"
    }
    return nil
  }
}

/// The form of the sizes and checksum that follow a member's data (APPNOTE.TXT 4.3.9).
struct DataDescriptor: Sendable, Equatable {
  let hasSignature: Bool
  let isWide: Bool

  static let signature: UInt32 = 0x0807_4B50
  static let shapes = [
    DataDescriptor(hasSignature: true, isWide: false),
    DataDescriptor(hasSignature: true, isWide: true),
    DataDescriptor(hasSignature: false, isWide: false),
    DataDescriptor(hasSignature: false, isWide: true),
  ]

  var length: Int { (hasSignature ? 4 : 0) + (isWide ? 20 : 12) }

  func bytes(checksum: UInt32, compressedSize: UInt64, size: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    if hasSignature { bytes.append(integer: Self.signature) }
    bytes.append(integer: checksum)
    if isWide {
      bytes.append(integer: compressedSize)
      bytes.append(integer: size)
    } else {
      bytes.append(integer: UInt32(truncatingIfNeeded: compressedSize))
      bytes.append(integer: UInt32(truncatingIfNeeded: size))
    }
    return bytes
  }

  /// The shape that the bytes after a member's data have; where several fit, the one that ends
  /// where the next member begins.
  static func find(in following: [UInt8], record: CentralRecord) -> DataDescriptor? {
    let fitting = shapes.filter {
      following.starts(
        with: $0.bytes(
          checksum: record.checksum, compressedSize: record.compressedSize, size: record.size))
    }
    return fitting.first { $0.length == following.count } ?? fitting.first
  }
}
