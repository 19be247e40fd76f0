internal import Foundation

// The report for people.
extension Report {
  var heading: String {
    let time = options.clock == .wall ? "wall time" : "processor time"
    var lines = [
      "\(machine.system), \(machine.processor), \(machine.cores) cores, "
        + "load \(loadBefore.fixed(2)); medians of \(time)"
    ]
    lines += versions.map { "  \($0.name): \($0.version)" }
    return lines.joined(separator: "\n") + "\n"
  }

  static func text(of input: Input) -> String {
    "input \(input.size.rawValue): \(input.xml.bytes.count) bytes of XML with \(input.elements) "
      + "elements, \(input.binary.bytes.count) bytes of binary by \(input.binaryWriter)\n"
  }

  func text(of table: Table) -> String {
    var lines = [
      "\(table.cell.title) (\(table.bytes) bytes)",
      Self.line("", ["runs", "ms", "MB/s", "\(table.ours) is"]),
    ]
    for row in table.rows {
      switch row.outcome {
      case .skipped(let reason):
        lines.append(Self.line(row.contestant, []) + "  skipped: " + reason)
      case .measured(let samples):
        guard let time = row.median(options.clock) else { continue }
        var columns = [
          String(samples.count), (time / 1e6).fixed(3),
          (Double(table.bytes) / time * 1e3).fixed(1),
        ]
        if row.contestant != table.ours,
          let ratio = table.ratio(to: row.contestant, options.clock)
        {
          columns.append(ratio.fixed(2) + " x as fast")
        }
        lines.append(Self.line(row.contestant, columns))
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A line for each bar whose cell was asked for.
  var barLines: String {
    let cells = Set(options.cells)
    return bars.filter { cells.contains($0.bar.cell) }.map { bar, figure in
      let limit = "(\(bar.bound.rawValue) \(bar.limit.fixed(2)))"
      guard let figure else {
        return "  no figure  \(bar.cell.title): \(bar.measure) \(bar.peer) \(limit)"
      }
      let verdict = bar.isMet(by: figure.value) ? "  met        " : "  MISSED     "
      return verdict + "\(bar.cell.title): \(figure.value.fixed(2)) x \(bar.measure) "
        + "\(figure.against) \(limit)"
    }.joined(separator: "\n")
  }

  private static func line(_ name: String, _ columns: [String]) -> String {
    let widths = [7, 12, 10, 18]
    return "  " + name.padding(toLength: 14, withPad: " ", startingAt: 0)
      + zip(columns, widths).map { text, width in
        String(repeating: " ", count: max(1, width - text.count)) + text
      }.joined()
  }
}

extension Double {
  /// The number with so many digits after the point.
  func fixed(_ digits: Int) -> String { String(format: "%.\(digits)f", self) }
}
