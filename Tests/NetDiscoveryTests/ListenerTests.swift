import Testing

@testable import NetDiscovery

struct ListenerRow: NamedRow {
  let name: String
  var port: String?
  var bind: String?
  var url: String?
  var environment: String?
  var saved: SavedListener?
  /// Host, port and where they are from.
  var result: String?
  var code: DiscoveryError.Code?
}

@Suite("Listener")
struct ListenerTests {
  static let saved = SavedListener(host: "192.168.1.10", port: 4000)

  static let rows: [ListenerRow] = [
    .init(name: "nothing set", result: ":: default 19464 default"),
    .init(name: "saved", saved: saved, result: "192.168.1.10 saved 4000 saved"),
    .init(
      name: "saved port alone", saved: .init(host: nil, port: 4000), result: ":: default 4000 saved"
    ),
    .init(
      name: "saved host alone", saved: .init(host: "fd00::10", port: nil),
      result: "fd00::10 saved 19464 default"),
    .init(
      name: "environment over saved", environment: "3000", saved: saved,
      result: "192.168.1.10 saved 3000 environment"),
    .init(
      name: "public URL over environment", url: "https://mac.example.com:8443/hub",
      environment: "3000", saved: saved, result: "192.168.1.10 saved 8443 public-url"),
    .init(
      name: "option over public URL", port: "2000", url: "https://mac.example.com:8443",
      environment: "3000", saved: saved, result: "192.168.1.10 saved 2000 option"),
    .init(
      name: "option over a wrong environment", port: "2000", environment: "abc",
      result: ":: default 2000 option"),
    .init(
      name: "public URL without port gives none", url: "https://mac.example.com",
      environment: "3000", result: ":: default 3000 environment"),
    .init(
      name: "public URL without port, nothing else", url: "http://mac.example.com/",
      result: ":: default 19464 default"),
    .init(
      name: "public URL names its default port", url: "http://mac.example.com:80",
      environment: "3000", result: ":: default 80 public-url"),
    .init(
      name: "public URL of an IPv6 host", url: "http://[fd00::10]:81",
      result: ":: default 81 public-url"),
    .init(name: "lowest port", port: "1", result: ":: default 1 option"),
    .init(name: "highest port", environment: "65535", result: ":: default 65535 environment"),
    .init(
      name: "bind option over saved host", bind: "10.0.0.5", saved: saved,
      result: "10.0.0.5 option 4000 saved"),
    .init(
      name: "bind option of all over saved host", bind: "*", saved: saved,
      result: ":: option 4000 saved"),
    .init(name: "empty bind", bind: "", result: ":: option 19464 default"),
    .init(name: "bind ::", bind: "::", result: ":: option 19464 default"),
    .init(name: "bind [::]", bind: "[::]", result: ":: option 19464 default"),
    .init(name: "bind :: written out", bind: "0:0:0:0:0:0:0:0", result: ":: option 19464 default"),
    .init(name: "bind 0.0.0.0", bind: "0.0.0.0", result: "0.0.0.0 option 19464 default"),
    .init(
      name: "bind 0.0.0.0 mapped", bind: "::ffff:0.0.0.0", result: "0.0.0.0 option 19464 default"),
    .init(
      name: "bind 0.0.0.0 mapped, hexadecimal", bind: "::ffff:0:0",
      result: "0.0.0.0 option 19464 default"),
    .init(
      name: "saved host ''", saved: .init(host: "", port: nil), result: ":: saved 19464 default"),
    .init(
      name: "saved host *", saved: .init(host: "*", port: nil), result: ":: saved 19464 default"),
    .init(name: "bind name", bind: "My-Mac.local.", result: "my-mac.local option 19464 default"),
    .init(
      name: "bind a mapped one", bind: "::ffff:10.0.0.5", result: "10.0.0.5 option 19464 default"),
    .init(name: "environment not a number", environment: "abc", saved: saved, code: .port),
    .init(name: "environment empty", environment: "", code: .port),
    .init(name: "environment 0", environment: "0", code: .port),
    .init(name: "environment 65536", environment: "65536", code: .port),
    .init(name: "environment with a blank", environment: " 3000", code: .port),
    .init(name: "environment negative", environment: "-1", code: .port),
    .init(name: "environment with a fraction", environment: "3000.0", code: .port),
    .init(name: "option 0", port: "0", code: .port),
    .init(name: "option 65536", port: "65536", code: .port),
    .init(name: "option empty", port: "", environment: "3000", code: .port),
    .init(name: "option with leading zero", port: "080", code: .port),
    .init(name: "option in another script", port: "٣٠٠٠", code: .port),
    .init(name: "public URL without scheme", url: "mac.example.com:8443", code: .publicURL),
    .init(name: "public URL of another scheme", url: "ftp://mac.example.com", code: .publicURL),
    .init(name: "public URL without host", url: "http://", code: .publicURL),
    .init(name: "public URL with port 0", url: "http://mac.example.com:0", code: .publicURL),
    .init(name: "public URL with empty port", url: "http://mac.example.com:", code: .publicURL),
    .init(name: "public URL with user", url: "http://me@mac.example.com", code: .publicURL),
    .init(name: "public URL with query", url: "http://mac.example.com/?a", code: .publicURL),
    .init(name: "wrong public URL beside the option", port: "2000", url: "mac", code: .publicURL),
    .init(name: "bind not a host", bind: "my mac", code: .bind),
    .init(name: "bind host and port", bind: "10.0.0.5:80", code: .bind),
    .init(name: "bind odd IPv4", bind: "127.1", code: .bind),
    .init(name: "bind with a zone", bind: "fe80::1%en0", code: .boundToUnusable),
    .init(name: "saved host not a host", saved: .init(host: "a b", port: 1), code: .saved),
    .init(
      name: "saved host with a zone", saved: .init(host: "fe80::1%en0", port: 1),
      code: .boundToUnusable),
    .init(
      name: "wrong saved host beside the option", bind: "10.0.0.5",
      saved: .init(host: "a b", port: 1), result: "10.0.0.5 option 1 saved"),
  ]

