import Processes

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// Tailscale on this machine: its daemon's local API, else its command.
public struct SystemTailscale: TailscaleSource {
  /// Looked for when the status is asked for: most runs of a program never do.
  private let ways: @Sendable () -> (api: TailscaleLocalAPI, cli: TailscaleCLI)
  private let bound: Duration

  /// Tailscale where this system has it. The command is looked for in the folders of `PATH`.
  public init() {
    bound = .seconds(2)
    ways = {
      (
        TailscaleLocalAPI(endpoints: TailscaleLocalAPI.systemEndpoints()),
        TailscaleCLI(searchPath: getenv("PATH").map { String(cString: $0) })
      )
    }
  }

  init(api: TailscaleLocalAPI, cli: TailscaleCLI, bound: Duration) {
    self.bound = bound
    ways = { (api, cli) }
  }

  /// The status without the peers; nil where there is neither a daemon nor a command.
  ///
  /// Two seconds are all that both ways may take: a command is not run where the daemon took them. It
  /// is run where no daemon listens, since it may know where, and where one listens and refuses.
  /// - Throws: ``DiscoveryError`` with codes `daemon`, `json` and `limit`. The status may still be
  ///   of another shape than ``TailscaleStatus`` reads.
  public func statusJSON() throws(DiscoveryError) -> [UInt8]? {
    let deadline = Deadline(after: bound)
    let (api, cli) = ways()
    let refusal: DiscoveryError?
    do throws(DiscoveryError) {
      if let json = try api.statusJSON(by: deadline) { return json }
      refusal = nil
    } catch {
      guard !deadline.isPast else { throw error }
      refusal = error
    }
    do throws(DiscoveryError) {
      if let json = try cli.statusJSON(by: deadline) { return json }
    } catch {
      guard let refusal else { throw error }
      throw DiscoveryError(refusal.code, detail: "\(refusal.detail), and \(error.detail)")
    }
    if let refusal { throw refusal }
    return nil
  }
}
