#if os(Linux)
  import Processes

  #if canImport(Glibc)
    import Glibc
  #endif

  /// A conversation with the system bus.
  ///
  /// libdbus is not used: its first call waits up to 25 s for a bus that hangs, and the tool links no
  /// library for one question. What is needed of the protocol is small.
  struct DBusConnection: ~Copyable {
    private let socket: LocalSocket
    /// What was received and not used yet.
    private var buffer: [UInt8] = []
    private var receivedBytes = 0
    private var lastSerial: UInt32 = 0

    /// The bytes that are received on one connection, and the messages that are passed over while an
    /// answer is awaited. The bus sends none but a greeting to who subscribes to nothing.
    static let maxReceivedBytes = 1 << 18
    static let maxPassedOver = 64

    /// A connection to the first of some paths where a bus listens, ready for calls.
    /// - Throws: ``DBusError``; `noBus` where none listens.
    static func opened(
      at paths: [String], by deadline: Deadline
    ) throws(DBusError) -> DBusConnection {
      var connection = DBusConnection(socket: try socket(at: paths, by: deadline))
      try connection.authenticate()
      _ = try connection.answer(to: .hello)
      return connection
    }

    private init(socket: LocalSocket) { self.socket = socket }

    private static func socket(
      at paths: [String], by deadline: Deadline
    ) throws(DBusError) -> LocalSocket {
      for path in paths {
        do throws(LocalSocket.Failure) {
          return try LocalSocket.connected(to: path, by: deadline)
        } catch {
          guard error.isAbsence else { throw .socket(error) }
        }
      }
      throw .noBus
    }

    /// What somebody on the bus answers to a call. What else comes before it is passed over.
    /// - Throws: ``DBusError``; `reply` where the answer is an error.
    mutating func answer(to call: DBusCall) throws(DBusError) -> DBusMessage {
      lastSerial += 1
      try send(call.message(serial: lastSerial))
      for _ in 0...Self.maxPassedOver {
        let message = try nextMessage()
        guard message.replySerial == lastSerial else { continue }
        switch message.kind {
        case .methodReturn: return message
        case .error: throw .reply(message.errorName ?? "")
        default: continue
        }
      }
      throw .flood("\(Self.maxPassedOver) messages before an answer")
    }

    /// Tells the bus who this is; it asks the kernel whether that is true (D-Bus specification,
    /// "Authentication Protocol", mechanism EXTERNAL).
    private mutating func authenticate() throws(DBusError) {
      let digits = String(geteuid()).utf8.map { String($0, radix: 16) }.joined()
      try send([0] + Array("AUTH EXTERNAL \(digits)\r\n".utf8))
      let line = try nextLine()
      guard line.hasPrefix("OK ") else {
        guard line.hasPrefix("REJECTED") || line.hasPrefix("ERROR") else {
          throw .malformed("\(quoted(line)) in place of a greeting")
        }
        throw .refused(line)
      }
      try send(Array("BEGIN\r\n".utf8))
    }

    /// A line of at most 1024 bytes.
    private mutating func nextLine() throws(DBusError) -> String {
      while true {
        if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
          let line = buffer[..<end]
          guard line.last == UInt8(ascii: "\r") else {
            throw .malformed("a line that ends without carriage return")
          }
          buffer.removeSubrange(...end)
          return String(decoding: line.dropLast(), as: UTF8.self)
        }
        guard buffer.count <= 1024 else { throw .malformed("a line without end") }
        try receive()
      }
    }

    private mutating func nextMessage() throws(DBusError) -> DBusMessage {
      while buffer.count < DBusMessage.headBytes { try receive() }
      let length = try DBusMessage.length(head: buffer)
      while buffer.count < length { try receive() }
      defer { buffer.removeFirst(length) }
      return try DBusMessage(parsing: Array(buffer.prefix(length)))
    }

    private func send(_ bytes: [UInt8]) throws(DBusError) {
      do throws(LocalSocket.Failure) { try socket.send(bytes) } catch { throw .socket(error) }
    }

    private mutating func receive() throws(DBusError) {
      let bytes: [UInt8]
      do throws(LocalSocket.Failure) { bytes = try socket.receive() } catch {
        throw .socket(error)
      }
      guard !bytes.isEmpty else { throw .closed }
      receivedBytes += bytes.count
      guard receivedBytes <= Self.maxReceivedBytes else {
        throw .flood("more than \(Self.maxReceivedBytes) bytes")
      }
      buffer += bytes
    }
  }
#endif
