extension ExactText {
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
    var last: [ExactText: Int] = [:]
    last.reserveCapacity(keys.count)
    for (position, key) in keys.enumerated() {
      if let earlier = last.updateValue(position, forKey: ExactText(key)) {
        found.append((earlier, position))
      }
    }
    return found
  }
}
