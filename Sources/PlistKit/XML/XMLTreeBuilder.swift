/// Builds the value and the node table of a property list from the places of its tags.
///
/// It keeps its own stacks, so that nothing recurses with the document's depth, and takes all text
/// from the source.
struct XMLTreeBuilder {
  /// The document in UTF-8.
  let source: XMLBytes
  let limits: ParseLimits
  let strictness: ParseStrictness

  /// The value, once the root element has ended.
  private(set) var root: PlistValue?
  /// Where the first element starts.
  private(set) var bodyStart = 0
  /// Where the first element ends.
  private(set) var bodyEnd = 0
  private(set) var nodes: [XMLNode] = []
  var notes = XMLNotes()

  private var frames: [Frame] = []
  private var leaf: Leaf?
  /// The finished values of all open containers, and the keys of all open dictionaries.
  private var values: [PlistValue] = []
  private var keys: [String] = []
  /// The end of the last tag.
  private var position = 0
  private var hasComment = false
  private var isDeep = false

  /// An open container, or the `plist` element.
  private struct Frame {
    let element: XMLElement
    let start: Int
    let contentStart: Int
    let node: Int
    let firstValue: Int
    let firstKey: Int
    /// The container's own key.
    let ownKey: Range<Int>
    /// The key that waits for its value.
    var key = 0..<0
  }

  /// An open element that holds text.
  private struct Leaf {
    let element: XMLElement
    let start: Int
    let contentStart: Int
    /// Whether it stands where a dictionary's key must.
    let isKey: Bool
  }

  init(source: XMLBytes, limits: ParseLimits, strictness: ParseStrictness) {
    self.source = source
    self.limits = limits
    self.strictness = strictness
    // An entry takes about 48 bytes in Apple's layout.
    nodes.reserveCapacity(min(source.count / 48, 1 << 20))
  }

  var isComplete: Bool { root != nil }

  /// Takes a start tag whose `>` or `/>` is at a place.
  mutating func start(at place: Int, attributes: Int) throws(PlistError) {
    guard let start = source.lastIndex(of: .less, before: place, from: position) else {
      throw lost(at: place)
    }
    // libxml2 tells of a tag before it looks at its end.
    guard source[place] == .greater || source[place] == .slash else {
      let isCut = source.endsTooEarly(after: place)
      throw error(isCut ? .truncated : .malformed, at: place, "a tag that does not end")
    }
    if position == 0 { bodyStart = start }
    let contentStart = source[place] == .greater ? place + 1 : place + 2
    let element = try element(at: start)
    guard attributes <= limits.attributes else {
      throw error(
        .limit, at: start,
        "<\(element.name)> has \(attributes) attributes, at most \(limits.attributes) are read")
    }
    if let leaf {
      throw error(.malformed, at: start, "<\(element.name)> inside <\(leaf.element.name)>")
    }
    guard
      place - start <= limits.attributeBytes
        || place - start - 1 - element.name.utf8CodeUnitCount <= limits.attributeBytes
    else {
      throw error(
        .limit, at: start,
        "<\(element.name)> has more than \(limits.attributeBytes) bytes of attributes")
    }
    let isKey = try checkPlace(of: element, at: start)
    position = contentStart
    switch element {
    case .plist, .dict, .array: try open(element, start: start, contentStart: contentStart)
    default:
      leaf = Leaf(element: element, start: start, contentStart: contentStart, isKey: isKey)
    }
  }

  /// Takes an end tag, or an empty element's tag, that ends at a place.
  mutating func end(at place: Int) throws(PlistError) {
    let contentEnd: Int
    if place == position, source[place - 2] == .slash {
      contentEnd = place
    } else {
      guard source[place - 1] == .greater,
        let start = source.lastIndex(of: .less, before: place, from: position)
      else { throw lost(at: place) }
      contentEnd = start
    }
    if let leaf {
      try close(leaf, contentEnd: contentEnd, end: place)
      self.leaf = nil
    } else {
      try closeContainer(contentEnd: contentEnd, end: place)
    }
    position = place
    if frames.isEmpty {
      bodyEnd = place
      root = values.popLast()
    }
  }

  /// Takes a comment that ends at a place.
  mutating func comment(before place: Int) {
    guard !hasComment else { return }
    hasComment = true
    notes.add(
      .refusedInEntitlements, at: place, "a comment, which the reader of entitlements refuses")
  }

  /// Takes a document type, read up to a place: `[` there starts an internal subset.
  func documentType(at place: Int) throws(PlistError) {
    guard source[place] == UInt8(ascii: "[") else { return }
    throw error(.entity, at: place, "the document type has an internal subset")
  }

  /// An error at a place, with the key path reached.
  func error(_ code: PlistError.Code, at place: Int, _ detail: String) -> PlistError {
    PlistError(code, at: source.location(of: place), keyPath: keyPath, detail: detail)
  }

