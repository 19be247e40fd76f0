import Foundation
import Testing

@testable import NetDiscovery

@Suite("SystemTailscale", .timeLimit(.minutes(1)))
struct SystemTailscaleTests {
  enum Daemon: Sendable {
    case absent
    case silent
    case answer(String)
  }

  struct Row: NamedRow {
    let name: String
    let daemon: Daemon
    /// The command as a script, nil where there is none.
    var command: String?
    var json: String?
    var detail: String?
    /// Whether the command is run.
    var isRun = true
  }

  static let refusal = TailscaleLocalAPITests.answer("denied", status: "403 Forbidden")

  static let rows: [Row] = [
    .init(name: "neither a daemon nor a command", daemon: .absent),
    .init(
      name: "a daemon", daemon: .answer(TailscaleLocalAPITests.answer("{\"a\": 1}")),
      command: "echo '{\"b\": 1}'", json: "{\"a\": 1}", isRun: false),
    .init(
      name: "a command alone", daemon: .absent, command: "printf '{\"b\": 1}'",
      json: "{\"b\": 1}"),
    .init(
      name: "a command that knows more than the daemon says", daemon: .answer(refusal),
      command: "printf '{\"b\": 1}'", json: "{\"b\": 1}"),
    .init(
      name: "a daemon that refuses, and no command", daemon: .answer(refusal),
      detail: "Tailscale's daemon answers with status 403 and says 'denied'"),
    .init(
      name: "both refuse", daemon: .answer(refusal), command: "echo no >&2; exit 1",
      detail: "Tailscale's daemon answers with status 403 and says 'denied', "
        + "and 'tailscale status' ends with status 1: 'no'"),
    .init(
      name: "a command that finds no daemon either", daemon: .absent,
      command: "echo no >&2; exit 1", detail: "'tailscale status' ends with status 1: 'no'"),
    .init(
      name: "a daemon that hangs is not asked again", daemon: .silent,
      command: "printf '{\"b\": 1}'", detail: "Tailscale's daemon does not answer in time",
      isRun: false),
    .init(
      name: "a command that hangs", daemon: .absent, command: "sleep 60",
      detail: "'tailscale status' does not end in time"),
  ]

  @Test("the daemon, else the command, in one bound", arguments: rows)
  func status(_ row: Row) throws {
    let folder = try ScratchFolder()
    let mark = folder.path + "/mark"
    var listener: TestListener?
    switch row.daemon {
    case .absent: break
    case .silent: listener = try TestListener()
    case .answer(let text):
      listener = try TestListener()
      listener?.answer(with: text)
    }
    let script = try row.command.map { try folder.script("touch \(mark); \($0)") }
    let tailscale = SystemTailscale(
      api: TailscaleLocalAPI(endpoints: [.socket(listener?.path ?? "/nonexistent")]),
      cli: TailscaleCLI(candidates: [script].compactMap { $0 }), bound: .seconds(1))
    var json: [UInt8]?
    var failure: DiscoveryError?
    do throws(DiscoveryError) { json = try tailscale.statusJSON() } catch { failure = error }
    #expect(json.map { String(decoding: $0, as: UTF8.self) } == row.json)
    #expect(failure?.detail == row.detail)
    #expect(
      FileManager.default.fileExists(atPath: mark) == (row.command != nil && row.isRun))
    withExtendedLifetime(listener) {}
  }
}
