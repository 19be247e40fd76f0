/// Reads ranges of an archive block by block, and checks the local headers in them.
///
/// A thread of its own reads some blocks ahead: reading and writing take about as long, and a second
/// processor does one while the first does the other. A small archive is read as it is asked for.
final class CheckedReader {
  /// Bytes of the archive, of which the first so many count.
  struct Block {
    var bytes: [UInt8]
    var count: Int
  }

  private struct State {
    /// Buffers that wait to be filled.
    var free: [[UInt8]]
    /// Blocks that wait to be taken, the next one first.
    var filled: [Block] = []
    var isAtEnd = false
    var isStopped = false
    var failure: BundleError?
  }

  private var source: BlockSource
  private var buffer: [UInt8] = []
  /// What is shared with the thread, nil without one.
  private let state: Monitor<State>?
  private let task: SideTask<Void>?

  /// Below, handing blocks over takes longer than it spares.
  private static let leastAhead: UInt64 = 16 << 20
  private static let buffers = 3

  /// Begins to read.
  init(_ archive: ArchiveFile, _ ranges: [Range<UInt64>]) {
    let source = BlockSource(archive, ranges)
    self.source = source
    guard source.left >= Self.leastAhead else {
      (state, task) = (nil, nil)
      return
    }
    let empty = [[UInt8]](repeating: [], count: Self.buffers)
    let state = Monitor(State(free: empty))
    let task = SideTask { Self.readAhead(source, state) }
    self.state = task.isStarted ? state : nil
    self.task = task.isStarted ? task : nil
  }

  deinit {
    state?.withLock { $0.isStopped = true }
    task?.value()
  }

  /// The next block, nil behind the last once all headers are checked.
  /// - Throws: ``BundleError`` with codes `inconsistent`, `overlapping`, `inputChanged`, `io`.
  func next() throws(BundleError) -> Block? {
    guard let state else { return try source.fill(&buffer).map { Block(bytes: buffer, count: $0) } }
    let (block, failure) = state.withLock(when: { !$0.filled.isEmpty || $0.isAtEnd }) { state in
      state.filled.isEmpty ? (nil, state.failure) : (state.filled.removeFirst(), nil)
    }
    if let failure { throw failure }
    return block
  }

  /// Takes back a block's buffer, so that it is filled again: nobody else may hold it then, or it would
  /// be copied.
  func takeBack(_ bytes: inout [UInt8]) {
    state?.withLock { state in
      state.free.append([])
      swap(&state.free[state.free.count - 1], &bytes)
    }
  }

  private static func readAhead(_ source: BlockSource, _ state: Monitor<State>) {
    var source = source
    while true {
      let taken = state.withLock(when: { !$0.free.isEmpty || $0.isStopped }) { state in
        state.isStopped ? nil : state.free.removeLast()
      }
      guard var buffer = taken else { return }
      var count: Int?
      var failure: BundleError?
      do throws(BundleError) { count = try source.fill(&buffer) } catch { failure = error }
      let block = count.map { Block(bytes: buffer, count: $0) }
      state.withLock { state in
        if let block { state.filled.append(block) }
        state.failure = failure
        state.isAtEnd = block == nil
      }
      if block == nil { return }
    }
  }
}

/// The ranges that are left to read, and the headers that are left to check.
private struct BlockSource: Sendable {
  private let file: InputFile
  private var ranges: [Range<UInt64>]
  private var headers: HeaderCheck

  init(_ archive: ArchiveFile, _ ranges: [Range<UInt64>]) {
    file = archive.file
    self.ranges = ranges.filter { !$0.isEmpty }.reversed()
    headers = HeaderCheck(archive)
  }

  /// How many bytes are left.
  var left: UInt64 { ranges.reduce(0) { $0 &+ ($1.upperBound - $1.lowerBound) } }

  /// Reads on into a buffer, which gets its size at the first time, and tells how many bytes that were;
  /// nil at the end.
  mutating func fill(_ buffer: inout [UInt8]) throws(BundleError) -> Int? {
    guard let range = ranges.popLast() else {
      try headers.finish()
      return nil
    }
    let count = Int(min(range.upperBound - range.lowerBound, UInt64(copyBufferSize)))
    if buffer.count < count { buffer = [UInt8](repeating: 0, count: count) }
    try file.fillWhole(&buffer, count: count, at: range.lowerBound)
    try headers.check(buffer, count: count, at: range.lowerBound)
    let next = range.lowerBound + UInt64(count)
    if next < range.upperBound { ranges.append(next..<range.upperBound) }
    return count
  }
}