  /// The path of the value that is being read.
  var keyPath: PlistKeyPath {
    var components: [PlistKeyPath.Component] = []
    for (index, frame) in frames.enumerated() {
      let last = index + 1 < frames.count ? frames[index + 1] : nil
      switch frame.element {
      case .dict:
        let valueCount = (last?.firstValue ?? values.count) - frame.firstValue
        let keyEnd = last?.firstKey ?? keys.count
        if keyEnd - frame.firstKey > valueCount { components.append(.key(keys[keyEnd - 1])) }
      case .array:
        components.append(.index((last?.firstValue ?? values.count) - frame.firstValue))
      default: break
      }
    }
    return PlistKeyPath(components)
  }

  private func lost(at place: Int) -> PlistError {
    error(.malformed, at: place, "the parser tells of a tag that is not there")
  }
}

// Elements and where they may stand.
extension XMLTreeBuilder {
  private func element(at start: Int) throws(PlistError) -> XMLElement {
    var end = start + 1
    var packed: UInt64 = 0
    while !source[end].endsName {
      packed = packed << 8 | UInt64(source[end])
      end += 1
      // The longest name has 7 bytes.
      if end - start > 8 { throw unknownElement(at: start) }
    }
    guard let element = XMLElement(packedName: packed) else { throw unknownElement(at: start) }
    return element
  }

  private func unknownElement(at start: Int) -> PlistError {
    var end = start + 1
    while !source[end].endsName, end - start <= limits.nameBytes + 1 { end += 1 }
    return end - start - 1 > limits.nameBytes
      ? error(.limit, at: start, "an element's name is longer than \(limits.nameBytes) bytes")
      : error(.malformed, at: start, "unknown element <\(source.excerpt(start + 1..<end))>")
  }

  /// Checks that an element may stand where it does. Returns whether it is a dictionary's key.
  private func checkPlace(of element: XMLElement, at start: Int) throws(PlistError) -> Bool {
    guard let frame = frames.last else { return false }
    try checkGap(before: start, in: frame.element)
    guard element != .plist else {
      throw error(.malformed, at: start, "<plist> inside <\(frame.element.name)>")
    }
    switch frame.element {
    case .dict where !hasPendingKey(frame):
      guard element == .key else {
        throw error(.malformed, at: start, "<\(element.name)> where a <key> must stand")
      }
      return true
    case .plist where values.count > frame.firstValue:
      throw error(.malformed, at: start, "a second value in <plist>")
    default: return false
    }
  }

  private func hasPendingKey(_ frame: Frame) -> Bool {
    keys.count - frame.firstKey > values.count - frame.firstValue
  }

  /// Checks that only white space and comments stand between the last tag and a place.
  private func checkGap(before end: Int, in element: XMLElement) throws(PlistError) {
    var index = position
    while index < end {
      if source[index].isXMLSpace {
        index += 1
      } else if let next = XMLMarkup.endOfComment(at: index, in: source), next <= end {
        index = next
      } else {
        throw error(
          .malformed, at: index,
          "text in <\(element.name)>: '\(source.excerpt(index..<min(end, index + 40)))'")
      }
    }
  }
}

// Values.
extension XMLTreeBuilder {
  private mutating func open(
    _ element: XMLElement, start: Int, contentStart: Int
  ) throws(PlistError) {
    if element != .plist {
      let depth = frames.count - (frames.first?.element == .plist ? 1 : 0)
      guard depth < limits.depth else {
        throw error(.limit, at: start, "more than \(limits.depth) levels of containers")
      }
      if depth == 128, !isDeep {
        isDeep = true
        let path = keyPath
        notes.add(.deep, at: start, keyPath: path, "more than the 128 levels that iOS reads")
      }
    }
    let node = nodes.count
    let key = takeKey()
    if element != .plist {
      // A place for the node, whose ranges are known at the end.
      try append(XMLNode(element, range: 0..<0, content: 0..<0, key: key, next: 0))
    }
    frames.append(
      Frame(
        element: element, start: start, contentStart: contentStart, node: node,
        firstValue: values.count, firstKey: keys.count, ownKey: key))
  }

  /// The range of the key that waits for a value, which gets it.
  private mutating func takeKey() -> Range<Int> {
    guard let last = frames.indices.last else { return 0..<0 }
    let key = frames[last].key
    frames[last].key = 0..<0
    return key
  }

  private mutating func append(_ node: XMLNode) throws(PlistError) {
    guard nodes.count < limits.objects else {
      throw error(.limit, at: position, "more than \(limits.objects) values")
    }
    nodes.append(node)
  }

