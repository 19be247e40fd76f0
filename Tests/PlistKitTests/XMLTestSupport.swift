import Foundation

@testable import PlistKit

/// XML documents for tests, and readers of them that share no code with PlistKit.
enum XMLSample {
  static let header = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">

    """

  /// A document in Apple's form around the text of its value.
  static func document(_ value: String) -> [UInt8] {
    Array((header + "<plist version=\"1.0\">\(value)</plist>\n").utf8)
  }
}

/// What Python's XML reader makes of a document.
enum XMLOracle {
  /// Python that defines `canonical(value)`, the counterpart of ``PlistValue/canonicalText``.
  static let canonicalScript = """
    import sys, plistlib, struct, datetime, base64, os, zipfile
    def text(s): return s.replace('\\r\\n', '\\n').encode('utf-8', 'surrogatepass').hex()
    def canonical(v):
        if isinstance(v, bool): return 'b1' if v else 'b0'
        if isinstance(v, str): return 's' + text(v)
        if isinstance(v, int): return 'i' + str(v)
        if isinstance(v, float): return 'rnan' if v != v else 'r' + struct.pack('>d', v).hex()
        if isinstance(v, bytes): return 'd' + v.hex()
        if isinstance(v, datetime.datetime):
            return 't' + str(int((v - datetime.datetime(2001, 1, 1)).total_seconds()))
        if isinstance(v, list): return '[' + ','.join(map(canonical, v)) + ']'
        if isinstance(v, plistlib.UID): v = {'CF$UID': v.data}
        return '{' + ','.join(text(k) + ':' + canonical(x) for k, x in v.items()) + '}'

    """
}

extension PlistValue {
  /// A text that is the same for the same value in Python, where CR LF has become LF.
  var canonicalText: String {
    switch self {
    case .boolean(let value): value ? "b1" : "b0"
    case .string(let text): "s" + Self.hexadecimal(text)
    case .integer(let number): "i\(number)"
    case .real(let real):
      real.value.isNaN
        ? "rnan"
        : "r" + Self.hexadecimal(withUnsafeBytes(of: real.value.bitPattern.bigEndian, Array.init))
    case .data(let bytes): "d" + Self.hexadecimal(bytes)
    case .date(let date): "t\(Int(date.secondsSince2001))"
    case .array(let items): "[" + items.map(\.canonicalText).joined(separator: ",") + "]"
    case .dictionary(let dictionary):
      "{"
        + dictionary.entries.map { "\(Self.hexadecimal($0.key)):\($0.value.canonicalText)" }
        .joined(separator: ",") + "}"
    case .uid(let number): "{\(Self.hexadecimal("CF$UID")):i\(number)}"
    case .null, .set: "?"
    }
  }

  private static func hexadecimal(_ text: String) -> String {
    // By bytes: a line break with an accent after it is one character of Swift's.
    let bytes = Array(text.utf8)
    return hexadecimal(
      bytes.indices.filter { bytes[$0] != 0x0D || $0 + 1 == bytes.count || bytes[$0 + 1] != 0x0A }
        .map { bytes[$0] })
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
