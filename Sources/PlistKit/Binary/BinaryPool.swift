/// Objects to be added to a file, equal leaves once, those of the file among them.
struct BinaryPool {
  /// What is added.
  var nodes: [BinaryNode] { content.nodes }
  /// The references of all containers, each a stretch of its own.
  var references: [Int] = []
  /// Leaves of the file that was read which got another reference.
  private(set) var reused: Set<Int> = []
  private var content: LeafContent
  private var leaves = HashIndex()
  private var hash: ByteHash
  /// What was entered in the table, to enter it again.
  private var entered: [Int] = []

  /// The index of the first node.
  var firstIndex: Int { content.objects.count }

  /// How many steps the searches for leaves took.
  var steps: Int { leaves.steps }

  init(_ objects: BinaryObjects, hash: ByteHash = ByteHash()) {
    content = LeafContent(objects: objects)
    self.hash = hash
  }

  /// Adds a value and what it holds, and returns its index. ``PlistSize`` has checked the depth.
  mutating func add(_ value: PlistValue) -> Int {
    guard let kind = value.containerKind else { return addLeaf(value) }
    let range = reserve(value.referenceCount)
    content.nodes.append(.container(kind, range))
    let index = firstIndex + nodes.count - 1
    fill(range, from: value)
    return index
  }

  /// Adds what a container holds, for one that is written under an index it has already.
  mutating func node(_ kind: BinaryKind, of value: PlistValue) -> BinaryNode {
    let range = reserve(value.referenceCount)
    fill(range, from: value)
    return .container(kind, range)
  }

  /// Adds a container that refers to these indexes.
  mutating func add(_ kind: BinaryKind, references new: [Int]) -> Int {
    content.nodes.append(node(kind, references: new))
    return firstIndex + nodes.count - 1
  }

  /// Adds references for a container that is written under an index it has already.
  mutating func node(_ kind: BinaryKind, references new: [Int]) -> BinaryNode {
    references += new
    return .container(kind, (references.count - new.count)..<references.count)
  }

  /// The index of a leaf, new where none that equals it is known.
  mutating func addLeaf(_ value: PlistValue) -> Int {
    let leaf = BinaryNode.bytes(ofLeaf: value)
    let index = firstIndex + nodes.count
    if let known = leaf.withUnsafeBytes({ enter($0, at: index) }) {
      if known < firstIndex { reused.insert(known) }
      return known
    }
    content.nodes.append(.leaf(leaf))
    rehashIfNeeded()
    return index
  }

  /// Whether a leaf that equals this one is known.
  func knows(_ value: PlistValue) -> Bool {
    BinaryNode.bytes(ofLeaf: value).withUnsafeBytes { leaf in
      leaves.search(hash(leaf, salt: 0)) { content.isLeaf($0, leaf) } != nil
    }
  }

  /// Makes a leaf that the file has known, unless an equal one is. It equals another one if its bytes
  /// do: one that is written in a wider form than it needs is never used again.
  mutating func know(_ object: BinaryObject, at index: Int) {
    _ = enter(content.objects.bytes(of: object), at: index)
    rehashIfNeeded()
  }

  /// Makes a leaf known that was put over an object of the file, unless an equal one is.
  mutating func know(_ leaf: [UInt8], over index: Int) {
    content.replaced[index] = leaf
    _ = leaf.withUnsafeBytes { enter($0, at: index) }
    rehashIfNeeded()
  }

  /// Forgets a leaf of the file that no longer is at this index.
  mutating func forget(at index: Int) { content.replaced[index] = [] }

  /// Enters a leaf under an index unless an equal one is known, whose index it returns.
  private mutating func enter(_ leaf: UnsafeRawBufferPointer, at index: Int) -> Int? {
    let code = hash(leaf, salt: 0)
    let known = leaves.find(code, orEnter: index) { content.isLeaf($0, leaf) }
    if known == nil { entered.append(index) }
    return known
  }

  private mutating func rehashIfNeeded() {
    guard leaves.isDegenerate, !hash.isStandard else { return }
    hash.useStandard()
    leaves = HashIndex()
    for index in entered {
      let code = content.withLeaf(at: index) { hash($0, salt: 0) }
      if let code { _ = leaves.find(code, orEnter: index) { _ in false } }
    }
  }

  private mutating func reserve(_ count: Int) -> Range<Int> {
    references.append(contentsOf: repeatElement(0, count: count))
    return (references.count - count)..<references.count
  }

  private mutating func fill(_ range: Range<Int>, from value: PlistValue) {
    var place = range.lowerBound
    switch value {
    case .dictionary(let dictionary):
      for entry in dictionary.entries {
        references[place] = addLeaf(.string(entry.key))
        place += 1
      }
      for entry in dictionary.entries {
        references[place] = add(entry.value)
        place += 1
      }
    case .array(let items), .set(let items):
      for item in items {
        references[place] = add(item)
        place += 1
      }
    default: break
    }
  }
}

extension PlistValue {
  /// The kind of object that holds a container.
  var containerKind: BinaryKind? {
    switch self {
    case .dictionary: .dictionary
    case .array: .array
    case .set: .set
    default: nil
    }
  }

  /// The references that a container's object holds.
  fileprivate var referenceCount: Int {
    switch self {
    case .dictionary(let dictionary): 2 * dictionary.count
    case .array(let items), .set(let items): items.count
    default: 0
    }
  }
}

/// The bytes of the leaves that a pool knows.
private struct LeafContent {
  let objects: BinaryObjects
  var nodes: [BinaryNode] = []
  /// Objects of the file that something else was put over: the bytes of a leaf, none of a container.
  var replaced: [Int: [UInt8]] = [:]

  init(objects: BinaryObjects) { self.objects = objects }

  /// Whether the leaf under an index has these bytes.
  func isLeaf(_ index: Int, _ leaf: UnsafeRawBufferPointer) -> Bool {
    if index < objects.count, replaced.isEmpty || replaced[index] == nil {
      // The first bytes of an object say how long it is, so these are the whole of it.
      let start = objects.offset(of: index)
      guard leaf.count <= objects.trailer.tableOffset - start else { return false }
      let bytes = objects.bytes[start..<(start + leaf.count)]
      return UnsafeRawBufferPointer(rebasing: bytes).isIdentical(to: leaf)
    }
    return withLeaf(at: index) { $0.isIdentical(to: leaf) } ?? false
  }

  /// Lends the bytes of the leaf under an index.
  func withLeaf<Result>(
    at index: Int, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result? {
    if let bytes = replaced[index] { return bytes.withUnsafeBytes(body) }
    if index < objects.count {
      return (try? objects.object(at: index)).map { body(objects.bytes(of: $0)) }
    }
    guard index - objects.count < nodes.count, case .leaf(let bytes) = nodes[index - objects.count]
    else { return nil }
    return bytes.withUnsafeBytes(body)
  }
}
