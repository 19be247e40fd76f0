import Processes

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Tailscale's command, which knows ways to its daemon that are nobody else's.
struct TailscaleCLI: Sendable {
  /// The files that may be the command, in the order in which they are looked for.
  let candidates: [String]
  var limits = DiscoveryLimits()

  init(candidates: [String]) { self.candidates = candidates }

  /// The command as a shell would find it, then in places of its own. Folders that are relative to the
  /// working directory, as an empty one is, count for nothing: anybody may have put a command there.
  init(searchPath: String?, others: [String] = Self.systemPlaces) {
    let folders = (searchPath ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
    self.init(candidates: folders.map { "\($0)/tailscale" } + others)
  }

  /// Where the command is on macOS while no shell's path names it: Homebrew's two places, then inside
  /// the app, which is last since it may open a window.
  static var systemPlaces: [String] {
    #if canImport(Darwin)
      [
        "/opt/homebrew/bin/tailscale", "/usr/local/bin/tailscale",
        "/Applications/Tailscale.app/Contents/MacOS/Tailscale",
      ]
    #else
      []
    #endif
  }

  /// The first file that can be run.
  var path: String? { candidates.first(where: ExternalCommand.isProgram) }

  /// What `tailscale status --json --peers=false` prints; nil where there is no such command.
  ///
  /// With `--json` the command ends with 0 in every state of the daemon (Tailscale,
  /// `cmd/tailscale/cli/status.go`). The variable keeps the app's file from opening the app.
  /// - Throws: ``DiscoveryError`` with codes `daemon`, `json` and `limit`.
  func statusJSON(by deadline: Deadline) throws(DiscoveryError) -> [UInt8]? {
    guard let path else { return nil }
    let command = ExternalCommand(
      path: path, arguments: ["status", "--json", "--peers=false"],
      variables: ["TAILSCALE_BE_CLI=1"])
    let output: ExternalCommand.Output
    do throws(ExternalCommand.Failure) {
      output = try command.run(by: deadline, maxBytes: limits.maxBytes)
    } catch {
      throw switch error {
      case .start(let number):
        DiscoveryError(
          .daemon, detail: "'tailscale' does not start: \(SystemError(number: number).reason)")
      case .timeout: DiscoveryError(.daemon, detail: "'tailscale status' does not end in time")
      case .limit:
        DiscoveryError(
          .limit, detail: "'tailscale status' prints more than \(limits.maxBytes) bytes")
      }
    }
    let said = (firstLine(of: output.errors) ?? firstLine(of: output.bytes)).map { ": \($0)" } ?? ""
    switch output.end {
    case .status(0), .unknown: return try statusDocument(output.bytes, from: "'tailscale status'")
    case .status(let status):
      throw DiscoveryError(
        .daemon, detail: "'tailscale status' ends with status \(status)\(said)")
    case .signal(let signal):
      throw DiscoveryError(.daemon, detail: "'tailscale status' is ended by signal \(signal)")
    }
  }
}
