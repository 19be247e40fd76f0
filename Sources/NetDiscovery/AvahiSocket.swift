#if os(Linux)
  import Processes

  #if canImport(Glibc)
    import Glibc
  #endif

  /// Avahi's own socket, which it has with D-Bus and without (Avahi,
  /// `avahi-daemon/simple-protocol.c`): one line asks, one line answers, then the connection ends.
  ///
  /// It tells no name of its own, so it is asked whose name an address of this machine has. Avahi
  /// then asks the network too, as it does for every question.
  struct AvahiSocket {
    /// The folder that holds the socket and the file with the process's number.
    let folder: String
    /// How long all questions together may take.
    let limit: Duration

    /// Whether Avahi runs. Where systemd holds the socket for it, a mere connection would start it.
    var isRunning: Bool {
      guard let number = Self.processNumber(fileStart(folder + "/pid", bytes: 32)) else {
        return false
      }
      return kill(number, 0) == 0 || errno == EPERM
    }

    /// The name that Avahi gives to the first of some addresses that it knows, and which leads to one
    /// of them; nil where it knows none of them.
    ///
    /// Without the way back the name could be one that another machine had with this address.
    /// - Throws: `LocalSocket.Failure` where a question was not answered, and no other gave a name.
    func hostName(of addresses: [Host]) throws(LocalSocket.Failure) -> String? {
      var failure: LocalSocket.Failure?
      let deadline = Deadline(after: limit)
      for address in addresses.prefix(Self.maxAddresses) where !deadline.isPast {
        do throws(LocalSocket.Failure) {
          let question = "RESOLVE-ADDRESS \(address)"
          guard let name = try ask(question, fields: 3, by: deadline)?.last else { continue }
          let family = if case .ipv6 = address { "IPV6" } else { "IPV4" }
          let back = "RESOLVE-HOSTNAME-\(family) \(name)"
          let answer = try ask(back, fields: 4, by: deadline)
          if let text = answer?.last, let host = try? Host(parsing: text), addresses.contains(host)
          {
            return name
          }
        } catch { failure = error }
      }
      if let failure { throw failure }
      return nil
    }

    private static let maxAddresses = 3
    private static let maxBytes = 4096

    /// The fields of an answer `+ interface protocol name …`; nil for an error or another form.
    ///
    /// It may take half of all the time: an address on an interface that Avahi is not on gets its
    /// answer, that there is none, only after five seconds, and there may be a better address.
    private func ask(
      _ question: String, fields: Int, by deadline: Deadline
    ) throws(LocalSocket.Failure) -> [String]? {
      let left = Duration.milliseconds(deadline.milliseconds)
      let socket = try LocalSocket.connected(
        to: folder + "/socket", by: Deadline(after: min(limit / 2, left)))
      try socket.send(Array("\(question)\n".utf8))
      var answer: [UInt8] = []
      while !answer.contains(UInt8(ascii: "\n")), answer.count <= Self.maxBytes {
        let bytes = try socket.receive()
        guard !bytes.isEmpty else { break }
        answer += bytes
      }
      return Self.fields(answer, count: fields)
    }

    static func fields(_ answer: [UInt8], count: Int) -> [String]? {
      guard let end = answer.firstIndex(of: UInt8(ascii: "\n")),
        let line = String(validating: answer[..<end], as: UTF8.self)
      else { return nil }
      let fields = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      guard fields.first == "+", fields.count == count + 1, fields.allSatisfy({ !$0.isEmpty })
      else { return nil }
      return Array(fields.dropFirst())
    }

    static func processNumber(_ bytes: [UInt8]) -> pid_t? {
      let digits = bytes.prefix { $0 != UInt8(ascii: "\n") }
      guard let number = pid_t(String(decoding: digits, as: UTF8.self)), number > 1 else {
        return nil
      }
      return number
    }
  }
#endif
