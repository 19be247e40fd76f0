#if os(Linux)
  import Foundation
  import Glibc

  /// The bus's end of a conversation, one connection long.
  struct BusStandIn {
    let peer: TestPeer

    /// A call that came: its serial number, and which of the known members it names.
    struct Call {
      let serial: UInt32
      let member: String
      let flags: UInt8
    }

    /// Lets the other in, as a bus does, and answers its Hello.
    func welcome() {
      guard greet("OK 0123456789abcdef0123456789abcdef\r\n") else { return }
      guard let hello = nextCall() else { return }
      peer.write(DBusBytes.answer(to: hello.serial, ":1.9") + DBusBytes.signal)
    }

    /// Answers the first line; whether the right lines came.
    func greet(_ answer: String) -> Bool {
      let wanted = "\0AUTH EXTERNAL " + String(geteuid()).utf8.map { "3\($0 - 48)" }.joined() + "\r"
      guard peer.readLine() == wanted else { return false }
      peer.write(answer)
      return answer.hasPrefix("OK") && peer.readLine() == "BEGIN\r"
    }

    /// The next call; nil where none comes any more.
    func nextCall() -> Call? {
      let head = peer.read(16)
      guard head.count == 16 else { return nil }
      let number = { (offset: Int) in
        head[offset..<offset + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      }
      let fields = peer.read(Int(number(12) + 7) / 8 * 8)
      _ = peer.read(Int(number(4)))
      let text = String(decoding: fields, as: UTF8.self)
      let member = ["Hello", "GetState", "GetHostNameFqdn"].first { text.contains("\($0)\0") }
      return Call(serial: number(8), member: member ?? "?", flags: head[2])
    }

    /// Answers calls to Avahi until there are no more, each with what a function makes of it.
    func serve(_ answer: (Call) -> [UInt8]) {
      welcome()
      while let call = nextCall() {
        guard peer.write(answer(call)) else { break }
      }
    }
  }
#endif
