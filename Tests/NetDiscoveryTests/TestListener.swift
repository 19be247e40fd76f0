import Foundation
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// A listening socket of the test process.
final class TestListener: Sendable {
  let path: String
  private let descriptor: Int32
  private let answered = Mutex(0)

  /// How many connections have been answered to their end.
  var count: Int { answered.withLock { $0 } }

  /// Listens at a unix socket in the folder for temporary files.
  init(backlog: Int32 = 8) throws {
    path = FileManager.default.temporaryDirectory.path + "/listener-\(UUID().uuidString.prefix(8))"
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    descriptor = try Self.listen(at: address, family: AF_UNIX, backlog: backlog)
  }

  /// Listens at a port of 127.0.0.1.
  init(loopback port: inout UInt16) throws {
    path = ""
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    descriptor = try Self.listen(at: address, family: AF_INET, backlog: 8)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = getsockname(descriptor, $0, &length)
      }
    }
    port = UInt16(bigEndian: address.sin_port)
  }

  deinit {
    close(descriptor)
    if !path.isEmpty { unlink(path) }
  }

  /// Answers connections one after the other, each with a function of its descriptor.
  func answer(_ times: Int = 1, _ body: @escaping @Sendable (Int32) -> Void) {
    Thread.detachNewThread { [self] in
      for _ in 0..<times {
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { return }
        body(connection)
        close(connection)
        answered.withLock { $0 += 1 }
      }
    }
  }

  /// Reads the head of a request, then sends an answer.
  func answer(_ times: Int = 1, with text: String) {
    answer(times) { connection in
      _ = Self.head(connection)
      Self.write(text, to: connection)
    }
  }

  /// What comes until an empty line, or the end.
  static func head(_ connection: Int32) -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      bytes += buffer.prefix(count)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func write(_ text: String, to connection: Int32) {
    let bytes = Array(text.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        #if canImport(Darwin)
          send(connection, $0.baseAddress, $0.count, 0)
        #else
          send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        #endif
      }
      guard count > 0 else { return }
      sent += count
    }
  }

  private static func listen<Address: BitwiseCopyable>(
    at address: Address, family: Int32, backlog: Int32
  ) throws -> Int32 {
    #if canImport(Darwin)
      let descriptor = socket(family, SOCK_STREAM, 0)
    #else
      let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    let bound = withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
      }
    }
    guard descriptor >= 0, bound == 0, listenAt(descriptor, backlog) == 0 else {
      throw POSIXError(.init(rawValue: errno) ?? .EIO)
    }
    return descriptor
  }

  private static func listenAt(_ descriptor: Int32, _ backlog: Int32) -> Int32 {
    #if canImport(Darwin)
      Darwin.listen(descriptor, backlog)
    #else
      Glibc.listen(descriptor, backlog)
    #endif
  }
}
