/// The keys of all open dictionaries.
///
/// A long key that stood before gets the storage that it had then. Of each key a mark is kept, so that
/// a dictionary's keys are compared as text only where two marks are the same.
struct XMLKeyStack: ~Copyable {
  private var texts = MoveStack<String>()
  private var marks = MoveStack<UInt32>()
  private var known: [KnownKey] = []

  /// A key and where in the source it stood.
  private struct KnownKey {
    var start = 0
    var count = 0
    var text = ""
  }

  private static let knownCount = 128
  /// Up to this many bytes a string has no storage.
  private static let shortCount = 15

  var count: Int { texts.count }

  subscript(index: Int) -> String { texts[index] }

  /// Puts on top a key whose text is ASCII that stands in the source as it is.
  mutating func push(plain range: Range<Int>, of source: XMLBytes) {
    let mark = source.mark(of: range)
    marks.push(mark)
    guard range.count > Self.shortCount else {
      texts.push(String(decoding: source[range], as: UTF8.self))
      return
    }
    if known.isEmpty { known = Array(repeating: KnownKey(), count: Self.knownCount) }
    let slot = Int(mark >> 1) & (Self.knownCount - 1)
    if known[slot].count == range.count,
      source.isSame(known[slot].start..<known[slot].start + range.count, range)
    {
      texts.push(known[slot].text)
      return
    }
    let text = String(decoding: source[range], as: UTF8.self)
    known[slot] = KnownKey(start: range.lowerBound, count: range.count, text: text)
    texts.push(text)
  }

  /// Puts a key on top.
  mutating func push(_ text: String) {
    var contiguous = text
    let mark = contiguous.withUTF8 { XMLBytes($0).mark(of: $0.indices) }
    marks.push(mark)
    texts.push(text)
  }

  func texts(from start: Int) -> [String] { texts.from(start) }

  /// Takes the keys from a place on. Each must be moved out of the buffer.
  mutating func take<Result>(
    from start: Int, _ body: (UnsafeMutableBufferPointer<String>) -> Result
  ) -> Result {
    marks.drop(from: start)
    return texts.take(from: start, body)
  }

  mutating func drop(from start: Int) {
    marks.drop(from: start)
    texts.drop(from: start)
  }

  /// Whether two of the keys from a place on may be the same. O(n).
  func mayRepeat(from start: Int) -> Bool {
    marks.withElements(from: start) { marks in
      marks.count <= 64 ? Self.hasPair(marks) : Self.mayHavePair(marks)
    }
  }

  private static func hasPair(_ marks: UnsafeBufferPointer<UInt32>) -> Bool {
    var isFound = false
    for later in marks.indices {
      let mark = marks[later]
      for earlier in 0..<later { isFound = isFound || marks[earlier] == mark }
    }
    return isFound
  }

  /// Looks for a pair by hashing. It gives up where a file puts all marks next to each other.
  private static func mayHavePair(_ marks: UnsafeBufferPointer<UInt32>) -> Bool {
    let size = 1 << (Int.bitWidth - (2 * marks.count).leadingZeroBitCount)
    return withUnsafeTemporaryAllocation(of: UInt32.self, capacity: size) { table in
      table.initialize(repeating: 0)
      var steps = 4 * marks.count
      for mark in marks {
        var place = Int(mark >> 1) & (size - 1)
        while table[place] != 0 {
          steps -= 1
          if table[place] == mark || steps == 0 { return true }
          place = (place + 1) & (size - 1)
        }
        table[place] = mark
      }
      return false
    }
  }
}

extension XMLBytes {
  /// A number that is the same for the same text, and seldom for another. It is not 0.
  fileprivate func mark(of range: Range<Int>) -> UInt32 {
    let count = range.count
    var first = word(at: range.lowerBound)
    var last: UInt64 = 0
    if count >= 8 {
      last = word(at: range.upperBound - 8) &+ word(at: range.lowerBound + count / 2 - 4) << 1
    } else {
      first &= 1 << UInt64(8 * count) - 1
    }
    let mixed = (first ^ (last &* 0x9E37_79B9_7F4A_7C15) ^ UInt64(count)) &* 0xD6E8_FEB8_6659_FD93
    return UInt32(truncatingIfNeeded: mixed >> 32) | 1
  }

  fileprivate func isSame(_ a: Range<Int>, _ b: Range<Int>) -> Bool {
    UnsafeRawBufferPointer(self[a]).isIdentical(to: UnsafeRawBufferPointer(self[b]))
  }
}
