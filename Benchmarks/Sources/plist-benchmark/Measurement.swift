/// A row of a table.
struct Row {
  let contestant: String
  let outcome: Outcome

  enum Outcome {
    case measured(samples: [Sample])
    case skipped(String)
  }

  /// The median in nanoseconds.
  func median(_ clock: Clock) -> Double? {
    guard case .measured(let samples) = outcome else { return nil }
    let times = samples.map { $0.of(clock) }.sorted()
    let middle = times.count / 2
    return times.count.isMultiple(of: 2) ? (times[middle - 1] + times[middle]) / 2 : times[middle]
  }
}

/// A cell with its rows.
struct Table {
  let cell: Cell
  /// The size of the file that is read, or written if nothing is read.
  let bytes: Int
  let rows: [Row]

  /// Whose time the others' are divided by.
  var ours: String { cell.operation.isProcess ? "ipa-inject" : "PlistKit" }

  func median(_ contestant: String, _ clock: Clock) -> Double? {
    rows.first { $0.contestant == contestant }?.median(clock)
  }

  /// How many times as fast as a contestant ours is.
  func ratio(to contestant: String, _ clock: Clock) -> Double? {
    guard let ours = median(ours, clock), let time = median(contestant, clock) else { return nil }
    return time / ours
  }
}

/// Measures the contestants of a cell in turns, so that what else the machine does falls on all.
struct Measurement {
  /// How long each contestant is measured.
  let seconds: Double

  private static let mostRuns = 400

  /// The table of a cell, with a row for each contestant that takes part.
  func table(_ cell: Cell, input: Input, contestants: [any Contestant]) throws -> Table {
    var names: [String] = []
    var outcomes: [Row.Outcome] = []
    var runs: [(place: Int, run: () throws -> Sample)] = []
    for contestant in contestants {
      guard let entry = try contestant.entry(for: cell, input: input) else { continue }
      names.append(contestant.name)
      switch entry {
      case .skipped(let reason): outcomes.append(.skipped(reason))
      case .measured(let run):
        runs.append((outcomes.count, run))
        outcomes.append(.measured(samples: []))
      }
    }
    let samples = try measure(runs.map(\.run), in: cell)
    for (place, samples) in zip(runs.map(\.place), samples) {
      outcomes[place] = .measured(samples: samples)
    }
    return Table(
      cell: cell, bytes: input.bytes(cell.format).count,
      rows: zip(names, outcomes).map { Row(contestant: $0, outcome: $1) })
  }

  /// Runs all in turns, beginning with another one each time, until each had its seconds.
  private func measure(_ runs: [() throws -> Sample], in cell: Cell) throws -> [[Sample]] {
    var samples = [[Sample]](repeating: [], count: runs.count)
    var spent = [Double](repeating: 0, count: runs.count)
    var active = Array(runs.indices)
    var round = 0
    while !active.isEmpty {
      for turn in active.indices {
        let index = active[(turn + round) % active.count]
        let start = Clock.wall.now
        samples[index].append(try runs[index]())
        spent[index] += (Clock.wall.now - start) / 1e9
      }
      round += 1
      active.removeAll { isDone(samples[$0].count, in: cell, spent: spent[$0]) }
    }
    return samples
  }

  /// One that takes four times its seconds gets fewer runs, at least one; 4 KB never take long.
  private func isDone(_ runs: Int, in cell: Cell, spent: Double) -> Bool {
    if runs >= Self.mostRuns { return true }
    if runs >= cell.fewestRuns { return spent >= seconds }
    return spent >= 4 * seconds && cell.size != .kilobytes4
  }
}

extension Cell {
  /// Starting a program varies more than what happens in one.
  fileprivate var fewestRuns: Int { operation.isProcess && size != .megabytes50 ? 60 : 5 }
}
