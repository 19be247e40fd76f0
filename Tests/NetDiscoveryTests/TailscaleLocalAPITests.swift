import Foundation
import Testing

import Processes
@testable import NetDiscovery

@Suite("TailscaleLocalAPI", .timeLimit(.minutes(1)))
struct TailscaleLocalAPITests {
  static func answer(_ body: String, status: String = "200 OK") -> String {
    "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
      + "Connection: close\r\n\r\n\(body)"
  }

  static func status(
    from endpoints: [TailscaleLocalAPI.Endpoint], within duration: Duration = .seconds(30),
    maxBytes: Int = 16 << 20
  ) throws -> String? {
    var api = TailscaleLocalAPI(endpoints: endpoints)
    api.limits.maxBytes = maxBytes
    return try api.statusJSON(by: Deadline(after: duration)).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  @Test("the request is what the daemon wants")
  func request() throws {
    let listener = try TestListener()
    listener.answer { peer in
      let head = peer.readHead()
      peer.write(Self.answer("{\(head)}"))
    }
    #expect(
      try Self.status(from: [.socket(listener.path)]) == "{"
        + [
          "GET /localapi/v0/status?peers=false HTTP/1.1", "Host: local-tailscaled.sock",
          "Accept: application/json", "Connection: close", "", "}",
        ].joined(separator: "\r\n"))
  }

  @Test("at a port it has the password")
  func password() throws {
    var port: UInt16 = 0
    let listener = try TestListener(loopback: &port)
    listener.answer { peer in
      peer.write(Self.answer("{\(peer.readHead())}"))
    }
    let json = try #require(
      try Self.status(from: [.loopback(port: port, password: "2ae2ec9e0aa2005784f1")]))
    // From Python: base64.b64encode(b":2ae2ec9e0aa2005784f1")
    #expect(json.contains("\r\nAuthorization: Basic OjJhZTJlYzllMGFhMjAwNTc4NGYx\r\n\r\n"))
  }

  @Test("where nobody listens there is no status, and no error")
  func absent() throws {
    var port: UInt16 = 0
    do { _ = try TestListener(loopback: &port) }
    #expect(
      try Self.status(from: [
        .socket("/nonexistent/tailscaled.sock"), .socket("/etc/passwd/tailscaled.sock"),
        .loopback(port: port, password: "a"),
      ]) == nil)
    #expect(try Self.status(from: []) == nil)
  }

  @Test("the first place with a daemon counts, one that refuses is passed over")
  func order() throws {
    let listeners = try (0..<3).map { _ in try TestListener() }
    listeners[0].answer(with: Self.answer("auth required", status: "401 Unauthorized"))
    listeners[1].answer(with: Self.answer("{\"a\": 1}"))
    let places = listeners.map { TailscaleLocalAPI.Endpoint.socket($0.path) }
    #expect(try Self.status(from: [.socket("/nonexistent")] + places) == "{\"a\": 1}")
    #expect(listeners[2].count == 0)
  }

  @Test("where all refuse, the first refusal is told")
  func refusals() throws {
    let listeners = try (0..<2).map { _ in try TestListener() }
    listeners[0].answer(with: Self.answer("auth required\n", status: "401 Unauthorized"))
    listeners[1].answer(with: Self.answer("no backend", status: "503 Service Unavailable"))
    let error = #expect(throws: DiscoveryError.self) {
      try Self.status(from: listeners.map { .socket($0.path) })
    }
    #expect(
      error?.detail == "Tailscale's daemon answers with status 401 and says 'auth required'")
  }

  struct BadRow: NamedRow {
    let name: String
    let answer: String
    let detail: String
    var code = DiscoveryError.Code.daemon
  }

  static let bad: [BadRow] = [
    .init(
      name: "no permission to read",
      answer: answer("status access denied\n", status: "403 Forbidden"),
      detail: "Tailscale's daemon answers with status 403 and says 'status access denied'"),
    .init(
      name: "no such path", answer: answer("", status: "404 Not Found"),
      detail: "Tailscale's daemon answers with status 404"),
    .init(
      name: "elsewhere",
      answer: "HTTP/1.1 302 Found\r\nLocation: http://a/\r\nContent-Length: 0\r\n\r\n",
      detail: "Tailscale's daemon answers with status 302"),
    .init(
      name: "nothing", answer: "", detail: "the answer of Tailscale's daemon is cut short"),
    .init(
      name: "garbage", answer: "garbage\r\n\r\n",
      detail: "the answer of Tailscale's daemon is no HTTP: it starts with 'garbage'"),
    .init(
      name: "a page", answer: answer("<html></html>"),
      detail: "Tailscale's daemon gives no JSON but '<html></html>'", code: .json),
    .init(
      name: "an empty body", answer: answer(""),
      detail: "Tailscale's daemon gives an empty answer", code: .json),
    .init(
      name: "a body beyond the bound", answer: answer("{\(String(repeating: " ", count: 30))}"),
      detail: "the answer of Tailscale's daemon has more than 30 bytes", code: .limit),
  ]

  @Test("an answer that is no status", arguments: bad)
  func refused(_ row: BadRow) throws {
    let listener = try TestListener()
    listener.answer(with: row.answer)
    let error = #expect(throws: DiscoveryError.self) {
      try Self.status(from: [.socket(listener.path)], maxBytes: 30)
    }
    #expect(error?.detail == row.detail)
    #expect(error?.code == row.code)
  }

  @Test("one that says nothing takes no longer than the deadline, wherever else one is")
  func silent() throws {
    let listeners = try (0..<2).map { _ in try TestListener() }
    let error = #expect(throws: DiscoveryError(.daemon, detail: "")) {
      try Self.status(from: listeners.map { .socket($0.path) }, within: .milliseconds(300))
    }
    #expect(error?.detail == "Tailscale's daemon does not answer in time")
  }

  #if os(Linux)
    struct PlaceRow: NamedRow {
      let name: String
      let marks: Set<String>
      let paths: [String]
    }

    static let places: [PlaceRow] = [
      .init(name: "most systems", marks: [], paths: ["/var/run/tailscale/tailscaled.sock"]),
      .init(
        name: "Synology", marks: ["/usr/syno"],
        paths: [
          "/var/packages/Tailscale/var/tailscaled.sock",
          "/var/packages/Tailscale/etc/tailscaled.sock",
        ]),
      .init(
        name: "QNAP", marks: ["/etc/config/uLinux.conf"],
        paths: ["/tmp/tailscale/tailscaled.sock"]),
      .init(name: "gokrazy", marks: ["/gokrazy"], paths: ["/perm/tailscaled/tailscaled.sock"]),
    ]

    @Test("the socket's place is that of the system", arguments: places)
    func place(_ row: PlaceRow) {
      let endpoints = TailscaleLocalAPI.endpoints { row.marks.contains($0) }
      #expect(endpoints == row.paths.map { .socket($0) })
    }
  #endif
}
