#if os(Linux)
  import Processes

  #if canImport(Glibc)
    import Glibc
  #endif

  /// Avahi on the system bus (Avahi, `org.freedesktop.Avahi.Server.xml`, `avahi-common/defs.h`).
  struct AvahiBus: ~Copyable {
    private var bus: DBusConnection
    private let deadline: Deadline

    /// What Avahi says about its name.
    enum Answer: Equatable {
      /// It answers for this full name.
      case name(String)
      /// It still asks the network whether its name is free.
      case unsettled
      /// It has given up, in a state of this number.
      case failed(Int32)
    }

    /// A connection to the first of some paths where a bus listens. Avahi may be there or not.
    init(at paths: [String], by deadline: Deadline) throws(DBusError) {
      bus = try DBusConnection.opened(at: paths, by: deadline)
      self.deadline = deadline
    }

    /// The name for which Avahi answers.
    ///
    /// After its start, a change of addresses or a conflict it takes about a second to make sure that
    /// its name is free. That is waited for as long as the deadline lets, since the name may change.
    mutating func hostName() throws(DBusError) -> Answer {
      while true {
        switch try state() {
        case 2: return .name(try fullName())
        // Invalid (its very start), registering, collision.
        case 0, 1, 3:
          guard deadline.milliseconds > Self.pause else { return .unsettled }
          poll(nil, 0, Self.pause)
        case let state: return .failed(state)
        }
      }
    }

    private static let pause: Int32 = 50

    private mutating func state() throws(DBusError) -> Int32 {
      var values = try values(of: "GetState", "i")
      return try values.int32()
    }

    private mutating func fullName() throws(DBusError) -> String {
      var values = try values(of: "GetHostNameFqdn", "s")
      return try values.string()
    }

    private mutating func values(
      of member: String, _ signature: String
    ) throws(DBusError) -> DBusReader {
      let answer = try bus.answer(
        to: DBusCall(
          destination: "org.freedesktop.Avahi", path: "/",
          interface: "org.freedesktop.Avahi.Server", member: member))
      guard answer.signature == signature else {
        throw .malformed("\(member) gave \(quoted(answer.signature)), not '\(signature)'")
      }
      return answer.values
    }
  }
#endif
