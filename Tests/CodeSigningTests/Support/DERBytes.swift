import CodeSigning
import PlistKit

/// DER written by hand, for tests.
enum DERBytes {
  static func element(_ tag: UInt8, _ parts: [UInt8]...) -> [UInt8] {
    let content = parts.flatMap(\.self)
    var length: [UInt8] = []
    var rest = content.count
    while rest > 0 {
      length.insert(UInt8(rest & 0xFF), at: 0)
      rest >>= 8
    }
    if content.count < 0x80 { return [tag, UInt8(content.count)] + content }
    return [tag, 0x80 | UInt8(length.count)] + length + content
  }

  static func text(_ value: String) -> [UInt8] { element(0x0C, Array(value.utf8)) }
  static func pair(_ key: String, _ value: [UInt8]) -> [UInt8] {
    element(0x30, text(key), value)
  }
  static func entitlements(_ pairs: [UInt8]...) -> [UInt8] {
    element(0x70, [0x02, 0x01, 0x01], element(0xB0, pairs.flatMap(\.self)))
  }

  static let signedData: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 2]
  static let data: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 1]
  static let sha256: [UInt8] = element(0x30, [0x06, 0x09, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1])

  /// A SignedData of these parts, each encoded and put where it belongs.
  static func message(
    content: [UInt8]?, digests: [UInt8] = [], certificates: [UInt8]? = nil, signers: [UInt8] = []
  ) -> [UInt8] {
    let inner = content.map { element(0xA0, element(0x04, $0)) } ?? []
    let list = certificates.map { element(0xA0, $0) } ?? []
    let body = element(
      0x30, [0x02, 0x01, 0x01], element(0x31, digests), element(0x30, data, inner), list,
      element(0x31, signers))
    return element(0x30, signedData, element(0xA0, body))
  }
}

extension Entitlements {
  /// Entitlements of a literal's values.
  static func of(_ value: PlistValue) -> Entitlements {
    Entitlements(value.dictionary ?? PlistDictionary())
  }
}
