internal import ATSMerge
internal import NetDiscovery

/// Where the update URLs of an injection come from.
struct InjectDestinations: Sendable {
  private let urls: [UpdateURL]
  /// The destinations as given, each with port 0 where it names none.
  private let given: [Destination]
  private let installationID: InstallationID?
  private let sources: DestinationOptions

  init(_ arguments: ParsedArguments) throws(UsageError) {
    sources = try DestinationOptions(arguments)
    given = try arguments.all("--destination").map { text throws(UsageError) in
      do throws(HostError) { return try Destination(parsing: text, defaultPort: 0) } catch {
        throw UsageError("--destination '\(text)': \(error.detail)")
      }
    }
    urls = try arguments.all("--update-url").map { text throws(UsageError) in
      do throws(UpdateURLError) { return try UpdateURL(parsing: text) } catch {
        throw UsageError("--update-url '\(text)': \(error.detail)")
      }
    }
    installationID = arguments["--installation-id"].flatMap { InstallationID(parsing: $0) }
    if let text = arguments["--installation-id"], installationID == nil {
      throw UsageError("--installation-id has \(text.count) characters, not 48 hexadecimal digits")
    }
    guard Set(urls.map(\.installationID)).count <= 1 else {
      throw UsageError("the --update-url are of different installations")
    }
    if !urls.isEmpty, !given.isEmpty || installationID != nil {
      throw UsageError("--update-url excludes --destination and --installation-id")
    }
    if urls.isEmpty && given.isEmpty && arguments.has("--no-discovery") {
      throw UsageError("--no-discovery needs --destination or --update-url")
    }
  }

  /// What is the same for every app.
  struct Machine: Sendable {
    let listener: Listener
    /// What the machine says of its network, nil where destinations are given.
    let snapshot: NetworkSnapshot?
    /// Warnings that were said for all apps, and are not said again for each.
    var told: [String] = []
  }

  /// What an app is to be told.
  struct Found: Sendable {
    var destinations: [Destination]
    var warnings: [String] = []
    /// What the app's platform decided.
    var notes: [String] = []
    /// The listener, nil where nothing hangs on its settings.
    var listener: Listener?
  }

  /// Looks at the listener's settings and, where no destination is given, at this machine. Nil where
  /// the URLs are given whole.
  func lookAtMachine(in environment: Environment) throws(Failure) -> Machine? {
    guard urls.isEmpty else { return nil }
    let listener = try sources.listener(in: environment)
    let snapshot =
      given.isEmpty ? try sources.lookAtMachine(for: listener, in: environment).snapshot : nil
    return Machine(listener: listener, snapshot: snapshot)
  }

  /// What the user should know of a machine, as far as it hangs on no app.
  func warnings(of machine: Machine) -> [String] {
    guard let snapshot = machine.snapshot else { return [] }
    return (try? sources.select(from: snapshot, machine.listener))?.warnings ?? snapshot.warnings
  }

  /// The destinations for an app of some platforms.
  func find(
    for platforms: AppPlatforms, in environment: Environment
  ) throws(Failure) -> Found {
    var machine = environment.machine
    if machine == nil { machine = try lookAtMachine(in: environment) }
    guard let machine else {
      return Found(
        destinations: urls.map { Destination(scheme: $0.scheme, host: $0.host, port: $0.port) })
    }
    let listener = machine.listener
    guard let snapshot = machine.snapshot else { return found(withPortOf: listener) }
    let selection = try sources.select(
      from: snapshot, listener, isOnOwnMachine: platforms.isSimulator)
    guard !selection.destinations.isEmpty else {
      throw Failure(
        code: "noDestination", status: .unavailable,
        message: "no address of this machine can be reached by a device",
        hint:
          "give one with --destination; 'ipa-inject discover --all' says what is left out and why")
    }
    var found = Found(destinations: selection.destinations, listener: listener)
    found.warnings = selection.warnings.filter { !machine.told.contains($0) }
    if let own = found.destinations.first(where: \.host.isLoopback) {
      found.notes = [
        "the app is for a simulator, which has this machine's network, so it is to connect to "
          + "\(own.host)"
      ]
    }
    return found
  }

  /// The destinations as given, each once.
  private func found(withPortOf listener: Listener) -> Found {
    var destinations: [Destination] = []
    for destination in given.map({ $0.port == 0 ? $0.with(port: listener.port) : $0 })
    where !destinations.contains(destination) {
      destinations.append(destination)
    }
    return Found(
      destinations: destinations, listener: given.contains { $0.port == 0 } ? listener : nil)
  }

  /// What saves the listener, nil where nothing hangs on it or no file is named. Other files are
  /// written beside it.
  func saving(_ found: Found, besides others: [String]) throws(Failure) -> ListenerSaving? {
    guard let listener = found.listener, let path = sources.savedPath else { return nil }
    return try ListenerSaving(listener, at: path, besides: others)
  }

  /// One URL for each destination.
  func urls(of found: Found, _ fields: MetadataOptions.Fields) -> [UpdateURL] {
    guard urls.isEmpty else { return urls }
    var generator = SystemRandomNumberGenerator()
    let id = installationID ?? InstallationID(using: &generator)
    let items = [
      ("source", fields.source.description), ("filter", fields.filter), ("team", fields.team),
    ]
    return found.destinations.map { UpdateURL(destination: $0, installationID: id, items: items) }
  }
}

extension Destination {
  /// The same host by another port.
  fileprivate func with(port: UInt16) -> Destination {
    Destination(scheme: scheme, host: host, port: port, kind: kind, interface: interface)
  }
}
