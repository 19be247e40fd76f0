/// What a leaf's bytes say that its value cannot.
enum BinaryLeafFlaw {
  /// An ASCII string with bytes of 0x80 and above.
  case highBytes
  /// UTF-16 with a surrogate that stands alone.
  case unpairedSurrogate
  /// A 16-byte integer whose high half is not zero.
  case wideInteger
}

extension BinaryObjects {
  /// The value of an object that is no container, as Core Foundation reads it.
  ///
  /// A 16-byte integer is its low 64 bits, unsigned; a shorter one than 8 bytes is unsigned too.
  /// - Throws: ``PlistError`` with code `malformed` for a UID above 2^32 - 1.
  func leaf(_ object: BinaryObject) throws(PlistError) -> (PlistValue, BinaryLeafFlaw?) {
    let place = object.payload
    switch object.kind {
    case .null, .array, .set, .dictionary: return (.null, nil)
    case .boolean: return (.boolean(bytes[object.offset] == 0x09), nil)
    case .integer: return integer(object)
    case .real:
      let bits = bytes.bigEndian(at: place, size: object.count)
      return (
        .real(
          object.count == 4
            ? PlistReal(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
            : PlistReal(Double(bitPattern: bits))), nil
      )
    case .date:
      let seconds = Double(bitPattern: bytes.bigEndian(at: place, size: 8))
      return (.date(PlistDate(secondsSince2001: seconds)), nil)
    case .data: return (.data(Array(bytes[place..<object.end])), nil)
    case .ascii: return ascii(UnsafeRawBufferPointer(rebasing: bytes[place..<object.end]))
    case .utf16: return utf16(object)
    case .uid:
      let high = object.count > 8 && bytes[place..<(object.end - 8)].contains { $0 != 0 }
      let number = bytes.bigEndian(at: place, size: object.count)
      guard !high, let uid = UInt32(exactly: number) else {
        throw PlistError(
          .malformed, at: .offset(object.offset), detail: "UID is beyond 32 bits")
      }
      return (.uid(uid), nil)
    }
  }

  private func integer(_ object: BinaryObject) -> (PlistValue, BinaryLeafFlaw?) {
    let bits = bytes.bigEndian(at: object.payload, size: object.count)
    switch object.count {
    case 8: return (.integer(PlistInteger(Int64(bitPattern: bits))), nil)
    case 16:
      let isWide = bytes.bigEndian(at: object.payload, size: 8) != 0
      return (.integer(PlistInteger(bits)), isWide ? .wideInteger : nil)
    default: return (.integer(PlistInteger(bits)), nil)
    }
  }

  private func ascii(_ text: UnsafeRawBufferPointer) -> (PlistValue, BinaryLeafFlaw?) {
    guard text.hasHighByte else { return (.string(String(decoding: text, as: UTF8.self)), nil) }
    let scalars = text.lazy.map { Unicode.Scalar($0) }
    var string = String.UnicodeScalarView()
    string.append(contentsOf: scalars)
    return (.string(String(string)), .highBytes)
  }

  private func utf16(_ object: BinaryObject) -> (PlistValue, BinaryLeafFlaw?) {
    var hasSurrogate = false
    let units = [UInt16](unsafeUninitializedCapacity: object.count) { buffer, count in
      for position in 0..<object.count {
        let unit = UInt16(
          bigEndian: bytes.loadUnaligned(
            fromByteOffset: object.payload + 2 * position, as: UInt16.self))
        if unit & 0xF800 == 0xD800 { hasSurrogate = true }
        buffer.initializeElement(at: position, to: unit)
      }
      count = object.count
    }
    let isUnpaired = hasSurrogate && units.hasUnpairedSurrogate
    return (.string(String(decoding: units, as: UTF16.self)), isUnpaired ? .unpairedSurrogate : nil)
  }
}

extension [UInt16] {
  /// Whether a surrogate stands without its other half.
  var hasUnpairedSurrogate: Bool {
    var afterHigh = false
    for unit in self {
      let isLow = unit & 0xFC00 == 0xDC00
      if isLow != afterHigh { return true }
      afterHigh = unit & 0xFC00 == 0xD800
    }
    return afterHigh
  }
}

extension UnsafeRawBufferPointer {
  /// Whether a byte is 0x80 or above; looks at 8 at a time.
  fileprivate var hasHighByte: Bool {
    var bits: UInt64 = 0
    var place = 0
    while place + 8 <= count {
      bits |= loadUnaligned(fromByteOffset: place, as: UInt64.self)
      place += 8
    }
    while place < count {
      bits |= UInt64(self[place])
      place += 1
    }
    return bits & 0x8080_8080_8080_8080 != 0
  }
}
