#if os(Linux)
  import Foundation
  import Glibc

  /// A daemon in this process: a unix socket in a folder of its own, and a thread that serves one
  /// connection after the other.
  final class LocalListener: Sendable {
    let folder: URL
    var path: String { folder.appendingPathComponent("socket").path }
    private let descriptor: Int32

    init(serve: @escaping @Sendable (LocalPeer) -> Void) throws {
      folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "listener-\(UUID().uuidString.prefix(8))")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      descriptor = socket
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      let bytes = Array(folder.appendingPathComponent("socket").path.utf8)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
      let isListening = withUnsafePointer(to: address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 && listen(socket, 8) == 0
        }
      }
      guard isListening else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
      Thread.detachNewThread {
        while true {
          let peer = accept(socket, nil, nil)
          guard peer >= 0 else { break }
          serve(LocalPeer(descriptor: peer))
          Glibc.close(peer)
        }
        Glibc.close(socket)
      }
    }

    /// Wakes the thread, which then ends.
    deinit {
      shutdown(descriptor, Int32(SHUT_RDWR))
      try? FileManager.default.removeItem(at: folder)
    }
  }

  /// The other end of one connection.
  struct LocalPeer {
    let descriptor: Int32

    /// So many bytes; fewer where the other ends.
    func read(_ count: Int) -> [UInt8] {
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: max(count, 1))
      while bytes.count < count {
        let got = Glibc.read(descriptor, &buffer, count - bytes.count)
        guard got > 0 else { break }
        bytes += buffer.prefix(got)
      }
      return bytes
    }

    func readLine() -> String {
      var line: [UInt8] = []
      while let byte = read(1).first, byte != UInt8(ascii: "\n") { line.append(byte) }
      return String(decoding: line, as: UTF8.self)
    }

    /// Reads until the other ends.
    func waitForEnd() { while !read(4096).isEmpty {} }

    /// Whether the other took all of it.
    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes {
          send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }

    @discardableResult
    func write(_ text: String) -> Bool { write(Array(text.utf8)) }
  }
#endif
