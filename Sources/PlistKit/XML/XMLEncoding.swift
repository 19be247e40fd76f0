/// How a document's characters are stored, and whether a byte-order mark stands before them.
///
/// Detection follows XML 1.0, appendix F: the mark, else the zero bytes around the first character,
/// else the declaration's name, else UTF-8.
enum XMLEncoding: Sendable, Equatable {
  case utf8(hasMark: Bool)
  case utf16(bigEndian: Bool, hasMark: Bool)
  case utf32(bigEndian: Bool, hasMark: Bool)
  /// One that libxml2 converts, by its declared name.
  case named(String)

  /// The encoding of a document.
  /// - Throws: ``PlistError`` with code `encoding` where the declaration names one that these bytes
  ///   cannot be in.
  init(of bytes: [UInt8], strictness: ParseStrictness = .strict) throws(PlistError) {
    if let marked = XMLEncoding(marked: bytes) {
      self = marked
      if case .utf32 = marked, !strictness.allowsUTF32 {
        throw PlistError(.encoding, at: .line(1, column: 1), detail: "the text is in UTF-32")
      }
      return
    }
    switch (bytes.first ?? 1, bytes.dropFirst().first ?? 1, bytes.dropFirst(2).first ?? 1) {
    case (0, 0, _): self = .utf32(bigEndian: true, hasMark: false)
    case (0, _, _): self = .utf16(bigEndian: true, hasMark: false)
    case (_, 0, 0): self = .utf32(bigEndian: false, hasMark: false)
    case (_, 0, _): self = .utf16(bigEndian: false, hasMark: false)
    default:
      let name = bytes.withUnsafeBufferPointer { XMLBytes($0).declaredEncoding }
      guard let name, !Self.utf8Names.contains(name.lowercased()) else {
        self = .utf8(hasMark: false)
        return
      }
      guard Self.isName(name) else {
        throw PlistError(
          .encoding, at: .line(1, column: 1), detail: "the encoding has no valid name")
      }
      self = .named(name)
      return
    }
    guard strictness.allowsUnmarkedUTF16 else {
      throw PlistError(
        .encoding, at: .line(1, column: 1), detail: "\(self) text without a byte-order mark")
    }
  }

  private static let utf8Names: Set<String> = ["utf-8", "utf8"]

