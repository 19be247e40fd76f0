extension BinaryParser {
  /// The value of an object that is a leaf or built already; nil for a container.
  @inline(__always)
  mutating func leaf(at index: Int) throws(PlistError) -> PlistValue? {
    let state = states[index]
    if state >= State.kept { return try keptValue(state, of: index) }
    let offset = objects.offset(of: index)
    if let value = commonLeaf(at: offset) {
      if state == State.several { keep(value, of: index, height: 0) }
      return value
    }
    // A marker that no reader knows is found by what opens a container.
    if objects.bytes[offset] >= 0xA0 { return nil }
    return try otherLeaf(at: index)
  }

  /// A leaf of one of the common kinds, if nothing is wrong with it; nil for all else.
  @inline(__always)
  private mutating func commonLeaf(at offset: Int) -> PlistValue? {
    let bytes = objects.bytes
    let marker = bytes[offset]
    let low = Int(marker & 0x0F)
    // What remains for the payload.
    let room = objects.trailer.tableOffset &- offset &- 1
    guard offset >= BinaryTrailer.headerSize, bytesRead < bytes.count else { return nil }
    switch marker >> 4 {
    case 0x5:
      var start = offset &+ 1
      var length = low
      if low == 0x0F {
        // A length of one byte. At least the trailer follows, so that both bytes are there.
        guard bytes[start] == 0x10 else { return nil }
        length = Int(bytes[start &+ 1])
        start &+= 2
      }
      guard start &- offset &- 1 &+ length <= room else { return nil }
      let text = UnsafeRawBufferPointer(rebasing: bytes[start..<(start &+ length)])
      guard !text.hasHighByte else { return nil }
      bytesRead &+= start &+ length &- offset
      return .string(String(ascii: text))
    case 0x1 where low <= 3 && 1 &<< low <= room:
      let size = 1 &<< low
      bytesRead &+= size &+ 1
      let bits = bytes.bigEndian(at: offset &+ 1, size: size)
      return .integer(low == 3 ? PlistInteger(Int64(bitPattern: bits)) : PlistInteger(bits))
    case 0x0 where low == 8 || low == 9:
      bytesRead &+= 1
      return .boolean(low == 9)
    case 0x2 where low == 3 && 8 <= room:
      bytesRead &+= 9
      let bits = bytes.bigEndian(at: offset &+ 1, size: 8)
      return .real(PlistReal(Double(bitPattern: bits)))
    case 0x3 where low == 3 && 8 <= room:
      bytesRead &+= 9
      let bits = bytes.bigEndian(at: offset &+ 1, size: 8)
      return .date(PlistDate(secondsSince2001: Double(bitPattern: bits)))
    default: return nil
    }
  }

  /// A leaf of any kind, with what is to be said about it.
  @inline(never)
  mutating func otherLeaf(at index: Int) throws(PlistError) -> PlistValue {
    let object = try objects.object(at: index)
    try count(object)
    try checkKind(object)
    let (value, flaw) = try objects.leaf(object)
    if let flaw { try note(flaw, at: object.offset) }
    if states[index] == State.several { keep(value, of: index, height: 0) }
    return value
  }

  /// Notes what a leaf's bytes say beyond its value, unless it may not be.
  @inline(never)
  mutating func note(_ flaw: BinaryLeafFlaw, at offset: Int) throws(PlistError) {
    switch flaw {
    case .highBytes where !strictness.allowsHighBytesInASCII:
      throw PlistError(
        .encoding, at: .offset(offset), detail: "ASCII string with bytes above 0x7F")
    case .unpairedSurrogate where !strictness.allowsUnpairedSurrogates:
      throw PlistError(
        .encoding, at: .offset(offset), detail: "UTF-16 with half of a surrogate pair")
    case .wideInteger where !strictness.allowsWideIntegers:
      throw PlistError(.badValue, at: .offset(offset), detail: "integer beyond 64 bits")
    default: if !notes.isFull { notes.add(flaw, at: offset, in: path) }
    }
  }
}
