/// The moment by which something must have ended.
package struct Deadline: Sendable {
  private let end: ContinuousClock.Instant

  /// So long from now.
  package init(after duration: Duration) { end = .now + duration }

  /// What is left in milliseconds, rounded up, as `poll(2)` takes it; 0 where the moment is past.
  package var milliseconds: Int32 {
    let left = ContinuousClock.now.duration(to: end).components
    guard left.seconds >= 0, left.attoseconds >= 0 else { return 0 }
    guard left.seconds < 1 << 20 else { return .max }
    return Int32(
      left.seconds * 1000 + (left.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }

  package var isPast: Bool { milliseconds == 0 }
}
