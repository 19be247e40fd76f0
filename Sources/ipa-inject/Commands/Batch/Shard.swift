/// A machine's part of a list that several share.
struct Shard: Sendable, Equatable {
  /// Which of the parts, from 1.
  let index: Int
  /// How many parts there are.
  let count: Int

  static let whole = Shard(index: 1, count: 1)

  private init(index: Int, count: Int) {
    self.index = index
    self.count = count
  }

  /// Reads `I/N`.
  init(_ text: String) throws(UsageError) {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      part.allSatisfy { (48...57).contains($0) } ? Int(String(decoding: part, as: UTF8.self)) : nil
    }
    guard parts.count == 2, numbers.count == 2 else {
      throw UsageError("--shard is '\(text)', not I/N", hint: "such as 1/4 on the first of four")
    }
    guard numbers[1] >= 1, (1...numbers[1]).contains(numbers[0]) else {
      throw UsageError("--shard is '\(text)', and I counts from 1 to N")
    }
    index = numbers[0]
    count = numbers[1]
  }

  /// Every `count`-th item from the `index`-th.
  func part<Item>(of items: [Item]) -> [Item] {
    stride(from: index - 1, to: items.count, by: count).map { items[$0] }
  }
}
