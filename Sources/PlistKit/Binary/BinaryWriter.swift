/// An object to be written: the bytes of a leaf, or a container with its references in a pool.
enum BinaryNode {
  case leaf([UInt8])
  /// A container and where in the pool's list its references stand, a dictionary's keys before its
  /// values.
  case container(BinaryKind, Range<Int>)

  /// A leaf as an object.
  static func bytes(ofLeaf value: PlistValue) -> [UInt8] {
    var buffer = ByteBuffer()
    buffer.append(leaf: value)
    return buffer.withBytes(in: 0..<buffer.count) { Array($0) }
  }
}

/// Appends objects, table and trailer to the bytes of a file.
struct BinaryWriter {
  var bytes: [UInt8]
  /// Bytes of a reference.
  let referenceSize: Int

  /// A node whose references are the final indexes.
  mutating func append(_ node: BinaryNode, references: [Int]) {
    switch node {
    case .leaf(let leaf): bytes += leaf
    case .container(let kind, let range):
      switch kind {
      case .dictionary: append(marker: 0xD0, count: range.count / 2)
      case .set: append(marker: 0xC0, count: range.count)
      default: append(marker: 0xA0, count: range.count)
      }
      for index in references[range] { append(UInt64(index), size: referenceSize) }
    }
  }

  /// A marker with the count in its low half, or from 15 on in an integer after it.
  private mutating func append(marker: UInt8, count: Int) {
    if count < 15 {
      bytes.append(marker | UInt8(count))
    } else {
      bytes.append(marker | 0x0F)
      let size = BinaryTrailer.width(for: count)
      bytes.append(0x10 | UInt8(size.trailingZeroBitCount))
      append(UInt64(count), size: size)
    }
  }

  /// A big-endian number, zeros before it where the size is above 8.
  private mutating func append(_ number: UInt64, size: Int) {
    for place in (0..<size).reversed() {
      bytes.append(place < 8 ? UInt8(truncatingIfNeeded: number >> (8 * UInt64(place))) : 0)
    }
  }

  /// Big-endian numbers, without a check of the room for each byte.
  private mutating func append(_ numbers: [Int], size: Int) {
    guard [1, 2, 3, 4, 8].contains(size) else {
      for number in numbers { append(UInt64(number), size: size) }
      return
    }
    var buffer = ByteBuffer()
    for number in numbers { buffer.append(UInt64(number), size: size) }
    buffer.withBytes(in: 0..<buffer.count) { bytes.append(contentsOf: $0) }
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
    append(offsets, size: offsetSize)
    bytes += unexplained
    bytes += unused
    bytes.append(UInt8(offsetSize))
    bytes.append(UInt8(referenceSize))
    append(UInt64(offsets.count), size: 8)
    append(UInt64(topObject), size: 8)
    append(UInt64(table), size: 8)
  }
}
