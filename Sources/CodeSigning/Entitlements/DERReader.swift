internal import CLibCrypto

/// Reads DER (X.690) element by element, through libcrypto's `ASN1_get_object`.
struct DERReader {
  /// One element, whose places count from the reader's first byte.
  struct Element {
    let tag: Int32
    let tagClass: Int32
    let isConstructed: Bool
    /// Where its tag stands.
    let start: Int
    /// Its content.
    let content: Range<Int>

    func isUniversal(_ tag: Int32) -> Bool { tagClass == V_ASN1_UNIVERSAL && self.tag == tag }
  }

  let bytes: [UInt8]

  /// The element that begins at a place, and ends at another or before it.
  /// - Throws: ``SigningError`` with codes `truncated`, `malformed`.
  func element(at start: Int, end: Int) throws(SigningError) -> Element {
    guard start >= 0, start < end, end <= bytes.count else {
      throw SigningError(.truncated, offset: UInt64(clamping: start), detail: "no element is there")
    }
    var length = 0
    var tag: Int32 = 0
    var tagClass: Int32 = 0
    var header = 0
    let status = bytes.withUnsafeBufferPointer { buffer -> Int32 in
      guard let base = buffer.baseAddress else { return 0x80 }
      var place: UnsafePointer<UInt8>? = base + start
      let status = ASN1_get_object(&place, &length, &tag, &tagClass, end - start)
      if let place { header = place - (base + start) }
      return status
    }
    ERR_clear_error()
    let place = UInt64(clamping: start)
    guard status & 0x80 == 0, header > 0, length >= 0, header <= end - start,
      length <= end - start - header
    else {
      throw SigningError(
        .truncated, offset: place,
        detail: "the element's length reaches behind the \(end - start) bytes that remain")
    }
    guard status & 1 == 0 else {
      throw SigningError(
        .malformed, offset: place, detail: "an indefinite length, which DER does not have")
    }
    return Element(
      tag: tag, tagClass: tagClass, isConstructed: status & 0x20 != 0, start: start,
      content: start + header..<start + header + length)
  }

  /// The elements of a range, one behind the other up to its end.
  /// - Throws: ``SigningError`` with codes `truncated`, `malformed`, `limit` where they are more.
  func elements(in range: Range<Int>, limit: Int) throws(SigningError) -> [Element] {
    var found: [Element] = []
    var place = range.lowerBound
    while place < range.upperBound {
      guard found.count < limit else {
        throw SigningError(
          .limit, offset: UInt64(clamping: place), detail: "more than \(limit) elements")
      }
      let next = try element(at: place, end: range.upperBound)
      found.append(next)
      place = next.content.upperBound
    }
    return found
  }
}
