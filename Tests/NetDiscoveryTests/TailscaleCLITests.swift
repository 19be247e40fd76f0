import Foundation
import Testing

import Processes
@testable import NetDiscovery

@Suite("TailscaleCLI", .timeLimit(.minutes(1)))
struct TailscaleCLITests {
  struct PathRow: NamedRow {
    let name: String
    let searchPath: String?
    let candidates: [String]
  }

  static let paths: [PathRow] = [
    .init(name: "none", searchPath: nil, candidates: []),
    .init(name: "an empty one", searchPath: "", candidates: []),
    .init(
      name: "several folders", searchPath: "/usr/bin:/bin/:/opt/a b",
      candidates: ["/usr/bin/tailscale", "/bin//tailscale", "/opt/a b/tailscale"]),
    .init(
      name: "relative and empty ones", searchPath: ":.:bin:/usr/bin:../bin::~/bin:",
      candidates: ["/usr/bin/tailscale"]),
  ]

  @Test("the command is looked for in absolute folders alone", arguments: paths)
  func candidates(_ row: PathRow) {
    let cli = TailscaleCLI(searchPath: row.searchPath, others: ["/else/where"])
    #expect(cli.candidates == row.candidates + ["/else/where"])
  }

  @Test("what cannot be run is passed over")
  func program() throws {
    let folder = try ScratchFolder()
    let text = "#!/bin/sh\necho '{}'\n"
    try folder.write(text, to: "a/tailscale", mode: 0o644)
    try folder.write("", to: "b/tailscale/file")
    let link = "\(folder.path)/c/tailscale"
    try folder.write(text, to: "real/tailscale")
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/c", withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: "../real/tailscale")
    let names = ["none", "a", "b", "c", "real"]
    func search(_ names: [String]) -> TailscaleCLI {
      TailscaleCLI(
        searchPath: names.map { "\(folder.path)/\($0)" }.joined(separator: ":"), others: [])
    }
    #expect(search(names).path == link)
    #expect(search(["none", "a", "b"]).path == nil)
    #expect(try search(["none", "a", "b"]).statusJSON(by: Deadline(after: .seconds(30))) == nil)
  }

  /// What a script in the command's place gives.
  static func status(
    _ script: String, within duration: Duration = .seconds(30), maxBytes: Int = 16 << 20
  ) throws -> [UInt8]? {
    let folder = try ScratchFolder()
    var cli = TailscaleCLI(candidates: [try folder.script(script, named: "tailscale")])
    cli.limits.maxBytes = maxBytes
    return try cli.statusJSON(by: Deadline(after: duration))
  }

  @Test("the command gets the arguments and the variable that keep the app closed")
  func arguments() throws {
    let json = try #require(try Self.status("echo \"{$* $TAILSCALE_BE_CLI}\""))
    #expect(String(decoding: json, as: UTF8.self) == "{status --json --peers=false 1}\n")
  }

  struct BadRow: NamedRow {
    let name: String
    let script: String
    let detail: String
    var code = DiscoveryError.Code.json
  }

  static let bad: [BadRow] = [
    .init(name: "nothing", script: "", detail: "'tailscale status' gives an empty answer"),
    .init(
      name: "blank lines", script: "echo; echo '  '",
      detail: "'tailscale status' gives an empty answer"),
    .init(
      name: "the app's word that it does not start",
      script: "echo 'The Tailscale GUI failed to start: The operation couldn’t be completed. "
        + "(Tailscale.CLIError error 3.)'",
      detail: "'tailscale status' gives no JSON but "
        + "'The Tailscale GUI failed to start: The operation couldn’t be com…'"),
    .init(
      name: "a web page", script: "echo; echo '<!DOCTYPE html>'; echo '<html>'",
      detail: "'tailscale status' gives no JSON but '<!DOCTYPE html>'"),
    .init(
      name: "a status and a word",
      script: "echo; echo \"failed to connect to local tailscaled\" >&2; echo more >&2; exit 1",
      detail: "'tailscale status' ends with status 1: 'failed to connect to local tailscaled'",
      code: .daemon),
    .init(
      name: "a status and a word on the other stream", script: "echo no; exit 2",
      detail: "'tailscale status' ends with status 2: 'no'", code: .daemon),
    .init(
      name: "a status alone", script: "exit 127",
      detail: "'tailscale status' ends with status 127", code: .daemon),
    .init(
      name: "a signal", script: "kill -KILL $$",
      detail: "'tailscale status' is ended by signal 9", code: .daemon),
    .init(
      name: "an escape", script: "printf '\\033[2J'",
      detail: "'tailscale status' gives no JSON but '\\u{1b}[2J'"),
  ]

  @Test("what is no status is said in one line", arguments: bad)
  func refused(_ row: BadRow) throws {
    let error = #expect(throws: DiscoveryError.self) { try Self.status(row.script) }
    #expect(error?.detail == row.detail)
    #expect(error?.code == row.code)
  }

  @Test("one that hangs, prints too much or does not start")
  func failing() throws {
    let hanging = #expect(throws: DiscoveryError(.daemon, detail: "")) {
      try Self.status("sleep 60", within: .milliseconds(300))
    }
    #expect(hanging?.detail == "'tailscale status' does not end in time")
    let long = #expect(throws: DiscoveryError(.limit, detail: "")) {
      try Self.status("printf '{}   '", maxBytes: 4)
    }
    #expect(long?.detail == "'tailscale status' prints more than 4 bytes")
    #expect(try Self.status("printf '{}  '", maxBytes: 4) != nil)
    let folder = try ScratchFolder()
    let cli = TailscaleCLI(candidates: [try folder.program("#!/nonexistent\n", named: "tailscale")])
    let missing = #expect(throws: DiscoveryError(.daemon, detail: "")) {
      try cli.statusJSON(by: Deadline(after: .seconds(30)))
    }
    #expect(missing?.detail == "'tailscale' does not start: no such file or directory")
  }
}
