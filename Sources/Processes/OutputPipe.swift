#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// A pipe into which another process writes.
struct OutputPipe: ~Copyable {
  private let reading: Int32
  private var writing: Int32
  private var isAtEnd = false
  /// Whether the last read gave something, so that there may be more.
  private(set) var hasMore = false

  init() throws(ExternalCommand.Failure) {
    let ends = try PipeEnds()
    _ = fcntl(ends.reading, F_SETFL, O_NONBLOCK)
    (reading, writing) = (ends.reading, ends.writing)
  }

  deinit {
    close(reading)
    if writing >= 0 { close(writing) }
  }

  /// Leaves the writing end to the other process alone.
  mutating func closeWriting() {
    close(writing)
    writing = -1
  }

  /// What is there, at most 64 KiB.
  mutating func read() -> [UInt8] {
    hasMore = false
    guard !isAtEnd else { return [] }
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = Self.read(reading, &buffer)
      if count > 0 {
        hasMore = true
        return Array(buffer.prefix(count))
      }
      if count < 0, errno == EINTR { continue }
      isAtEnd = count == 0 || errno != EAGAIN
      return []
    }
  }

  /// Lets a process write into the pipe under another number.
  func hand(to settings: borrowing SpawnSettings, as number: Int32) {
    settings.add(writing, as: number)
  }

  /// Waits until one of the pipes has something, or for a moment in which the process may have ended.
  static func wait(
    for first: borrowing OutputPipe, _ second: borrowing OutputPipe, by deadline: Deadline?
  ) {
    let isOver = first.isAtEnd && second.isAtEnd
    var entries = [first.entry, second.entry]
    poll(&entries, nfds_t(entries.count), min(isOver ? 1 : 20, deadline?.milliseconds ?? .max))
  }

  /// `poll(2)` passes over a negative number.
  private var entry: pollfd {
    pollfd(fd: isAtEnd ? -1 : reading, events: Int16(POLLIN), revents: 0)
  }

  private static func read(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
    #if canImport(Darwin)
      Darwin.read(descriptor, &buffer, buffer.count)
    #else
      Glibc.read(descriptor, &buffer, buffer.count)
    #endif
  }
}
