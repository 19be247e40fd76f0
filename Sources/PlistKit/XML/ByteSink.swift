#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Bytes that grow at their end. Short pieces gather in a block that stays in the processor's cache.
struct ByteSink: ~Copyable {
  private static var blockSize: Int { 1 << 13 }

  private let block = UnsafeMutablePointer<UInt8>.allocate(capacity: blockSize)
  private var used = 0
  private var output: [UInt8] = []

  deinit { block.deallocate() }

  /// Makes room for so many bytes.
  mutating func reserve(_ count: Int) { output.reserveCapacity(count) }

  /// All bytes, which the sink then holds no more.
  mutating func finish() -> [UInt8] {
    flush()
    let bytes = output
    output = []
    return bytes
  }

  @inline(__always) mutating func append(_ byte: UInt8) {
    if used == Self.blockSize { flush() }
    block[used] = byte
    used += 1
  }

  /// Appends text that is shorter than a block.
  @inline(__always) mutating func append(_ text: StaticString) {
    precondition(text.utf8CodeUnitCount <= Self.blockSize)
    let count = text.utf8CodeUnitCount
    if count > Self.blockSize - used { flush() }
    (block + used).update(from: text.utf8Start, count: count)
    used += count
  }

  @inline(__always) mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count <= Self.blockSize - used else { return appendLong(bytes) }
    guard let start = bytes.baseAddress else { return }
    memcpy(block + used, start, bytes.count)
    used += bytes.count
  }

  @inline(__always) mutating func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { append($0) }
  }

  /// Appends a number in decimal digits.
  mutating func append(decimal number: UInt64) {
    var rest = number
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var start = digits.count
      repeat {
        start -= 1
        digits[start] = UInt8(truncatingIfNeeded: rest % 10) + 0x30
        rest /= 10
      } while rest > 0
      append(UnsafeBufferPointer(rebasing: digits[start...]))
    }
  }

  private mutating func appendLong(_ bytes: UnsafeBufferPointer<UInt8>) {
    flush()
    if bytes.count > Self.blockSize {
      output.append(contentsOf: bytes)
    } else {
      append(bytes)
    }
  }

  private mutating func flush() {
    output.append(contentsOf: UnsafeBufferPointer(start: block, count: used))
    used = 0
  }
}
