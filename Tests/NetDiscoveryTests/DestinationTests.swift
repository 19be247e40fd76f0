import Testing

@testable import NetDiscovery

struct DestinationRow: NamedRow {
  let name: String
  let text: String
  var origin: String?
  var code: HostError.Code?

  init(_ name: String, _ text: String, _ origin: String) {
    self.name = name
    self.text = text
    self.origin = origin
  }

  init(_ name: String, _ text: String, fails code: HostError.Code) {
    self.name = name
    self.text = text
    self.code = code
  }
}

@Suite("Destination")
struct DestinationTests {
  static let good: [DestinationRow] = [
    .init("name", "my-mac.local", "http://my-mac.local:19464"),
    .init("name and port", "My-Mac.local.:8080", "http://my-mac.local:8080"),
    .init("port 80 is left out", "my-mac.local:80", "http://my-mac.local"),
    .init("port 443 of HTTP stays", "my-mac.local:443", "http://my-mac.local:443"),
    .init("lowest port", "my-mac.local:1", "http://my-mac.local:1"),
    .init("highest port", "my-mac.local:65535", "http://my-mac.local:65535"),
    .init("IPv4", "192.168.1.10", "http://192.168.1.10:19464"),
    .init("IPv4 and port", "192.168.1.10:8080", "http://192.168.1.10:8080"),
    .init("IPv6 without brackets", "fd00::10", "http://[fd00::10]:19464"),
    .init("IPv6, all groups, no brackets", "fd00:0:0:0:0:0:0:10", "http://[fd00::10]:19464"),
    .init("IPv6 without brackets, its end no port", "fd00::1:a", "http://[fd00::1:a]:19464"),
    .init("IPv6 without brackets, its end 0", "fd00::1:0", "http://[fd00::1:0]:19464"),
    .init("IPv6", "[fd00::10]", "http://[fd00::10]:19464"),
    .init("IPv6 and port", "[FD00::10]:8080", "http://[fd00::10]:8080"),
    .init("IPv4-mapped IPv6 and port", "[::ffff:192.168.1.10]:80", "http://192.168.1.10"),
    .init("http without port", "http://my-mac.local", "http://my-mac.local"),
    .init("http with slash", "http://my-mac.local/", "http://my-mac.local"),
    .init("http with port and slash", "http://my-mac.local:19464/", "http://my-mac.local:19464"),
    .init("upper-case scheme", "HTTP://my-mac.local:81", "http://my-mac.local:81"),
    .init("https without port", "https://mac.example.com", "https://mac.example.com"),
    .init("https on its port", "https://mac.example.com:443", "https://mac.example.com"),
    .init("https on 80", "https://mac.example.com:80", "https://mac.example.com:80"),
    .init("URL with IPv6", "https://[fd00::10]:8443/", "https://[fd00::10]:8443"),
    .init("slash without scheme", "my-mac.local/", "http://my-mac.local:19464"),
    .init("a host called http", "http:8080", "http://http:8080"),
  ]

  static let bad: [DestinationRow] = [
    .init("nothing", "", fails: .empty), .init("no host", ":19464", fails: .empty),
    .init("scheme alone", "http://", fails: .empty),
    .init("no host in a URL", "http:///a", fails: .empty),
    .init("port without host in a URL", "http://:80", fails: .empty),
    .init("other scheme", "ftp://my-mac.local", fails: .scheme),
    .init("no scheme before ://", "://my-mac.local", fails: .scheme),
    .init("file URL", "file:///tmp", fails: .scheme),
    .init("user", "http://me@my-mac.local", fails: .userInfo),
    .init("user and password", "http://me:pw@my-mac.local", fails: .userInfo),
    .init("user without scheme", "me@my-mac.local", fails: .userInfo),
    .init("empty user", "http://@my-mac.local", fails: .userInfo),
    .init("path", "http://my-mac.local/a", fails: .path),
    .init("two slashes", "http://my-mac.local//", fails: .path),
    .init("path without scheme", "my-mac.local/api", fails: .path),
    .init("backslash", "http://my-mac.local\\a", fails: .path),
    .init("query", "http://my-mac.local?a", fails: .query),
    .init("query after slash", "http://my-mac.local/?a=http://b", fails: .query),
    .init("empty query", "my-mac.local?", fails: .query),
    .init("fragment", "http://my-mac.local/#a", fails: .fragment),
    .init("port 0", "my-mac.local:0", fails: .port),
    .init("port 65536", "my-mac.local:65536", fails: .port),
    .init("huge port", "my-mac.local:99999999999999999999", fails: .port),
    .init("empty port", "my-mac.local:", fails: .port),
    .init("empty port of a URL", "http://my-mac.local:/", fails: .port),
    .init("empty port after brackets", "[fd00::10]:", fails: .port),
    .init("signed port", "my-mac.local:+80", fails: .port),
    .init("port with leading zero", "my-mac.local:080", fails: .port),
    .init("hexadecimal port", "my-mac.local:0x50", fails: .port),
    .init("port with a blank", "my-mac.local: 80", fails: .port),
    .init("full-width port", "my-mac.local:８０", fails: .port),
    .init("IPv6 and port without brackets", "fd00::10:19464", fails: .brackets),
    .init("IPv6 whose end may be a port", "fd00::10:8080", fails: .brackets),
    .init("URL with bare IPv6", "http://fd00::10", fails: .brackets),
    .init("text after the bracket", "[fd00::10]x", fails: .brackets),
    .init("open bracket", "[fd00::10", fails: .brackets),
    .init("name in brackets", "[my-mac.local]:80", fails: .brackets),
    .init("two colons in a name", "my-mac.local:80:80", fails: .address),
    .init("zone", "http://[fe80::1%25en0]:19464", fails: .zone),
    .init("zone without brackets", "fe80::1%en0", fails: .zone),
    .init("odd IPv4", "http://0x7f.1", fails: .address),
    .init("letters beyond ASCII", "http://bücher.local", fails: .notASCII),
    .init("blank", "http://my mac.local", fails: .name),
  ]

  @Test("is read", arguments: good)
  func read(_ row: DestinationRow) throws {
    let destination = try Destination(parsing: row.text, defaultPort: 19464)
    #expect(destination.origin == row.origin)
    #expect(destination.kind == .given)
    #expect(destination.interface == nil)
    #expect(try Destination(parsing: destination.origin, defaultPort: 1) == destination)
  }

  @Test("is refused", arguments: bad)
  func refused(_ row: DestinationRow) {
    let error = #expect(throws: HostError.self) {
      try Destination(parsing: row.text, defaultPort: 19464)
    }
    #expect(error?.code == row.code)
  }

  @Test("a refusal repeats neither password nor path nor query")
  func noSecret() {
    let token = String(repeating: "0123456789abcdef", count: 3)
    for text in [
      "http://me:\(token)@a.local", "http://a.local/api/app/\(token)/update", "a.local?\(token)",
      "a.local#\(token)", "http://a.local:1/\(token)?\(token)", "http://a.local:\(token)/",
      "http://[\(token)", "a:\(token):1",
    ] {
      let error = #expect(throws: HostError.self) {
        try Destination(parsing: text, defaultPort: 19464)
      }
      #expect(error?.detail.contains("01234") == false, "\(text)")
    }
  }

  @Test("hosts in several spellings are one destination")
  func equality() throws {
    let texts = ["fd00::10", "[FD00:0:0::0010]", "http://[fd00::10]:19464/"]
    let destinations = try texts.map { text in
      try Destination(parsing: text, defaultPort: 19464)
    }
    #expect(Set(destinations).count == 1)
  }
}
