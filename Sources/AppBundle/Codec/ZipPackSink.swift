internal import CLibZip

/// Where libzip writes a new archive: a temporary file of ours, so that libzip makes none by path.
/// An object is owned by the libzip source that writes it.
final class ZipPackSink: ZipAnswering {
  private let file: TemporaryFile
  private let failures: ZipFailures
  private var buffer: [UInt8] = []
  /// Where the buffer's first byte belongs.
  private var position: UInt64 = 0

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
        buffer += UnsafeRawBufferPointer(start: data, count: Int(clamping: length))
        if buffer.count >= copyBufferSize { try flush() }
        return zip_int64_t(clamping: length)
      case ZIP_SOURCE_TELL_WRITE: return zip_int64_t(clamping: position + UInt64(buffer.count))
      case ZIP_SOURCE_SEEK_WRITE:
        try flush()
        let place = zip_source_seek_compute_offset(position, file.end, data, length, nil)
        guard place >= 0 else { return -1 }
        position = zip_uint64_t(place)
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

  private func flush() throws(BundleError) {
    if buffer.isEmpty { return }
    try file.write(buffer, at: position)
    position += UInt64(buffer.count)
    buffer.removeAll(keepingCapacity: true)
  }
}
