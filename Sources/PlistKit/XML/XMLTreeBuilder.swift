/// Builds the value and the node table of a property list from its elements, which a reader of XML
/// tells it with their exact ranges.
///
/// It checks what a property list may hold, not what XML may. It keeps its own stacks, so that nothing
/// recurses with the document's depth, and takes all text from the source.
struct XMLTreeBuilder: ~Copyable {
  /// The document in UTF-8.
  let source: XMLBytes
  let limits: ParseLimits
  let strictness: ParseStrictness

  /// What may come next in the innermost open element.
  private(set) var expected = Expected.value
  private(set) var nodes: [XMLNode] = []
  var notes = TextNotes()

  private var body = 0..<0
  private var hasShadowedEntries = false
  private var frame = Frame()
  /// The frames around the innermost one.
  private var outer: [Frame] = []
  /// The finished values of all open containers, and the keys of all open dictionaries.
  private var values = MoveStack<PlistValue>()
  private var keys = XMLKeyStack()
  private var hasComment = false
  private var isDeep = false

  enum Expected { case key, value, nothing }

  /// An open container, the `plist` element, or the document itself.
  struct Frame {
    /// Nil for the document.
    var element: XMLElement?
    var start = 0
    var contentStart = 0
    var node = 0
    var firstValue = 0
    var firstKey = 0
    /// The container's own key.
    var ownKey = 0..<0
    /// The key that waits for its value, or had it.
    var key = 0..<0
  }

  init(source: XMLBytes, limits: ParseLimits, strictness: ParseStrictness) {
    self.source = source
    self.limits = limits
    self.strictness = strictness
    // A value takes some 50 bytes in Apple's layout, and seldom less than 32.
    nodes.reserveCapacity(min(source.count / 32, 2 << 20))
  }

  /// Whether the root element has ended.
  var isComplete: Bool { expected == .nothing && frame.element == nil }
  /// The innermost open container or `plist`, nil outside of all.
  var innermost: XMLElement? { frame.element }

  /// Gives away what was built, once the root element has ended.
  mutating func finish() -> XMLTree? {
    guard isComplete, let root = values.pop() else { return nil }
    let nodes = nodes
    self.nodes = []
    return XMLTree(
      root: root, body: body, nodes: nodes, hasShadowedEntries: hasShadowedEntries, notes: notes)
  }

  /// Takes a comment that ends at a place.
  mutating func comment(before place: Int) {
    guard !hasComment else { return }
    hasComment = true
    notes.add(
      .refusedInEntitlements, at: place, "a comment, which the reader of entitlements refuses")
  }

  /// An error at a place, with the key path reached.
  func error(_ code: PlistError.Code, at place: Int, _ detail: String) -> PlistError {
    PlistError(code, at: source.location(of: place), keyPath: keyPath, detail: detail)
  }

  /// The path of the value that is being read.
  var keyPath: PlistKeyPath {
    var components: [PlistKeyPath.Component] = []
    for index in 0...outer.count {
      let frame = index < outer.count ? outer[index] : frame
      let next = index + 1 < outer.count ? outer[index + 1] : self.frame
      let isLast = index == outer.count
      switch frame.element {
      case .dict where !isLast || expected == .value:
        let keyEnd = isLast ? keys.count : next.firstKey
        if keyEnd > frame.firstKey { components.append(.key(keys[keyEnd - 1])) }
      case .array:
        components.append(.index((isLast ? values.count : next.firstValue) - frame.firstValue))
      default: break
      }
    }
    return PlistKeyPath(components)
  }
}

/// What reading a document gives.
struct XMLTree {
  let root: PlistValue
  /// The outermost element.
  let body: Range<Int>
  let nodes: [XMLNode]
  let hasShadowedEntries: Bool
  var notes: TextNotes
}

/// Where an element stands.
struct XMLRange {
  /// From `<` to past the last `>`.
  let element: Range<Int>
  /// Between the tags; empty at the element's end for `<a/>`.
  let content: Range<Int>

  var isSelfClosing: Bool { content.lowerBound == element.upperBound }
}

