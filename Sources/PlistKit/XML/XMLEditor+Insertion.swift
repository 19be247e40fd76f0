extension XMLEditor {
  /// An entry or item that comes in.
  struct NewItem {
    let component: PlistKeyPath.Component
    let value: PlistValue
    /// Where the same stood before, to be copied from there.
    var source: Range<Int>?
  }

  /// Puts items into a container, in the layout of the entry that they follow, else of the first one.
  mutating func insert(
    _ items: [NewItem], into container: Int, among children: [Int], after anchor: Int?, level: Int
  ) throws(PlistError) {
    guard !items.isEmpty else { return }
    guard let neighbour = anchor ?? children.first else {
      return try fill(container, with: items, level: level)
    }
    let place = anchor.map { nodes[$0].range.upperBound } ?? nodes[container].content.lowerBound
    let layout = layout(of: neighbour, in: container)
    let text = try text(of: items, layout, level: level)
    let isInLines = layout.style.lineBreak != nil
    let lineEnd = isInLines ? source.lineEnd(after: place) ?? place : place
    edit(lineEnd..<lineEnd, text)
  }

  /// Puts items into a container that has none.
  private mutating func fill(
    _ index: Int, with items: [NewItem], level: Int
  ) throws(PlistError) {
    let node = nodes[index]
    var outer = style
    outer.indentation = source.lineIndentation(at: node.range.lowerBound)
    var inner = style
    inner.indentation = outer.indentation + style.unit
    let text = try text(of: items, ItemLayout(style: inner), level: level)
    var end = XMLWriter(outer)
    end.breakLine()
    if node.isSelfClosing {
      var start = node.range.upperBound - 2
      while source[start - 1].isXMLSpace { start -= 1 }
      end.append("</")
      end.append(node.element.name)
      end.append(">")
      edit(start..<node.range.upperBound, [.greater] + text + end.finish())
    } else if source.firstLineBreak(in: node.content) != nil {
      let place = source.lineEnd(after: node.content.lowerBound) ?? node.content.lowerBound
      edit(place..<place, text)
    } else {
      edit(node.content.upperBound..<node.content.upperBound, text + end.finish())
    }
  }

  private mutating func text(
    of items: [NewItem], _ layout: ItemLayout, level: Int
  ) throws(PlistError) -> [UInt8] {
    let lead = (layout.style.lineBreak ?? []) + (layout.lead ?? layout.style.indentation)
    let isInLines = layout.style.lineBreak != nil
    var writer = XMLWriter(layout.style, level: level)
    for item in items {
      if isInLines { writer.append(lead) }
      if let range = item.source {
        writer.append(source[range])
        continue
      }
      do throws(PlistError) {
        try size.add(item.value, depth: 0)
        if case .key(let key) = item.component {
          try writer.writeKey(key)
          writer.append(layout.gap ?? (isInLines ? lead : []))
        }
        try writer.write(item.value)
      } catch { throw error.below(item.component) }
    }
    return writer.finish()
  }
}

/// How the entries of a container are laid out.
private struct ItemLayout {
  /// The style of values.
  var style: XMLWriter.Style
  /// The indentation of keys and items, if it is not that of values.
  var lead: [UInt8]?
  /// What stands between a key and its value; a line of its own, if nothing is known.
  var gap: [UInt8]?
}

extension XMLEditor {
  /// How many blanks of a neighbour are copied: each line of what comes in has them, and a document may
  /// hold megabytes in one place.
  fileprivate static let mostBlanks = 1024

