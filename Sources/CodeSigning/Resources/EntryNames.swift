internal import AppBundle

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// The names of all entries, sorted by their bytes, so that what lies in a folder stands together.
struct EntryNames {
  private let bytes: [UInt8]
  /// Where each name begins in `bytes`, by entry, and where the last one ends.
  private let starts: [Int]
  /// The entries by name.
  private let sorted: [Int32]

  init(_ source: any EntrySource) {
    var bytes: [UInt8] = []
    var starts = [0]
    starts.reserveCapacity(source.entryCount + 1)
    for index in 0..<source.entryCount {
      bytes += source.entryName(index)
      starts.append(bytes.count)
    }
    self.bytes = bytes
    self.starts = starts
    var sorted = (0..<Int32(clamping: source.entryCount)).map(\.self)
    bytes.withUnsafeBytes { bytes in
      let isBefore = { (a: Int32, b: Int32) in
        Self.compare(bytes, starts, Int(a), Int(b)) < 0
      }
      if !zip(sorted, sorted.dropFirst()).allSatisfy({ !isBefore($1, $0) }) {
        sorted.sort(by: isBefore)
      }
    }
    self.sorted = sorted
  }

  private static func compare(
    _ bytes: UnsafeRawBufferPointer, _ starts: [Int], _ a: Int, _ b: Int
  ) -> Int {
    let counts = (starts[a + 1] - starts[a], starts[b + 1] - starts[b])
    guard let base = bytes.baseAddress else { return 0 }
    let order = memcmp(base + starts[a], base + starts[b], min(counts.0, counts.1))
    return order != 0 ? Int(order) : counts.0 - counts.1
  }

  /// An entry's name.
  func name(_ index: Int) -> ArraySlice<UInt8> { bytes[starts[index]..<starts[index + 1]] }

  /// The places in ``entry(at:)`` of all names that begin so.
  func places(prefix: [UInt8]) -> Range<Int> {
    let first = firstPlace { !name($0).lexicographicallyPrecedes(prefix) }
    let last = firstPlace {
      let start = name($0).prefix(prefix.count)
      return !start.elementsEqual(prefix) && !start.lexicographicallyPrecedes(prefix)
    }
    return first..<max(first, last)
  }

  /// The entry at a place in the order of names.
  func entry(at place: Int) -> Int { Int(sorted[place]) }

  /// The first place from which on a condition holds.
  private func firstPlace(_ holds: (Int) -> Bool) -> Int {
    var range = 0..<sorted.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if holds(entry(at: middle)) {
        range = range.lowerBound..<middle
      } else {
        range = middle + 1..<range.upperBound
      }
    }
    return range.lowerBound
  }
}
