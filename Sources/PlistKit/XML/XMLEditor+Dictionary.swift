extension XMLEditor {
  /// Matches the entries of two dictionaries by key. Entries that keep their order among each other
  /// stay, the others are taken out and come in anew at their place.
  mutating func reconcileDictionary(
    _ edited: PlistDictionary, with original: PlistDictionary, at node: Int, level: Int
  ) throws(PlistError) {
    let children = nodes.entries(of: node)
    guard children.count == original.count else { return }
    let matches = EntryMatches(edited: edited.entries, original: original.entries)

    for (index, isKept) in matches.isKept.enumerated() where !isKept { remove(children[index]) }
    var anchor: Int?
    var new: [NewItem] = []
    for (index, entry) in edited.entries.enumerated() {
      guard let match = matches.original[index] else {
        let moved = matches.moved[index].map { children[$0] }
        let source = moved.flatMap { hasShadowedEntries ? nil : nodes[$0].entry }
        new.append(NewItem(component: .key(entry.key), value: entry.value, source: source))
        continue
      }
      try insert(new, into: node, among: children, after: anchor, level: level + 1)
      new = []
      let child = children[match]
      anchor = child
      do throws(PlistError) {
        if !entry.key.isIdenticalText(to: original.entries[match].key) {
          try rename(child, to: entry.key)
        }
        try reconcile(
          entry.value, with: original.entries[match].value, at: child, level: level + 1)
      } catch { throw error.below(.key(entry.key)) }
    }
    try insert(new, into: node, among: children, after: anchor, level: level + 1)
  }

  /// Puts another key between the tags of an entry's key.
  private mutating func rename(_ child: Int, to key: String) throws(PlistError) {
    guard let range = nodes[child].key else { return }
    var writer = XMLWriter(style)
    // A quotation mark in a tag may not end it for some readers, nor a '>' between two such marks for
    // others. A tag in which they differ is written anew.
    let contentStart = source.index(of: .greater, in: range) + 1
    guard contentStart < range.upperBound,
      contentStart == XMLMarkup.endOfTag(from: range.lowerBound + 1, in: source),
      let contentEnd = source.lastIndex(of: .less, before: range.upperBound, from: contentStart)
    else {
      try writer.writeKey(key)
      edit(range, writer.finish())
      return
    }
    try writer.writeText(key)
    edit(contentStart..<contentEnd, writer.finish())
  }
}

/// Which entries of an edited dictionary are which of the original.
private struct EntryMatches {
  /// For each edited entry the original one that stays in its place, under its key or a new one.
  private(set) var original: [Int?]
  /// For each edited entry the original one with the same key and value that stood elsewhere.
  private(set) var moved: [Int?]
  /// For each original entry whether it stays.
  private(set) var isKept: [Bool]

  init(edited: [PlistDictionary.Entry], original entries: [PlistDictionary.Entry]) {
    original = Array(repeating: nil, count: edited.count)
    moved = original
    isKept = Array(repeating: false, count: entries.count)
    var pairs = Self.pairsByKey(edited, entries)
    let staying = Self.longestRising(pairs.map(\.original))
    if staying.count < pairs.count {
      let stays = Set(staying)
      for (index, pair) in pairs.enumerated() where !stays.contains(index) {
        if edited[pair.edited].value == entries[pair.original].value {
          moved[pair.edited] = pair.original
        }
      }
      pairs = staying.map { pairs[$0] }
    }
    for pair in pairs {
      original[pair.edited] = pair.original
      isKept[pair.original] = true
    }
    matchRenamed(edited, entries, pairs)
  }

  /// The entries with the same key, in the edited order.
  private static func pairsByKey(
    _ edited: [PlistDictionary.Entry], _ original: [PlistDictionary.Entry]
  ) -> [(edited: Int, original: Int)] {
    // Most edits leave the keys at both ends as they were, and these need no index.
    let shorter = min(edited.count, original.count)
    var prefix = 0
    while prefix < shorter, edited[prefix].key.isIdenticalText(to: original[prefix].key) {
      prefix += 1
    }
    let shift = edited.count - original.count
    var suffix = original.count
    while suffix > prefix, suffix + shift > prefix,
      original[suffix - 1].key.isIdenticalText(to: edited[suffix - 1 + shift].key)
    { suffix -= 1 }
    var positions: [ExactText: Int] = [:]
    for index in prefix..<suffix { positions[ExactText(original[index].key)] = index }

    var pairs = (0..<prefix).map { (edited: $0, original: $0) }
    for index in prefix..<suffix + shift {
      if let match = positions[ExactText(edited[index].key)] { pairs.append((index, match)) }
    }
    for index in suffix..<original.count { pairs.append((index + shift, index)) }
    return pairs
  }

  /// The indices of a longest rising subsequence. O(n log n), O(n) for what rises already.
  private static func longestRising(_ numbers: [Int]) -> [Int] {
    if zip(numbers, numbers.dropFirst()).allSatisfy({ $0 < $1 }) { return Array(numbers.indices) }
    // For each length the index of the smallest number that ends a subsequence of it.
    var ends: [Int] = []
    var previous = [Int?](repeating: nil, count: numbers.count)
    for (index, number) in numbers.enumerated() {
      var low = 0
      var high = ends.count
      while low < high {
        let middle = (low + high) / 2
        if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
      }
      previous[index] = low > 0 ? ends[low - 1] : nil
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var chain: [Int] = []
    var next = ends.last
    while let index = next {
      chain.append(index)
      next = previous[index]
    }
    return chain.reversed()
  }

  /// Takes an entry that is gone and one that is new as the same under a new key, where both stand
  /// between the same neighbours with the same value.
  private mutating func matchRenamed(
    _ edited: [PlistDictionary.Entry], _ entries: [PlistDictionary.Entry],
    _ pairs: [(edited: Int, original: Int)]
  ) {
    let movedAway = Set(moved.compactMap { $0 })
    var start = (edited: 0, original: 0)
    for end in pairs + [(edited.count, entries.count)] {
      let length = end.edited - start.edited
      if length > 0, length == end.original - start.original {
        for offset in 0..<length {
          let (new, old) = (start.edited + offset, start.original + offset)
          guard moved[new] == nil, !movedAway.contains(old),
            edited[new].value == entries[old].value
          else { continue }
          original[new] = old
          isKept[old] = true
        }
      }
      start = (end.edited + 1, end.original + 1)
    }
  }
}
