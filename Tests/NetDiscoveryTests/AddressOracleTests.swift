import Foundation
import Testing

@testable import NetDiscovery

/// Python's `ipaddress` as a second reader.
@Suite(
  "Addresses against Python's ipaddress", .enabled(if: Tool.python != nil, "python3 is missing"))
struct AddressOracleTests {
  struct Verdict: Decodable {
    var text: String?
    var isLoopback: Bool?
    var isLinkLocal: Bool?
    var isMulticast: Bool?
    var isUnspecified: Bool?
    var isIn: [String]?
  }

  static let ranges: [(range: String, addressClass: AddressClass)] = [
    ("10.0.0.0/8", .privateUse), ("172.16.0.0/12", .privateUse), ("192.168.0.0/16", .privateUse),
    ("100.64.0.0/10", .shared), ("192.0.0.0/24", .reserved), ("240.0.0.0/4", .reserved),
    ("192.0.2.0/24", .documentation), ("198.51.100.0/24", .documentation),
    ("203.0.113.0/24", .documentation), ("198.18.0.0/15", .benchmarking),
    ("fc00::/7", .uniqueLocal),
    ("fec0::/10", .reserved), ("2001:db8::/32", .documentation), ("3fff::/20", .documentation),
    ("2001:2::/48", .benchmarking),
  ]

  static let script = """
    import ipaddress, json, sys
    job = json.load(sys.stdin)
    nets = [(r, ipaddress.ip_network(r)) for r in job["ranges"]]
    out = []
    for t in job["texts"]:
        try: a = ipaddress.ip_address(t)
        except ValueError: out.append({}); continue
        a = getattr(a, "ipv4_mapped", None) or a
        out.append({"text": str(a), "isLoopback": a.is_loopback, "isLinkLocal": a.is_link_local,
            "isMulticast": a.is_multicast, "isUnspecified": a.is_unspecified,
            "isIn": [r for r, n in nets if a.version == n.version and a in n]})
    json.dump(out, sys.stdout)
    """

  static func verdicts(_ texts: [String]) throws -> [Verdict] {
    let job = try JSONEncoder().encode(["texts": texts, "ranges": ranges.map(\.range)])
    let python = try #require(Tool.python)
    return try JSONDecoder().decode(
      [Verdict].self, from: python.output(["-c", script], input: job))
  }

  @Test("random addresses in random spellings, and broken ones, are read alike")
  func random() throws {
    var generator = SeededGenerator(state: 19464)
    var texts: [String] = []
    for _ in 0..<4000 {
      let text =
        Bool.random(using: &generator)
        ? Self.ipv6(using: &generator) : Self.ipv4(using: &generator)
      texts.append(text)
      texts.append(Self.broken(text, using: &generator))
    }
    var accepted = 0
    for (text, verdict) in zip(texts, try Self.verdicts(texts)) {
      let host = try? Host(parsing: text)
      let address = host.flatMap { $0.isAddress ? $0 : nil }
      #expect(address?.description == verdict.text, "\(text)")
      guard let address, let addressClass = address.addressClass else { continue }
      accepted += 1
      #expect((addressClass == .loopback) == verdict.isLoopback, "\(text)")
      #expect((addressClass == .linkLocal) == verdict.isLinkLocal, "\(text)")
      #expect((addressClass == .multicast) == verdict.isMulticast, "\(text)")
      #expect((addressClass == .unspecified) == verdict.isUnspecified, "\(text)")
    }
    #expect(accepted > 4000 && accepted < 8000)
  }

  @Test("the ends of every range have its class, their neighbours another")
  func ranges() throws {
    for (range, addressClass) in Self.ranges {
      let parts = range.split(separator: "/")
      let length = try #require(Int(parts[1]))
      let (first, last, before, after) = try Self.ends(
        of: Host.of(String(parts[0])), length: length)
      #expect(first.addressClass == addressClass, "\(range)")
      #expect(last.addressClass == addressClass, "\(range)")
      #expect(before.addressClass != addressClass, "\(before)")
      #expect(after.addressClass != addressClass, "\(after)")
      let verdicts = try Self.verdicts([first, last, before, after].map(\.description))
      #expect(verdicts.map { $0.isIn?.contains(range) } == [true, true, false, false])
    }
  }

  /// The first and the last address of a range, and those before and after it.
  static func ends(of host: Host, length: Int) throws -> (Host, Host, Host, Host) {
    switch host {
    case .ipv4(let address):
      let size = UInt32(1) << (32 - length)
      return (
        host, .ipv4(IPv4Address(bits: address.bits &+ (size - 1))),
        .ipv4(IPv4Address(bits: address.bits &- 1)), .ipv4(IPv4Address(bits: address.bits &+ size))
      )
    case .ipv6(let address):
      let size = UInt64(1) << (64 - length)
      return (
        host, .ipv6(IPv6Address(high: address.high &+ (size - 1), low: .max)),
        .ipv6(IPv6Address(high: address.high &- 1, low: .max)),
        .ipv6(IPv6Address(high: address.high &+ size, low: 0))
      )
    case .name: throw HostError(.address, detail: "\(host) is no address")
    }
  }

  static func ipv4(using generator: inout SeededGenerator) -> String {
    let first = [0, 10, 100, 127, 169, 172, 192, 198, 203, 224, 240].randomElement(
      using: &generator)
    let octets = (0..<3).map { _ in Int.random(in: 0...255, using: &generator) }
    let start =
      Int.random(in: 0...2, using: &generator) == 0
      ? Int.random(in: 0...255, using: &generator) : first ?? 0
    return ([start] + octets).map(String.init).joined(separator: ".")
  }

  static func ipv6(using generator: inout SeededGenerator) -> String {
    var groups = (0..<8).map { _ in
      Bool.random(using: &generator) ? 0 : UInt16.random(in: 0...0xffff, using: &generator)
    }
    if Bool.random(using: &generator) {
      groups[0] =
        [0, 0xfe80, 0xfebf, 0xfec0, 0xff02, 0xfd00, 0x2001].randomElement(using: &generator) ?? 0
    }
    if Int.random(in: 0...9, using: &generator) == 0 {
      groups = [0, 0, 0, 0, 0, 0xffff] + groups[6...]
    }
    var texts = groups.map { group in
      let text = String(group, radix: 16, uppercase: Bool.random(using: &generator))
      return Bool.random(using: &generator)
        ? text : String(repeating: "0", count: 4 - text.count) + text
    }
    if Int.random(in: 0...3, using: &generator) == 0 {
      let (a, b) = (groups[6], groups[7])
      texts[6...] = ["\(a >> 8).\(a & 255).\(b >> 8).\(b & 255)"]
    }
    // Compress some run of zeros, not always the best one.
    let zeros = (0..<6).filter { groups[$0] == 0 }
    if let start = zeros.randomElement(using: &generator) {
      let end = groups[start..<6].firstIndex { $0 != 0 } ?? 6
      let stop = Int.random(in: start + 1...end, using: &generator)
      return texts[..<start].joined(separator: ":") + "::" + texts[stop...].joined(separator: ":")
    }
    return texts.joined(separator: ":")
  }

  /// One character more, less or other.
  static func broken(_ text: String, using generator: inout SeededGenerator) -> String {
    var characters = Array(text)
    let index = Int.random(in: 0..<characters.count, using: &generator)
    let character = Array(":.0123456789abcdefg-+ ").randomElement(using: &generator) ?? ":"
    switch Int.random(in: 0...2, using: &generator) {
    case 0: characters.remove(at: index)
    case 1: characters.insert(character, at: index)
    default: characters[index] = character
    }
    return String(characters)
  }
}