// Containers.
extension XMLTreeBuilder {
  /// Checks that an element may stand where it does.
  @inline(__always) func checkPlace(of element: XMLElement, at start: Int) throws(PlistError) {
    if expected == .value, element != .plist { return }
    try checkRarePlace(of: element, at: start)
  }

  private func checkRarePlace(of element: XMLElement, at start: Int) throws(PlistError) {
    guard let container = frame.element else { return }
    guard element != .plist else {
      throw error(.malformed, at: start, "<plist> inside <\(container.name)>")
    }
    switch expected {
    case .value: return
    case .key:
      guard element == .key else {
        throw error(.malformed, at: start, "<\(element.name)> where a <key> must stand")
      }
    case .nothing: throw error(.malformed, at: start, "a second value in <plist>")
    }
  }

  /// Takes the start tag of a container or of `plist`, whose place is checked.
  mutating func open(_ element: XMLElement, tag: Range<Int>) throws(PlistError) {
    if element != .plist {
      let isInPlist = (outer.count > 1 ? outer[1] : frame).element == .plist
      try checkDepth(outer.count - (isInPlist ? 1 : 0), at: tag.lowerBound)
    }
    let node = nodes.count
    let key = frame.key
    if element != .plist {
      // A place for the node, whose ranges are known at the end.
      try append(
        XMLNode(element, range: 0..<0, content: 0..<0, key: key, next: 0), at: tag.upperBound)
    }
    outer.append(frame)
    frame = Frame(
      element: element, start: tag.lowerBound, contentStart: tag.upperBound, node: node,
      firstValue: values.count, firstKey: keys.count, ownKey: key)
    expected = element == .dict ? .key : .value
  }

  private mutating func checkDepth(_ depth: Int, at start: Int) throws(PlistError) {
    guard depth < limits.depth else {
      throw error(.limit, at: start, "more than \(limits.depth) levels of containers")
    }
    if depth == 128, !isDeep {
      isDeep = true
      let path = keyPath
      notes.add(.deep, at: start, keyPath: path, "more than the 128 levels that iOS reads")
    }
  }

  private mutating func append(_ node: XMLNode, at place: Int) throws(PlistError) {
    guard nodes.count < limits.objects else {
      throw error(.limit, at: place, "more than \(limits.objects) values")
    }
    nodes.append(node)
  }

  /// Takes the end of the innermost container or of `plist`, whose content ends at a place.
  mutating func close(contentEnd: Int, end: Int) throws(PlistError) {
    guard let element = frame.element, let parent = outer.last else {
      throw error(.malformed, at: end, "the parser tells of a tag that is not there")
    }
    let value: PlistValue?
    switch element {
    case .plist:
      guard expected == .nothing else {
        throw error(.malformed, at: frame.start, "<plist> holds no value")
      }
      value = nil
    case .dict:
      guard expected == .key else {
        throw error(.malformed, at: contentEnd, "the last key has no value")
      }
      value = try takeDictionary()
    default: value = .array(values.takeArray(from: frame.firstValue))
    }
    if let value {
      values.push(value)
      nodes[frame.node] = XMLNode(
        element, range: frame.start..<end,
        content: frame.contentStart..<max(frame.contentStart, contentEnd), key: frame.ownKey,
        next: nodes.count)
    }
    if outer.count == 1 { body = frame.start..<end }
    frame = parent
    outer.removeLast()
    valueIsThere()
  }

  @inline(__always) private mutating func valueIsThere() {
    expected =
      switch frame.element {
      case .dict: .key
      case .array: .value
      default: .nothing
      }
    frame.key = 0..<0
  }
}

// Keys and leaves.
extension XMLTreeBuilder {
  /// Whether an element that may stand where it does is a dictionary's key.
  func isKey(_ element: XMLElement) -> Bool { element == .key && expected == .key }

  /// Takes a key of plain ASCII, as which the caller has it.
  mutating func addKey(plain content: Range<Int>, of element: Range<Int>) {
    keys.push(plain: content, of: source)
    keyIsThere(element)
  }

