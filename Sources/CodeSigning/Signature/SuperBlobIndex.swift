/// The index of a SuperBlob: `CS_SuperBlob` and `CS_BlobIndex` of xnu's `cs_blobs.h`.
struct SuperBlobIndex {
  struct Entry {
    let type: UInt32
    let magic: UInt32
    let range: Range<Int>
  }

  let length: Int
  let entries: [Entry]

  /// Checks that the blobs lie behind the index and inside the SuperBlob, and apart from one another, and
  /// that no type is there twice.
  init(
    _ bytes: [UInt8], magic: UInt32, name: String, limit: Int
  ) throws(SigningError) {
    let head = ByteFields(bytes, isBigEndian: true, name: name)
    let found = try head.word(at: 0)
    guard found == magic else {
      throw head.error(
        .wrongKind, "it begins with 0x\(String(found, radix: 16)), no such blob does")
    }
    let length = Int(try head.word(at: 4))
    guard length <= bytes.count else {
      throw head.error(
        .truncated, at: 4, "it declares \(length) bytes, and \(bytes.count) are there")
    }
    let fields = ByteFields(Array(bytes[..<length]), isBigEndian: true, name: name)
    let count = Int(try fields.word(at: 8))
    guard count <= limit else {
      throw fields.error(.limit, at: 8, "it declares \(count) blobs, and at most \(limit) are read")
    }
    guard count <= (length - 12) / 8 else {
      throw fields.error(
        .truncated, at: 8, "it declares \(count) blobs, and has \(length) bytes for all")
    }
    var entries: [Entry] = []
    for index in 0..<count {
      entries.append(try Self.entry(fields, at: 12 + 8 * index, behind: 12 + 8 * count))
    }
    self.length = length
    self.entries = entries
    try Self.checkApart(entries, fields)
  }

  private static func entry(
    _ fields: ByteFields, at place: Int, behind indexEnd: Int
  ) throws(SigningError) -> Entry {
    let type = try fields.word(at: place)
    let offset = Int(try fields.word(at: place + 4))
    guard offset >= indexEnd else {
      throw fields.error(
        .malformed, at: place, "the blob of type \(type) begins at byte \(offset), in the index")
    }
    let magic = try fields.word(at: offset)
    let length = Int(try fields.word(at: offset + 4))
    guard length >= 8 else {
      throw fields.error(
        .malformed, at: offset, "the blob of type \(type) declares \(length) bytes")
    }
    _ = try fields.slice(at: offset, count: length)
    return Entry(type: type, magic: magic, range: offset..<offset + length)
  }

  private static func checkApart(
    _ entries: [Entry], _ fields: ByteFields
  ) throws(SigningError) {
    var types: Set<UInt32> = []
    for entry in entries where !types.insert(entry.type).inserted {
      throw fields.error(
        .malformed, at: entry.range.lowerBound, "there are two blobs of type \(entry.type)")
    }
    let order = entries.sorted { $0.range.lowerBound < $1.range.lowerBound }
    for (entry, next) in zip(order, order.dropFirst())
    where next.range.lowerBound < entry.range.upperBound {
      throw fields.error(
        .malformed, at: next.range.lowerBound,
        "the blob of type \(next.type) begins in that of type \(entry.type)")
    }
  }
}
