import Testing

@testable import AppBundle

@Suite struct SideTaskTests {
  @Test func valuesComeFromOtherThreads() {
    let tasks = (0..<50).map { number in SideTask(stackSize: 1 << 20) { number * number } }
    #expect(tasks.map { $0.value() } == (0..<50).map { $0 * $0 })
  }

  @Test func valueMayBeAskedForAgain() {
    let task = SideTask { "done" }
    #expect([task.value(), task.value()] == ["done", "done"])
  }

  @Test func taskThatNobodyWaitsForEnds() {
    let seen = Monitor(false)
    _ = SideTask { seen.withLock { $0 = true } }
    #expect(seen.withLock(when: { $0 }) { $0 })
  }

  /// Each thread waits for what the other one writes.
  @Test func waitersSeeWhatOthersWrite() {
    let turns = Monitor(0)
    let other = SideTask {
      for turn in 0..<1000 { turns.withLock(when: { $0 == 2 * turn + 1 }) { $0 += 1 } }
    }
    for turn in 0..<1000 { turns.withLock(when: { $0 == 2 * turn }) { $0 += 1 } }
    other.value()
    #expect(turns.withLock { $0 } == 2000)
  }
}
