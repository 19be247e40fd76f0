#if os(Linux)
  import Foundation
  import Glibc
  import Synchronization
  import Testing

  import Processes
  @testable import NetDiscovery

  struct AvahiBusRow: NamedRow {
    let name: String
    /// The answer in words, or the start of an error's.
    let outcome: String
    /// Milliseconds; long where it must not be reached.
    var limit = 10_000
    let serve: @Sendable (BusStandIn) -> Void
  }

  @Suite("AvahiBus", .timeLimit(.minutes(5)))
  struct AvahiBusTests {
    typealias Call = BusStandIn.Call

    /// The answers of an Avahi that is in this state.
    static func answer(
      _ call: Call, state: Int32 = 2, name: String = "my-mac.local", isBigEndian: Bool = false
    ) -> [UInt8] {
      call.member == "GetState"
        ? DBusBytes.answer(to: call.serial, number: state, isBigEndian: isBigEndian)
        : DBusBytes.answer(to: call.serial, name, isBigEndian: isBigEndian)
    }

    static let answers: [AvahiBusRow] = [
      .init(name: "running", outcome: "my-mac.local") { $0.serve { answer($0) } },
      .init(name: "big-endian", outcome: "my-mac.local") {
        $0.serve { answer($0, isBigEndian: true) }
      },
      .init(name: "no name", outcome: "") { $0.serve { answer($0, name: "") } },
      .init(name: "one byte at a time", outcome: "my-mac.local") { bus in
        bus.welcome()
        while let call = bus.nextCall() { for byte in answer(call) { bus.peer.write([byte]) } }
      },
      .init(name: "signals before each answer", outcome: "my-mac.local") {
        $0.serve { DBusBytes.signal + DBusBytes.signal + answer($0) }
      },
      .init(name: "an answer to another call first", outcome: "my-mac.local") {
        $0.serve { DBusBytes.answer(to: $0.serial + 7, "x.local") + answer($0) }
      },
      .init(name: "a message of an unknown kind first", outcome: "my-mac.local") {
        $0.serve { DBusBytes.message(kind: 9, fields: [.number(5, $0.serial)]) + answer($0) }
      },
      // The bus's greeting is the 64th.
      .init(name: "63 signals first", outcome: "my-mac.local") {
        $0.serve { [UInt8]((0..<63).map { _ in DBusBytes.signal }.joined()) + answer($0) }
      },
      .init(name: "registering at first", outcome: "my-mac-2.local") { bus in
        bus.welcome()
        for state in [0, 1, 3, 1, 2] as [Int32] {
          guard let call = bus.nextCall(), call.member == "GetState" else { return }
          bus.peer.write(answer(call, state: state))
        }
        if let call = bus.nextCall() { bus.peer.write(answer(call, name: "my-mac-2.local")) }
        bus.peer.waitForEnd()
      },
      .init(name: "registering for ever", outcome: "unsettled", limit: 200) {
        $0.serve { answer($0, state: 1) }
      },
      .init(name: "failed", outcome: "failed 4") { $0.serve { answer($0, state: 4) } },
      .init(name: "an unknown state", outcome: "failed -1") { $0.serve { answer($0, state: -1) } },
    ]

    static let errors: [AvahiBusRow] = [
      .init(name: "nobody has the name", outcome: "nobody") {
        $0.serve { DBusBytes.error(to: $0.serial, "org.freedesktop.DBus.Error.NameHasNoOwner") }
      },
      .init(name: "nobody may be started", outcome: "nobody") {
        $0.serve { DBusBytes.error(to: $0.serial, "org.freedesktop.DBus.Error.ServiceUnknown") }
      },
      .init(name: "forbidden", outcome: "answered with the error 'org.freedesktop.DBus.Error.Acc") {
        $0.serve { DBusBytes.error(to: $0.serial, "org.freedesktop.DBus.Error.AccessDenied") }
      },
      .init(name: "an error without name", outcome: "answered with the error ''") {
        $0.serve { DBusBytes.message(kind: 3, fields: [.number(5, $0.serial)]) }
      },
      .init(name: "a state of another type", outcome: "sent what is not D-Bus: GetState gave 'u'") {
        $0.serve { DBusBytes.answer(to: $0.serial, number: 2, type: "u") }
      },
      .init(name: "a name of another type", outcome: "sent what is not D-Bus: GetHostNameFqdn") {
        $0.serve { DBusBytes.answer(to: $0.serial, number: 2) }
      },
      .init(name: "an answer without values", outcome: "sent what is not D-Bus: GetState gave ''") {
        $0.serve { DBusBytes.message(kind: 2, fields: [.number(5, $0.serial)]) }
      },
      .init(name: "silent from the start", outcome: "does not answer in time", limit: 100) {
        $0.peer.waitForEnd()
      },
      .init(name: "silent after the greeting", outcome: "does not answer in time", limit: 100) {
        _ = $0.greet("OK 00\r\n")
        $0.peer.waitForEnd()
      },
      .init(name: "silent after Hello", outcome: "does not answer in time", limit: 100) {
        $0.welcome()
        $0.peer.waitForEnd()
      },
      .init(name: "signals without end, slowly", outcome: "does not answer in time", limit: 200) {
        $0.welcome()
        while $0.peer.write(DBusBytes.signal) { usleep(20_000) }
      },
      .init(name: "signals without end", outcome: "sent too much: 64 messages") {
        $0.welcome()
        while $0.peer.write(DBusBytes.signal) {}
      },
      .init(name: "65 signals first", outcome: "sent too much: 64 messages") {
        $0.serve { [UInt8]((0..<65).map { _ in DBusBytes.signal }.joined()) + answer($0) }
      },
      .init(name: "many bytes in few signals", outcome: "sent too much: more than 262144 bytes") {
        $0.welcome()
        let signal = DBusBytes.message(
          kind: 4, fields: [.signature("s")],
          body: { $0.text(String(repeating: "a", count: 60_000)) })
        while $0.peer.write(signal) {}
      },
      .init(name: "a message of 4 GiB", outcome: "sent too much: a message of 4294967") {
        $0.welcome()
        $0.peer.write([0x6c, 2, 1, 1, 0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0, 0, 0, 0, 0])
        $0.peer.waitForEnd()
      },
      .init(name: "closes at once", outcome: "ended the connection") { _ = $0.peer.readLine() },
      .init(name: "closes after the greeting", outcome: "ended the connection") {
        _ = $0.greet("OK 00\r\n")
        _ = $0.nextCall()
      },
      .init(name: "closes within an answer", outcome: "ended the connection") { bus in
        bus.welcome()
        if let call = bus.nextCall() { bus.peer.write(Array(answer(call).prefix(30))) }
      },
      .init(name: "refuses", outcome: "refuses this user: 'REJECTED EXTERNAL'") {
        _ = $0.greet("REJECTED EXTERNAL\r\n")
        $0.peer.waitForEnd()
      },
      .init(name: "does not understand", outcome: "refuses this user: 'ERROR'") {
        _ = $0.greet("ERROR\r\n")
        $0.peer.waitForEnd()
      },
      .init(name: "greets like another daemon", outcome: "sent what is not D-Bus: '220 mail'") {
        _ = $0.greet("220 mail\r\n")
        $0.peer.waitForEnd()
      },
      .init(name: "ends a line like a text", outcome: "sent what is not D-Bus: a line that") {
        _ = $0.greet("OK 00\n")
        $0.peer.waitForEnd()
      },
      .init(name: "a line without end", outcome: "sent what is not D-Bus: a line without end") {
        _ = $0.peer.readLine()
        while $0.peer.write(String(repeating: "x", count: 1000)) {}
      },
      .init(name: "garbage after the greeting", outcome: "sent what is not D-Bus: a message") {
        _ = $0.greet("OK 00\r\n")
        $0.peer.write(String(repeating: "<html>", count: 10))
        $0.peer.waitForEnd()
      },
    ]

    static func outcome(at paths: [String], limit: Int) -> String {
      do throws(DBusError) {
        var avahi = try AvahiBus(at: paths, by: Deadline(after: .milliseconds(limit)))
        switch try avahi.hostName() {
        case .name(let name): return name
        case .unsettled: return "unsettled"
        case .failed(let state): return "failed \(state)"
        }
      } catch { return error.isNobodyThere ? "nobody" : error.predicate }
    }

    @Test("what Avahi says is told", arguments: answers)
    func answer(_ row: AvahiBusRow) throws {
      let listener = try TestListener { row.serve(BusStandIn(peer: $0)) }
      #expect(Self.outcome(at: [listener.path], limit: row.limit) == row.outcome)
    }

    @Test("what goes wrong is told, and ends", arguments: errors)
    func fail(_ row: AvahiBusRow) throws {
      let listener = try TestListener { row.serve(BusStandIn(peer: $0)) }
      let outcome = Self.outcome(at: [listener.path], limit: row.limit)
      #expect(outcome.hasPrefix(row.outcome), "\(outcome)")
      #expect(!outcome.contains("\n"))
    }

    @Test("nobody is started by a call")
    func autoStart() throws {
      let flags = Mutex<[UInt8]>([])
      let listener = try TestListener { peer in
        BusStandIn(peer: peer).serve { call in
          flags.withLock { $0.append(call.flags) }
          return Self.answer(call)
        }
      }
      #expect(Self.outcome(at: [listener.path], limit: 10_000) == "my-mac.local")
      #expect(flags.withLock { $0 } == [2, 2])
    }

    @Test("the first path where a bus listens counts")
    func paths() throws {
      let listener = try TestListener { BusStandIn(peer: $0).serve { Self.answer($0) } }
      let dead = listener.folder.appendingPathComponent("dead").path
      #expect(Self.outcome(at: [dead, listener.path], limit: 10_000) == "my-mac.local")
      #expect(Self.outcome(at: [dead], limit: 10_000) == "is not there")
      #expect(Self.outcome(at: [], limit: 10_000) == "is not there")
      let long = "/" + String(repeating: "a", count: 200)
      #expect(Self.outcome(at: [long], limit: 10_000) == "has a path that is too long")
    }

    @Test("a real bus lets this in, and says that Avahi is not there")
    func realBus() throws {
      guard let daemon = Tool(named: "dbus-daemon") else {
        print("skipped: there is no dbus-daemon")
        return
      }
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "bus-\(UUID().uuidString.prefix(8))")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let path = folder.appendingPathComponent("bus").path
      let process = Process()
      process.executableURL = URL(fileURLWithPath: daemon.path)
      process.arguments = ["--session", "--nofork", "--nopidfile", "--address=unix:path=\(path)"]
      process.standardError = FileHandle.nullDevice
      try process.run()
      defer {
        // The daemon inherits this thread's mask, which may hold other signals back.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
      }
      // The socket is there a moment before the daemon listens on it.
      var outcome = "is not there"
      for _ in 0..<500 where outcome == "is not there" {
        usleep(20_000)
        outcome = Self.outcome(at: [path], limit: 10_000)
      }
      #expect(outcome == "nobody")
      var bus = try DBusConnection.opened(at: [path], by: Deadline(after: .seconds(10)))
      let answer = try bus.answer(
        to: DBusCall(
          destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
          interface: "org.freedesktop.DBus", member: "GetId"))
      var values = answer.values
      #expect(try values.string().utf8.count == 32)
    }
  }
#endif
