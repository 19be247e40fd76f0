internal import CLibZip

/// What libzip's callbacks and errors have in common.
enum ZipFailure {
  /// Answers `ZIP_SOURCE_ERROR`: two integers, libzip's code and the system's.
  static func report(
    _ code: Int32, _ data: UnsafeMutableRawPointer?, _ length: zip_uint64_t
  ) -> zip_int64_t {
    let size = 2 * MemoryLayout<Int32>.size
    guard let data, length >= size else { return -1 }
    data.storeBytes(of: code, as: Int32.self)
    data.storeBytes(of: 0, toByteOffset: MemoryLayout<Int32>.size, as: Int32.self)
    return zip_int64_t(size)
  }

  /// The answer to `ZIP_SOURCE_SUPPORTS`.
  static func bitmap(_ commands: [zip_source_cmd_t]) -> zip_int64_t {
    commands.reduce(0) { $0 | 1 << zip_int64_t($1.rawValue) }
  }

  /// The text of an error of libzip's.
  static func text(_ error: UnsafeMutablePointer<zip_error_t>?) -> String {
    guard let error, let text = zip_error_strerror(error) else { return "unknown error" }
    let sentence = String(cString: text)
    return sentence.prefix(1).lowercased() + sentence.dropFirst()
  }
}
