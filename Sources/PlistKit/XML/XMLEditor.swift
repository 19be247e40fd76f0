/// Finds the edits that make a document's text hold another value.
struct XMLEditor {
  /// New text in the place of a range.
  struct Edit {
    let range: Range<Int>
    let text: [UInt8]
  }

  let source: XMLBytes
  let nodes: [XMLNode]
  /// How the document is laid out, for text that has no neighbour to copy from.
  let style: XMLWriter.Style
  /// Whether there are entries of which another counts. Those must not be copied.
  let hasShadowedEntries: Bool
  private(set) var edits: [Edit] = []
  /// What all new values come to, where each shared container is written out.
  var size = PlistSize(limits: .standard)

  init(source: XMLBytes, _ layout: XMLLayout) {
    self.source = source
    nodes = layout.nodes
    hasShadowedEntries = layout.hasShadowedEntries
    style = XMLWriter.Style(
      lineBreak: source.firstLineBreak(in: layout.body), unit: source.indentationUnit(of: nodes))
  }

  mutating func edit(_ range: Range<Int>, _ text: [UInt8]) {
    edits.append(Edit(range: range, text: text))
  }

  /// Adds the edits that turn one value, which stands at a node in so many containers, into another.
  mutating func reconcile(
    _ edited: PlistValue, with original: PlistValue, at node: Int, level: Int
  ) throws(PlistError) {
    switch (edited, original) {
    case (.dictionary(let edited), .dictionary(let original)):
      guard !edited.entries.sharesStorage(with: original.entries) else { return }
      try reconcileDictionary(edited, with: original, at: node, level: level)
    case (.array(let edited), .array(let original)):
      guard !edited.sharesStorage(with: original) else { return }
      try reconcileArray(edited, with: original, at: node, level: level)
    case (.uid(let edited), .uid(let original)):
      guard edited != original, let number = nodes.entries(of: node).last else { return }
      try replace(number, with: .integer(PlistInteger(UInt64(edited))), level: level)
    default:
      if edited != original { try replace(node, with: edited, level: level) }
    }
  }

  /// Puts a value in the place of another: between the tags that are there, if they fit.
  private mutating func replace(
    _ index: Int, with value: PlistValue, level: Int
  ) throws(PlistError) {
    guard nodes.indices.contains(index) else { return }
    try size.add(value, depth: 0)
    let node = nodes[index]
    var style = style
    style.indentation = source.lineIndentation(at: node.range.lowerBound)
    if node.element == value.leafElement, !node.isSelfClosing {
      if source.firstLineBreak(in: node.content) == nil { style.lineBreak = nil }
      var writer = XMLWriter(style, level: level)
      try writer.writeContent(value)
      edit(node.content, writer.finish())
    } else {
      var writer = XMLWriter(style, level: level)
      try writer.write(value)
      edit(node.range, writer.finish())
    }
  }

  /// Takes out an entry or item, with the line break and the indentation before it.
  mutating func remove(_ index: Int) {
    let entry = nodes[index].entry
    edit(source.lineStart(of: entry)..<entry.upperBound, [])
  }

  /// The text with all edits, nil if there are none.
  ///
  /// In a changed document no key stands twice: entries of which another counts are taken out.
  mutating func result() -> [UInt8]? {
    guard !edits.isEmpty else { return nil }
    if hasShadowedEntries {
      for index in nodes.indices where nodes[index].isShadowed { remove(index) }
    }
    // What goes in at a place comes before what goes out there; else the order of finding stands.
    let sorted = edits.enumerated().sorted { a, b in
      let (left, right) = (a.element.range, b.element.range)
      if left.lowerBound != right.lowerBound { return left.lowerBound < right.lowerBound }
      if left.isEmpty != right.isEmpty { return left.isEmpty }
      return a.offset < b.offset
    }
    var text: [UInt8] = []
    text.reserveCapacity(edits.reduce(source.count) { $0 + $1.text.count })
    var taken = 0
    for (_, edit) in sorted {
      // A shadowed entry in a value that is replaced as a whole.
      guard edit.range.lowerBound >= taken else { continue }
      text.append(contentsOf: source[taken..<edit.range.lowerBound])
      text.append(contentsOf: edit.text)
      taken = edit.range.upperBound
    }
    text.append(contentsOf: source[taken..<source.count])
    return text
  }
}

extension XMLEditor {
  /// Arrays match from both ends; what is between is replaced item by item, and then the rest of the
  /// longer one inserted or removed.
  private mutating func reconcileArray(
    _ edited: [PlistValue], with original: [PlistValue], at node: Int, level: Int
  ) throws(PlistError) {
    let children = nodes.entries(of: node)
    guard children.count == original.count else { return }
    var prefix = 0
    var suffix = 0
    if edited.count != original.count {
      let shorter = min(edited.count, original.count)
      while prefix < shorter, edited[prefix] == original[prefix] { prefix += 1 }
      while suffix < shorter - prefix,
        edited[edited.count - 1 - suffix] == original[original.count - 1 - suffix]
      { suffix += 1 }
    }
    let pairedEnd = min(edited.count, original.count) - suffix
    for index in prefix..<pairedEnd {
      do throws(PlistError) {
        try reconcile(
          edited[index], with: original[index], at: children[index], level: level + 1)
      } catch { throw error.below(.index(index)) }
    }
    if original.count > edited.count {
      for index in pairedEnd..<original.count - suffix { remove(children[index]) }
    } else if edited.count > original.count {
      let items = (pairedEnd..<edited.count - suffix).map { index in
        NewItem(component: .index(index), value: edited[index])
      }
      try insert(
        items, into: node, among: children, after: pairedEnd > 0 ? children[pairedEnd - 1] : nil,
        level: level + 1)
    }
  }
}

extension PlistValue {
  /// The element that holds the value between its tags.
  fileprivate var leafElement: XMLElement? {
    switch self {
    case .string: .string
    case .integer: .integer
    case .real: .real
    case .date: .date
    case .data: .data
    case .dictionary, .array, .boolean, .uid, .null, .set: nil
    }
  }
}

extension Array {
  /// Whether both are the same memory, so that they are equal without a look at it.
  func sharesStorage(with other: [Element]) -> Bool {
    count == other.count
      && withUnsafeBufferPointer { own in
        other.withUnsafeBufferPointer { own.baseAddress == $0.baseAddress }
      }
  }
}
