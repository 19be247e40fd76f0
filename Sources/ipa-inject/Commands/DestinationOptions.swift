internal import AppBundle
internal import NetDiscovery

/// The options that say where an app finds the update server: the listener's, and those that stand
/// in for what this machine would say.
struct DestinationOptions: Sendable {
  static let listenerGroup = OptionGroup(
    "The update server's listener",
    [
      .value(
        "--port", "N",
        "its port (default: that of --public-url, IPA_HUB_PORT, the saved one, 19464)"),
      .value("--bind", "ADDR", "the address it is bound to (default: the saved one, all)"),
      .value("--public-url", "URL", "the library's public URL; its port counts where it names one"),
      .value(
        "--data-dir", "DIR",
        "the server's data: server/config.json in it holds the saved settings; 'inject' saves them"),
    ])
  static let machineGroup = OptionGroup(
    "In place of what this machine says",
    [
      .value("--interfaces-from", "FILE|none", "the interfaces, a JSON list"),
      .value("--tailscale-from", "FILE|none", "what 'tailscale status --json' printed"),
      .value("--host-name", "NAME|none", "the host's name on the local network"),
      .flag("--no-tailscale", "leave out Tailscale's name and addresses"),
      .flag("--no-local-name", "leave out the .local name"),
    ])

  private let port: String?
  private let bind: String?
  private let publicURL: String?
  private let dataFolder: String?
  private let interfacesFile: String?
  private let tailscaleFile: String?
  private let hostName: String?
  private let selection: SelectionOptions

  init(_ arguments: ParsedArguments) throws(UsageError) {
    port = arguments["--port"]
    bind = arguments["--bind"]
    publicURL = arguments["--public-url"]
    dataFolder = arguments["--data-dir"]
    if dataFolder == "" { throw UsageError("--data-dir is empty") }
    interfacesFile = arguments["--interfaces-from"]
    tailscaleFile = arguments["--tailscale-from"]
    hostName = arguments["--host-name"]
    selection = SelectionOptions(
      includeTailscale: !arguments.has("--no-tailscale"),
      includeLocalName: !arguments.has("--no-local-name"))
  }

  /// The file that holds the saved listener, nil without `--data-dir`.
  var savedPath: String? { dataFolder.map { $0 + "/server/config.json" } }

  /// The listener's settings by their precedence.
  func listener(in environment: Environment) throws(Failure) -> Listener {
    let saved = try savedListener()
    do throws(DiscoveryError) {
      let listener = try Listener.resolve(
        port: port, bind: bind, publicURL: publicURL,
        environmentPort: environment.variables["IPA_HUB_PORT"], saved: saved)
      environment.log.detail(
        "the listener's host is \(listener.host) (\(listener.hostFrom.rawValue)), its port "
          + "\(listener.port) (\(listener.portFrom.rawValue))")
      return listener
    } catch { throw Failure(error, file: error.code == .saved ? savedPath : nil) }
  }

  private func savedListener() throws(Failure) -> SavedListener? {
    guard let path = savedPath else { return nil }
    let bytes: [UInt8]?
    do throws(BundleError) {
      bytes = try SettingsFile(path, limit: DiscoveryLimits().maxBytes).contents()
    } catch { throw Failure(error, file: path) }
    do throws(DiscoveryError) {
      return try bytes.map { bytes throws(DiscoveryError) in try SavedListener(parsing: bytes) }
    } catch { throw Failure(error, file: path) }
  }

  /// Writes what the machine said into a folder, in the form of `--interfaces-from` and
  /// `--tailscale-from`, and returns the paths of the files. The folder is made where it is not there.
  static func capture(
    _ snapshot: NetworkSnapshot, tailscale: [UInt8]?, to folder: String
  ) throws(Failure) -> [String] {
    let interfaces = NetworkSnapshot.json(of: snapshot.interfaces)
    // A status that cannot be read is a warning already.
    let status = tailscale.flatMap { try? TailscaleStatus.reduced($0) } ?? []
    let files = [("interfaces.json", interfaces), ("tailscale.json", status)]
      .filter { !$0.1.isEmpty }.map { (path: "\(folder)/\($0.0)", bytes: $0.1) }
    try OutputFolder.make(folder)
    for (path, bytes) in files {
      do throws(BundleError) {
        try SideFile(path, replace: true, otherThan: []).publish(bytes, permissions: 0o644)
      } catch { throw Failure(error, file: path) }
    }
    return files.map(\.path)
  }

  /// The destinations that a machine offers, to an app on that machine itself or on another device.
  func select(
    from snapshot: NetworkSnapshot, _ listener: Listener, isOnOwnMachine: Bool = false
  ) throws(Failure) -> Selection {
    var options = selection
    options.isOnOwnMachine = isOnOwnMachine
    do throws(DiscoveryError) {
      return try destinations(from: snapshot, listener: listener, options: options)
    } catch {
      // In a batch the file is the app.
      var error = error
      if listener.hostFrom == .saved, let savedPath {
        error.detail = "\(savedPath): \(error.detail)"
      }
      throw Failure(error, file: nil)
    }
  }

  /// What the machine says, and what Tailscale printed.
  func lookAtMachine(
    for listener: Listener, in environment: Environment
  ) throws(Failure) -> (snapshot: NetworkSnapshot, tailscale: [UInt8]?) {
    var snapshot = NetworkSnapshot()
    if let interfacesFile {
      if interfacesFile != "none" {
        let bytes = try InputFile.read(interfacesFile)
        do throws(DiscoveryError) {
          snapshot.interfaces = try NetworkSnapshot.interfaces(fromJSON: bytes)
        } catch { throw Failure(error, file: interfacesFile) }
      }
    } else {
      do throws(DiscoveryError) { snapshot.interfaces = try environment.interfaces() } catch {
        throw Failure(error, file: nil)
      }
    }
    var tailscale: [UInt8]?
    if let tailscaleFile {
      if tailscaleFile != "none" { tailscale = try InputFile.read(tailscaleFile) }
    } else if selection.includeTailscale {
      tailscale = snapshot.statusJSON(from: environment.tailscale)
      // A command that ended by a signal of ours is nothing to warn of.
      Interruption.yield()
    }
    if let tailscale { snapshot.addTailscale(json: tailscale) }
    if let hostName {
      snapshot.hostName = hostName == "none" ? nil : hostName
    } else if selection.includeLocalName {
      snapshot.addHostName(from: SystemLocalName())
    }
    // Names of another machine than this one are not in its hosts file. One that cannot be read
    // leaves the name unknown, and that is warned of.
    if case .one(.name(let name)) = listener.bind, interfacesFile == nil {
      let hosts = (try? InputFile.readIfPresent(HostsFile.path, limit: HostsFile.limit)) ?? []
      snapshot.boundAddresses = HostsFile.addresses(of: name, in: hosts)
    }
    environment.log.detail(
      "\(snapshot.interfaces.count) interfaces, .local name \(snapshot.hostName ?? "none"), "
        + "Tailscale \(snapshot.tailscale?.state ?? "none")")
    return (snapshot, tailscale)
  }
}

extension Failure {
  /// What discovery could not do.
  init(_ error: DiscoveryError, file: String?) {
    self.init(
      code: "\(error.code)", status: ExitStatus(error.code), message: error.detail, file: file,
      hint: error.hint)
  }
}
