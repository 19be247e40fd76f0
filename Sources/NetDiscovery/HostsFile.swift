/// The table of names that a machine has for itself, `/etc/hosts`.
///
/// A line holds an address and the names for it, with blanks and tabs between; a number sign begins
/// a comment (hosts(5)).
public enum HostsFile {
  /// Where it lies on Linux and macOS.
  public static let path = "/etc/hosts"
  /// Bytes that it may have. Lists that block advertisers have a few megabytes.
  public static let limit = 16 << 20

  /// The addresses of a name, each once, in the order of the file: no more than
  /// ``DiscoveryLimits/maxAddresses``.
  ///
  /// Names compare without regard to case, and a root dot does not count. Addresses with a zone are
  /// passed over, and so are lines that begin with no address.
  public static func addresses(
    of name: DNSName, in bytes: [UInt8], limits: DiscoveryLimits = DiscoveryLimits()
  ) -> [Host] {
    var found: [Host] = []
    var seen: Set<Host> = []
    for line in bytes.split(whereSeparator: { $0 == newline || $0 == carriageReturn }) {
      let words = line.prefix { $0 != numberSign }.split(whereSeparator: { $0 == 32 || $0 == 9 })
      guard let first = words.first, words.dropFirst().contains(where: { isSame($0, as: name) }),
        let host = try? Host(parsing: String(decoding: first, as: UTF8.self)), host.isAddress,
        seen.insert(host).inserted
      else { continue }
      found.append(host)
      if found.count == limits.maxAddresses { break }
    }
    return found
  }

  private static func isSame(_ word: ArraySlice<UInt8>, as name: DNSName) -> Bool {
    let word = word.last == dot ? word.dropLast() : word
    return word.count == name.text.utf8.count
      && zip(word, name.text.utf8).allSatisfy { lowered($0) == $1 }
  }

  private static func lowered(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  private static let newline = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")
  private static let numberSign = UInt8(ascii: "#")
  private static let dot = UInt8(ascii: ".")
}
