#if os(Linux)
  import Foundation
  import Glibc
  import Testing

  @testable import NetDiscovery

  struct AvahiSocketRow: NamedRow {
    let name: String
    /// The name, `none`, or what goes wrong.
    let outcome: String
    var limit = 10_000
    let answer: @Sendable (String) -> String?

    init(
      _ name: String, _ outcome: String, limit: Int = 10_000,
      answer: @escaping @Sendable (String) -> String?
    ) {
      self.name = name
      self.outcome = outcome
      self.limit = limit
      self.answer = answer
    }
  }

  @Suite("AvahiSocket", .timeLimit(.minutes(5)))
  struct AvahiSocketTests {
    static let addresses = ["192.168.7.10", "192.168.8.10", "fd07::10"].map(Host.of)

    static let rows: [AvahiSocketRow] = [
      .init("the first address", "my-mac.local") {
        [
          "RESOLVE-ADDRESS 192.168.7.10": "+ 2 0 my-mac.local\n",
          "RESOLVE-HOSTNAME-IPV4 my-mac.local": "+ 2 0 my-mac.local 192.168.7.10\n",
        ][$0]
      },
      .init("another address of this machine", "my-mac.local") {
        [
          "RESOLVE-ADDRESS 192.168.7.10": "+ 2 0 my-mac.local\n",
          "RESOLVE-HOSTNAME-IPV4 my-mac.local": "+ 2 0 my-mac.local 192.168.8.10\n",
        ][$0]
      },
      .init("the IPv6 address", "my-mac.local") {
        [
          "RESOLVE-ADDRESS fd07::10": "+ 2 1 my-mac.local\n",
          "RESOLVE-HOSTNAME-IPV6 my-mac.local": "+ 2 1 my-mac.local fd07::10\n",
        ][$0] ?? "-15 Timeout reached\n"
      },
      .init("a silent first address", "my-mac.local", limit: 4000) {
        [
          "RESOLVE-ADDRESS 192.168.7.10": "silent",
          "RESOLVE-ADDRESS 192.168.8.10": "+ 2 0 my-mac.local\n",
          "RESOLVE-HOSTNAME-IPV4 my-mac.local": "+ 2 0 my-mac.local 192.168.8.10\n",
        ][$0]
      },
      .init("a name that leads to another machine", "none") {
        $0.hasPrefix("RESOLVE-ADDRESS")
          ? "+ 2 0 your-mac.local\n" : "+ 2 0 your-mac.local 192.168.7.99\n"
      },
      .init("a name that leads nowhere", "none") {
        $0.hasPrefix("RESOLVE-ADDRESS") ? "+ 2 0 my-mac.local\n" : "-15 Timeout reached\n"
      },
      .init("no name", "none") { _ in "-15 Timeout reached\n" },
      .init("an unknown command", "none") { _ in "-2 Invalid command, try \"HELP\".\n" },
      .init("fewer words", "none") { _ in "+ 2 0\n" },
      .init("more words", "none") { _ in "+ 2 0 my-mac.local 192.168.7.10 more\n" },
      .init("an empty word", "none") { _ in "+ 2  my-mac.local\n" },
      .init("no line end", "none") { _ in "+ 2 0 my-mac.local" },
      .init("an empty line", "none") { _ in "\n" }, .init("nothing", "none") { _ in "" },
      .init("no UTF-8", "none") { _ in nil },
      .init("a line of a megabyte", "none") { _ in String(repeating: "+ ", count: 1 << 19) },
      .init("silent", "does not answer in time", limit: 60) { _ in "silent" },
    ]

    static func listener(_ answer: @escaping @Sendable (String) -> String?) throws -> TestListener {
      try TestListener { peer in
        switch answer(peer.readLine()) {
        case "silent": peer.waitForEnd()
        case let text?: peer.write(text)
        case nil: peer.write([0x2b, 0x20, 0xff, 0xfe, 0x0a])
        }
      }
    }

    @Test("the name is the one that has an address of this machine", arguments: rows)
    func hostName(_ row: AvahiSocketRow) throws {
      let listener = try Self.listener(row.answer)
      let avahi = AvahiSocket(folder: listener.folder.path, limit: .milliseconds(row.limit))
      do throws(LocalSocket.Failure) {
        #expect(try avahi.hostName(of: Self.addresses) ?? "none" == row.outcome)
      } catch {
        #expect(error.predicate == row.outcome)
      }
    }

    @Test("no more than three addresses are asked for")
    func questions() throws {
      let many = (1...9).map { Host.of("10.0.0.\($0)") }
      let listener = try Self.listener {
        $0.hasPrefix("RESOLVE-ADDRESS 10.0.0.4") ? "+ 2 0 my-mac.local\n" : "-15 no\n"
      }
      let avahi = AvahiSocket(folder: listener.folder.path, limit: .seconds(10))
      #expect(try avahi.hostName(of: many) == nil)
    }

    @Test(
      "a process number is a number above 1",
      arguments: [
        ("812\n", 812), ("812", 812), ("", nil), ("\n", nil), ("0\n", nil), ("1\n", nil),
        ("-5\n", nil), ("99999999999\n", nil), ("x\n", nil), ("8 1\n", nil),
      ])
    func processNumber(_ text: String, _ number: Int32?) {
      #expect(AvahiSocket.processNumber(Array(text.utf8)) == number)
    }

    @Test("it runs where its file names a process that is there")
    func running() throws {
      let listener = try TestListener { _ in }
      let avahi = AvahiSocket(folder: listener.folder.path, limit: .seconds(1))
      #expect(!avahi.isRunning)
      let file = listener.folder.appendingPathComponent("pid")
      try Data("\(getpid())\n".utf8).write(to: file)
      #expect(avahi.isRunning)
      // Beyond the largest number that Linux gives (`proc(5)`, pid_max).
      try Data("4194399\n".utf8).write(to: file)
      #expect(!avahi.isRunning)
    }
  }
#endif
