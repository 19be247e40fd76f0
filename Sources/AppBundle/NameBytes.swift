// Names as the bytes of a table, without a copy.

extension Span<UInt8> {
  /// Whether both hold the same bytes.
  @inline(__always)
  func isIdentical(to other: Span<UInt8>) -> Bool {
    count == other.count && starts(with: other)
  }

  @inline(__always)
  func starts(with other: Span<UInt8>) -> Bool {
    guard count >= other.count else { return false }
    var place = 0
    while other.count - place >= 8 {
      guard bytes.uint64(at: place) == other.bytes.uint64(at: place) else { return false }
      place += 8
    }
    while place < other.count {
      guard self[place] == other[place] else { return false }
      place += 1
    }
    return true
  }

  /// Whether no byte is shown otherwise than as itself.
  var isPrintableASCII: Bool {
    indices.allSatisfy { self[$0] >= 0x20 && self[$0] < 0x7F }
  }

  /// Whether another path is this one or lies below it.
  func isPath(above other: Span<UInt8>) -> Bool {
    other.starts(with: self) && (other.count == count || other[count] == MemberName.slash)
  }

  /// Whether they end with the bytes of a text.
  @inline(__always)
  func hasSuffix(_ suffix: String) -> Bool {
    let utf8 = suffix.utf8
    guard count >= utf8.count else { return false }
    var place = count - utf8.count
    for byte in utf8 {
      guard self[place] == byte else { return false }
      place += 1
    }
    return true
  }
}

extension [UInt8] {
  init(_ span: Span<UInt8>) {
    self = span.withUnsafeBufferPointer { Array($0) }
  }
}
