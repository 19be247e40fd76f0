#if os(Linux)
  #if canImport(Glibc)
    import Glibc
  #endif

  /// A socket to the kernel's routing tables and links, those of the process's own network namespace
  /// (`netlink(7)`, `rtnetlink(7)`). `/sys/class/net` shows the namespace in which it was mounted.
  struct NetlinkSocket: ~Copyable {
    private let socket: Int32

    private init() throws(DiscoveryError) {
      socket = Glibc.socket(AF_NETLINK, Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      guard socket >= 0 else { throw .interfaces(errno) }
      // The kernel answers at once; what stands in for one may not.
      var patience = timeval(tv_sec: 1, tv_usec: 0)
      setsockopt(
        socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
      // SOL_NETLINK, NETLINK_GET_STRICT_CHK: the kernel heeds a request's attributes. Kernels before
      // 4.20 send more than was asked for.
      var isStrict: Int32 = 1
      setsockopt(socket, 270, 12, &isStrict, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit { close(socket) }

    /// The messages that answer a request for a whole table, one after the other in the kernel's form.
    ///
    /// Where the table changes meanwhile it is asked for again, twice; then what came is taken. Each
    /// table has a socket of its own, on which nothing of an answer that was given up can be left.
    /// - Throws: ``DiscoveryError`` with code `interfaces` where the kernel refuses, or sends more than
    ///   16 MB.
    static func dump(_ request: Netlink.Request) throws(DiscoveryError) -> [UInt8] {
      let socket = try NetlinkSocket()
      for _ in 0..<2 {
        let (answer, isWhole) = try socket.answer(to: request)
        if isWhole { return answer }
      }
      return try socket.answer(to: request).bytes
    }

    private func answer(
      to request: Netlink.Request
    ) throws(DiscoveryError) -> (bytes: [UInt8], isWhole: Bool) {
      let message = request.bytes
      guard send(socket, message, message.count, 0) == message.count else {
        throw .interfaces(errno)
      }
      var answer: [UInt8] = []
      var isWhole = true
      // The kernel fills what it is given, up to 32 KB at a time.
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while answer.count < 16 << 20 {
        let count = recv(socket, &buffer, buffer.count, Int32(MSG_TRUNC))
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else { throw .interfaces(errno) }
        guard count > 0, count <= buffer.count else { throw .interfaces(EMSGSIZE) }
        answer += buffer[..<count]
        let messages = Netlink.messages(in: buffer[..<count])
        isWhole = isWhole && !messages.contains(where: \.isInterrupted)
        if let end = messages.first(where: \.endsAnswer) {
          if let code = end.errorCode { throw .interfaces(code) }
          return (answer, isWhole)
        }
      }
      throw .interfaces(EMSGSIZE)
    }
  }

  /// The form of the messages: numbers in the machine's byte order, each part padded to four bytes
  /// (Linux, `linux/netlink.h` and `linux/rtnetlink.h`).
  enum Netlink {
    /// A request for a table.
    struct Request {
      let type: UInt16
      /// The fixed part of the message.
      let body: [UInt8]
      /// One attribute, its value a number.
      var attribute: (type: UInt16, value: UInt32)?

      /// `RTM_GETLINK`, the interfaces without their counters (`IFLA_EXT_MASK`,
      /// `RTEXT_FILTER_SKIP_STATS`).
      static let links = Request(
        type: 18, body: [UInt8](repeating: 0, count: 16), attribute: (29, 1 << 3))

      /// `RTM_GETADDR`, the addresses of all families.
      static let addresses = Request(type: 22, body: [UInt8](repeating: 0, count: 8))

      /// `RTM_GETROUTE`, the routes of a family in the main table.
      static func routes(_ family: Interface.DefaultRoutes) -> Request {
        Request(
          type: 26,
          body: [UInt8(family == .ipv6 ? AF_INET6 : AF_INET)] + [UInt8](repeating: 0, count: 11),
          attribute: (Route.tableAttribute, Route.mainTable))
      }

      /// Length, type, `NLM_F_REQUEST` and `NLM_F_DUMP`, sequence, sender, body, attribute.
      var bytes: [UInt8] {
        var rest =
          native(type) + native(UInt16(0x301)) + native(UInt32(1)) + native(UInt32(0)) + body
        if let attribute {
          rest += native(UInt16(8)) + native(attribute.type) + native(attribute.value)
        }
        return native(UInt32(rest.count + 4)) + rest
      }
    }

    struct Message {
      let type: UInt16
      let flags: UInt16
      let body: ArraySlice<UInt8>

      /// `NLMSG_ERROR`, `NLMSG_DONE`
      var endsAnswer: Bool { type == 2 || type == 3 }

      /// `NLM_F_DUMP_INTR`: the table changed while it was read.
      var isInterrupted: Bool { flags & 0x10 != 0 }

      /// The `errno` of a refusal, which both kinds of last messages carry negated.
      var errorCode: Int32? {
        guard endsAnswer, let code: Int32 = Netlink.number(in: body, at: 0), code < 0 else {
          return nil
        }
        return code == .min ? nil : -code
      }
    }

    /// The messages in a row of them; what follows one of a wrong length is passed over.
    static func messages(in bytes: ArraySlice<UInt8>) -> [Message] {
      var messages: [Message] = []
      var rest = bytes
      while let length: UInt32 = number(in: rest, at: 0),
        let type: UInt16 = number(in: rest, at: 4),
        let flags: UInt16 = number(in: rest, at: 6), length >= 16, length <= rest.count
      {
        let body = rest.prefix(Int(length)).dropFirst(16)
        messages.append(Message(type: type, flags: flags, body: body))
        rest = rest.dropFirst(padded(Int(length)))
      }
      return messages
    }

    /// The values of attributes by their type, without the flags in it; what follows one of a wrong
    /// length is passed over.
    static func attributes(in bytes: ArraySlice<UInt8>) -> [UInt16: ArraySlice<UInt8>] {
      var attributes: [UInt16: ArraySlice<UInt8>] = [:]
      var rest = bytes
      while let length: UInt16 = number(in: rest, at: 0),
        let type: UInt16 = number(in: rest, at: 2),
        length >= 4, length <= rest.count
      {
        attributes[type & 0x3fff] = rest.prefix(Int(length)).dropFirst(4)
        rest = rest.dropFirst(padded(Int(length)))
      }
      return attributes
    }

    /// A number so many bytes behind the start; nil where the bytes end before it does.
    static func number<Number: FixedWidthInteger>(
      in bytes: ArraySlice<UInt8>, at offset: Int
    ) -> Number? {
      let field = bytes.dropFirst(offset).prefix(MemoryLayout<Number>.size)
      guard field.count == MemoryLayout<Number>.size else { return nil }
      return field.withUnsafeBytes { $0.loadUnaligned(as: Number.self) }
    }

    /// A text with or without a zero byte at its end.
    static func text(_ bytes: ArraySlice<UInt8>?) -> String? {
      bytes.map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    static func padded(_ length: Int) -> Int { (length + 3) & ~3 }

    private static func native(_ number: some FixedWidthInteger) -> [UInt8] {
      withUnsafeBytes(of: number) { Array($0) }
    }
  }
#endif
