internal import NetDiscovery
internal import PlistKit

/// The entries of `NSExceptionDomains`, with an index: an app may hold as many as a hostile file has
/// room for, and each update host is looked up among them.
struct ExceptionDomains: Sendable {
  let entries: [PlistDictionary.Entry]
  private let places: [ExactText: Int]
  private let ranges: [AddressRange: Int]
  /// The prefix lengths that there are, the longest first.
  private let rangeLengths: [Int]

  init(_ dictionary: PlistDictionary) {
    entries = dictionary.entries
    var places: [ExactText: Int] = [:]
    var ranges: [AddressRange: Int] = [:]
    for (place, entry) in dictionary.entries.enumerated() {
      places[ExactText(entry.key)] = place
      if let range = AddressRange(parsing: entry.key), ranges[range] == nil {
        ranges[range] = place
      }
    }
    self.places = places
    self.ranges = ranges
    rangeLengths = Set(ranges.keys.map(\.prefixLength)).sorted(by: >)
  }

  /// The keys in their order.
  var keys: [String] { entries.map(\.key) }

  /// The value under a key.
  subscript(key: String) -> PlistValue? { places[ExactText(key)].map { entries[$0].value } }

  /// The ranges that hold an address, the longest first.
  func ranges(holding host: Host) -> [ATSMatch] {
    guard host.isAddress else { return [] }
    return rangeLengths.compactMap { length in
      guard let range = AddressRange(host, prefixLength: length), let place = ranges[range] else {
        return nil
      }
      return ATSMatch(
        key: entries[place].key, kind: .range, entry: entries[place].value.dictionary)
    }
  }
}

/// A range of addresses as an exception domain names it: `192.168.0.0/16`, `2001:db8::/32`.
struct AddressRange: Sendable, Hashable {
  private let isIPv6: Bool
  /// The bits of the first address, an IPv4 one's at the top.
  private let high: UInt64
  private let low: UInt64
  let prefixLength: Int

  /// The range of so many leading bits around an address, nil for a name and for too many bits.
  init?(_ host: Host, prefixLength: Int) {
    switch host {
    case .name: return nil
    case .ipv4(let address):
      guard prefixLength <= 32 else { return nil }
      isIPv6 = false
      high = UInt64(address.bits) << 32 & Self.mask(prefixLength)
      low = 0
    case .ipv6(let address):
      guard prefixLength <= 128 else { return nil }
      isIPv6 = true
      high = address.high & Self.mask(prefixLength)
      low = address.low & Self.mask(prefixLength - 64)
    }
    self.prefixLength = prefixLength
  }

  /// Reads an address in canonical form, a slash and a prefix length; the bits behind the prefix may
  /// be set.
  init?(parsing text: String) {
    // Longer than any address with a length; most keys have no slash.
    guard text.utf8.count <= 64, text.utf8.contains(UInt8(ascii: "/")) else { return nil }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
      parts[1] == "0" || !parts[1].hasPrefix("0"), let length = Int(parts[1]),
      let host = try? Host(parsing: String(parts[0])), host.description == parts[0]
    else { return nil }
    self.init(host, prefixLength: length)
  }

  /// So many ones at the top.
  private static func mask(_ length: Int) -> UInt64 {
    length <= 0 ? 0 : length >= 64 ? .max : ~(.max >> UInt64(length))
  }
}
