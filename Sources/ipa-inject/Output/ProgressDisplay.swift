internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// Bars on a terminal, below all else that is printed: one for each file that is being written, and one
/// for all inputs. They come after half a second, are drawn again ten times a second at most, and go when
/// the work ends.
final class ProgressDisplay: Sendable {
  private struct State {
    var text: ProgressText
    /// What runs, in the order in which it began.
    var running: [(id: Int, item: ProgressText.Item)] = []
    var nextID = 0
    var drawnLines = 0
    var nextDrawing: UInt64
    var hasEnded = false
  }

  private static let delay: UInt64 = 500_000_000
  private static let interval: UInt64 = 100_000_000

  private let console: Console
  private let state: Mutex<State>

  init(_ console: Console, style: Style) {
    self.console = console
    state = Mutex(
      State(text: ProgressText(style: style), nextDrawing: Self.now + Self.delay))
  }

  /// Counts inputs from now on.
  func count(inputs: Int) {
    state.withLock { $0.text.overall = ProgressText.Overall(total: inputs) }
  }

  /// One input has ended.
  func count(failed: Bool) {
    state.withLock { state in
      state.text.overall?.done += 1
      if failed { state.text.overall?.failed += 1 }
      drawIfDue(&state)
    }
  }

  /// Adds a bar, which is there as long as the object is.
  func bar(named name: String?) -> ProgressBar {
    let id = state.withLock { state in
      state.nextID += 1
      state.running.append((state.nextID, ProgressText.Item(name: name)))
      return state.nextID
    }
    return ProgressBar(self, id)
  }

  fileprivate func update(_ id: Int, _ done: UInt64, _ total: UInt64) {
    state.withLock { state in
      guard let index = state.running.firstIndex(where: { $0.id == id }) else { return }
      state.running[index].item.done = done
      state.running[index].item.total = total
      drawIfDue(&state)
    }
  }

  fileprivate func remove(_ id: Int) {
    state.withLock { $0.running.removeAll { $0.id == id } }
  }

  /// Runs what writes to the terminal, with the bars out of the way.
  func interrupted<Result: Sendable>(_ body: () -> Result) -> Result {
    state.withLock { state in
      erase(&state)
      defer { drawIfDue(&state) }
      return body()
    }
  }

  /// Takes the bars away for good.
  func end() {
    state.withLock { state in
      erase(&state)
      state.hasEnded = true
    }
  }

  /// Takes the bars away for a process that ends at once. A terminal that takes no more is left alone.
  func endAtOnce() {
    _ = state.withLockIfAvailable { state in
      erase(&state)
      state.hasEnded = true
    }
  }

  private func drawIfDue(_ state: inout State) {
    let now = Self.now
    guard !state.hasEnded, now >= state.nextDrawing else { return }
    state.text.items = state.running.map(\.item).filter { $0.total > 0 || $0.name != nil }
    let size = console.size
    let lines = state.text.lines(columns: size?.columns ?? 80, rows: size?.rows ?? 24)
    guard !lines.isEmpty || state.drawnLines > 0 else { return }
    let text = Self.erasure(of: state.drawnLines) + lines.map { $0 + "\n" }.joined()
    console.write(text)
    state.drawnLines = lines.count
    state.nextDrawing = now + Self.interval
  }

  private func erase(_ state: inout State) {
    guard state.drawnLines > 0 else { return }
    console.write(Self.erasure(of: state.drawnLines))
    state.drawnLines = 0
  }

  /// Moves up to the first line of the bars and clears from there. Source: ECMA-48, CUU and ED.
  private static func erasure(of lines: Int) -> String {
    lines == 0 ? "" : "\r\u{1B}[\(lines)A\u{1B}[J"
  }

  /// Nanoseconds of a clock that only goes forward.
  private static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(clamping: time.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: time.tv_nsec)
  }
}

/// The bar of one file. It goes with the object.
final class ProgressBar: Sendable {
  private let display: ProgressDisplay
  private let id: Int

  fileprivate init(_ display: ProgressDisplay, _ id: Int) {
    self.display = display
    self.id = id
  }

  deinit { display.remove(id) }

  func update(done: UInt64, total: UInt64) { display.update(id, done, total) }
}
