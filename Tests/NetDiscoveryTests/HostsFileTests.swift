import Testing

@testable import NetDiscovery

@Suite("HostsFile")
struct HostsFileTests {
  struct HostsRow: NamedRow {
    let name: String
    let text: String
    var asked = "myhost"
    var addresses: [String] = []
  }

  static let rows: [HostsRow] = [
    .init(name: "empty", text: ""),
    .init(name: "one line", text: "10.0.0.5 myhost\n", addresses: ["10.0.0.5"]),
    .init(name: "no line end", text: "10.0.0.5 myhost", addresses: ["10.0.0.5"]),
    .init(
      name: "Debian's own name", text: "127.0.1.1\tmyhost.lan\tmyhost\n", addresses: ["127.0.1.1"]),
    .init(
      name: "several names, asked for the last", text: "10.0.0.5 a b.lan  myhost\n",
      addresses: ["10.0.0.5"]),
    .init(
      name: "several lines", text: "10.0.0.5 myhost\n10.0.0.6 other\nfd00::5 myhost\n",
      addresses: ["10.0.0.5", "fd00::5"]),
    .init(
      name: "an address twice, in two spellings", text: "fd00::5 myhost\nFD00:0::5 myhost\n",
      addresses: ["fd00::5"]),
    .init(name: "lines of Windows", text: "10.0.0.5 myhost\r\n# x\r\n", addresses: ["10.0.0.5"]),
    .init(name: "blanks before", text: " \t10.0.0.5 \t myhost \t\n", addresses: ["10.0.0.5"]),
    .init(name: "a comment line", text: "# 10.0.0.5 myhost\n"),
    .init(name: "a comment behind", text: "10.0.0.5 other # myhost\n"),
    .init(name: "a comment right behind", text: "10.0.0.5 myhost# x\n", addresses: ["10.0.0.5"]),
    .init(name: "upper case", text: "10.0.0.5 MyHost\n", addresses: ["10.0.0.5"]),
    .init(name: "a root dot", text: "10.0.0.5 myhost.\n", addresses: ["10.0.0.5"]),
    .init(
      name: "asked with a root dot", text: "10.0.0.5 myhost\n", asked: "MYHOST.",
      addresses: ["10.0.0.5"]),
    .init(name: "a longer name", text: "10.0.0.5 myhost.lan\n10.0.0.6 amyhost\n"),
    .init(
      name: "a zone is passed over", text: "fe80::1%lo0 myhost\n::1 myhost\n", addresses: ["::1"]),
    .init(name: "a mapped address", text: "::ffff:10.0.0.5 myhost\n", addresses: ["10.0.0.5"]),
    .init(name: "no address", text: "myhost 10.0.0.5\n300.1.1.1 myhost\n010.0.0.1 myhost\n"),
    .init(name: "an address alone", text: "10.0.0.5\n"),
    .init(
      name: "the address is no name", text: "10.0.0.5 x\n", asked: "x", addresses: ["10.0.0.5"]),
    .init(name: "a dot alone", text: "10.0.0.5 . myhost\n", addresses: ["10.0.0.5"]),
  ]

  @Test("addresses of a name", arguments: rows)
  func addresses(_ row: HostsRow) throws {
    let found = HostsFile.addresses(of: try DNSName(parsing: row.asked), in: Array(row.text.utf8))
    #expect(found.map(\.description) == row.addresses)
  }

  @Test("bytes that are no UTF-8 spoil their word alone")
  func bytes() throws {
    let text =
      [0xFF, 0x20] + Array("myhost\n10.0.0.5 ".utf8) + [0xFE, 0x20] + Array("myhost".utf8)
    let found = HostsFile.addresses(of: try DNSName(parsing: "myhost"), in: text)
    #expect(found == [.of("10.0.0.5")])
  }

  @Test("no more addresses than the limit", arguments: [3, 4])
  func limit(_ count: Int) throws {
    var limits = DiscoveryLimits()
    limits.maxAddresses = 3
    let text = (1...count).map { "10.0.0.\($0) myhost\n" }.joined()
    let name = try DNSName(parsing: "myhost")
    #expect(HostsFile.addresses(of: name, in: Array(text.utf8), limits: limits).count == 3)
  }

  @Test("as many addresses as the limit, each twice")
  func many() throws {
    let limit = DiscoveryLimits().maxAddresses
    let lines = (0..<limit).map { "10.\($0 >> 16).\($0 >> 8 & 255).\($0 & 255) myhost\n" }
    let text = Array((lines + lines).joined().utf8)
    let found = HostsFile.addresses(of: try DNSName(parsing: "myhost"), in: text)
    #expect(found.count == limit)
    #expect(Set(found).count == limit)
  }
}
