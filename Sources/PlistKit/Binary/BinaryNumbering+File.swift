extension BinaryNumbering {
  /// The file of the numbered objects, the first of them its root.
  func file() -> [UInt8] {
    let sizes = FileSizes(self)
    return [UInt8](unsafeUninitializedCapacity: sizes.file) { buffer, count in
      var file = FileBuffer(UnsafeMutableRawBufferPointer(buffer), sizes)
      write(to: &file)
      count = sizes.file
    }
  }

  /// Each stretch of leaves as it lies, and each container between them.
  private func write(to file: inout FileBuffer) {
    var written = 0
    var reference = 0
    var next = 0
    for start in starts {
      if start != Self.container {
        file.appendOffset(start - written)
        continue
      }
      let container = containers[next]
      next += 1
      leaves.withBytes(in: written..<container.leafBytes) { file.append($0) }
      written = container.leafBytes
      file.appendOffset(0)
      file.append(container)
      let end = reference + container.references
      file.append(references[reference..<end])
      reference = end
    }
    leaves.withBytes(in: written..<leaves.count) { file.append($0) }
    file.appendTrailer()
  }
}

/// What a file of numbered objects comes to.
private struct FileSizes {
  let objects: Int
  let table: Int
  let reference: Int
  let offset: Int

  init(_ numbering: borrowing BinaryNumbering) {
    objects = numbering.starts.count
    reference = BinaryTrailer.width(for: objects)
    var bytes = BinaryTrailer.headerSize + numbering.leaves.count
    for container in numbering.containers {
      bytes += Self.header(container.count) + container.references * reference
    }
    table = bytes
    offset = BinaryTrailer.width(for: bytes)
  }

  var file: Int { table + objects * offset + BinaryTrailer.size }

  /// The bytes of a marker and what a count takes after it.
  static func header(_ count: Int) -> Int {
    count < 15 ? 1 : 2 + BinaryTrailer.width(for: count)
  }
}

extension BinaryNumbering.Container {
  /// The items, or pairs of a dictionary.
  fileprivate var count: Int { kind == .dictionary ? references / 2 : references }

  fileprivate var marker: UInt8 {
    switch kind {
    case .dictionary: 0xD0
    case .set: 0xC0
    default: 0xA0
    }
  }
}

/// The bytes of a file whose sizes are known; it lives no longer than the closure that lends them.
private struct FileBuffer {
  private let bytes: UnsafeMutableRawBufferPointer
  private let sizes: FileSizes
  private var end = BinaryTrailer.headerSize
  private var tableEnd: Int

  init(_ bytes: UnsafeMutableRawBufferPointer, _ sizes: FileSizes) {
    self.bytes = bytes
    self.sizes = sizes
    tableEnd = sizes.table
    bytes.copyBytes(from: "bplist00".utf8)
  }

  /// Enters the offset of an object that starts so many bytes further on.
  @inline(__always)
  mutating func appendOffset(_ further: Int) {
    put(UInt64(end + further), size: sizes.offset, at: tableEnd)
    tableEnd += sizes.offset
  }

  @inline(__always)
  mutating func append(_ leaves: UnsafeRawBufferPointer) {
    guard !leaves.isEmpty else { return }
    UnsafeMutableRawBufferPointer(rebasing: bytes[end...]).copyMemory(from: leaves)
    end += leaves.count
  }

  /// A container's marker and count.
  mutating func append(_ container: BinaryNumbering.Container) {
    let count = container.count
    if count < 15 {
      bytes[end] = container.marker | UInt8(count)
    } else {
      let size = BinaryTrailer.width(for: count)
      bytes[end] = container.marker | 0x0F
      bytes[end + 1] = 0x10 | UInt8(size.trailingZeroBitCount)
      put(UInt64(count), size: size, at: end + 2)
    }
    end += FileSizes.header(count)
  }

  mutating func append(_ references: ArraySlice<UInt32>) {
    let size = sizes.reference
    for reference in references {
      put(UInt64(reference), size: size, at: end)
      end += size
    }
  }

  /// The last 32 bytes; the first 6 of them are zero.
  mutating func appendTrailer() {
    put(0, size: 4, at: tableEnd)
    put(0, size: 2, at: tableEnd + 4)
    bytes[tableEnd + 6] = UInt8(sizes.offset)
    bytes[tableEnd + 7] = UInt8(sizes.reference)
    put(UInt64(sizes.objects), size: 8, at: tableEnd + 8)
    put(0, size: 8, at: tableEnd + 16)
    put(UInt64(sizes.table), size: 8, at: tableEnd + 24)
  }

  /// A big-endian number of 1, 2, 4 or 8 bytes.
  @inline(__always)
  private func put(_ number: UInt64, size: Int, at place: Int) {
    switch size {
    case 1: bytes[place] = UInt8(truncatingIfNeeded: number)
    case 2:
      let number = UInt16(truncatingIfNeeded: number)
      bytes.storeBytes(of: number.bigEndian, toByteOffset: place, as: UInt16.self)
    case 4:
      let number = UInt32(truncatingIfNeeded: number)
      bytes.storeBytes(of: number.bigEndian, toByteOffset: place, as: UInt32.self)
    default: bytes.storeBytes(of: number.bigEndian, toByteOffset: place, as: UInt64.self)
    }
  }
}
