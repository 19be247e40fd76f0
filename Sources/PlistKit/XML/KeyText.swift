/// A key that equals another where their UTF-8 bytes do; Swift's strings equal by canonical form.
struct KeyText: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (a: Self, b: Self) -> Bool { a.text.isIdenticalText(to: b.text) }

  func hash(into hasher: inout Hasher) {
    let isContiguous: Void? = text.utf8.withContiguousStorageIfAvailable {
      hasher.combine(bytes: UnsafeRawBufferPointer($0))
    }
    if isContiguous == nil { for byte in text.utf8 { hasher.combine(byte) } }
  }

  /// The positions of keys that stand again, each with that of the next such key. O(n).
  static func repetitions(in keys: ArraySlice<String>) -> [(earlier: Int, later: Int)] {
    var found: [(earlier: Int, later: Int)] = []
    // Comparing the few keys of a common dictionary is faster than hashing them.
    if keys.count <= 16 {
      for later in keys.indices {
        let earlier = keys[..<later].lastIndex { $0.isIdenticalText(to: keys[later]) }
        if let earlier {
          found.append((earlier - keys.startIndex, later - keys.startIndex))
        }
      }
      return found
    }
    var last: [KeyText: Int] = [:]
    last.reserveCapacity(keys.count)
    for (position, key) in keys.enumerated() {
      if let earlier = last.updateValue(position, forKey: KeyText(key)) {
        found.append((earlier, position))
      }
    }
    return found
  }
}
