/// What is under way, as lines for a terminal.
struct ProgressText: Sendable {
  /// One file.
  struct Item: Sendable, Equatable {
    var name: String?
    var done: UInt64 = 0
    /// How much there is to do, 0 while that is not known.
    var total: UInt64 = 0
  }

  /// Several inputs.
  struct Overall: Sendable, Equatable {
    var done = 0
    var failed = 0
    let total: Int
  }

  private static let mostItems = 16
  private static let barWidths = 10...40

  var overall: Overall?
  /// What runs, by when it began.
  var items: [Item] = []
  var style = Style.plain

  /// The lines for a terminal of some size; none fills its last column, after which some terminals
  /// begin another line.
  func lines(columns: Int, rows: Int) -> [String] {
    let width = columns - 1
    guard width >= 20 else { return [] }
    let room = max(0, min(Self.mostItems, rows - 2 - (overall == nil ? 0 : 1)))
    var lines = items.prefix(room).map { line(of: $0, width) }
    if let overall { lines.append(line(of: overall, width)) }
    return lines
  }

  private func line(of item: Item, _ width: Int) -> String {
    let size =
      item.total == 0
      ? "" : "  \(percent(item.done, of: item.total))  \(Self.size(item.done, of: item.total))"
    guard item.total > 0 else { return (item.name ?? "").cut(toColumns: width) }
    let barWidth = Self.barWidth(width)
    let nameWidth = width - barWidth - 2 - size.count - (item.name == nil ? 0 : 2)
    let bar = bar(item.done, of: item.total, barWidth)
    guard let name = item.name else { return bar + size }
    guard nameWidth >= 8 else { return name.cut(toColumns: width - 7) + size.prefix(7) }
    return name.cut(toColumns: nameWidth).filled(toColumns: min(nameWidth, 30)) + "  " + bar + size
  }

  private func line(of overall: Overall, _ width: Int) -> String {
    let counts = "  \(overall.done) of \(overall.total)"
    let failed = overall.failed == 0 ? "" : "  \(overall.failed) failed"
    let bar = bar(UInt64(overall.done), of: UInt64(overall.total), Self.barWidth(width))
    let isRoomy = Self.barWidth(width) + 2 + counts.count + failed.count <= width
    return isRoomy ? bar + counts + style.red(failed) : counts.trimmedFront.cut(toColumns: width)
  }

  private static func barWidth(_ width: Int) -> Int {
    min(max(width / 3, barWidths.lowerBound), barWidths.upperBound)
  }

  private func bar(_ done: UInt64, of total: UInt64, _ width: Int) -> String {
    let filled = Int(
      (Double(min(done, total)) / Double(max(total, 1)) * Double(width)).rounded(.down))
    return "["
      + style.green(String(repeating: "#", count: filled))
      + String(repeating: "-", count: width - filled) + "]"
  }

  private func percent(_ done: UInt64, of total: UInt64) -> String {
    let number = Int((Double(min(done, total)) / Double(max(total, 1)) * 100).rounded(.down))
    return String(repeating: " ", count: 3 - "\(number)".count) + "\(number) %"
  }

  private static func size(_ done: UInt64, of total: UInt64) -> String {
    let (unit, name) =
      total >= 10_000_000
      ? (1_000_000 as UInt64, "MB") : total >= 10_000 ? (1_000, "kB") : (1, "bytes")
    return "\(min(done, total) / unit) of \(total / unit) \(name)"
  }
}

extension String {
  /// How many columns a terminal may need: two for what is not ASCII, so that no line is wider.
  fileprivate var columns: Int { unicodeScalars.reduce(0) { $0 + $1.columns } }

  fileprivate var trimmedFront: String { String(drop { $0 == " " }) }

  /// The end of a text that is too wide, because that tells files apart.
  fileprivate func cut(toColumns width: Int) -> String {
    let text = printable
    guard text.columns > width else { return text }
    var rest = width - 3
    let end = text.unicodeScalars.reversed().prefix { scalar in
      rest -= scalar.columns
      return rest >= 0
    }
    var result = String.UnicodeScalarView()
    result.append(contentsOf: end.reversed())
    return "..." + String(result)
  }

  fileprivate func filled(toColumns width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - columns))
  }
}

extension Unicode.Scalar {
  fileprivate var columns: Int { isASCII ? 1 : 2 }
}
