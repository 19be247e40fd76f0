// Little-endian integers in bytes. Callers check ranges first; each load and store checks again.

extension RawSpan {
  @inline(__always)
  func uint16(at place: Int) -> UInt16 { UInt16(littleEndian: load(at: place)) }

  @inline(__always)
  func uint32(at place: Int) -> UInt32 { UInt32(littleEndian: load(at: place)) }

  @inline(__always)
  func uint64(at place: Int) -> UInt64 { UInt64(littleEndian: load(at: place)) }

  /// The bounds are checked: what the standard library means by "unsafe" is that some types do not
  /// allow all bit patterns, which integers do.
  @inline(__always)
  private func load<T: FixedWidthInteger & BitwiseCopyable>(at place: Int) -> T {
    unsafeLoadUnaligned(fromByteOffset: place, as: T.self)
  }
}

extension [UInt8] {
  func uint16(at index: Int) -> UInt16 { span.bytes.uint16(at: index) }
  func uint32(at index: Int) -> UInt32 { span.bytes.uint32(at: index) }
  func uint64(at index: Int) -> UInt64 { span.bytes.uint64(at: index) }

  mutating func set<T: FixedWidthInteger & BitwiseCopyable>(_ value: T, at index: Int) {
    var elements = mutableSpan
    var bytes = elements.mutableBytes
    bytes.storeBytes(of: value.littleEndian, toByteOffset: index, as: T.self)
  }

  mutating func append(integer value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
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
