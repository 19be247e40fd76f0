internal import CLibZip

/// Where a new archive's member gets its bytes: from memory, or from a file that is opened when its
/// turn comes. An object is owned by the libzip source that reads it.
final class ZipPackSource: ZipAnswering {
  enum Content {
    case bytes([UInt8])
    case file(FolderTree, Int)
  }

  private let content: Content
  private let size: UInt64
  private let failures: ZipFailures
  private let hearing: (Int) -> Void
  private var file: InputFile?
  private var position: UInt64 = 0

  /// A source that tells how many bytes each reading takes.
  init(
    _ content: Content, size: UInt64, failures: ZipFailures, hearing: @escaping (Int) -> Void
  ) {
    self.content = content
    self.size = size
    self.failures = failures
    self.hearing = hearing
  }

  func answer(
    _ command: zip_source_cmd_t, _ data: UnsafeMutableRawPointer?, _ length: zip_uint64_t
  ) -> zip_int64_t {
    do throws(BundleError) {
      switch command {
      case ZIP_SOURCE_OPEN:
        position = 0
        if case .file(let tree, let index) = content { file = try tree.open(index) }
        return 0
      case ZIP_SOURCE_CLOSE:
        try file?.checkUnchanged()
        file = nil
        return 0
      case ZIP_SOURCE_READ:
        let buffer = UnsafeMutableRawBufferPointer(start: data, count: Int(clamping: length))
        return zip_int64_t(try read(into: buffer))
      case ZIP_SOURCE_STAT: return report(size: size, to: data, length)
      case ZIP_SOURCE_ERROR: return ZipFailure.report(ZIP_ER_READ, data, length)
      case ZIP_SOURCE_SUPPORTS:
        return ZipFailure.bitmap([
          ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR,
          ZIP_SOURCE_FREE, ZIP_SOURCE_SUPPORTS,
        ])
      default: return -1
      }
    } catch {
      failures.note(error)
      return -1
    }
  }

  private func read(into buffer: UnsafeMutableRawBufferPointer) throws(BundleError) -> Int {
    let count: Int
    switch content {
    case .bytes(let bytes):
      let part = bytes.dropFirst(Int(position)).prefix(buffer.count)
      buffer.copyBytes(from: part)
      count = part.count
    case .file:
      guard let file else { return 0 }
      let wanted = Int(min(UInt64(buffer.count), size - min(position, size)))
      count = try file.read(
        at: position, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]))
      guard count == wanted else {
        throw file.becameShorter
      }
    }
    position += UInt64(count)
    hearing(count)
    return count
  }
}

/// Keeps the first failure of callbacks, through which no error can be thrown.
final class ZipFailures {
  private(set) var first: BundleError?
  func note(_ error: BundleError) { first = first ?? error }
}
