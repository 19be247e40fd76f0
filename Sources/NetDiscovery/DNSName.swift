/// A host's name, canonical: lower case, without root dot.
public struct DNSName: Sendable, Hashable, CustomStringConvertible {
  /// The name.
  public let text: String

  /// A name from its text; upper case is lowered and one root dot dropped.
  ///
  /// Labels are 1 to 63 letters, digits, hyphens and underscores that start and end with a letter
  /// or digit, 253 bytes in all (RFC 1123, 2.1; RFC 1035, 2.3.4). An underscore inside a label
  /// breaks the letter of RFC 952 but real machines have it; one at the front is a service, not a
  /// host. A last label that is a number (`1.2.3.4.`, `0x7f.1`) makes an address of an odd form, no
  /// name.
  /// - Throws: ``HostError`` with codes `empty`, `notASCII`, `name`, `address`.
  public init(parsing text: String) throws(HostError) {
    guard !text.isEmpty else { throw HostError(.empty, detail: "the host is empty") }
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else {
      throw HostError(
        .notASCII,
        detail: "a host name holds letters that are not ASCII; give its xn-- form")
    }
    for (offset, byte) in text.utf8.enumerated() where !Self.isNameByte(byte) {
      throw HostError(
        .name,
        detail: "a host name cannot hold \(quoted(String(Unicode.Scalar(byte)))) (byte \(offset))")
    }
    var name = Substring(text.lowercased())
    if name.last == "." { name.removeLast() }
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    guard labels.allSatisfy({ !$0.isEmpty }) else {
      throw HostError(.name, detail: "host name \(quoted(text)) has an empty label")
    }
    guard name.utf8.count <= 253 else {
      throw HostError(.name, detail: "a host name has \(name.utf8.count) bytes, more than 253")
    }
    for label in labels {
      guard label.utf8.count <= 63 else {
        throw HostError(.name, detail: "a label has \(label.utf8.count) bytes, more than 63")
      }
      guard let first = label.first, let last = label.last,
        first != "-", first != "_", last != "-", last != "_"
      else {
        throw HostError(
          .name, detail: "label \(quoted(label)) does not start and end with a letter or digit")
      }
    }
    guard let last = labels.last, !Self.isNumber(last) else {
      throw HostError(
        .address, detail: "\(quoted(text)) is neither a name nor an IPv4 address of four numbers")
    }
    self.text = String(name)
  }

  public var description: String { text }

  /// The first label.
  var firstLabel: Substring { text.prefix { $0 != "." } }

  /// Whether the name always means the machine that asks (RFC 6761, 6.3).
  public var isLocalhost: Bool { text == "localhost" || text.hasSuffix(".localhost") }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// Whether URL parsers take the label as a number, and so the whole as an IPv4 address
  /// (WHATWG URL, "ends in a number").
  private static func isNumber(_ label: Substring) -> Bool {
    label.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      || label.hasPrefix("0x") && label.dropFirst(2).utf8.allSatisfy(isHexDigit)
  }
}
