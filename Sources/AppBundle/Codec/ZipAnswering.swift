internal import CLibZip

/// An object that answers libzip's commands for a source, and that the source owns.
protocol ZipAnswering: AnyObject {
  /// Answers a command (zip_source_function(3)) other than the one to let the object go.
  func answer(
    _ command: zip_source_cmd_t, _ data: UnsafeMutableRawPointer?, _ length: zip_uint64_t
  ) -> zip_int64_t
}

/// Gives an object of any type one form that a pointer can lead to.
private final class ZipAnswerer {
  let object: any ZipAnswering
  init(_ object: any ZipAnswering) { self.object = object }
}

extension ZipAnswering {
  /// A libzip source that asks this object and keeps it alive; nil where memory ran out.
  func makeSource() -> OpaquePointer? {
    let reference = Unmanaged.passRetained(ZipAnswerer(self))
    let source = zip_source_function_create(
      { state, data, length, command in
        guard let state else { return -1 }
        let reference = Unmanaged<ZipAnswerer>.fromOpaque(state)
        if command == ZIP_SOURCE_FREE {
          reference.release()
          return 0
        }
        return reference.takeUnretainedValue().object.answer(command, data, length)
      }, reference.toOpaque(), nil)
    if source == nil { reference.release() }
    return source
  }

  /// Answers the command for the status of what is read.
  func report(
    size: UInt64, to data: UnsafeMutableRawPointer?, _ length: zip_uint64_t
  ) -> zip_int64_t {
    guard let data, length >= MemoryLayout<zip_stat_t>.size else { return -1 }
    let status = data.assumingMemoryBound(to: zip_stat_t.self)
    zip_stat_init(status)
    status.pointee.size = size
    status.pointee.valid = zip_uint64_t(ZIP_STAT_SIZE)
    return zip_int64_t(MemoryLayout<zip_stat_t>.size)
  }
}
