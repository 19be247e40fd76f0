// Little-endian integers in byte arrays. Callers check ranges first; the subscripts check again.

extension [UInt8] {
  func uint16(at index: Int) -> UInt16 { UInt16(self[index]) | UInt16(self[index + 1]) << 8 }

  func uint32(at index: Int) -> UInt32 {
    UInt32(uint16(at: index)) | UInt32(uint16(at: index + 2)) << 16
  }

  func uint64(at index: Int) -> UInt64 {
    UInt64(uint32(at: index)) | UInt64(uint32(at: index + 4)) << 32
  }

  mutating func set(_ value: some FixedWidthInteger, at index: Int) {
    for (step, byte) in Self(littleEndian: value).enumerated() { self[index + step] = byte }
  }

  mutating func append(integer value: some FixedWidthInteger) {
    append(contentsOf: Self(littleEndian: value))
  }

  private init(littleEndian value: some FixedWidthInteger) {
    self = Swift.withUnsafeBytes(of: value.littleEndian) { Self($0) }
  }
}

extension UInt64 {
  /// The sum, nil beyond what the type holds.
  func plus(_ other: UInt64) -> UInt64? {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? nil : sum
  }

  /// The number moved by a signed distance, nil beyond what the type holds.
  func moved(by distance: Int64) -> UInt64? {
    let (sum, overflow) =
      distance < 0
      ? subtractingReportingOverflow(distance.magnitude)
      : addingReportingOverflow(distance.magnitude)
    return overflow ? nil : sum
  }
}
