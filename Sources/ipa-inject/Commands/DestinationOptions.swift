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
        "--data-dir", "DIR", "the server's data, whose server/config.json holds the saved settings"),
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
    interfacesFile = arguments["--interfaces-from"]
    tailscaleFile = arguments["--tailscale-from"]
    hostName = arguments["--host-name"]
    selection = SelectionOptions(
      includeTailscale: !arguments.has("--no-tailscale"),
      includeLocalName: !arguments.has("--no-local-name"))
  }

  /// The listener's settings by their precedence.
  func listener(in environment: Environment) throws(Failure) -> Listener {
    var saved: SavedListener?
    if let dataFolder {
      let path = dataFolder + "/server/config.json"
      if let bytes = try InputFile.readIfPresent(path) {
        do throws(DiscoveryError) { saved = try SavedListener(parsing: bytes) } catch {
          throw Failure(error, file: path)
        }
      }
    }
    do throws(DiscoveryError) {
      return try Listener.resolve(
        port: port, bind: bind, publicURL: publicURL,
        environmentPort: environment.variables["IPA_HUB_PORT"], saved: saved)
    } catch { throw Failure(error, file: nil) }
  }

  /// The destinations that a device can reach, in the order in which it is to try them.
  func discover(
    _ listener: Listener, in environment: Environment
  ) throws(Failure) -> Selection {
    try select(from: snapshot(in: environment).snapshot, listener)
  }

  /// The same, after what the machine said was written into a folder in the form of
  /// `--interfaces-from` and `--tailscale-from`.
  func discover(
    _ listener: Listener, in environment: Environment, capturingTo folder: String
  ) throws(Failure) -> Selection {
    let (snapshot, tailscale) = try snapshot(in: environment)
    let interfaces = NetworkSnapshot.json(of: snapshot.interfaces)
    let files = [("interfaces.json", interfaces), ("tailscale.json", tailscale ?? [])]
    for (name, bytes) in files where !bytes.isEmpty {
      let path = folder + "/" + name
      do throws(BundleError) {
        try SideFile(path, replace: true, otherThan: []).publish(bytes, permissions: 0o644)
      } catch { throw Failure(error, file: path) }
    }
    return try select(from: snapshot, listener)
  }

  private func select(
    from snapshot: NetworkSnapshot, _ listener: Listener
  ) throws(Failure) -> Selection {
    do throws(DiscoveryError) {
      return try destinations(from: snapshot, listener: listener, options: selection)
    } catch { throw Failure(error, file: nil) }
  }

  /// What the machine says, and what Tailscale printed.
  private func snapshot(
    in environment: Environment
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
    if let tailscaleFile, tailscaleFile != "none" {
      let bytes = try InputFile.read(tailscaleFile)
      snapshot.addTailscale(json: bytes)
      tailscale = bytes
    }
    if let hostName {
      snapshot.hostName = hostName == "none" ? nil : hostName
    } else {
      snapshot.addHostName(from: SystemLocalName())
    }
    environment.log.detail("\(snapshot.interfaces.count) interfaces looked at")
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
