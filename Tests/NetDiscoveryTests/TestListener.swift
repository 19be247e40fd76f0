import Foundation
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// A daemon in the test process: a listening socket, and a thread that serves one connection after the
/// other.
final class TestListener: Sendable {
  /// The folder of its own in which its socket lies; it goes with this value.
  let folder: URL
  private let socket: ListeningSocket

  /// The socket's path.
  var path: String { folder.appendingPathComponent("socket").path }
  /// How many connections have been served to their end.
  var count: Int { socket.served.withLock { $0 } }

  /// Listens at a unix socket.
  init(backlog: Int32 = 8) throws {
    folder = try Self.makeFolder()
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(folder.appendingPathComponent("socket").path.utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    socket = try ListeningSocket(at: address, family: AF_UNIX, backlog: backlog)
  }

  /// Listens at a unix socket and serves each connection.
  convenience init(serve: @escaping @Sendable (TestPeer) -> Void) throws {
    try self.init()
    answer(.max, serve)
  }

  /// Listens at a port of 127.0.0.1.
  init(loopback port: inout UInt16) throws {
    folder = try Self.makeFolder()
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    socket = try ListeningSocket(at: address, family: AF_INET, backlog: 8)
    port = socket.port
  }

  /// Wakes the thread, which then ends.
  deinit {
    shutdown(socket.descriptor, Int32(SHUT_RDWR))
    try? FileManager.default.removeItem(at: folder)
  }

  /// Serves connections one after the other.
  func answer(_ times: Int = 1, _ body: @escaping @Sendable (TestPeer) -> Void) {
    Thread.detachNewThread { [socket] in
      for _ in 0..<times {
        let connection = accept(socket.descriptor, nil, nil)
        guard connection >= 0 else { return }
        body(TestPeer(descriptor: connection))
        close(connection)
        socket.served.withLock { $0 += 1 }
      }
    }
  }

  /// Reads the head of a request, then sends an answer.
  func answer(_ times: Int = 1, with text: String) {
    answer(times) { peer in
      _ = peer.readHead()
      peer.write(text)
    }
  }

  private static func makeFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "listener-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }
}

/// The socket itself, which the listener and its thread share: it is closed when both are done.
private final class ListeningSocket: Sendable {
  let descriptor: Int32
  let served = Mutex(0)

  init<Address: BitwiseCopyable>(at address: Address, family: Int32, backlog: Int32) throws {
    #if canImport(Darwin)
      descriptor = socket(family, SOCK_STREAM, 0)
    #else
      descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    let isListening = withUnsafePointer(to: address) { [descriptor] pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<Address>.size)) == 0
          && listen(descriptor, backlog) == 0
      }
    }
    guard isListening else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }

  deinit { close(descriptor) }

  /// The port of a socket of IPv4.
  var port: UInt16 {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = getsockname(descriptor, $0, &length)
      }
    }
    return UInt16(bigEndian: address.sin_port)
  }
}

/// The other end of one connection.
struct TestPeer {
  let descriptor: Int32

  /// So many bytes; fewer where the other ends.
  func read(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count, case let piece = receive(count - bytes.count), !piece.isEmpty {
      bytes += piece
    }
    return bytes
  }

  func readLine() -> String {
    var line: [UInt8] = []
    while let byte = read(1).first, byte != UInt8(ascii: "\n") { line.append(byte) }
    return String(decoding: line, as: UTF8.self)
  }

  /// What comes until an empty line, or the end.
  func readHead() -> String {
    var bytes: [UInt8] = []
    while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8), case let piece = receive(65536),
      !piece.isEmpty
    {
      bytes += piece
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads until the other ends.
  func waitForEnd() { while !receive(4096).isEmpty {} }

  /// Whether the other took all of it.
  @discardableResult
  func write(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        #if canImport(Darwin)
          send(descriptor, $0.baseAddress, $0.count, 0)
        #else
          send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        #endif
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  @discardableResult
  func write(_ text: String) -> Bool { write(Array(text.utf8)) }

  private func receive(_ limit: Int) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: limit)
    let count = recv(descriptor, &buffer, limit, 0)
    return Array(buffer.prefix(max(0, count)))
  }
}
