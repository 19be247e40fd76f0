#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// One of the two streams of the process.
struct Console: Sendable {
  let descriptor: Int32

  static let output = Console(descriptor: STDOUT_FILENO)
  static let error = Console(descriptor: STDERR_FILENO)

  var isTerminal: Bool { isatty(descriptor) == 1 }

  /// Columns and rows of the terminal, nil where the stream goes elsewhere.
  var size: (columns: Int, rows: Int)? {
    var size = winsize()
    guard isTerminal, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Columns of the terminal, nil where the stream goes elsewhere.
  var columns: Int? { size?.columns }

  /// Whether what is written may still be read: false for a pipe whose reader has gone away.
  var hasReader: Bool {
    var request = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&request, 1, 0) <= 0 || request.revents & Int16(POLLERR | POLLHUP) == 0
  }

  /// Waits until a stream that somebody left non-blocking takes more.
  private func waitForRoom() -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    let ready = poll(&request, 1, -1)
    return ready > 0 || (ready < 0 && errno == EINTR)
  }

  /// Writes all of a text. Returns false where the stream does not take it; a reader that has gone
  /// away is no error of ours.
  @discardableResult
  func write(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
  }

  /// Writes all of some bytes.
  func write(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { write($0) } }

  private func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      #if canImport(Darwin)
        let count = Darwin.write(descriptor, rest.baseAddress, rest.count)
      #else
        let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      #endif
      if count < 0 {
        if errno == EINTR { continue }
        if errno == EAGAIN, waitForRoom() { continue }
        return errno == EPIPE
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
    return true
  }
}
