/// An object to be written: a leaf, or a container with its references in a pool.
enum BinaryNode {
  case leaf(PlistValue)
  /// A container and where in the pool's list its references stand, a dictionary's keys before its
  /// values.
  case container(BinaryKind, Range<Int>)
}

/// Appends objects, table and trailer to the bytes of a file.
struct BinaryWriter {
  var bytes: [UInt8]
  /// Bytes of a reference.
  let referenceSize: Int

  /// A node whose references are the final indexes.
  mutating func append(_ node: BinaryNode, references: [Int]) {
    switch node {
    case .leaf(let value): append(leaf: value)
    case .container(let kind, let range):
      switch kind {
      case .dictionary: append(marker: 0xD0, count: range.count / 2)
      case .set: append(marker: 0xC0, count: range.count)
      default: append(marker: 0xA0, count: range.count)
      }
      for index in references[range] { append(UInt64(index), size: referenceSize) }
    }
  }

  /// A value that is no container.
  mutating func append(leaf value: PlistValue) {
    switch value {
    case .null, .dictionary, .array, .set: bytes.append(0x00)
    case .boolean(let value): bytes.append(value ? 0x09 : 0x08)
    case .integer(let value): append(integer: value)
    case .real(let value):
      if value.isSinglePrecision {
        bytes.append(0x22)
        append(UInt64(Float(value.value).bitPattern), size: 4)
      } else {
        bytes.append(0x23)
        append(value.value.bitPattern, size: 8)
      }
    case .date(let value):
      bytes.append(0x33)
      append(value.secondsSince2001.bitPattern, size: 8)
    case .data(let value):
      append(marker: 0x40, count: value.count)
      bytes.append(contentsOf: value)
    case .string(let value): append(string: value)
    case .uid(let value):
      let size = BinaryTrailer.width(for: Int(value))
      bytes.append(0x80 | UInt8(size - 1))
      append(UInt64(value), size: size)
    }
  }

  /// 1, 2 or 4 bytes hold an unsigned number, 8 a signed one, 16 what is above 2^63 - 1.
  private mutating func append(integer value: PlistInteger) {
    if !value.isNegative, value.bits > UInt64(Int64.max) {
      bytes.append(0x14)
      append(0, size: 8)
      append(value.bits, size: 8)
      return
    }
    let size = value.isNegative ? 8 : BinaryTrailer.width(for: Int(value.bits))
    bytes.append(0x10 | UInt8(size.trailingZeroBitCount))
    append(value.bits, size: size)
  }

  private mutating func append(string value: String) {
    var value = value
    let isASCII = value.withUTF8 { text in
      guard text.allSatisfy({ $0 < 0x80 }) else { return false }
      append(marker: 0x50, count: text.count)
      bytes.append(contentsOf: text)
      return true
    }
    guard !isASCII else { return }
    append(marker: 0x60, count: value.utf16.count)
    for unit in value.utf16 { append(UInt64(unit), size: 2) }
  }

  /// A marker with the count in its low half, or from 15 on in an integer after it.
  private mutating func append(marker: UInt8, count: Int) {
    if count < 15 {
      bytes.append(marker | UInt8(count))
    } else {
      bytes.append(marker | 0x0F)
      append(integer: PlistInteger(UInt64(count)))
    }
  }

  /// A big-endian number, zeros before it where the size is above 8.
  private mutating func append(_ number: UInt64, size: Int) {
    for place in (0..<size).reversed() {
      bytes.append(place < 8 ? UInt8(truncatingIfNeeded: number >> (8 * UInt64(place))) : 0)
    }
  }

  /// The end of the file.
  ///
  /// - Parameters:
  ///   - offsets: where each object stands.
  ///   - offsetSize: bytes of an entry of the table.
  ///   - topObject: the root's index.
  ///   - unexplained: what stands between table and trailer.
  ///   - unused: the first 6 bytes of the trailer.
  mutating func appendTable(
    _ offsets: [Int], offsetSize: Int, topObject: Int, unexplained: [UInt8], unused: [UInt8]
  ) {
    let table = bytes.count
    for offset in offsets { append(UInt64(offset), size: offsetSize) }
    bytes += unexplained
    bytes += unused
    bytes.append(UInt8(offsetSize))
    bytes.append(UInt8(referenceSize))
    append(UInt64(offsets.count), size: 8)
    append(UInt64(topObject), size: 8)
    append(UInt64(table), size: 8)
  }
}
