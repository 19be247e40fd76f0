#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#endif

/// The time of one run, in nanoseconds.
struct Sample {
  var wall: Double
  /// Processor time of the process: steadier than the wall's where other work runs beside.
  var processor: Double

  func of(_ clock: Clock) -> Double { clock == .wall ? wall : processor }
}

/// The clock that the report goes by.
enum Clock: String, CaseIterable {
  case wall
  case cpu

  fileprivate var identifier: clockid_t {
    self == .wall ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID
  }

  /// Nanoseconds since some moment.
  var now: Double {
    var time = timespec()
    clock_gettime(identifier, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}

extension Sample {
  /// The time that an operation takes. What it returns must be as expected: a number that only the
  /// whole work can give, so that no work is left out unseen.
  static func timing(
    _ cell: Cell, expecting expected: Int? = nil, _ operation: () throws -> Int
  ) throws -> Sample {
    let repetitions = cell.size.repetitions
    let wall = Clock.wall.now
    let processor = Clock.cpu.now
    var sum = 0
    for _ in 0..<repetitions { sum += try operation() }
    let sample = Sample(
      wall: (Clock.wall.now - wall) / Double(repetitions),
      processor: (Clock.cpu.now - processor) / Double(repetitions))
    if let expected, sum != expected * repetitions {
      throw BenchmarkError("\(sum / repetitions) where \(expected) is right")
    }
    guard sum > 0 else { throw BenchmarkError("no result") }
    return sample
  }
}
