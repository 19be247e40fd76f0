import Testing

@testable import NetDiscovery

struct HostRow: NamedRow {
  let name: String
  let text: String
  /// The canonical text and the URL text.
  var host: (String, String)?
  var code: HostError.Code?

  static func good(_ name: String, _ text: String, _ host: String, url: String? = nil) -> HostRow {
    HostRow(name: name, text: text, host: (host, url ?? host))
  }

  static func bad(_ name: String, _ text: String, _ code: HostError.Code) -> HostRow {
    HostRow(name: name, text: text, code: code)
  }
}

@Suite("Host")
struct HostTests {
  static let good: [HostRow] = [
    .good("a .local name", "my-mac.local", "my-mac.local"),
    .good("upper case is lowered", "My-Mac.Local", "my-mac.local"),
    .good("one root dot is dropped", "my-mac.tailnet.ts.net.", "my-mac.tailnet.ts.net"),
    .good("one label", "my-mac", "my-mac"),
    .good("an IDN in its A-label form", "XN--bcher-kva.local", "xn--bcher-kva.local"),
    .good("an underscore inside a label", "my_mac.local", "my_mac.local"),
    .good("a label that starts with a digit", "3com.example", "3com.example"),
    .good("numbers before a last label of letters", "1.2.3.four", "1.2.3.four"),
    .good("a last label like 0x but not hexadecimal", "a.0xyz", "a.0xyz"),
    .good(
      "63 bytes in a label", "\(String(repeating: "a", count: 63)).b",
      "\(String(repeating: "a", count: 63)).b"),
    .good("253 bytes and a root dot", longName(253) + ".", longName(253)),
    .good("IPv4", "192.168.1.10", "192.168.1.10"),
    .good("IPv4, lowest", "0.0.0.0", "0.0.0.0"),
    .good("IPv4, highest", "255.255.255.255", "255.255.255.255"),
    .good("IPv6", "fd00::10", "fd00::10", url: "[fd00::10]"),
    .good("IPv6 in brackets", "[fd00::10]", "fd00::10", url: "[fd00::10]"),
    .good("IPv6, all groups", "fd00:0:0:0:0:0:0:10", "fd00::10", url: "[fd00::10]"),
    .good("IPv6, upper case", "FD00::10", "fd00::10", url: "[fd00::10]"),
    .good("IPv6, leading zeros", "fd00::0010", "fd00::10", url: "[fd00::10]"),
    .good(
      "the longest run of zeros", "2001:db8:0:0:1:0:0:0", "2001:db8:0:0:1::",
      url: "[2001:db8:0:0:1::]"),
    .good(
      "the first of equal runs", "2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1",
      url: "[2001:db8::1:0:0:1]"),
    .good(
      "no :: for one group", "2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1",
      url: "[2001:db8:0:1:1:1:1:1]"),
    .good(
      ":: in place of one group", "1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0", url: "[1:2:3:4:5:6:7:0]"),
    .good("unspecified", "::", "::", url: "[::]"),
    .good("loopback", "0:0:0:0:0:0:0:1", "::1", url: "[::1]"),
    .good(
      "IPv4 at the end", "64:ff9b::192.0.2.33", "64:ff9b::c000:221", url: "[64:ff9b::c000:221]"),
    .good("IPv4-mapped", "::ffff:192.168.1.10", "192.168.1.10"),
    .good("IPv4-mapped, hexadecimal, brackets", "[::FFFF:c0a8:10a]", "192.168.1.10"),
    .good("IPv4-compatible stays IPv6", "::1.2.3.4", "::102:304", url: "[::102:304]"),
  ]

