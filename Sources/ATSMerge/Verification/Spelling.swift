/// Finds the word that was meant.
public enum Spelling {
  /// The nearest of some words within two edits, or within a third of the word's length if that is
  /// more; nil where none is that near.
  ///
  /// An edit is an insertion, a removal, a replacement or a swap of neighbours. Case does not
  /// count.
  public static func nearest(to word: String, in candidates: [String]) -> String? {
    guard word.utf8.count <= 512, word.count <= 128 else { return nil }
    let limit = max(2, word.count / 3)
    return
      candidates
      .filter { abs($0.count - word.count) <= limit }
      .map { ($0, distance(word.lowercased(), $0.lowercased())) }
      .filter { $0.1 <= limit }
      .min { $0.1 < $1.1 }?.0
  }

  /// The Damerau-Levenshtein distance with adjacent swaps.
  static func distance(_ a: String, _ b: String) -> Int {
    let a = Array(a)
    let b = Array(b)
    guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
    var before: [Int] = []
    var previous = Array(0...b.count)
    for i in 1...a.count {
      var row = [i]
      for j in 1...b.count {
        let cost = a[i - 1] == b[j - 1] ? 0 : 1
        var best = min(row[j - 1] + 1, previous[j] + 1, previous[j - 1] + cost)
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          best = min(best, before[j - 2] + 1)
        }
        row.append(best)
      }
      before = previous
      previous = row
    }
    return previous[b.count]
  }
}