  /// The encoding that a byte-order mark tells, nil without one.
  init?(marked bytes: [UInt8]) {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      self = .utf8(hasMark: true)
    } else if bytes.starts(with: [0xFF, 0xFE, 0, 0]) {
      self = .utf32(bigEndian: false, hasMark: true)
    } else if bytes.starts(with: [0, 0, 0xFE, 0xFF]) {
      self = .utf32(bigEndian: true, hasMark: true)
    } else if bytes.starts(with: [0xFF, 0xFE]) {
      self = .utf16(bigEndian: false, hasMark: true)
    } else if bytes.starts(with: [0xFE, 0xFF]) {
      self = .utf16(bigEndian: true, hasMark: true)
    } else {
      return nil
    }
  }

  /// Whether text is an encoding's name (XML 1.0, production 81) of a sane length.
  private static func isName(_ name: String) -> Bool {
    let isLetter = { (byte: UInt8) in (0x61...0x7A).contains(byte | 0x20) }
    guard let first = name.utf8.first, isLetter(first), name.utf8.count <= 40 else { return false }
    return name.utf8.allSatisfy { byte in
      isLetter(byte) || (0x30...0x39).contains(byte) || ".-_".utf8.contains(byte)
    }
  }

  /// The bytes of the byte-order mark.
  private var mark: [UInt8] {
    switch self {
    case .utf8(hasMark: true): [0xEF, 0xBB, 0xBF]
    case .utf16(let bigEndian, hasMark: true): bigEndian ? [0xFE, 0xFF] : [0xFF, 0xFE]
    case .utf32(let bigEndian, hasMark: true): bigEndian ? [0, 0, 0xFE, 0xFF] : [0xFF, 0xFE, 0, 0]
    default: []
    }
  }

  /// The document's text in UTF-8, without the mark.
  /// - Throws: ``PlistError`` with code `encoding` where the bytes are no text in this encoding, or
  ///   the text declares another one.
  func decode(
    _ bytes: [UInt8], strictness: ParseStrictness = .strict
  ) throws(PlistError) -> [UInt8] {
    let text: [UInt8]?
    switch self {
    case .utf8(hasMark: false): return bytes
    case .utf8: text = Array(bytes.dropFirst(mark.count))
    case .utf16(let bigEndian, _):
      text = Self.units(of: UInt16.self, bytes.dropFirst(mark.count), bigEndian: bigEndian)
        .flatMap { String(validating: $0, as: UTF16.self) }.map { Array($0.utf8) }
    case .utf32(let bigEndian, _):
      text = Self.units(of: UInt32.self, bytes.dropFirst(mark.count), bigEndian: bigEndian)
        .flatMap { String(validating: $0, as: UTF32.self) }.map { Array($0.utf8) }
    case .named(let name):
      guard let converter = LibXMLConverter(name) else {
        throw PlistError(
          .encoding, at: .line(1, column: 1), detail: "the encoding \(name) is not known")
      }
      text = converter.decode(bytes)
    }
    guard let text else {
      throw PlistError(.encoding, detail: "the bytes are no text in \(self)")
    }
    if !strictness.allowsContradictingEncoding { try checkDeclaration(text) }
    return text
  }

  /// UTF-8 text in this encoding, with the mark.
  /// - Throws: ``PlistError`` with code `encoding` where the encoding cannot hold the text.
  func encode(_ text: [UInt8]) throws(PlistError) -> [UInt8] {
    switch self {
    case .utf8(hasMark: false): return text
    case .utf8: return mark + text
    case .utf16(let bigEndian, _):
      return mark + Self.bytes(of: String(decoding: text, as: UTF8.self).utf16, bigEndian)
    case .utf32(let bigEndian, _):
      let scalars = String(decoding: text, as: UTF8.self).unicodeScalars
      return mark + Self.bytes(of: scalars.lazy.map(\.value), bigEndian)
    case .named(let name):
      // Some converters that iconv finds lose characters, so what was written is read back.
      guard let bytes = LibXMLConverter(name)?.encode(text),
        let again = LibXMLConverter(name)?.decode(bytes), Self.says(again, text)
      else {
        throw PlistError(.encoding, detail: "the text cannot be written in \(name)")
      }
      return bytes
    }
  }

  /// Whether two texts are the same but for references to what an encoding lacks, as libxml2 writes them.
  private static func says(_ written: [UInt8], _ text: [UInt8]) -> Bool {
    var rest = String(decoding: written, as: UTF8.self).unicodeScalars.makeIterator()
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      let next = rest.next()
      if next == scalar { continue }
      guard next == "&", !scalar.isASCII else { return false }
      for expected in "#\(scalar.value);".unicodeScalars where rest.next() != expected {
        return false
      }
    }
    return rest.next() == nil
  }

  /// Whether ``encode(_:)`` undoes ``decode(_:)`` for every text, which an encoding that has two
  /// forms of one character does not.
  var isReversible: Bool {
    if case .named = self { false } else { true }
  }

  private func checkDeclaration(_ text: [UInt8]) throws(PlistError) {
    let declared = text.withUnsafeBufferPointer { XMLBytes($0).declaredEncoding }
    guard let declared, !agrees(with: declared) else { return }
    throw PlistError(
      .encoding, at: .line(1, column: 1),
      detail: "the declaration says \(declared.quoted), the bytes are in \(self)")
  }

  private func agrees(with declared: String) -> Bool {
    let declared = declared.lowercased()
    let families: [String]
    let isBigEndian: Bool
    switch self {
    case .named(let name): return name.lowercased() == declared
    case .utf8: return Self.utf8Names.contains(declared)
    case .utf16(let bigEndian, _):
      families = ["utf-16", "utf16", "ucs-2", "iso-10646-ucs-2"]
      isBigEndian = bigEndian
    case .utf32(let bigEndian, _):
      families = ["utf-32", "utf32", "ucs-4", "iso-10646-ucs-4"]
      isBigEndian = bigEndian
    }
    return families.contains { declared == $0 || declared == $0 + (isBigEndian ? "be" : "le") }
  }

  private static func units<Unit: FixedWidthInteger>(
    of type: Unit.Type, _ bytes: ArraySlice<UInt8>, bigEndian: Bool
  ) -> [Unit]? {
    let size = MemoryLayout<Unit>.size
    guard bytes.count % size == 0 else { return nil }
    return bytes.withUnsafeBytes { raw in
      stride(from: 0, to: raw.count, by: size).map { offset in
        let unit = raw.loadUnaligned(fromByteOffset: offset, as: Unit.self)
        return bigEndian ? Unit(bigEndian: unit) : Unit(littleEndian: unit)
      }
    }
  }

  private static func bytes<Unit: FixedWidthInteger>(
    of units: some Sequence<Unit>, _ bigEndian: Bool
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(units.underestimatedCount * MemoryLayout<Unit>.size)
    for unit in units {
      withUnsafeBytes(of: bigEndian ? unit.bigEndian : unit.littleEndian) {
        bytes.append(contentsOf: $0)
      }
    }
    return bytes
  }
}

extension XMLEncoding: CustomStringConvertible {
  var description: String {
    switch self {
    case .utf8: "UTF-8"
    case .utf16(let bigEndian, _): bigEndian ? "UTF-16BE" : "UTF-16LE"
    case .utf32(let bigEndian, _): bigEndian ? "UTF-32BE" : "UTF-32LE"
    case .named(let name): name
    }
  }
}

extension XMLBytes {
  /// The encoding that an XML declaration names, nil without one at the very start.
  var declaredEncoding: String? {
    guard holds("<?xml", at: 0), self[5].isXMLSpace,
      let end = end(of: "?>", in: 0..<min(count, 1024)),
      var index = self.end(of: "encoding", in: 0..<end)
    else { return nil }
    while self[index].isXMLSpace { index += 1 }
    guard self[index] == UInt8(ascii: "=") else { return nil }
    index += 1
    while self[index].isXMLSpace { index += 1 }
    let quote = self[index]
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
    let close = self.index(of: quote, in: index + 1..<max(end, index + 1))
    return String(decoding: self[index + 1..<max(close, index + 1)], as: UTF8.self)
  }
}
