/// Integers and texts at places of some bytes, each checked against the bytes' end.
struct ByteFields: Sendable {
  /// The bytes, counted from 0.
  let bytes: [UInt8]
  let isBigEndian: Bool
  /// What the bytes are, for errors.
  let name: String
  /// Where they begin in what the caller reads, for errors.
  let base: UInt64

  init(_ bytes: [UInt8], isBigEndian: Bool, name: String, base: UInt64 = 0) {
    self.bytes = bytes
    self.isBigEndian = isBigEndian
    self.name = name
    self.base = base
  }

  /// An unsigned integer of the type's width.
  /// - Throws: ``SigningError`` with code `truncated`.
  func integer<Integer: FixedWidthInteger & UnsignedInteger>(
    at offset: Int, as type: Integer.Type = Integer.self
  ) throws(SigningError) -> Integer {
    let width = Integer.bitWidth / 8
    try check(offset, width)
    var value: Integer = 0
    for index in 0..<width {
      let place = isBigEndian ? offset + index : offset + width - 1 - index
      // One byte wide integers have nothing to be shifted.
      value = (width == 1 ? 0 : value << 8) | Integer(bytes[place])
    }
    return value
  }

  func byte(at offset: Int) throws(SigningError) -> UInt8 { try integer(at: offset) }
  func half(at offset: Int) throws(SigningError) -> UInt16 { try integer(at: offset) }
  func word(at offset: Int) throws(SigningError) -> UInt32 { try integer(at: offset) }
  func long(at offset: Int) throws(SigningError) -> UInt64 { try integer(at: offset) }

  /// So many bytes from a place.
  /// - Throws: ``SigningError`` with code `truncated`.
  func slice(at offset: Int, count: Int) throws(SigningError) -> ArraySlice<UInt8> {
    try check(offset, count)
    return bytes[offset..<offset + count]
  }

  /// The bytes from a place up to a NUL, which must come before the end; nil where none comes.
  func terminated(at offset: Int) -> ArraySlice<UInt8>? {
    guard offset >= 0, offset < bytes.count else { return nil }
    let rest = bytes[offset...]
    return rest.firstIndex(of: 0).map { rest[..<$0] }
  }

  /// The bytes of a field of a fixed size up to its first NUL or its end, as text.
  func paddedText(at offset: Int, count: Int) throws(SigningError) -> String {
    String(decoding: try slice(at: offset, count: count).prefix { $0 != 0 }, as: UTF8.self)
  }

  func error(
    _ code: SigningError.Code, at offset: Int = 0, _ detail: String
  ) -> SigningError {
    SigningError(
      code, offset: base.addingReportingOverflow(UInt64(clamping: offset)).partialValue,
      detail: "\(name): \(detail)")
  }

  private func check(_ offset: Int, _ count: Int) throws(SigningError) {
    guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else {
      throw error(
        .truncated, at: offset,
        "\(count) bytes are wanted at its byte \(offset), and it has \(bytes.count)")
    }
  }
}
