/// Lays tables out for people.
enum TextReport {
  static func text(_ table: Table, clock: Clock) -> String {
    let ours = table.median("PlistKit", clock)
    var lines = [
      "\(table.cell.title) (\(table.bytes) bytes)",
      cells(["", "runs", "ms", "MB/s", "PlistKit is"]),
    ]
    for row in table.rows {
      switch row.outcome {
      case .skipped(let reason): lines.append(padded(row.contestant, 16) + "skipped: " + reason)
      case .measured(let samples):
        guard let time = row.median(clock) else { continue }
        let ratio = row.contestant == "PlistKit" ? nil : ours.map { fixed(time / $0, 2) + " x" }
        lines.append(
          cells([
            row.contestant, String(samples.count), fixed(time / 1e6, 3),
            fixed(Double(table.bytes) / time * 1e3, 1), ratio ?? "",
          ]))
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func cells(_ texts: [String]) -> String {
    padded(texts[0], 16) + texts.dropFirst().map { padded($0, -13) }.joined()
  }

  /// Spaces after the text, or before it for a width below zero.
  private static func padded(_ text: String, _ width: Int) -> String {
    let space = String(repeating: " ", count: max(0, abs(width) - text.count))
    return width < 0 ? space + text : text + space
  }

  /// A number with so many digits after the point.
  static func fixed(_ number: Double, _ digits: Int) -> String {
    var scale = 1
    for _ in 0..<digits { scale *= 10 }
    let whole = Int((number * Double(scale)).rounded())
    let fraction = String(whole % scale)
    let zeros = String(repeating: "0", count: digits - fraction.count)
    return String(whole / scale) + "." + zeros + fraction
  }
}