  @Test("settings are taken in their order", arguments: rows)
  func resolve(_ row: ListenerRow) {
    let result = Result { () throws(DiscoveryError) in
      try Listener.resolve(
        port: row.port, bind: row.bind, publicURL: row.url, environmentPort: row.environment,
        saved: row.saved)
    }
    switch result {
    case .success(let listener):
      let (hostFrom, portFrom) = (listener.hostFrom.rawValue, listener.portFrom.rawValue)
      #expect("\(listener.host) \(hostFrom) \(listener.port) \(portFrom)" == row.result)
    case .failure(let error):
      #expect(error.code == row.code, "\(error)")
    }
  }

  @Test("a wrong environment is named in the message")
  func message() {
    let error = #expect(throws: DiscoveryError.self) {
      try Listener.resolve(environmentPort: "abc")
    }
    #expect(error?.detail == "IPA_HUB_PORT is 'abc', no number from 1 to 65535")
  }
}

@Suite("SavedListener")
struct SavedListenerTests {
  @Test(
    "host and port are read, whatever else is there",
    arguments: [
      ("{}", nil, nil), ("{\"host\": null, \"port\": null}", nil, nil),
      ("{\"host\": \"\", \"port\": 1}", "", 1),
      ("{\"token\": \"secret\", \"host\": \"::\", \"port\": 65535, \"x\": [{}]}", "::", 65535),
    ] as [(String, String?, UInt16?)])
  func read(_ json: String, _ host: String?, _ port: UInt16?) throws {
    #expect(
      try SavedListener(parsing: Array(json.utf8)) == SavedListener(host: host, port: port))
  }

  static let bad: [BadJSONRow] = [
    .init("nothing", "", mention: "empty"), .init("a list", "[]"), .init("text", "port: 1"),
    .init("port as text", "{\"port\": \"19464\"}", mention: "port"),
    .init("host as number", "{\"host\": 1}", mention: "host"),
    .init("port 0", "{\"port\": 0}", .saved, mention: "port"),
    .init("port 65536", "{\"port\": 65536}", .saved, mention: "port"),
    .init("port -1", "{\"port\": -1}", .saved, mention: "port"),
    .init("port 1.5", "{\"port\": 1.5}", .saved, mention: "port"),
    .init("port 1e99", "{\"port\": 1e99}", .saved, mention: "port"),
    .init("deep", String(repeating: "{\"host\":", count: 100_000)),
  ]

  @Test("is refused", arguments: bad)
  func refused(_ row: BadJSONRow) throws {
    let error = #expect(throws: DiscoveryError.self) {
      try SavedListener(parsing: Array(row.json.utf8))
    }
    #expect(error?.code == row.code)
    #expect(try #require(error?.detail).contains(row.mention))
  }
}
