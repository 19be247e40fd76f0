import Testing

@testable import NetDiscovery

struct AddressClassRow: NamedRow {
  let name: String
  let addressClass: AddressClass?

  init(_ name: String, _ addressClass: AddressClass?) {
    self.name = name
    self.addressClass = addressClass
  }
}

@Suite("AddressClass")
struct AddressClassTests {
  static let rows: [AddressClassRow] = [
    .init("my-mac.local", nil),
    .init("0.0.0.0", .unspecified), .init("0.0.0.1", .reserved), .init("0.255.255.255", .reserved),
    .init("1.0.0.0", .global), .init("10.0.0.0", .privateUse), .init("100.63.255.255", .global),
    .init("100.64.0.0", .shared), .init("100.127.255.255", .shared), .init("100.128.0.0", .global),
    .init("127.0.0.1", .loopback), .init("127.255.255.255", .loopback), .init("128.0.0.0", .global),
    .init("169.253.255.255", .global), .init("169.254.0.0", .linkLocal),
    .init("169.254.255.255", .linkLocal), .init("172.15.255.255", .global),
    .init("172.31.255.255", .privateUse), .init("172.32.0.0", .global),
    .init("192.0.0.2", .reserved),
    .init("192.0.1.0", .global), .init("192.168.0.0", .privateUse),
    .init("198.19.255.255", .benchmarking),
    .init("223.255.255.255", .global), .init("224.0.0.251", .multicast),
    .init("239.255.255.255", .multicast), .init("240.0.0.0", .reserved),
    .init("255.255.255.255", .reserved),
    .init("::", .unspecified), .init("::1", .loopback), .init("::2", .reserved),
    .init("::127.0.0.1", .reserved), .init("::ffff:127.0.0.1", .loopback),
    .init("::ffff:0.0.0.0", .unspecified), .init("::ffff:169.254.1.1", .linkLocal),
    .init("64:ff9b::1", .reserved), .init("100::1", .reserved), .init("1fff::1", .reserved),
    .init("2000::", .global), .init("2001:db8::5", .documentation), .init("2001:db9::", .global),
    .init("3ffe::1", .global), .init("3fff:fff::1", .documentation), .init("3fff:1000::", .global),
    .init("4000::", .reserved), .init("fbff::1", .reserved), .init("fc00::", .uniqueLocal),
    .init("fdff::1", .uniqueLocal), .init("fd7a:115c:a1e0::1", .uniqueLocal),
    .init("fe00::1", .reserved), .init("fe80::1", .linkLocal), .init("febf::1", .linkLocal),
    .init("fec0::1", .reserved), .init("feff::1", .reserved), .init("ff00::", .multicast),
    .init("ff02::fb", .multicast), .init("ffff::1", .multicast),
  ]

  @Test("follows the registries", arguments: rows)
  func addressClass(_ row: AddressClassRow) {
    #expect(Host.of(row.name).addressClass == row.addressClass)
  }

  @Test("of a mapped address that was not unmapped is that of the IPv4 address")
  func mapped() {
    #expect(AddressClass(of: IPv6Address(high: 0, low: 0xffff_0a00_0001)) == .privateUse)
  }
}
