internal import AppBundle

/// Which input is next, and the lines of those that ended: as they end, or in the order of the inputs.
final class BatchLines: Sendable {
  private struct State {
    var next = 0
    /// How many lines are written, of an ordered output.
    var written = 0
    /// Outcomes whose lines wait for one before them.
    var waiting: [Int: BatchOutcome] = [:]
    var report = BatchReport()
    var isTaken = true
  }

  /// How far an ordered output runs ahead of the line that it waits for.
  static let window = 256

  private let count: Int
  private let isOrdered: Bool
  private let isWanted: @Sendable () -> Bool
  private let write: @Sendable (String) -> Bool
  private let display: ProgressDisplay?
  private let merging: (any BatchMerging)?
  private let state = Monitor(State())

  /// Lines that go to `write`; no input is begun any more once `isWanted` says no. Where something takes
  /// the outcomes, which it does in the order of the inputs, so do the lines go.
  init(
    count: Int, isOrdered: Bool, display: ProgressDisplay? = nil,
    merging: (any BatchMerging)? = nil,
    isWanted: @escaping @Sendable () -> Bool = { true },
    write: @escaping @Sendable (String) -> Bool
  ) {
    self.count = count
    self.isOrdered = isOrdered || merging != nil
    self.merging = merging
    self.isWanted = isWanted
    self.display = display
    self.write = write
  }

  /// The lines for standard output. Where they are all that comes of it, it ends when nobody reads them.
  convenience init(
    count: Int, isOrdered: Bool, areAll: Bool, merging: (any BatchMerging)? = nil,
    output environment: Environment
  ) {
    let console = environment.output
    let display = environment.messages.display
    let shared = console.isTerminal ? display : nil
    self.init(
      count: count, isOrdered: isOrdered, display: display, merging: merging,
      isWanted: { !areAll || console.hasReader }
    ) { line in
      if merging?.replacesLines == true { return true }
      return shared?.interrupted { console.write(line) } ?? console.write(line)
    }
  }

  /// The next input's number, nil where there is none or nobody wants it. Waits where an ordered output
  /// runs too far ahead.
  func next() -> Int? {
    let isReady = { [count, isOrdered] (state: State) in
      !isOrdered || state.next >= count || state.next - state.written < Self.window
    }
    return state.withLock(when: isReady) { state in
      guard state.next < count, isWanted() else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }

  /// Takes what came of an input.
  func finish(_ index: Int, _ outcome: BatchOutcome) {
    display?.count(failed: outcome.status != .success)
    state.withLock { state in
      state.report.add(outcome.status)
      guard isOrdered else {
        state.isTaken = write(outcome.line) && state.isTaken
        return
      }
      state.waiting[index] = outcome
      while let next = state.waiting.removeValue(forKey: state.written) {
        merging?.add(next)
        state.isTaken = write(next.line) && state.isTaken
        state.written += 1
      }
    }
  }

  /// How all ended.
  func report(outcome: String) throws(Failure) -> BatchReport {
    let (report, isTaken) = state.withLock { state in (state.report, state.isTaken) }
    guard isTaken else { throw Tool.unprintable }
    var result = report
    result.outcome = outcome
    return result
  }
}
