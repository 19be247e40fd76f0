/// The numbers of some strings that were numbered before, found by the words that a `String` itself
/// consists of and not by its text.
///
/// Two strings of the same words are the same text: the words hold it, or lead to one storage, which
/// lives as long as the string that is kept here. Others may be equal too, and are found by their
/// text elsewhere.
struct SeenTexts: ~Copyable {
  private struct Seen {
    var text = ""
    /// The greatest where no string was entered.
    var number = UInt32.max
  }

  private static let count = 1 << 10
  private var seen = [Seen](repeating: Seen(), count: Self.count)

  /// Where a string is entered if it is.
  @inline(__always)
  func place(of text: String) -> Int {
    let words = Self.words(text)
    let mixed = (words.0 ^ words.1 &* 0x9E37_79B9_7F4A_7C15) &* 0xD6E8_FEB8_6659_FD93
    return Int(truncatingIfNeeded: mixed >> 54)
  }

  /// The number of a string that was entered at a place.
  @inline(__always)
  func number(at place: Int, for text: String) -> UInt32? {
    guard MemoryLayout<String>.size == 16, seen[place].number != .max,
      Self.words(seen[place].text) == Self.words(text)
    else { return nil }
    return seen[place].number
  }

  /// Enters a string in place of what was there.
  @inline(__always)
  mutating func enter(_ number: UInt32, at place: Int, for text: String) {
    seen[place] = Seen(text: text, number: number)
  }

  /// The words of a string, where it has two.
  @inline(__always)
  private static func words(_ text: String) -> (UInt64, UInt64) {
    guard MemoryLayout<String>.size == 16 else { return (0, 0) }
    return withUnsafeBytes(of: text) { ($0.word(at: 0), $0.word(at: 8)) }
  }
}
