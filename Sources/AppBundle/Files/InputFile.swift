#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// The buffer with which files are copied and compared. Larger ones were not faster.
let copyBufferSize = 1 << 20

/// Takes an advisory lock; a file system without any is as good as one that grants it.
func isLockable(_ descriptor: Int32) -> Bool {
  retrying { flock(descriptor, LOCK_EX | LOCK_NB) } == 0 || errno != EWOULDBLOCK
}

/// An open regular file. Reading names each place, so that threads can share it.
final class InputFile: Sendable, DescriptorOwner {
  private let descriptor: Int32
  let status: FileStatus
  /// For messages.
  let path: String

  var size: UInt64 { status.size }

  /// Takes over an open descriptor, and closes it in the end.
  /// - Throws: ``BundleError`` with code `io` or, for what is no regular file, `notAFile`.
  init(descriptor: Int32, path: String) throws(BundleError) {
    self.descriptor = descriptor
    self.path = path
    let found = FileStatus.of(descriptor)
    // Every stored property must have a value before deinit may run for the throws below.
    status = found ?? FileStatus(stat())
    guard let found else { throw .reading(errno, "cannot look at \(path)") }
    guard found.kind == .file else {
      throw BundleError(.notAFile, detail: "\(path) is no regular file")
    }
  }

  deinit { close(descriptor) }

  /// Calls with the descriptor, which stays open at least that long.
  func withDescriptor<Result>(_ body: (Int32) -> Result) -> Result {
    withExtendedLifetime(self) { body(descriptor) }
  }

  /// Keeps other runs from editing the file until it is closed. False where one is at it.
  func lock() -> Bool { isLockable(descriptor) }

  /// Reads until the buffer is full or the file ends, and tells how many bytes that were.
  func read(
    at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(BundleError) -> Int {
    guard let base = buffer.baseAddress else { return 0 }
    var done = 0
    while done < buffer.count {
      guard let place = offset.plus(UInt64(done)).flatMap({ off_t(exactly: $0) }) else {
        return done
      }
      let count = retrying { pread(descriptor, base + done, buffer.count - done, place) }
      guard count >= 0 else { throw .reading(errno, "cannot read \(path)") }
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// Exactly so many bytes.
  /// - Throws: ``BundleError`` with code `truncated` where the file ends before.
  func bytes(at offset: UInt64, count: Int) throws(BundleError) -> [UInt8] {
    var failure: BundleError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, found in
      do throws(BundleError) {
        found = try read(
          at: offset,
          into: UnsafeMutableRawBufferPointer(
            rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count]))
      } catch { failure = error }
    }
    if let failure { throw failure }
    guard bytes.count == count else {
      throw BundleError(
        .truncated,
        detail: "\(count) bytes wanted at byte \(offset), only \(bytes.count) remain")
    }
    return bytes
  }

  /// Fills an array, or its first `count` bytes, as far as the file reaches.
  func fill(
    _ bytes: inout [UInt8], count: Int = .max, at offset: UInt64
  ) throws(BundleError) -> Int {
    var failure: BundleError?
    let count = bytes.withUnsafeMutableBytes { buffer in
      do throws(BundleError) {
        return try read(
          at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(count)))
      } catch {
        failure = error
        return 0
      }
    }
    if let failure { throw failure }
    return count
  }

  /// Fills the first `count` bytes of an array with what was there when the file was opened.
  /// - Throws: ``BundleError`` with code `inputChanged` where the file ends before.
  func fillWhole(_ bytes: inout [UInt8], count: Int, at offset: UInt64) throws(BundleError) {
    guard try fill(&bytes, count: count, at: offset) == count else { throw becameShorter }
  }

  /// The error of a file of which there was more.
  var becameShorter: BundleError {
    BundleError(.inputChanged, detail: "\(path) became shorter while it was read")
  }

  /// Whether the file has exactly these bytes at a place.
  func holds(_ bytes: [UInt8], at offset: UInt64) throws(BundleError) -> Bool {
    var buffer = [UInt8](repeating: 0, count: min(bytes.count, 1 << 18))
    var done = 0
    while done < bytes.count {
      let count = min(buffer.count, bytes.count - done)
      guard try fill(&buffer, count: count, at: offset + UInt64(done)) == count,
        isSame(buffer, bytes, from: done, count)
      else { return false }
      done += count
    }
    return true
  }

  /// `fsync(2)`, for a file of this program's own making.
  func synchronize() -> Int32 { retrying { fsync(descriptor) } }

  /// - Throws: ``BundleError`` with code `inputChanged` where the file was written to since it was
  ///   opened.
  func checkUnchanged() throws(BundleError) {
    guard FileStatus.of(descriptor)?.identity == status.identity else {
      throw BundleError(
        .inputChanged, detail: "\(path) was changed while it was being read",
        hint: "let the other program end, then try again")
    }
  }
}

/// Whether the first bytes of a buffer are those from a place of an array, which has so many.
private func isSame(_ buffer: [UInt8], _ bytes: [UInt8], from start: Int, _ count: Int) -> Bool {
  buffer.withUnsafeBytes { buffer in
    bytes.withUnsafeBytes { bytes in
      guard let first = buffer.baseAddress, let second = bytes.baseAddress else { return true }
      return memcmp(first, second + start, count) == 0
    }
  }
}