  private mutating func close(_ leaf: Leaf, contentEnd: Int, end: Int) throws(PlistError) {
    let content = leaf.contentStart..<max(leaf.contentStart, contentEnd)
    if leaf.isKey, let last = frames.indices.last {
      keys.append(try text(content))
      frames[last].key = leaf.start..<end
      return
    }
    let value = try value(of: leaf, content, isSelfClosing: contentEnd == end)
    let node = nodes.count
    try append(
      XMLNode(
        leaf.element, range: leaf.start..<end, content: content, key: takeKey(), next: node + 1))
    values.append(value)
  }

  private mutating func value(
    of leaf: Leaf, _ content: Range<Int>, isSelfClosing: Bool
  ) throws(PlistError) -> PlistValue {
    switch leaf.element {
    case .string, .key: return .string(try text(content))
    case .integer: return .integer(try integer(content))
    case .real: return .real(try real(content))
    case .date: return .date(try date(content))
    case .data:
      guard !isSelfClosing else { throw error(.badValue, at: leaf.start, "<data/> holds no data") }
      return .data(try data(content))
    case .true, .false:
      guard content.isEmpty else {
        throw error(.malformed, at: content.lowerBound, "<\(leaf.element.name)> is not empty")
      }
      return .boolean(leaf.element == .true)
    case .plist, .dict, .array: throw lost(at: leaf.start)
    }
  }

  private mutating func closeContainer(contentEnd: Int, end: Int) throws(PlistError) {
    guard let frame = frames.last else { throw lost(at: end) }
    try checkGap(before: contentEnd, in: frame.element)
    if frame.element == .dict, hasPendingKey(frame) {
      throw error(.malformed, at: contentEnd, "the last key has no value")
    }
    let value: PlistValue?
    switch frame.element {
    case .plist:
      guard values.count > frame.firstValue else {
        throw error(.malformed, at: frame.start, "<plist> holds no value")
      }
      value = nil
    case .dict: value = try dictionary(frame)
    default: value = .array(Array(values[frame.firstValue...]))
    }
    frames.removeLast()
    guard let value else { return }
    values.removeLast(values.count - frame.firstValue)
    keys.removeLast(keys.count - frame.firstKey)
    values.append(value)
    nodes[frame.node] = XMLNode(
      frame.element, range: frame.start..<end,
      content: frame.contentStart..<max(frame.contentStart, contentEnd), key: frame.ownKey,
      next: nodes.count)
  }

  private mutating func dictionary(_ frame: Frame) throws(PlistError) -> PlistValue {
    let keys = keys[frame.firstKey...]
    let values = values[frame.firstValue...]
    guard keys.count <= limits.pairs else {
      throw error(
        .limit, at: frame.start, "a dictionary of more than \(limits.pairs) pairs")
    }
    if keys.count == 1, keys.first == "CF$UID", let value = values.first,
      let uid = Self.uid(value)
    {
      return .uid(uid)
    }
    let shadowed = try shadowedEntries(of: frame, keys)
    var entries: [PlistDictionary.Entry] = []
    entries.reserveCapacity(keys.count)
    for (index, (key, value)) in zip(keys, values).enumerated() {
      if !shadowed.isEmpty, shadowed.contains(index) { continue }
      entries.append(PlistDictionary.Entry(key: key, value: value))
    }
    return .dictionary(PlistDictionary(uniqueEntries: entries))
  }

  /// The entries of which the key stands again later, by their position; their nodes are marked.
  private mutating func shadowedEntries(
    of frame: Frame, _ keys: ArraySlice<String>
  ) throws(PlistError) -> Set<Int> {
    let repetitions = KeyText.repetitions(in: keys)
    guard !repetitions.isEmpty else { return [] }
    let children = nodes.children(of: frame.node, upTo: nodes.count)
    for (earlier, later) in repetitions {
      let key = keys[keys.startIndex + later]
      let first = nodes[children[earlier]].entry.lowerBound
      guard strictness.allowsDuplicateKeys else {
        var duplicate = error(
          .duplicateKey, at: nodes[children[later]].entry.lowerBound,
          "the key \(key.quoted) stands twice, first at \(source.location(of: first))")
        duplicate.keyPath?.components.append(.key(key))
        throw duplicate
      }
      nodes[children[earlier]].isShadowed = true
      if !notes.isFull {
        let path = keyPath.appending(key: key)
        notes.add(
          .duplicateKey, at: first, keyPath: path,
          "the key \(key.quoted) stands again later, and that value counts")
      }
    }
    return Set(repetitions.map(\.earlier))
  }

  /// Apple's reader makes an archiver's reference of any number here, and keeps 32 bits of it.
  private static func uid(_ value: PlistValue) -> UInt32? {
    let signed: Int64?
    switch value {
    case .integer(let number): signed = number.int64
    case .real(let real): signed = Int64(exactly: real.value)
    default: signed = nil
    }
    guard let signed else { return nil }
    if let uid = UInt32(exactly: signed) { return uid }
    return Int32(exactly: signed).map { UInt32(bitPattern: $0) }
  }
}
