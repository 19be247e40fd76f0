/// What differs between two texts, line by line, in the unified form.
struct LineDiff: Sendable {
  /// A line without its end; bytes, because text that looks alike need not be the same.
  private typealias Bytes = ArraySlice<UInt8>

  private enum Line {
    case kept(Bytes)
    case removed(Bytes)
    case added(Bytes)
  }

  private static let context = 3
  /// Lines in which a difference is looked for: the search takes their number times that of the
  /// differences.
  private static let searchedLines = 20_000
  private let name: String
  private var lines: [Line] = []

  /// The difference, nil where it would take too long to find.
  init?(from old: String, to new: String, name: String) {
    self.name = name
    let before = Self.lines(old)
    let after = Self.lines(new)
    // Most of a property list stays: what is equal at both ends needs no search.
    let head = zip(before, after).prefix { $0 == $1 }.count
    let tail = zip(before[head...].reversed(), after[head...].reversed()).prefix { $0 == $1 }.count
    let isOneSided = before.count == head + tail || after.count == head + tail
    guard isOneSided || before.count + after.count - 2 * (head + tail) <= Self.searchedLines else {
      return nil
    }
    lines = before[..<head].map(Line.kept)
    append(before[head..<(before.count - tail)], after[head..<(after.count - tail)])
    lines += before[(before.count - tail)...].map(Line.kept)
  }

  /// The diff with three lines around each change; empty where nothing differs.
  func text(_ style: Style) -> String {
    var text = ""
    for hunk in hunks() {
      var body = ""
      var (removed, added) = (0, 0)
      for line in lines[hunk] {
        switch line {
        case .kept(let line):
          body += " \(line.shown)\n"
          (removed, added) = (removed + 1, added + 1)
        case .removed(let line):
          body += style.red("-\(line.shown)") + "\n"
          removed += 1
        case .added(let line):
          body += style.green("+\(line.shown)") + "\n"
          added += 1
        }
      }
      let (oldStart, newStart) = starts(of: hunk)
      text += style.dim("@@ -\(oldStart),\(removed) +\(newStart),\(added) @@") + "\n" + body
    }
    return text.isEmpty ? "" : style.bold("--- \(name)\n+++ \(name)") + "\n" + text
  }

  private mutating func append(_ old: ArraySlice<Bytes>, _ new: ArraySlice<Bytes>) {
    let difference = Array(new).difference(from: Array(old))
    var removed: Set<Int> = []
    var added: Set<Int> = []
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): added.insert(offset)
      }
    }
    var (i, j) = (0, 0)
    while i < old.count || j < new.count {
      if removed.contains(i) {
        lines.append(.removed(old[old.startIndex + i]))
        i += 1
      } else if added.contains(j) {
        lines.append(.added(new[new.startIndex + j]))
        j += 1
      } else {
        lines.append(.kept(old[old.startIndex + i]))
        (i, j) = (i + 1, j + 1)
      }
    }
  }

  private func hunks() -> [Range<Int>] {
    var hunks: [Range<Int>] = []
    for (index, line) in lines.enumerated() {
      if case .kept = line { continue }
      let start = max(0, index - Self.context)
      let end = min(lines.count, index + Self.context + 1)
      if let last = hunks.last, last.upperBound >= start {
        hunks[hunks.count - 1] = last.lowerBound..<end
      } else {
        hunks.append(start..<end)
      }
    }
    return hunks
  }

  private func starts(of hunk: Range<Int>) -> (old: Int, new: Int) {
    lines[..<hunk.lowerBound].reduce(into: (1, 1)) { starts, line in
      switch line {
      case .kept: starts = (starts.0 + 1, starts.1 + 1)
      case .removed: starts.0 += 1
      case .added: starts.1 += 1
      }
    }
  }

  private static func lines(_ text: String) -> [Bytes] {
    var lines = Array(text.utf8).split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }
}

extension ArraySlice<UInt8> {
  /// The line as a terminal may show it; tabs stay, the return of a CRLF end does not.
  fileprivate var shown: String {
    let line = last == UInt8(ascii: "\r") ? dropLast() : self
    return line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self).printable }.joined(separator: "\t")
  }
}
