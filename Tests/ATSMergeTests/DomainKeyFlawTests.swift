import Testing

@testable import ATSMerge

@Suite struct DomainKeyFlawTests {
  static let rows: [Row<String, [String]?>] = [
    Row("name", "my-mac.local", nil), Row("IPv4", "192.168.1.10", nil),
    Row("IPv6", "fd00::10", nil),
    Row("range", "192.168.0.0/16", nil), Row("IPv6 range", "2001:db8:12::/48", nil),
    Row("one label", "my-mac", nil), Row("xn--", "xn--bcher-kva.local", nil),
    Row("empty", "", ["empty"]), Row("port", "192.168.1.10:19464", ["port", "192.168.1.10"]),
    Row("port of a name", "my-mac.local:80", ["port", "my-mac.local"]),
    Row("scheme", "http://my-mac.local", ["scheme", "my-mac.local"]),
    Row("path", "example.com/x", ["path", "example.com"]),
    Row("slash", "example.com/", ["path", "example.com"]),
    Row("wildcard", "*.example.com", ["wildcard", "example.com"]),
    Row("brackets", "[fd00::10]", ["brackets", "fd00::10"]),
    Row("brackets around a name", "[my-mac.local]", ["brackets", "my-mac.local"]),
    Row("colon behind", "my-mac.local:", ["no host name", "my-mac.local"]),
    Row("dot before", ".my-mac.local", ["no host name", "my-mac.local"]),
    Row("slashes before", "//my-mac.local", ["path", "my-mac.local"]),
    Row("query", "my-mac.local?x", ["no host name", "my-mac.local"]),
    Row("range in upper case", "FD00::/8", ["upper case"]),
    Row("range not canonical", "fd00:0:0::/16", ["canonical"]),
    Row("brackets and port", "[fd00::10]:80", ["brackets", "fd00::10"]),
    Row("upper case", "My-Mac.local", ["upper case", "my-mac.local"]),
    Row("dot behind", "example.com.", ["dot", "example.com"]),
    Row("blank", "my mac.local", ["blank"]),
    Row("blank behind", "my-mac.local ", ["blank", "my-mac.local"]),
    Row("not ASCII", "bücher.local", ["ASCII"]),
    Row("long IPv6", "fd00:0:0:0:0:0:0:10", ["canonical", "fd00::10"]),
    Row("zone", "fe80::1%en0", ["zone"]),
    Row("range too long", "10.0.0.0/33", ["range"]),
    Row("range without length", "10.0.0.0/", ["range"]),
    Row("octal IPv4", "010.0.0.1", ["no host name"]),
    Row("IPv6 and port", "fd00::10:19464", ["port", "fd00::10"]),
    Row("a colon before the scheme", "x:http://my-mac.local", ["scheme", "my-mac.local"]),
    Row("too long", String(repeating: "a", count: 513), ["too long"]),
    Row("not too long", String(repeating: "a", count: 512), ["no host name"]),
  ]

  @Test(arguments: rows) func isFound(_ row: Row<String, [String]?>) {
    let flaw = DomainKeyFlaw(in: row.input)
    #expect((flaw == nil) == (row.expected == nil))
    if let expected = row.expected {
      #expect(flaw?.detail.contains(expected[0]) == true, "\(flaw?.detail ?? "")")
      if expected.count > 1 { #expect(flaw?.meant == expected[1]) }
    }
  }
}
