/// Numbers the keys of a file, equal texts alike, and finds those that are twice in one dictionary
/// in constant time a key: each number remembers the last dictionary that it was in.
struct KeyTable: ~Copyable {
  private var texts = MoveStack<String>()
  /// The last dictionary that each was in.
  private var dictionaries = MoveStack<Int32>()
  private var index = HashIndex()
  private var hash: ByteHash

  init(hash: ByteHash) { self.hash = hash }

  /// How many steps the searches took.
  var steps: Int { index.steps }

  /// The text of a number.
  @inline(__always)
  func text(_ number: Int) -> String { texts[number] }

  /// The number of a text.
  mutating func number(of text: String) -> Int {
    text.withUTF8Bytes { number(of: $0) { text } }
  }

  /// The number of a text that is known to be ASCII.
  mutating func number(ofASCII bytes: UnsafeRawBufferPointer) -> Int {
    number(of: bytes) { String(ascii: bytes) }
  }

  /// Notes a key, and says whether the dictionary has not had it before.
  @inline(__always)
  mutating func isNew(_ number: Int, in dictionary: Int) -> Bool {
    let dictionary = Int32(truncatingIfNeeded: dictionary)
    if dictionaries[number] == dictionary { return false }
    dictionaries[number] = dictionary
    return true
  }

  @inline(__always)
  private mutating func number(of bytes: UnsafeRawBufferPointer, text: () -> String) -> Int {
    let new = texts.count
    let known = index.find(hash(bytes, salt: 0), orEnter: new) { known in
      texts[known].withUTF8Bytes { $0.isIdentical(to: bytes) }
    }
    if known == nil {
      texts.push(text())
      dictionaries.push(-1)
    }
    if index.isDegenerate { rehash() }
    return known ?? new
  }

  @inline(never)
  private mutating func rehash() {
    guard !hash.isStandard else { return }
    hash.useStandard()
    index = HashIndex()
    for number in 0..<texts.count {
      let code = texts[number].withUTF8Bytes { hash($0, salt: 0) }
      _ = index.find(code, orEnter: number) { _ in false }
    }
  }
}
