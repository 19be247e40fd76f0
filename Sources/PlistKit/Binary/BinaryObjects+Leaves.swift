/// What a leaf's bytes say that its value cannot.
enum BinaryLeafFlaw {
  /// An ASCII string with bytes of 0x80 and above.
  case highBytes
  /// UTF-16 with a surrogate that stands alone.
  case unpairedSurrogate
  /// A 16-byte integer whose high half is not zero.
  case wideInteger
  /// UTF-16 of no units.
  case emptyUTF16
}

extension BinaryObjects {
  /// The value of an object that is no container, as Core Foundation reads it.
  ///
  /// A 16-byte integer is its low 64 bits, unsigned; a shorter one than 8 bytes is unsigned too.
  /// - Throws: ``PlistError`` with code `malformed` for a UID above 2^32 - 1.
  @inline(__always)
  func leaf(_ object: BinaryObject) throws(PlistError) -> (PlistValue, BinaryLeafFlaw?) {
    let place = object.payload
    switch object.kind {
    case .ascii: return ascii(object)
    case .null, .array, .set, .dictionary: return (.null, nil)
    case .boolean: return (.boolean(bytes[object.offset] == 0x09), nil)
    case .integer: return integer(object)
    case .real:
      let bits = bytes.bigEndian(at: place, size: object.count)
      return (
        .real(
          object.count == 4
            ? PlistReal(singleBits: UInt32(truncatingIfNeeded: bits))
            : PlistReal(Double(bitPattern: bits))), nil
      )
    case .date:
      let seconds = Double(bitPattern: bytes.bigEndian(at: place, size: 8))
      return (.date(PlistDate(secondsSince2001: seconds)), nil)
    case .data: return (.data(data(object)), nil)
    case .utf16: return utf16(object)
    case .uid: return (.uid(try uid(object)), nil)
    }
  }

  @inline(__always)
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

  @inline(never)
  private func uid(_ object: BinaryObject) throws(PlistError) -> UInt32 {
    let place = object.payload
    let high = object.count > 8 && bytes[place..<(object.end - 8)].contains { $0 != 0 }
    let number = bytes.bigEndian(at: place, size: object.count)
    guard !high, let uid = UInt32(exactly: number) else {
      throw PlistError(.malformed, at: .offset(object.offset), detail: "UID is beyond 32 bits")
    }
    return uid
  }

  private func data(_ object: BinaryObject) -> [UInt8] {
    var data: [UInt8] = []
    data.reserveCapacity(object.count)
    data.append(contentsOf: payload(of: object).bindMemory(to: UInt8.self))
    return data
  }

  /// The bytes of data or ASCII.
  @inline(__always)
  func payload(of object: BinaryObject) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[object.payload..<(object.payload + object.count)])
  }

  @inline(__always)
  private func ascii(_ object: BinaryObject) -> (PlistValue, BinaryLeafFlaw?) {
    let text = payload(of: object)
    if text.hasHighByte { return (.string(latin1(text)), .highBytes) }
    return (.string(String(ascii: text)), nil)
  }

  @inline(never)
  private func latin1(_ text: UnsafeRawBufferPointer) -> String {
    var string = String.UnicodeScalarView()
    string.append(contentsOf: text.lazy.map { Unicode.Scalar($0) })
    return String(string)
  }

  @inline(never)
  private func utf16(_ object: BinaryObject) -> (PlistValue, BinaryLeafFlaw?) {
    guard object.count > 0 else { return (.string(""), .emptyUTF16) }
    var isUnpaired = false
    let units = UnsafeRawBufferPointer(
      rebasing: bytes[object.payload..<(object.payload + 2 * object.count)])
    // A unit takes 3 bytes of UTF-8 at most, a pair of them 4.
    let text = String(unsafeUninitializedCapacity: 3 * object.count) { buffer in
      UTF8Encoder.encode(utf16: units, into: buffer, isUnpaired: &isUnpaired)
    }
    return (.string(text), isUnpaired ? .unpairedSurrogate : nil)
  }
}

extension UnsafeRawBufferPointer {
  /// Whether a byte is 0x80 or above; looks at 8 at a time.
  @inline(__always)
  var hasHighByte: Bool {
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

extension String {
  /// The text of bytes that are known to be ASCII.
  @inline(__always)
  init(ascii bytes: UnsafeRawBufferPointer) {
    self = bytes.withMemoryRebound(to: UInt8.self) { String(decoding: $0, as: UTF8.self) }
  }
}
