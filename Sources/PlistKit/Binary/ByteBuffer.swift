#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Bytes that grow at their end, kept in one block that this owns.
struct ByteBuffer: ~Copyable {
  private var block: UnsafeMutableRawBufferPointer
  private(set) var count = 0

  init() { block = .allocate(byteCount: 1 << 12, alignment: 16) }

  deinit { block.deallocate() }

  /// Makes room for so many bytes more and the word that a number is written with.
  @inline(__always)
  private mutating func reserve(_ more: Int) {
    if block.count - count < more + 8 { grow(more) }
  }

  @inline(never)
  private mutating func grow(_ more: Int) {
    let new = UnsafeMutableRawBufferPointer.allocate(
      byteCount: 2 * (block.count + more), alignment: 16)
    new.copyMemory(from: UnsafeRawBufferPointer(rebasing: block[..<count]))
    block.deallocate()
    block = new
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    reserve(1)
    block[count] = byte
    count += 1
  }

  @inline(__always)
  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    reserve(bytes.count)
    guard let source = bytes.baseAddress, let target = block.baseAddress else { return }
    (target + count).copyMemory(from: source, byteCount: bytes.count)
    count += bytes.count
  }

  /// Appends the low 1 to 8 bytes of a number, the highest first.
  @inline(__always)
  mutating func append(_ number: UInt64, size: Int) {
    reserve(size)
    let word = number &<< UInt64(64 &- 8 &* size)
    block.storeBytes(of: word.bigEndian, toByteOffset: count, as: UInt64.self)
    count += size
  }

  /// Appends at most so many bytes.
  mutating func append(most: Int, _ write: (UnsafeMutableRawBufferPointer) -> Int) {
    reserve(most)
    count += min(most, write(.init(rebasing: block[count..<(count + most)])))
  }

  /// Forgets what was appended last.
  @inline(__always)
  mutating func truncate(to count: Int) { self.count = min(count, self.count) }

  /// Whether so many bytes from `place` on are those at the end.
  @inline(__always)
  func endRepeats(_ place: Int, length: Int) -> Bool {
    guard length <= count, place <= count - length, let base = block.baseAddress else {
      return false
    }
    return memcmp(base + place, base + (count - length), length) == 0
  }

  /// Lends some of the bytes.
  @inline(__always)
  func withBytes<Result>(
    in range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    body(UnsafeRawBufferPointer(rebasing: block[range.clamped(to: 0..<count)]))
  }
}

// MARK: - Objects

extension ByteBuffer {
  /// A marker with the count in its low half, or from 15 on in an integer after it.
  @inline(__always)
  mutating func append(marker: UInt8, count: Int) {
    if count < 15 {
      append(marker | UInt8(truncatingIfNeeded: count))
    } else {
      append(marker | 0x0F)
      append(integer: PlistInteger(UInt64(count)))
    }
  }

  /// 1, 2 or 4 bytes hold an unsigned number, 8 a signed one, 16 what is above 2^63 - 1.
  mutating func append(integer value: PlistInteger) {
    if !value.isNegative, value.bits > UInt64(Int64.max) {
      append(0x14)
      append(0, size: 8)
      append(value.bits, size: 8)
      return
    }
    let size = value.isNegative ? 8 : BinaryTrailer.width(for: Int(value.bits))
    append(0x10 | UInt8(size.trailingZeroBitCount))
    append(value.bits, size: size)
  }

  /// ASCII where the text is that, else UTF-16.
  /// - Returns: where in the bytes the text itself starts.
  @inline(__always)
  mutating func append(text bytes: UnsafeRawBufferPointer) -> Int {
    if bytes.hasHighByte { return append(utf16: bytes) }
    append(marker: 0x50, count: bytes.count)
    append(bytes)
    return count - bytes.count
  }

  private mutating func append(utf16 bytes: UnsafeRawBufferPointer) -> Int {
    append(marker: 0x60, count: UTF16Encoder.count(utf8: bytes))
    let payload = count
    append(most: 2 * bytes.count) { UTF16Encoder.encode(utf8: bytes, into: $0) }
    return payload
  }

  /// A real with its marker.
  mutating func append(real value: PlistReal) {
    append(value.isSinglePrecision ? 0x22 : 0x23)
    append(value.bits, size: value.isSinglePrecision ? 4 : 8)
  }

  mutating func append(date value: PlistDate) {
    append(0x33)
    append(value.secondsSince2001.bitPattern, size: 8)
  }

  mutating func append(uid value: UInt32) {
    let size = BinaryTrailer.width(for: Int(value))
    append(0x80 | UInt8(size - 1))
    append(UInt64(value), size: size)
  }

  mutating func append(data bytes: [UInt8]) {
    append(marker: 0x40, count: bytes.count)
    bytes.withUnsafeBytes { append($0) }
  }

  /// A value that is no container, as an object.
  mutating func append(leaf value: PlistValue) {
    switch value {
    case .null, .dictionary, .array, .set: append(0x00)
    case .boolean(let value): append(value ? 0x09 : 0x08)
    case .integer(let value): append(integer: value)
    case .real(let value): append(real: value)
    case .date(let value): append(date: value)
    case .data(let value): append(data: value)
    case .string(let value): value.withUTF8Bytes { _ = append(text: $0) }
    case .uid(let value): append(uid: value)
    }
  }
}
