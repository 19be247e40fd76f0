import Testing

@testable import NetDiscovery

/// A machine and an update server's settings, and what an app gets from them.
struct Situation: NamedRow {
  let name: String
  /// One interface a line: name, kind or `-`, flags as `nic` takes them, default routes (`4`, `6`,
  /// `46` or `-`), addresses.
  var machine = ""
  /// The name for which an mDNS responder answers.
  var answered: String?
  /// The host's name where none runs.
  var unanswered: String?
  /// Tailscale's state, name and addresses.
  var tailscale: String?
  var magicDNS = true
  var port: String?
  var bind: String?
  var publicURL: String?
  var environment: String?
  /// What stands in `server/config.json`.
  var saved: String?
  var options = SelectionOptions()
  /// The origins in their order, without scheme, the default port left out.
  var offered: [String] = []
  /// Reasons and addresses of all that is left out.
  var leftOut: Set<String> = []
  /// Texts that the warnings hold, one for each.
  var warnings: [String] = []
  /// The refusal, where there is one.
  var refusal: DiscoveryError.Code?
}

extension Situation {
  static let loopback = "lo loopback ULR - 127.0.0.1 ::1\n"

  var interfaces: [Interface] {
    machine.split(separator: "\n").map { line in
      let words = line.split(separator: " ").map(String.init)
      let plain = nic(words[0], words[2])
      return Interface(
        name: words[0], flags: plain.flags,
        addresses: words.dropFirst(4).flatMap { nic(words[0], "", $0).addresses },
        kind: Interface.Kind(rawValue: words[1]),
        defaultRoutes: Interface.DefaultRoutes(
          (words[3].contains("4") ? [.ipv4] : []) + (words[3].contains("6") ? [.ipv6] : [])))
    }
  }

  /// The status as Tailscale prints it.
  var tailscaleJSON: [UInt8]? {
    guard let words = tailscale?.split(separator: " ").map(String.init) else { return nil }
    let addresses = words.dropFirst(2).map { "\"\($0)\"" }.joined(separator: ", ")
    return Array(
      """
      {"BackendState": "\(words[0])", "TailscaleIPs": [\(addresses)],
       "Self": {"DNSName": "\(words[1])", "TailscaleIPs": [\(addresses)]},
       "CurrentTailnet": {"MagicDNSEnabled": \(magicDNS)}}
      """.utf8)
  }

  func selection() throws(DiscoveryError) -> Selection {
    var snapshot = NetworkSnapshot(
      interfaces: try NetworkSnapshot.interfaces(
        fromJSON: NetworkSnapshot.json(of: interfaces)),
      hostName: answered, unansweredHostName: unanswered)
    if let tailscaleJSON { snapshot.addTailscale(json: tailscaleJSON) }
    let saved = try saved.map { (text) throws(DiscoveryError) in
      try SavedListener(parsing: Array(text.utf8))
    }
    let listener = try Listener.resolve(
      port: port, bind: bind, publicURL: publicURL, environmentPort: environment, saved: saved)
    return try destinations(from: snapshot, listener: listener, options: options)
  }
}

@Suite("Situations")
struct SituationTests {
  @Test("machines", arguments: machines)
  func machine(_ situation: Situation) throws { try check(situation) }

  @Test("settings", arguments: settings)
  func setting(_ situation: Situation) throws { try check(situation) }

  @Test("the order of the system's list does not count", arguments: machines)
  func shuffled(_ situation: Situation) throws {
    guard situation.refusal == nil else { return }
    let lines = situation.machine.split(separator: "\n")
    var reversed = situation
    reversed.machine = lines.reversed().joined(separator: "\n")
    #expect(
      try reversed.selection().destinations.map(\.origin)
        == situation.selection().destinations.map(\.origin))
  }

  private func check(_ situation: Situation) throws {
    do throws(DiscoveryError) {
      let selection = try situation.selection()
      #expect(situation.refusal == nil)
      #expect(
        selection.destinations.map { destination in
          let text = destination.origin.dropFirst("http://".count)
          return text.hasSuffix(":19464") ? String(text.dropLast(6)) : String(text)
        } == situation.offered)
      #expect(
        Set(selection.excluded.map { "\($0.reason.rawValue) \($0.address)" }) == situation.leftOut)
      #expect(selection.warnings.count == situation.warnings.count, "\(selection.warnings)")
      for text in situation.warnings {
        #expect(selection.warnings.contains { $0.contains(text) }, "\(selection.warnings)")
      }
      #expect(selection.offers.allSatisfy { !$0.why.isEmpty })
    } catch {
      #expect(error.code == situation.refusal, "\(error)")
      #expect(situation.offered.isEmpty && situation.leftOut.isEmpty)
    }
  }
}