  static let bad: [HostRow] = [
    .bad("nothing", "", .empty),
    .bad("the root", ".", .name),
    .bad("two root dots", "my-mac.local..", .name),
    .bad("an empty label", "my-mac..local", .name),
    .bad("a leading dot", ".local", .name),
    .bad("a blank", "my mac.local", .name),
    .bad("a blank around", " my-mac.local", .name),
    .bad("a line end", "my-mac.local\n", .name),
    .bad("NUL", "my-mac\0.local", .name),
    .bad("a slash", "my-mac.local/", .name),
    .bad("an escape", "my%2dmac.local", .name),
    .bad("a wildcard", "*.local", .name),
    .bad("a leading hyphen", "-mac.local", .name),
    .bad("a trailing hyphen", "mac-.local", .name),
    .bad("a service label", "_http._tcp.local", .name),
    .bad("a trailing underscore", "mac_.local", .name),
    .bad("64 bytes in a label", "\(String(repeating: "a", count: 64)).b", .name),
    .bad("254 bytes", longName(254), .name),
    .bad("letters beyond ASCII", "bücher.local", .notASCII),
    .bad("a full-width digit", "192.168.1.１", .notASCII),
    .bad("an ideographic full stop", "my-mac。local", .notASCII),
    .bad("octal-looking IPv4", "192.168.001.010", .address),
    .bad("hexadecimal IPv4", "0x7f.1", .address),
    .bad("hexadecimal last label", "127.0.0.0x1", .address),
    .bad("bare 0x", "a.0x", .address),
    .bad("upper-case 0X", "0X7F000001", .address),
    .bad("IPv4 as one number", "3232235786", .address),
    .bad("IPv4 with a root dot", "1.2.3.4.", .address),
    .bad("three numbers", "1.2.3", .address),
    .bad("five numbers", "1.2.3.4.5", .address),
    .bad("256", "192.168.1.256", .address),
    .bad("a name that ends in a number", "my-mac.1", .address),
    .bad("IPv6 with a lone colon in front", ":1:2:3:4:5:6:7", .address),
    .bad("IPv6 with a lone colon behind", "1:2:3:4:5:6:7:", .address),
    .bad("two ::", "1::2::3", .address),
    .bad("three colons", ":::", .address),
    .bad("nine groups", "1:2:3:4:5:6:7:8:9", .address),
    .bad("seven groups", "1:2:3:4:5:6:7", .address),
    .bad(":: for no group", "1:2:3:4::5:6:7:8", .address),
    .bad("five digits in a group", "fd00::19464", .address),
    .bad("a sign in a group", "fd00::+1", .address),
    .bad("IPv4 in the middle", "fd00::1.2.3.4:5", .address),
    .bad("IPv4 with a leading zero at the end", "::ffff:1.2.3.04", .address),
    .bad("a prefix length", "fd00::/64", .address),
    .bad("host and port", "my-mac.local:19464", .address),
    .bad("a URL", "http://my-mac.local", .address),
    .bad("a zone", "fe80::1%en0", .zone),
    .bad("a zone as in a URL", "[fe80::1%25en0]", .zone),
    .bad("an empty zone", "fe80::1%", .zone),
    .bad("a zone after IPv4", "169.254.1.1%en0", .zone),
    .bad("brackets around IPv4", "[192.168.1.10]", .brackets),
    .bad("brackets around a name", "[my-mac.local]", .brackets),
    .bad("an open bracket", "[fd00::10", .brackets),
    .bad("a closing bracket", "fd00::10]", .brackets),
    .bad("a lone bracket", "[", .brackets),
    .bad("empty brackets", "[]", .brackets),
  ]

  @Test("is read into its canonical form", arguments: good)
  func canonical(_ row: HostRow) throws {
    let host = try Host(parsing: row.text)
    #expect(host.description == row.host?.0)
    #expect(host.urlText == row.host?.1)
    #expect(try Host(parsing: host.description) == host)
    #expect(try Host(parsing: host.urlText) == host)
  }

  @Test("is refused", arguments: bad)
  func refused(_ row: HostRow) throws {
    let error = #expect(throws: HostError.self) { try Host(parsing: row.text) }
    #expect(error?.code == row.code)
    let detail = try #require(error?.detail)
    #expect(detail.utf8.count < 200 && detail.utf8.allSatisfy { $0 >= 0x20 })
  }

  @Test("the refusal of a URL does not repeat it")
  func noSecret() {
    let token = String(repeating: "0123456789abcdef", count: 3)
    for text in ["http://a/api/app/\(token)/update", "[http://a/api/app/\(token)]", "a/\(token)"] {
      let error = #expect(throws: HostError.self) { try Host(parsing: text) }
      #expect(error?.detail.contains("01234") == false)
    }
  }

  @Test("only IPv6 addresses of 16 bytes are made from bytes")
  func bytes() {
    let bytes: [UInt8] = [0xfd] + Array(repeating: 0, count: 14) + [0x10]
    #expect(IPv6Address(bytes: bytes)?.description == "fd00::10")
    #expect(IPv6Address(bytes: bytes.dropLast()) == nil)
    #expect(IPv6Address(bytes: bytes + [0]) == nil)
  }

  @Test("text in messages is one short line")
  func quotedText() {
    #expect(quoted("a") == "'a'")
    #expect(quoted("a\n\u{202e}b") == "'a\\u{a}\\u{202e}b'")
    #expect(quoted(String(repeating: "x", count: 64)) == "'\(String(repeating: "x", count: 64))'")
    #expect(quoted(String(repeating: "x", count: 65)) == "'\(String(repeating: "x", count: 64))…'")
    #expect(quoted(String(repeating: "x", count: 9999)).count == 67)
    #expect(quoted("x/" + String(repeating: "0a", count: 24) + "/y") == "'x/0a0a…/y'")
    #expect(
      quoted(String(repeating: "x", count: 60) + String(repeating: "0", count: 48)).count == 67)
  }

  static func longName(_ count: Int) -> String {
    let label = String(repeating: "a", count: 49) + "."
    return String(repeating: label, count: 5) + String(repeating: "b", count: count - 250)
  }
}
