#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// A pipe that holds all that another process is to read.
struct InputPipe: ~Copyable {
  /// What every system's pipe takes at once (POSIX, `_POSIX_PIPE_BUF` and more; Linux and macOS 4 KiB).
  static let maxBytes = 4096

  private let reading: Int32

  /// A pipe with these bytes in it, at most ``maxBytes``, and its end behind them.
  init(holding bytes: [UInt8]) throws(ExternalCommand.Failure) { reading = try Self.filled(bytes) }

  private static func filled(_ bytes: [UInt8]) throws(ExternalCommand.Failure) -> Int32 {
    guard bytes.count <= maxBytes else { throw .start(E2BIG) }
    let ends = try PipeEnds()
    let isWritten = bytes.isEmpty || write(ends.writing, bytes, bytes.count) == bytes.count
    close(ends.writing)
    guard isWritten else {
      close(ends.reading)
      throw .start(EIO)
    }
    return ends.reading
  }

  deinit { if reading >= 0 { close(reading) } }

  /// Lets a process read from the pipe under another number.
  func hand(to settings: borrowing SpawnSettings, as number: Int32) {
    settings.add(reading, as: number)
  }
}

/// The two ends of a new pipe, which no other program gets by accident.
struct PipeEnds {
  let reading: Int32
  let writing: Int32

  init() throws(ExternalCommand.Failure) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .start(errno) }
    // Where a standard descriptor is closed, the pipe would get its number.
    for index in ends.indices where ends[index] < 3 {
      let low = ends[index]
      ends[index] = fcntl(low, F_DUPFD, 3)
      close(low)
    }
    guard ends.allSatisfy({ $0 >= 0 }) else {
      for end in ends where end >= 0 { close(end) }
      throw .start(EMFILE)
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (reading, writing) = (ends[0], ends[1])
  }
}