  /// Takes a key.
  mutating func addKey(_ text: String, of element: Range<Int>) {
    keys.push(text)
    keyIsThere(element)
  }

  private mutating func keyIsThere(_ element: Range<Int>) {
    frame.key = element
    expected = .value
  }

  /// Takes a value that holds no others, whose place is checked.
  @inline(__always) mutating func add(
    _ value: consuming PlistValue, _ element: XMLElement, _ range: XMLRange
  ) throws(PlistError) {
    try append(
      XMLNode(
        element, range: range.element, content: range.content, key: frame.key,
        next: nodes.count + 1), at: range.content.lowerBound)
    values.push(value)
    if frame.element == nil { body = range.element }
    valueIsThere()
  }
}

// Dictionaries.
extension XMLTreeBuilder {
  private mutating func takeDictionary() throws(PlistError) -> PlistValue {
    let count = values.count - frame.firstValue
    guard count <= limits.pairs else {
      throw error(.limit, at: frame.start, "a dictionary of more than \(limits.pairs) pairs")
    }
    if count == 1, let uid = Self.uid(values[frame.firstValue], under: keys[frame.firstKey]) {
      keys.drop(from: frame.firstKey)
      values.drop(from: frame.firstValue)
      return .uid(uid)
    }
    if keys.mayRepeat(from: frame.firstKey) {
      let keys = keys.texts(from: frame.firstKey)
      let shadowed = try shadowedEntries(keys)
      if !shadowed.isEmpty { return takeEntries(keys, without: shadowed) }
    }
    let (firstKey, firstValue) = (frame.firstKey, frame.firstValue)
    let entries = keys.take(from: firstKey) { keys in
      values.take(from: firstValue) { values in
        [PlistDictionary.Entry](unsafeUninitializedCapacity: keys.count) { entries, count in
          for index in keys.indices {
            entries.initializeElement(
              at: index,
              to: PlistDictionary.Entry(
                key: keys.moveElement(from: index), value: values.moveElement(from: index)))
          }
          count = keys.count
        }
      }
    }
    return .dictionary(PlistDictionary(uniqueEntries: entries))
  }

  private mutating func takeEntries(_ keys: [String], without shadowed: Set<Int>) -> PlistValue {
    let values = values.takeArray(from: frame.firstValue)
    self.keys.drop(from: frame.firstKey)
    let entries = zip(keys, values).enumerated().filter { !shadowed.contains($0.offset) }
      .map { PlistDictionary.Entry(key: $1.0, value: $1.1) }
    if entries.count == 1, let uid = Self.uid(entries[0].value, under: entries[0].key) {
      return .uid(uid)
    }
    return .dictionary(PlistDictionary(uniqueEntries: entries))
  }

  /// The entries of which the key stands again later, by their position; their nodes are marked.
  private mutating func shadowedEntries(_ keys: [String]) throws(PlistError) -> Set<Int> {
    let repetitions = ExactText.repetitions(in: keys[...])
    guard !repetitions.isEmpty else { return [] }
    let children = nodes.children(of: frame.node, upTo: nodes.count)
    for (earlier, later) in repetitions {
      let key = keys[later]
      let first = nodes[children[earlier]].entry.lowerBound
      guard strictness.allowsDuplicateKeys else {
        var duplicate = error(
          .duplicateKey, at: nodes[children[later]].entry.lowerBound,
          "the key \(key.quoted) stands twice, first at \(source.location(of: first))")
        duplicate.keyPath?.components.append(.key(key))
        throw duplicate
      }
      hasShadowedEntries = true
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
  private static func uid(_ value: PlistValue, under key: String) -> UInt32? {
    let signed: Int64?
    switch value {
    case .integer(let number): signed = number.int64
    case .real(let real): signed = Int64(exactly: real.value)
    default: signed = nil
    }
    guard let signed, key.isIdenticalText(to: "CF$UID") else { return nil }
    if let uid = UInt32(exactly: signed) { return uid }
    return Int32(exactly: signed).map { UInt32(bitPattern: $0) }
  }
}