  /// The layout of an entry that is there.
  private func layout(of child: Int, in container: Int) -> ItemLayout {
    let node = nodes[child]
    var layout = ItemLayout(style: style)
    if let key = node.key {
      let gap = source[key.upperBound..<max(key.upperBound, node.range.lowerBound)]
      if gap.count <= Self.mostBlanks, gap.allSatisfy(\.isXMLSpace) { layout.gap = Array(gap) }
    }
    guard let line = source.ownLine(at: node.entry.lowerBound) else {
      layout.style.lineBreak = nil
      return layout
    }
    let indentation = Array(source[line.indentation].prefix(Self.mostBlanks))
    layout.style.lineBreak = Array(source[line.lineBreak])
    layout.style.indentation = indentation
    if let valueLine = layout.gap?.lastIndex(where: { $0 == .lineFeed || $0 == .carriageReturn }) {
      layout.lead = indentation
      layout.style.indentation = Array(layout.gap?[(valueLine + 1)...] ?? [])
    }
    let outer = source.lineIndentation(at: nodes[container].range.lowerBound)
    if indentation.count > outer.count, indentation.starts(with: outer) {
      layout.style.unit = Array(indentation[outer.count...])
    }
    return layout
  }
}

extension XMLBytes {
  /// The first line break in a range, nil if all is one line.
  func firstLineBreak(in range: Range<Int>) -> [UInt8]? {
    let feed = index(of: .lineFeed, in: range)
    let carriageReturn = index(of: .carriageReturn, in: range.lowerBound..<feed)
    if carriageReturn < feed {
      return carriageReturn + 1 == feed && feed < range.upperBound
        ? [.carriageReturn, .lineFeed] : [.carriageReturn]
    }
    return feed < range.upperBound ? [.lineFeed] : nil
  }

  /// The line break and the indentation before a place, nil where other text stands on its line.
  func ownLine(at place: Int) -> (lineBreak: Range<Int>, indentation: Range<Int>)? {
    var start = place
    while start > 0, self[start - 1].isBlank { start -= 1 }
    switch (start > 0 ? self[start - 1] : 0, start > 1 ? self[start - 2] : 0) {
    case (.lineFeed, .carriageReturn): return (start - 2..<start, start..<place)
    case (.lineFeed, _), (.carriageReturn, _): return (start - 1..<start, start..<place)
    default: return nil
    }
  }

  /// The indentation of the line that holds a place.
  func lineIndentation(at place: Int) -> [UInt8] {
    // A document in one line must not be walked through for each edit.
    let farthest = max(0, place - 4096)
    var start = place
    while start > farthest, self[start - 1] != .lineFeed, self[start - 1] != .carriageReturn {
      start -= 1
    }
    if start == farthest, start > 0 { return [] }
    return Array(self[start..<place].prefix(while: \.isBlank))
  }

  /// Where the text to take out with an entry starts: before its line break, if its line is its own.
  func lineStart(of entry: Range<Int>) -> Int {
    guard let line = ownLine(at: entry.lowerBound) else {
      var start = entry.lowerBound
      while start > 0, self[start - 1].isBlank { start -= 1 }
      return start
    }
    var next = entry.upperBound
    while self[next].isBlank { next += 1 }
    // Another entry on the line stays there.
    let isShared = self[next] == .less && self[next + 1].isNameStart
    return isShared ? entry.lowerBound : line.lineBreak.lowerBound
  }

  /// The end of the line after a place, if only blanks and comments stand there.
  func lineEnd(after place: Int) -> Int? {
    var index = place
    while true {
      if self[index].isBlank {
        index += 1
      } else if self[index] == .lineFeed || self[index] == .carriageReturn {
        return index
      } else if let end = XMLMarkup.endOfComment(at: index, in: self) {
        index = end
      } else {
        return nil
      }
    }
  }

  /// What one level of containers adds to the indentation: a tab, if no container shows it.
  func indentationUnit(of nodes: [XMLNode]) -> [UInt8] {
    for (index, node) in nodes.prefix(1000).enumerated() where node.next > index + 1 {
      guard index + 1 < nodes.count,
        let line = ownLine(at: nodes[index + 1].entry.lowerBound)
      else { continue }
      let outer = lineIndentation(at: node.range.lowerBound)
      let inner = Array(self[line.indentation].prefix(XMLEditor.mostBlanks))
      if inner.count > outer.count, inner.starts(with: outer) {
        return Array(inner[outer.count...])
      }
    }
    return [.tab]
  }
}
