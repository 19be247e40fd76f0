#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// Reading small files that options name.
enum InputFile {
  /// No file that an option names is anywhere near as large.
  static let limit = 16 << 20

  /// The bytes of a file.
  static func read(_ path: String, limit: Int = limit) throws(Failure) -> [UInt8] {
    guard let bytes = try readIfPresent(path, limit: limit) else {
      throw failure(path, "there is no such file")
    }
    return bytes
  }

  /// The bytes of a file, nil where there is none.
  static func readIfPresent(_ path: String, limit: Int = limit) throws(Failure) -> [UInt8]? {
    guard !path.isEmpty else {
      throw Failure.usage(UsageError("the path of a file is empty"))
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw failure(path, String.ofSystemError(errno))
    }
    defer { close(descriptor) }
    return try read(descriptor, limit: limit, named: path)
  }

  /// What standard input has.
  static func readStandardInput(limit: Int) throws(Failure) -> [UInt8] {
    try read(STDIN_FILENO, limit: limit, named: "standard input")
  }

  private static func read(
    _ descriptor: Int32, limit: Int, named name: String
  ) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    let number = forEachBlock(of: descriptor, size: 64 << 10) { block in
      bytes += block
      return bytes.count <= limit
    }
    guard number == 0 else { throw failure(name, String.ofSystemError(number)) }
    guard bytes.count <= limit else {
      throw Failure(
        code: "limit", status: .badInput, message: "it holds more than \(limit) bytes", file: name)
    }
    return bytes
  }

  /// Gives what a descriptor has to a body, block by block, until the end or until the body returns
  /// false. Returns 0 or the number of the error.
  static func forEachBlock(
    of descriptor: Int32, size: Int, _ body: (ArraySlice<UInt8>) -> Bool
  ) -> Int32 {
    var buffer = [UInt8](repeating: 0, count: size)
    while true {
      let count = buffer.withUnsafeMutableBytes { readSome(descriptor, $0) }
      if count < 0 { return errno }
      if count == 0 || !body(buffer[..<count]) { return 0 }
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
