import Testing

@testable import NetDiscovery

struct LocalNameRow: NamedRow {
  let name: String
  let local: String?
  let warns: Bool

  init(_ name: String, _ local: String?, warns: Bool = false) {
    self.name = name
    self.local = local
    self.warns = warns
  }
}

@Suite("LocalName")
struct LocalNameTests {
  static let rows: [LocalNameRow] = [
    .init("my-mac", "my-mac.local"), .init("my-mac.local", "my-mac.local"),
    .init("my-mac.local.", "my-mac.local"), .init("My-Mac.local", "my-mac.local"),
    .init("my-mac.", "my-mac.local"), .init("my-mac-2", "my-mac-2.local"),
    .init("my_mac", "my_mac.local"), .init("xn--bcher-kva", "xn--bcher-kva.local"),
    .init("localhost", nil), .init("localhost.localdomain", nil), .init("", nil),
    .init("Sam’s Mac", nil, warns: true), .init("Sams Mac.local", nil, warns: true),
    .init("bücher", nil, warns: true), .init("192.168.1.10", nil, warns: true),
    .init("fd00::10", nil, warns: true), .init(".local", nil, warns: true),
    .init(".", nil, warns: true), .init("-mac", nil, warns: true),
    .init("my-mac..local", nil, warns: true), .init("my-mac\n", nil, warns: true),
    .init(String(repeating: "a", count: 63), String(repeating: "a", count: 63) + ".local"),
    .init(String(repeating: "a", count: 64), nil, warns: true),
    .init("host.example.com", "host.local", warns: true),
    .init("pc.corp.local", "pc.local", warns: true),
    .init("my-mac.local.local", "my-mac.local", warns: true),
  ]

  @Test("comes from the host's first label", arguments: rows)
  func make(_ row: LocalNameRow) {
    let result = LocalName(hostName: row.name)
    #expect(result.name?.text == row.local)
    #expect((result.warning != nil) == row.warns)
    #expect(result.warning?.contains("\n") != true)
  }
}
