import Processes

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// A stream to a daemon of this machine, every step of which ends by one deadline.
///
/// A class: Swift 6.3 without optimization does not run the `deinit` of a structure that cannot be
/// copied where it comes out of a throwing function as this does, and the socket stays open.
final class LocalSocket: Sendable {
  /// Why a step did not succeed.
  enum Failure: Error, Equatable {
    /// The number of a system error. ENOENT and ECONNREFUSED: there is nobody.
    case system(Int32)
    case timeout
    /// A path that is too long for an address.
    case path

    var isAbsence: Bool { self == .system(ENOENT) || self == .system(ECONNREFUSED) }

    /// What happened, to follow the name of who was asked.
    var predicate: String {
      switch self {
      case .system(let number): "cannot be asked: \(SystemError(number: number).reason)"
      case .timeout: "does not answer in time"
      case .path: "has a path that is too long"
      }
    }
  }

  private let descriptor: Int32
  private let deadline: Deadline

  /// A connection to the unix socket at a path.
  static func connected(to path: String, by deadline: Deadline) throws(Failure) -> LocalSocket {
    let address = try Self.address(path)
    let socket = LocalSocket(descriptor: try make(AF_UNIX), deadline: deadline)
    try socket.connect(to: address)
    return socket
  }

  /// A connection to a TCP port of 127.0.0.1.
  static func connected(
    toLoopbackPort port: UInt16, by deadline: Deadline
  ) throws(Failure) -> LocalSocket {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    #if canImport(Darwin)
      address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
    #endif
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let socket = LocalSocket(descriptor: try make(AF_INET), deadline: deadline)
    try socket.connect(to: address)
    return socket
  }

  private init(descriptor: Int32, deadline: Deadline) {
    self.descriptor = descriptor
    self.deadline = deadline
  }

  deinit { close(descriptor) }

  /// Sends all bytes.
  func send(_ bytes: [UInt8]) throws(Failure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard !deadline.isPast else { throw .timeout }
      let count = rest.withUnsafeBytes { Self.send(descriptor, $0) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else {
        try waitAfter(errno, for: POLLOUT)
      }
    }
  }

  /// What comes next, at most so many bytes; nothing at the end.
  func receive(atMost limit: Int = 16384) throws(Failure) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: limit)
    // One who sends without a pause never makes this wait.
    guard !deadline.isPast else { throw .timeout }
    while true {
      let count = read(descriptor, &buffer, limit)
      if count >= 0 { return Array(buffer.prefix(count)) }
      try waitAfter(errno, for: POLLIN)
    }
  }

  private func waitAfter(_ number: Int32, for events: Int32) throws(Failure) {
    guard number == EAGAIN || number == EINTR else { throw .system(number) }
    var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    guard poll(&entry, 1, deadline.milliseconds) != 0 || !deadline.isPast else { throw .timeout }
  }

  private static func address(_ path: String) throws(Failure) -> sockaddr_un {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    #if canImport(Darwin)
      address.sun_len = UInt8(MemoryLayout<sockaddr_un>.size)
    #endif
    let bytes = Array(path.utf8)
    let fits = withUnsafeMutableBytes(of: &address.sun_path) { room in
      guard bytes.count < room.count, !bytes.contains(0) else { return false }
      room.copyBytes(from: bytes)
      return true
    }
    guard fits else { throw .path }
    return address
  }

  private func connect<Address: BitwiseCopyable>(to address: Address) throws(Failure) {
    while true {
      let result = withUnsafePointer(to: address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          Self.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
        }
      }
      if result == 0 || errno == EISCONN { return }
      switch errno {
      case EINTR: continue
      case EINPROGRESS: return try finishConnecting()
      // The daemon accepts nobody at the moment. There is no event to wait for (`unix(7)`).
      case EAGAIN:
        guard !deadline.isPast else { throw .timeout }
        poll(nil, 0, min(10, deadline.milliseconds))
      case let number: throw .system(number)
      }
    }
  }

  /// Waits for a connection that the system is making (`connect(2)`).
  private func finishConnecting() throws(Failure) {
    try waitAfter(EAGAIN, for: POLLOUT)
    var number: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &length) == 0 else {
      throw .system(errno)
    }
    guard number == 0 else { throw .system(number) }
  }

  /// A stream socket that never blocks and does not outlive an `exec`.
  private static func make(_ family: Int32) throws(Failure) -> Int32 {
    #if canImport(Darwin)
      let descriptor = socket(family, SOCK_STREAM, 0)
    #else
      let descriptor = socket(
        family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    #endif
    guard descriptor >= 0 else { throw .system(errno) }
    #if canImport(Darwin)
      var on: Int32 = 1
      setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    #endif
    return descriptor
  }

  private static func connect(
    _ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t
  ) -> Int32 {
    #if canImport(Darwin)
      Darwin.connect(descriptor, address, length)
    #else
      Glibc.connect(descriptor, address, length)
    #endif
  }

  private static func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
      Darwin.send(descriptor, bytes.baseAddress, bytes.count, 0)
    #else
      Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    #endif
  }
}
