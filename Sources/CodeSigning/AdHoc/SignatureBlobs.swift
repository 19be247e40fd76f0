/// The blobs of an ad hoc signature beside its CodeDirectory, as `codesign --sign -` writes them.
///
/// Numbers are those of xnu's `osfmk/kern/cs_blobs.h`; all integers are big-endian.
struct SignatureBlobs {
  /// Slot and bytes, by slot.
  let blobs: [(slot: CodeSignatureSlot, bytes: [UInt8])]

  /// Requirements that ask nothing, entitlements in both forms where there are any, and an empty CMS.
  /// - Throws: ``SigningError`` with codes `unsupported` for entitlements that cannot be written, `limit`.
  init(entitlements: Entitlements?, limits: SigningLimits) throws(SigningError) {
    var blobs: [(slot: CodeSignatureSlot, bytes: [UInt8])] = [
      (.requirements, Self.blob(CodeSignatureMagic.requirements, [0, 0, 0, 0]))
    ]
    if let entitlements, !entitlements.isEmpty {
      let xml = try entitlements.xml()
      let der = try entitlements.der(limits: limits)
      guard xml.count <= limits.profileBytes, der.count <= limits.profileBytes else {
        throw SigningError(
          .limit, detail: "entitlements of more than the \(limits.profileBytes) bytes that are read"
        )
      }
      blobs.append((.entitlements, Self.blob(CodeSignatureMagic.entitlements, xml)))
      blobs.append((.derEntitlements, Self.blob(CodeSignatureMagic.derEntitlements, der)))
    }
    blobs.append((.cms, Self.blob(CodeSignatureMagic.blobWrapper, [])))
    self.blobs = blobs
  }

  /// The bytes of a SuperBlob of these and a CodeDirectory of so many bytes.
  func superBlobSize(codeDirectory size: Int) -> Int {
    12 + 8 * (blobs.count + 1) + size + blobs.reduce(0) { $0 + $1.bytes.count }
  }

  /// A SuperBlob of a CodeDirectory and these.
  func superBlob(codeDirectory: [UInt8]) -> [UInt8] {
    let all = [(slot: CodeSignatureSlot.codeDirectory, bytes: codeDirectory)] + blobs
    var bytes: [UInt8] = []
    bytes.append(word: CodeSignatureMagic.embeddedSignature)
    bytes.append(word: UInt32(superBlobSize(codeDirectory: codeDirectory.count)))
    bytes.append(word: UInt32(all.count))
    var place = 12 + 8 * all.count
    for blob in all {
      bytes.append(word: blob.slot.rawValue)
      bytes.append(word: UInt32(place))
      place += blob.bytes.count
    }
    for blob in all { bytes += blob.bytes }
    return bytes
  }

  /// A blob of a magic number, its length and what it holds.
  static func blob(_ magic: UInt32, _ payload: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(8 + payload.count)
    bytes.append(word: magic)
    bytes.append(word: UInt32(8 + payload.count))
    return bytes + payload
  }
}

extension [UInt8] {
  /// Appends an integer of 32 bits, big-endian.
  mutating func append(word value: UInt32) {
    for shift in stride(from: UInt32(24), through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  /// Appends an integer of 64 bits, big-endian.
  mutating func append(long value: UInt64) {
    append(word: UInt32(truncatingIfNeeded: value >> 32))
    append(word: UInt32(truncatingIfNeeded: value))
  }
}
