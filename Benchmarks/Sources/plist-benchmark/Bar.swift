/// What PlistKit is held to.
struct Bar: Sendable {
  /// The cell that is judged.
  let cell: Cell
  /// What the figure says: "as fast as".
  let measure: String
  /// What it is compared with.
  let peer: String
  /// Whether the figure has to be at least or at most the limit.
  let bound: Bound
  let limit: Double
  /// The figure, nil where its cells were not measured.
  let figure: @Sendable (_ tables: Tables, _ clock: Clock) -> Figure?

  enum Bound: String, Sendable {
    case atLeast = "at least"
    case atMost = "at most"
  }

  struct Figure {
    let value: Double
    /// What it was compared with in the end.
    let against: String
  }

  func isMet(by value: Double) -> Bool { bound == .atLeast ? value >= limit : value <= limit }
}

/// What was measured.
struct Tables {
  private(set) var all: [Table] = []

  mutating func append(_ table: Table) { all.append(table) }

  subscript(_ cell: Cell) -> Table? { all.first { $0.cell == cell } }
}

extension Bar {
  static let all: [Bar] = [
    faster(1.3, than: "libplist", Cell(.parse, .xml, .megabyte1)),
    faster(1.3, than: "libplist", Cell(.parse, .xml, .megabytes50)),
    faster(0.45, than: "sax2", Cell(.parse, .xml, .megabyte1)),
    faster(0.45, than: "sax2", Cell(.parse, .xml, .megabytes50)),
    faster(3, than: "libplist", Cell(.parse, .binary, .megabyte1)),
    faster(4, than: "libplist", Cell(.write, .binary, .megabyte1)),
    linearBinaryWriting, fasterEditing, fasterLint,
  ]

  private static func faster(_ limit: Double, than peer: String, _ cell: Cell) -> Bar {
    Bar(cell: cell, measure: "as fast as", peer: peer, bound: .atLeast, limit: limit) {
      tables, clock in
      tables[cell]?.ratio(to: peer, clock).map { Figure(value: $0, against: peer) }
    }
  }

  private static let linearBinaryWriting = Bar(
    cell: Cell(.write, .binary, .megabytes50), measure: "the time for a byte of", peer: "1m",
    bound: .atMost, limit: 1.5
  ) { tables, clock in
    guard let small = tables[Cell(.write, .binary, .megabyte1)]?.timeForByte(clock),
      let large = tables[Cell(.write, .binary, .megabytes50)]?.timeForByte(clock)
    else { return nil }
    return Figure(value: large / small, against: "1m")
  }

  /// Against the fastest. That is libplist: without it the figure would say nothing.
  private static let fasterEditing = Bar(
    cell: Cell(.edit, .xml, .megabytes50), measure: "as fast as", peer: "any peer",
    bound: .atLeast, limit: 3
  ) { tables, clock in
    guard let table = tables[Cell(.edit, .xml, .megabytes50)],
      table.ratio(to: "libplist", clock) != nil
    else { return nil }
    return table.rows.filter { $0.contestant != table.ours }
      .compactMap { row in
        table.ratio(to: row.contestant, clock).map { Figure(value: $0, against: row.contestant) }
      }
      .min { $0.value < $1.value }
  }

  private static let fasterLint = Bar(
    cell: Cell(.lint, .xml, .kilobytes4), measure: "the time of", peer: "plutil", bound: .atMost,
    limit: 0.6
  ) { tables, clock in
    tables[Cell(.lint, .xml, .kilobytes4)]?.ratio(to: "plutil", clock)
      .map { Figure(value: 1 / $0, against: "plutil") }
  }
}

extension Table {
  /// Nanoseconds that ours takes for a byte.
  fileprivate func timeForByte(_ clock: Clock) -> Double? {
    median(ours, clock).map { $0 / Double(bytes) }
  }
}
