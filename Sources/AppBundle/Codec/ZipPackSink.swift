internal import CLibZip

/// Where libzip writes a new archive: a temporary file of ours, so that libzip makes none by path.
/// An object is owned by the libzip source that writes it.
final class ZipPackSink: ZipAnswering {
  private let file: TemporaryFile
  private let failures: ZipFailures
  private var buffer: [UInt8] = []
  /// Where the buffer's first byte belongs.
  private var start: UInt64 = 0
  /// Where in the buffer the next byte goes. libzip goes back to each member's header when it knows the
  /// sizes, which mostly is in the buffer still.
  private var cursor = 0

  init(_ file: TemporaryFile, failures: ZipFailures) {
    self.file = file
    self.failures = failures
  }

  func answer(
    _ command: zip_source_cmd_t, _ data: UnsafeMutableRawPointer?, _ length: zip_uint64_t
  ) -> zip_int64_t {
    do throws(BundleError) {
      switch command {
      case ZIP_SOURCE_BEGIN_WRITE, ZIP_SOURCE_OPEN, ZIP_SOURCE_CLOSE, ZIP_SOURCE_ROLLBACK_WRITE,
        ZIP_SOURCE_REMOVE, ZIP_SOURCE_READ, ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL:
        return 0
      case ZIP_SOURCE_COMMIT_WRITE:
        try flush()
        return 0
      case ZIP_SOURCE_WRITE:
        try write(UnsafeRawBufferPointer(start: data, count: Int(clamping: length)))
        return zip_int64_t(clamping: length)
      case ZIP_SOURCE_TELL_WRITE: return zip_int64_t(clamping: position)
      case ZIP_SOURCE_SEEK_WRITE:
        let end = max(file.end, start + UInt64(buffer.count))
        let place = zip_source_seek_compute_offset(position, end, data, length, nil)
        guard place >= 0 else { return -1 }
        try seek(to: zip_uint64_t(place))
        return 0
      case ZIP_SOURCE_STAT: return report(size: 0, to: data, length)
      case ZIP_SOURCE_ERROR: return ZipFailure.report(ZIP_ER_WRITE, data, length)
      case ZIP_SOURCE_SUPPORTS:
        return ZipFailure.bitmap([
          ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR,
          ZIP_SOURCE_FREE, ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL, ZIP_SOURCE_SUPPORTS,
          ZIP_SOURCE_BEGIN_WRITE, ZIP_SOURCE_COMMIT_WRITE, ZIP_SOURCE_ROLLBACK_WRITE,
          ZIP_SOURCE_WRITE, ZIP_SOURCE_SEEK_WRITE, ZIP_SOURCE_TELL_WRITE, ZIP_SOURCE_REMOVE,
        ])
      default: return -1
      }
    } catch {
      failures.note(error)
      return -1
    }
  }

  private var position: UInt64 { start + UInt64(cursor) }

  private func write(_ bytes: UnsafeRawBufferPointer) throws(BundleError) {
    let replaced = min(bytes.count, buffer.count - cursor)
    buffer.replaceSubrange(cursor..<cursor + replaced, with: bytes)
    cursor += bytes.count
    if buffer.count >= copyBufferSize { try flush() }
  }

  private func seek(to place: UInt64) throws(BundleError) {
    if place < start || place - start > UInt64(buffer.count) {
      try flush()
      start = place
    }
    cursor = Int(place - start)
  }

  private func flush() throws(BundleError) {
    let next = position
    if !buffer.isEmpty { try file.write(buffer, at: start) }
    buffer.removeAll(keepingCapacity: true)
    start = next
    cursor = 0
  }
}
