#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// Reading small files that options name.
enum InputFile {
  /// No file that an option names is anywhere near as large.
  private static let limit = 16 << 20

  /// The bytes of a file.
  static func read(_ path: String) throws(Failure) -> [UInt8] {
    guard let bytes = try readIfPresent(path) else {
      throw failure(path, "there is no such file")
    }
    return bytes
  }

  /// The bytes of a file, nil where there is none.
  static func readIfPresent(_ path: String) throws(Failure) -> [UInt8]? {
    guard !path.isEmpty else {
      throw Failure.usage(UsageError("the path of a file is empty"))
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw failure(path, String(cString: strerror(errno)))
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = buffer.withUnsafeMutableBytes { readSome(descriptor, $0) }
      if count < 0 { throw failure(path, String(cString: strerror(errno))) }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
      guard bytes.count <= limit else {
        throw Failure(
          code: "limit", status: .badInput, message: "it holds more than \(limit) bytes", file: path
        )
      }
    }
  }

  private static func readSome(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int
  {
    while true {
      #if canImport(Darwin)
        let count = Darwin.read(descriptor, buffer.baseAddress, buffer.count)
      #else
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      #endif
      if count >= 0 || errno != EINTR { return count }
    }
  }

  private static func failure(_ path: String, _ message: String) -> Failure {
    Failure(code: "unreadable", status: .noInput, message: message, file: path)
  }
}
