import Foundation
import Testing

import Processes
@testable import NetDiscovery

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

@Suite("LocalSocket", .timeLimit(.minutes(1)))
struct LocalSocketTests {
  typealias Failure = LocalSocket.Failure

  static let short = Duration.milliseconds(200)

  /// What reading to the end of a stream at a path gives.
  static func exchange(
    _ path: String, sending text: String = "", within duration: Duration = .seconds(30)
  ) throws(Failure) -> String {
    let socket = try LocalSocket.connected(to: path, by: Deadline(after: duration))
    return try exchange(socket, sending: text)
  }

  static func exchange(
    _ socket: borrowing LocalSocket, sending text: String
  ) throws(Failure) -> String {
    try socket.send(Array(text.utf8))
    var bytes: [UInt8] = []
    while case let piece = try socket.receive(atMost: 700), !piece.isEmpty { bytes += piece }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("bytes go both ways until the end")
  func both() throws {
    let listener = try TestListener()
    listener.answer { peer in
      peer.write("got " + peer.readHead())
    }
    #expect(try Self.exchange(listener.path, sending: "name\r\n\r\n") == "got name\r\n\r\n")
  }

  @Test("so do they at a port of this machine")
  func loopback() throws {
    var port: UInt16 = 0
    let listener = try TestListener(loopback: &port)
    listener.answer { peer in
      peer.write("got " + peer.readHead())
    }
    let socket = try LocalSocket.connected(toLoopbackPort: port, by: Deadline(after: .seconds(30)))
    #expect(try Self.exchange(socket, sending: "\r\n\r\n") == "got \r\n\r\n")
  }

  @Test("megabytes go both ways at a time")
  func large() throws {
    let listener = try TestListener()
    let text = String(repeating: "0123456789abcdef", count: 1 << 17)
    listener.answer { peer in
      peer.write(peer.readHead())
    }
    #expect(try Self.exchange(listener.path, sending: text + "\r\n\r\n") == text + "\r\n\r\n")
  }

  struct AbsenceRow: NamedRow {
    let name: String
    let path: String
    let failure: Failure
    var isAbsence = false
  }

  static let absences: [AbsenceRow] = [
    .init(
      name: "nothing there", path: "/nonexistent/socket", failure: .system(ENOENT),
      isAbsence: true),
    .init(
      name: "no socket but a folder", path: "/", failure: .system(ECONNREFUSED), isAbsence: true),
    .init(name: "below a file", path: "/etc/passwd/socket", failure: .system(ENOTDIR)),
    .init(
      name: "a path of 4000 bytes", path: "/" + String(repeating: "a", count: 4000), failure: .path),
    .init(
      name: "the first path without room for its end",
      path: "/" + String(repeating: "a", count: LocalSocketTests.room - 1), failure: .path),
    .init(
      name: "the last path with it", path: "/" + String(repeating: "a", count: room - 2),
      failure: .system(ENOENT), isAbsence: true),
    .init(name: "a path with a null", path: "/tmp/a\0b", failure: .path),
  ]

  static var room: Int { MemoryLayout.size(ofValue: sockaddr_un().sun_path) }

  @Test("a connection that cannot be", arguments: absences)
  func absence(_ row: AbsenceRow) throws {
    let failure = #expect(throws: Failure.self) { try Self.exchange(row.path) }
    #if os(Linux)
      #expect(failure == row.failure)
    #endif
    #expect(failure?.isAbsence == row.isAbsence)
  }

  @Test("a socket that nobody listens at any more counts as absent")
  func stale() throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/stale"
    do {
      let listener = try TestListener()
      // The second name stays when the listener goes.
      try #require(link(listener.path, path) == 0)
    }
    let failure = #expect(throws: Failure.system(ECONNREFUSED)) { try Self.exchange(path) }
    #expect(failure?.isAbsence == true)
  }

  @Test("a port that nobody listens at counts as absent")
  func stalePort() throws {
    var port: UInt16 = 0
    do { _ = try TestListener(loopback: &port) }
    let failure = #expect(throws: Failure.self) {
      let deadline = Deadline(after: .seconds(30))
      _ = try Self.exchange(
        try LocalSocket.connected(toLoopbackPort: port, by: deadline), sending: "")
    }
    #expect(failure?.isAbsence == true)
  }

  @Test("one that accepts nobody and whose queue is full")
  func full() throws {
    let listener = try TestListener(backlog: 0)
    var waiting: [Int32] = []
    defer { for descriptor in waiting { close(descriptor) } }
    // Others fill the queue.
    for _ in 0..<4 { waiting.append(try Self.connectWithoutWaiting(to: listener.path)) }
    #expect(throws: Failure.self) { try Self.exchange(listener.path, within: Self.short) }
    #expect(throws: Failure.timeout) {
      #if os(Linux)
        _ = try LocalSocket.connected(to: listener.path, by: Deadline(after: Self.short))
      #else
        // The kernels of BSD refuse at once.
        throw Failure.timeout
      #endif
    }
  }

  @Test("one that accepts and says nothing")
  func silent() throws {
    let listener = try TestListener()
    listener.answer { peer in
      _ = peer.readHead()
    }
    #expect(throws: Failure.timeout) { try Self.exchange(listener.path, within: Self.short) }
  }

  @Test("one that takes nothing")
  func deaf() throws {
    let listener = try TestListener()
    let text = String(repeating: "a", count: 8 << 20)
    #expect(throws: Failure.timeout) {
      try Self.exchange(listener.path, sending: text, within: Self.short)
    }
  }

  @Test("one that never stops")
  func endless() throws {
    let listener = try TestListener()
    listener.answer { peer in
      while peer.write([97]) {}
    }
    #expect(throws: Failure.timeout) { try Self.exchange(listener.path, within: Self.short) }
  }

  @Test("one that closes at once ends the stream")
  func early() throws {
    let listener = try TestListener()
    listener.answer { _ in }
    let socket = try LocalSocket.connected(
      to: listener.path, by: Deadline(after: .seconds(30)))
    #expect(try socket.receive().isEmpty)
    // The signal of a broken pipe would end the tests.
    #expect(throws: Failure.system(EPIPE)) { for _ in 0..<9 { try socket.send([0]) } }
  }

  @Test("nothing is done after the deadline")
  func past() throws {
    let listener = try TestListener()
    listener.answer(with: "text")
    let socket = try LocalSocket.connected(to: listener.path, by: Deadline(after: .zero))
    #expect(throws: Failure.timeout) { try socket.send([0]) }
    #expect(throws: Failure.timeout) { try socket.receive() }
  }

  @Test("what is there is not taken after the deadline")
  func late() throws {
    let listener = try TestListener()
    listener.answer { peer in
      peer.write("text")
      _ = peer.readHead()
    }
    let socket = try LocalSocket.connected(
      to: listener.path, by: Deadline(after: .milliseconds(300)))
    usleep(600_000)
    #expect(throws: Failure.timeout) { try socket.receive() }
  }

  private static func connectWithoutWaiting(to path: String) throws -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    #if os(Linux)
      let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
    #else
      let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    #endif
    try #require(descriptor >= 0)
    withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    return descriptor
  }
}
