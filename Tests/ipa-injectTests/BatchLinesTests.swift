import Synchronization
import Testing

@testable import ipa_inject

/// The lines of a batch, from several threads.
@Suite struct BatchLinesTests {
  /// Lines as they were written.
  private final class Sink: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) -> Bool {
      lines.withLock { $0.append(line) }
      return true
    }
  }

  private static func outcome(_ number: Int) -> BatchOutcome {
    BatchOutcome(
      input: "\(number)",
      failure: Failure(code: "c", status: number == 7 ? .ioError : .badInput, message: "m"))
  }

  private static func run(_ count: Int, isOrdered: Bool, threads: Int) throws -> [String] {
    let sink = Sink()
    let lines = BatchLines(count: count, isOrdered: isOrdered) { sink.add($0) }
    Workers.run(threads) {
      while let index = lines.next() { lines.finish(index, outcome(index)) }
    }
    #expect(try lines.report(outcome: "done").status == (count > 7 ? .ioError : .badInput))
    return sink.all
  }

  @Test(arguments: [false, true]) func nothingIsBegunThatNobodyWants(_ isOrdered: Bool) throws {
    let sink = Sink()
    let lines = BatchLines(
      count: 100, isOrdered: isOrdered, isWanted: { sink.all.count < 3 }, write: { sink.add($0) })
    Workers.run(1) {
      while let index = lines.next() { lines.finish(index, Self.outcome(index)) }
    }
    #expect(sink.all == (0..<3).map { Self.outcome($0).line })
    #expect(try lines.report(outcome: "done").closing == "0 done, 3 failed")
  }

  @Test(arguments: [1, 4]) func orderedLinesAreInTheOrderOfTheInputs(_ threads: Int) throws {
    let count = 3 * BatchLines.window
    #expect(
      try Self.run(count, isOrdered: true, threads: threads)
        == (0..<count).map { Self.outcome($0).line })
  }

  /// Takes outcomes as a document on all of them does.
  private final class Merging: BatchMerging {
    let replacesLines = false
    let sink = Sink()
    func add(_ outcome: BatchOutcome) { _ = sink.add(outcome.input) }
    func finish(status: ipa_inject.ExitStatus) {}
  }

  @Test(arguments: [1, 4]) func whatMergesAllTakesThemInTheirOrder(_ threads: Int) {
    let count = 2 * BatchLines.window
    let merging = Merging()
    let sink = Sink()
    let lines = BatchLines(count: count, isOrdered: false, merging: merging) { sink.add($0) }
    Workers.run(threads) {
      while let index = lines.next() { lines.finish(index, Self.outcome(index)) }
    }
    #expect(merging.sink.all == (0..<count).map(String.init))
    #expect(sink.all == (0..<count).map { Self.outcome($0).line })
  }

  @Test(arguments: [1, 4]) func otherLinesAreAllThere(_ threads: Int) throws {
    #expect(
      try Self.run(500, isOrdered: false, threads: threads).sorted()
        == (0..<500).map { Self.outcome($0).line }.sorted())
  }

  @Test func anOrderedOutputWaitsForALateLine() {
    let sink = Sink()
    let lines = BatchLines(count: 2 * BatchLines.window, isOrdered: true) { sink.add($0) }
    let first = lines.next()
    #expect(first == 0)
    // All that may run ahead ends before the first.
    for index in 1..<BatchLines.window {
      #expect(lines.next() == index)
      lines.finish(index, Self.outcome(index))
    }
    #expect(sink.all.isEmpty)
    let begun = Mutex<[Int]>([])
    Workers.run(2) {
      // One of the two threads waits until the other ends the first input.
      if begun.withLock({ begun in
        defer { begun.append(0) }
        return begun.isEmpty
      }) {
        let next = lines.next()
        #expect(next == BatchLines.window)
        #expect(sink.all.count == BatchLines.window)
      } else {
        lines.finish(0, Self.outcome(0))
      }
    }
    #expect(sink.all == (0..<BatchLines.window).map { Self.outcome($0).line })
  }

  @Test func anOutputThatTakesNothingIsAFailure() {
    let lines = BatchLines(count: 1, isOrdered: false) { _ in false }
    #expect(lines.next() == 0)
    lines.finish(0, Self.outcome(0))
    let error = #expect(throws: Failure.self) { try lines.report(outcome: "done") }
    #expect(error?.status == .ioError)
  }

  /// A thread has the stack that the main thread has: each level here takes a few hundred bytes.
  @Test func aWorkerGoesDeep() {
    @Sendable func depth(_ level: Int) -> Int {
      let padding = [UInt8](repeating: UInt8(truncatingIfNeeded: level), count: 16)
      return level == 0 ? Int(padding[0]) : depth(level - 1) + 1
    }
    let reached = Atomic(0)
    Workers.run(2) { reached.add(depth(10_000), ordering: .relaxed) }
    #expect(reached.load(ordering: .relaxed) == 20_000)
  }
}
