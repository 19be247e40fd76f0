#if os(Linux)
  import Processes

  #if canImport(Glibc)
    import Glibc
  #endif

  /// The name for which Avahi answers, or the host's where there is no Avahi.
  ///
  /// Avahi is asked over the system bus; where it is not on a bus, through its own socket. Nothing is
  /// ever started by asking, and nothing leaves the machine from here.
  public struct SystemLocalName: LocalNameSource {
    private let busPaths: [String]
    private let avahi: AvahiSocket
    private let settingsPath: String
    private let limit: Duration
    private let addresses: @Sendable () -> [Host]

    /// This machine's, from the bus that `DBUS_SYSTEM_BUS_ADDRESS` names where it is set.
    public init() {
      let variable = getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) }
      self.init(
        busPaths: DBusAddress.systemBusPaths(variable),
        avahiFolder: "/run/avahi-daemon", settingsPath: "/etc/avahi/avahi-daemon.conf",
        limit: .seconds(1), addresses: Self.lanAddresses)
    }

    /// A source that asks on these paths. The way over the bus may take as long as `limit`, and the
    /// other too; `addresses` are those that Avahi may know this machine by, the best first.
    init(
      busPaths: [String], avahiFolder: String, settingsPath: String, limit: Duration,
      addresses: @escaping @Sendable () -> [Host]
    ) {
      self.busPaths = busPaths
      avahi = AvahiSocket(folder: avahiFolder, limit: limit)
      self.settingsPath = settingsPath
      self.limit = limit
      self.addresses = addresses
    }

    /// Avahi's name as it is after a conflict (`my-mac-2.local`), answered; or `gethostname(2)`,
    /// unanswered, where no Avahi runs. Nil where there is neither.
    /// - Throws: ``DiscoveryError`` with code `daemon` where Avahi does not answer within a second
    ///   each way, or not as it should, where it cannot be told whether it runs, and where it answers
    ///   for no name, or for one under another domain than `.local`.
    public func localName() throws(DiscoveryError) -> FoundLocalName? {
      let obstacle: DiscoveryError?
      switch overBus() {
      case .name(let name):
        try checkPublishing(of: name)
        return .answered(try Self.checked(name))
      case .failed(let error): throw error
      case .unknown(let error): obstacle = error
      case .absent: obstacle = nil
      }
      if avahi.isRunning {
        if let name = try overSocket() { return .answered(try Self.checked(name)) }
      } else if let obstacle {
        throw obstacle
      }
      return Self.hostName().map(FoundLocalName.unanswered)
    }

    private func checkPublishing(of name: String) throws(DiscoveryError) {
      guard let setting = AvahiSettings.silencer(in: fileStart(settingsPath, bytes: 1 << 16)) else {
        return
      }
      throw Self.error(
        "Avahi does not answer for \(quoted(name)), by \(setting) in \(settingsPath)")
    }

    private enum Finding {
      case name(String)
      /// No bus, or no Avahi on it.
      case absent
      /// Nobody could say whether Avahi is there.
      case unknown(DiscoveryError)
      /// Avahi is there, and of no use.
      case failed(DiscoveryError)
    }

    private func overBus() -> Finding {
      let deadline = Deadline(after: limit)
      var bus: AvahiBus
      do throws(DBusError) { bus = try AvahiBus(at: busPaths, by: deadline) } catch {
        guard error != .noBus else { return .absent }
        return .unknown(Self.error("the system bus \(error.predicate)"))
      }
      do throws(DBusError) {
        switch try bus.hostName() {
        case .name(let name): return .name(name)
        case .unsettled:
          return .failed(
            Self.error(
              "Avahi is not yet sure of its name", hint: "run this again in a few seconds"))
        case .failed(let state): return .failed(Self.error("Avahi has failed (state \(state))"))
        }
      } catch {
        if error.isNobodyThere { return .absent }
        let failure = Self.error("Avahi \(error.predicate)")
        // An error comes from the bus itself where its policy forbids the call.
        if case .reply = error { return .unknown(failure) }
        return .failed(failure)
      }
    }

    private func overSocket() throws(DiscoveryError) -> String? {
      let addresses = addresses()
      guard !addresses.isEmpty else { return nil }
      do throws(LocalSocket.Failure) {
        if let name = try avahi.hostName(of: addresses) { return name }
      } catch { throw Self.error("Avahi \(error.predicate)") }
      throw Self.error("Avahi knows no name for this machine's addresses")
    }

    /// A device asks by mDNS for names of the form `label.local` alone, and Avahi answers for its own
    /// full name alone.
    private static func checked(_ name: String) throws(DiscoveryError) -> String {
      let labels = name.split(separator: ".", omittingEmptySubsequences: false)
      guard labels.count == 2, labels[1].lowercased() == "local" else {
        throw error(
          "Avahi answers for \(quoted(name)), and devices ask for names directly under .local",
          hint: "set domain-name=local in avahi-daemon.conf")
      }
      return name
    }

    private static func error(_ detail: String, hint: String? = nil) -> DiscoveryError {
      DiscoveryError(.daemon, detail: detail, hint: hint)
    }

    private static func hostName() -> String? {
      var buffer = [CChar](repeating: 0, count: 256)
      guard gethostname(&buffer, buffer.count - 1) == 0 else { return nil }
      let name = String(
        decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      return name.isEmpty ? nil : name
    }

    /// The addresses on interfaces that mDNS is spoken on: those of the default route first, IPv4
    /// before IPv6. None where the system does not tell.
    @Sendable private static func lanAddresses() -> [Host] {
      let interfaces = ((try? Interface.current()) ?? []).filter(\.carriesLocalName)
      let sorted =
        interfaces.filter { !$0.defaultRoutes.isEmpty }
        + interfaces.filter(\.defaultRoutes.isEmpty)
      let hosts = sorted.flatMap(\.addresses).filter { $0.zone == nil && $0.state.isEmpty }.map(
        \.host)
      let isIPv4 = { (host: Host) in if case .ipv4 = host { true } else { false } }
      return hosts.filter(isIPv4) + hosts.filter { !isIPv4($0) }
    }
  }
#endif
