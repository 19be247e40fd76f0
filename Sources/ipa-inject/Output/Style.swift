/// How text for people is set off.
struct Style: Sendable {
  /// Whether escape sequences are wanted.
  let isColored: Bool

  static let plain = Style(isColored: false)

  func bold(_ text: String) -> String { sequence("1", text) }
  func dim(_ text: String) -> String { sequence("2", text) }
  func red(_ text: String) -> String { sequence("31", text) }
  func green(_ text: String) -> String { sequence("32", text) }
  func yellow(_ text: String) -> String { sequence("33", text) }

  private func sequence(_ code: String, _ text: String) -> String {
    isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}

extension String {
  /// The text with control characters and bidirectional overrides shown as escapes, so that a file
  /// cannot move the cursor or reorder what a terminal shows.
  var printable: String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate:
        result.append(
          contentsOf: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}

extension BinaryInteger {
  /// The number with its digits in groups of three: `99,800`.
  var grouped: String {
    let digits = String(magnitude)
    var result = ""
    for (place, digit) in digits.enumerated() {
      if place > 0, (digits.count - place) % 3 == 0 { result += "," }
      result.append(digit)
    }
    return (self < 0 ? "-" : "") + result
  }
}

/// Lines of two or more columns, each as wide as its widest cell.
struct TextTable: Sendable {
  var rows: [[String]]

  func lines(indent: Int = 0) -> [String] {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.compactMap { $0.indices.contains(column) ? $0[column].count : nil }.max() ?? 0
    }
    return rows.map { row in
      let cells = row.enumerated().map { index, cell in
        index == row.count - 1 ? cell : cell.padded(to: widths[index])
      }
      return String(repeating: " ", count: indent) + cells.joined(separator: "  ")
    }
  }
}
