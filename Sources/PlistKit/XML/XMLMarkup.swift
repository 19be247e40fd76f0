/// A walk over the markup of an XML document, for the questions that come before or after the parser:
/// where comments lie, and whether a tag is one.
///
/// It knows no well-formedness. Of a construct that does not end, the end is the document's.
struct XMLMarkup {
  /// What kind of markup a `<` starts.
  enum Kind { case comment, cdata, instruction, declaration, tag }

  let bytes: XMLBytes
  private(set) var position: Int

  init(_ bytes: XMLBytes, from position: Int = 0) {
    self.bytes = bytes
    self.position = position
  }

  /// The next markup and its range, nil at the end.
  mutating func next() -> (kind: Kind, range: Range<Int>)? {
    let start = bytes.index(of: .less, in: min(position, bytes.count)..<bytes.count)
    guard start < bytes.count else { return nil }
    let (kind, end) = Self.markup(at: start, in: bytes)
    position = end ?? bytes.count
    return (kind, start..<position)
  }

  /// The kind of the markup at a `<`, and where it ends: nil if it does not.
  static func markup(at start: Int, in bytes: XMLBytes) -> (kind: Kind, end: Int?) {
    let rest = start..<bytes.count
    if bytes.holds("<!--", at: start) {
      return (.comment, bytes.end(of: "-->", in: min(start + 4, bytes.count)..<bytes.count))
    }
    if bytes.holds("<![CDATA[", at: start) { return (.cdata, bytes.end(of: "]]>", in: rest)) }
    if bytes[start + 1] == UInt8(ascii: "?") {
      return (.instruction, bytes.end(of: "?>", in: rest))
    }
    return (
      bytes[start + 1] == UInt8(ascii: "!") ? .declaration : .tag,
      endOfTag(from: start + 1, in: bytes)
    )
  }

  /// The end of a comment or a processing instruction at a place, nil where there is neither.
  static func endOfComment(at start: Int, in bytes: XMLBytes) -> Int? {
    guard bytes[start] == .less else { return nil }
    let (kind, end) = markup(at: start, in: bytes)
    return kind == .comment || kind == .instruction ? end : nil
  }

  /// Past the next `>` outside quotes.
  static func endOfTag(from start: Int, in bytes: XMLBytes) -> Int? {
    var index = start
    while index < bytes.count {
      switch bytes[index] {
      case .greater: return index + 1
      case let quote where quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"):
        index = bytes.index(of: quote, in: index + 1..<bytes.count) + 1
      default: index += 1
      }
    }
    return nil
  }
}

extension XMLBytes {
  /// Where a comment, or what looks like one, holds two hyphens, or where one without end starts; nil
  /// if none does.
  ///
  /// XML forbids two hyphens, Apple's reader does not. libxml2 copies the comment so far for each
  /// pair, so that a few megabytes of them would keep it busy for hours.
  var hyphensInComment: Int? {
    var index = 0
    while index < count {
      index = self.index(of: UInt8(ascii: "!"), in: index..<count)
      guard index > 0, holds("<!--", at: index - 1) else {
        index += 1
        continue
      }
      guard let hyphensEnd = end(of: "--", in: min(index + 3, count)..<count) else {
        return index - 1
      }
      guard self[hyphensEnd] == .greater else { return hyphensEnd - 2 }
      index = hyphensEnd
    }
    return nil
  }

  /// The place of a start tag with more attributes than may be, nil if there is none.
  ///
  /// libxml2 compares each attribute of a tag with all others before it tells of the tag, so that a
  /// file of a few megabytes could keep it busy for hours. A tag can be crowded only in a long
  /// stretch without `<`. One look every 256 bytes finds each such stretch of 768.
  func crowdedTag(attributes limit: Int) -> Int? {
    let stride = 256
    var markup = XMLMarkup(self)
    var index = 0
    while index < count {
      let next = self.index(of: .less, in: index..<count)
      guard next - index >= 2 * stride else {
        index += stride
        continue
      }
      if let start = lastIndex(of: .less, before: index, from: index - stride),
        self[start + 1].isNameStart,
        countAttributes(in: start..<next, upTo: limit + 1) > limit, markup.isTag(at: start)
      {
        return start
      }
      index = next
    }
    return nil
  }

  /// How many attributes the tag at the start of a range has, counted up to a number; 0 for what is
  /// no tag. The range ends before the next `<`, which no tag holds, and bounds the time.
  private func countAttributes(in range: Range<Int>, upTo most: Int) -> Int {
    let end = range.upperBound
    var index = range.lowerBound + 1
    while index < end, !self[index].endsName { index += 1 }
    var found = 0
    while found < most {
      while self[index].isXMLSpace { index += 1 }
      guard index < end, self[index].isNameStart else { break }
      while index < end, !self[index].endsName, self[index] != UInt8(ascii: "=") { index += 1 }
      while self[index].isXMLSpace { index += 1 }
      guard index < end, self[index] == UInt8(ascii: "=") else { break }
      index += 1
      while self[index].isXMLSpace { index += 1 }
      let quote = self[index]
      guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { break }
      index = self.index(of: quote, in: min(index + 1, end)..<end) + 1
      found += 1
    }
    return found
  }
}

extension XMLMarkup {
  /// Whether a tag starts at a place, rather than text of a comment that looks like one.
  fileprivate mutating func isTag(at start: Int) -> Bool {
    while position <= start, let (kind, range) = next() {
      if range.lowerBound == start { return kind == .tag }
    }
    return false
  }
}
