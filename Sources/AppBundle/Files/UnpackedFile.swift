#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// A file without a name in the folder for temporary files, which nothing can leave behind.
final class UnpackedFile {
  private var descriptor: Int32

  /// - Throws: ``BundleError`` with code `io`.
  init() throws(BundleError) {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    var template = Array("\(folder.isEmpty ? "/tmp" : folder)/ipa-inject.XXXXXX".utf8CString)
    let opened = template.withUnsafeMutableBufferPointer { name -> Int32 in
      guard let name = name.baseAddress else { return -1 }
      let opened = mkstemp(name)
      guard opened >= 0 else { return -1 }
      unlink(name)
      _ = fcntl(opened, F_SETFD, FD_CLOEXEC)
      return opened
    }
    descriptor = opened
    guard opened >= 0 else {
      throw Self.failure(errno, "cannot make a temporary file")
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Writes behind what is there.
  /// - Throws: ``BundleError`` with code `io`.
  func append(_ bytes: ArraySlice<UInt8>) throws(BundleError) {
    let number = bytes.withUnsafeBytes { bytes -> Int32 in
      var rest = bytes
      while let base = rest.baseAddress, !rest.isEmpty {
        let count = retrying { write(descriptor, base, rest.count) }
        guard count > 0 else { return errno }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
      return 0
    }
    guard number == 0 else {
      throw Self.failure(number, "cannot write a temporary file")
    }
  }

  /// The file to read from.
  /// - Throws: ``BundleError`` with code `io`.
  func finish(path: String) throws(BundleError) -> InputFile {
    let taken = descriptor
    descriptor = -1
    return try InputFile(descriptor: taken, path: path)
  }

  private static func failure(_ number: Int32, _ doing: String) -> BundleError {
    var error = BundleError.reading(number, doing)
    error.code = .io
    return error
  }
}
