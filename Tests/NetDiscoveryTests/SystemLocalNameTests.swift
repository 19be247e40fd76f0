#if os(Linux)
  import Foundation
  import Glibc
  import Testing

  @testable import NetDiscovery

  /// What stands on each of the two ways.
  enum BusState: Sendable {
    case none
    case avahi(String)
    case unsettled
    case failed
    case silent
    case withoutAvahi
    case forbidding
    case refusing
    case avahiSilent
  }

  enum SocketState: Sendable {
    case none
    /// A socket that systemd holds, nobody behind it.
    case waiting
    case avahi(String)
    case silent
    case unknowing
  }

  struct SystemLocalNameRow: NamedRow {
    let name: String
    let bus: BusState
    let socket: SocketState
    /// The name, `unanswered`, or a part of the error.
    let outcome: String
    var addresses = ["192.168.7.10"]
    var settings = ""
  }

  @Suite("SystemLocalName", .timeLimit(.minutes(5)))
  struct SystemLocalNameTests {
    static let rows: [SystemLocalNameRow] = [
      .init(
        name: "over the bus", bus: .avahi("my-mac-2.local"), socket: .none,
        outcome: "my-mac-2.local"),
      .init(
        name: "the bus before the socket", bus: .avahi("a.local"), socket: .avahi("b.local"),
        outcome: "a.local"),
      .init(
        name: "upper case", bus: .avahi("Harbor.LOCAL"), socket: .none, outcome: "Harbor.LOCAL"),
      .init(
        name: "another domain", bus: .avahi("my-mac.lan"), socket: .none,
        outcome: "error Avahi answers for 'my-mac.lan'"),
      .init(
        name: "two labels under .local", bus: .avahi("pc.corp.local"), socket: .none,
        outcome: "error Avahi answers for 'pc.corp.local'"),
      .init(name: "no name", bus: .avahi(""), socket: .none, outcome: "error Avahi answers for ''"),
      .init(name: "one label", bus: .avahi("local"), socket: .none, outcome: "error Avahi answers"),
      .init(
        name: "not yet sure", bus: .unsettled, socket: .avahi("a.local"),
        outcome: "error Avahi is not yet sure of its name"),
      .init(
        name: "failed", bus: .failed, socket: .avahi("a.local"), outcome: "error Avahi has failed"),
      .init(
        name: "silent on the bus", bus: .avahiSilent, socket: .avahi("a.local"),
        outcome: "error Avahi does not answer in time"),
      .init(name: "nothing at all", bus: .none, socket: .none, outcome: "unanswered"),
      .init(name: "a bus alone", bus: .withoutAvahi, socket: .none, outcome: "unanswered"),
      .init(
        name: "a socket that would start it", bus: .withoutAvahi, socket: .waiting,
        outcome: "unanswered"),
      .init(name: "no bus", bus: .none, socket: .avahi("a.local"), outcome: "a.local"),
      .init(
        name: "a bus without Avahi", bus: .withoutAvahi, socket: .avahi("a.local"),
        outcome: "a.local"),
      .init(
        name: "a bus that forbids", bus: .forbidding, socket: .avahi("a.local"), outcome: "a.local"),
      .init(
        name: "a bus that forbids, and nothing", bus: .forbidding, socket: .none,
        outcome: "error Avahi answered with the error 'org.freedesktop.DBus.Error.AccessDenied'"),
      .init(
        name: "a bus that refuses", bus: .refusing, socket: .avahi("a.local"), outcome: "a.local"),
      .init(
        name: "a bus that refuses, and nothing", bus: .refusing, socket: .none,
        outcome: "error the system bus refuses this user: 'REJECTED EXTERNAL'"),
      .init(name: "a silent bus", bus: .silent, socket: .avahi("a.local"), outcome: "a.local"),
      .init(
        name: "a silent bus, and nothing", bus: .silent, socket: .none,
        outcome: "error the system bus does not answer in time"),
      .init(
        name: "both silent", bus: .silent, socket: .silent, outcome: "error Avahi does not answer"),
      .init(
        name: "no name for the address", bus: .none, socket: .unknowing,
        outcome: "error Avahi knows no name for this machine's addresses"),
      .init(
        name: "another domain by the socket", bus: .none, socket: .avahi("a.lan"),
        outcome: "error Avahi answers for 'a.lan'"),
      .init(
        name: "a name that is not published", bus: .avahi("a.local"), socket: .none,
        outcome: "error Avahi does not answer for 'a.local', by publish-addresses=no in /",
        settings: "[publish]\npublish-addresses=no\n"),
      .init(
        name: "no address to ask for", bus: .none, socket: .avahi("a.local"), outcome: "unanswered",
        addresses: []),
    ]

    static func serve(_ state: BusState, _ peer: TestPeer) {
      let bus = BusStandIn(peer: peer)
      let error = { (name: String) in
        bus.serve { DBusBytes.error(to: $0.serial, "org.freedesktop.DBus.Error.\(name)") }
      }
      switch state {
      case .none: break
      case .avahi(let name): bus.serve { AvahiBusTests.answer($0, name: name) }
      case .unsettled: bus.serve { AvahiBusTests.answer($0, state: 1) }
      case .failed: bus.serve { AvahiBusTests.answer($0, state: 4) }
      case .silent: peer.waitForEnd()
      case .withoutAvahi: error("ServiceUnknown")
      case .forbidding: error("AccessDenied")
      case .refusing: _ = bus.greet("REJECTED EXTERNAL\r\n")
      case .avahiSilent:
        bus.welcome()
        peer.waitForEnd()
      }
    }

    static func serve(_ state: SocketState, _ peer: TestPeer) {
      switch state {
      case .none: break
      case .waiting: Issue.record("somebody was started")
      case .silent: peer.waitForEnd()
      case .unknowing:
        _ = peer.readLine()
        peer.write("-15 Timeout reached\n")
      case .avahi(let name):
        let isAddress = peer.readLine().hasPrefix("RESOLVE-ADDRESS")
        peer.write(isAddress ? "+ 2 0 \(name)\n" : "+ 2 0 \(name) 192.168.7.10\n")
      }
    }

    @Test("comes from Avahi, or is nobody's", arguments: rows)
    func localName(_ row: SystemLocalNameRow) throws {
      let bus = try TestListener { Self.serve(row.bus, $0) }
      let socket = try TestListener { Self.serve(row.socket, $0) }
      var busPath = bus.path
      if case .none = row.bus { busPath += "-none" }
      switch row.socket {
      case .none, .waiting: break
      default:
        try Data("\(getpid())\n".utf8).write(to: socket.folder.appendingPathComponent("pid"))
      }
      let settings = socket.folder.appendingPathComponent("avahi-daemon.conf")
      try Data(row.settings.utf8).write(to: settings)
      let source = SystemLocalName(
        busPaths: [busPath], avahiFolder: socket.folder.path, settingsPath: settings.path,
        limit: .milliseconds(600),
        addresses: { row.addresses.map(Host.of) })
      let outcome: String
      do throws(DiscoveryError) {
        switch try source.localName() {
        case .answered(let name): outcome = name
        case .unanswered(let name):
          outcome = "unanswered"
          #expect(name == ProcessInfo.processInfo.hostName || !name.isEmpty)
        case nil: outcome = "nil"
        }
      } catch {
        #expect(error.code == .daemon)
        outcome = "error \(error.detail)"
      }
      #expect(outcome.hasPrefix(row.outcome), "\(outcome)")
    }
  }
#endif
