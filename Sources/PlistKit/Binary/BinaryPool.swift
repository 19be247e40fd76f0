/// Objects to be written, equal leaves once.
struct BinaryPool {
  private(set) var nodes: [BinaryNode] = []
  /// The references of all containers, each a stretch of its own.
  var references: [Int] = []
  private var leaves: [BinaryLeaf: Int] = [:]
  /// Leaves of the file that was read which got another reference.
  private(set) var reused: Set<Int> = []
  /// The index of the first node.
  let firstIndex: Int

  init(firstIndex: Int) { self.firstIndex = firstIndex }

  /// Adds a value and what it holds, and returns its index. ``PlistSize`` has checked the depth.
  mutating func add(_ value: PlistValue) -> Int {
    guard let kind = value.containerKind else { return addLeaf(value) }
    let range = reserve(value.referenceCount)
    nodes.append(.container(kind, range))
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
    nodes.append(node(kind, references: new))
    return firstIndex + nodes.count - 1
  }

  /// Adds references for a container that is written under an index it has already.
  mutating func node(_ kind: BinaryKind, references new: [Int]) -> BinaryNode {
    references += new
    return .container(kind, (references.count - new.count)..<references.count)
  }

  /// The index of a leaf, new where none that equals it is known.
  mutating func addLeaf(_ value: PlistValue) -> Int {
    let leaf = BinaryLeaf(value: value)
    if let known = leaves[leaf] {
      if known < firstIndex { reused.insert(known) }
      return known
    }
    let index = firstIndex + nodes.count
    leaves[leaf] = index
    nodes.append(.leaf(value))
    return index
  }

  /// Whether a leaf that equals this one is known.
  func knows(_ value: PlistValue) -> Bool { leaves[BinaryLeaf(value: value)] != nil }

  /// Makes a leaf that is there already known, unless an equal one is.
  mutating func know(_ value: PlistValue, at index: Int) {
    let leaf = BinaryLeaf(value: value)
    if leaves[leaf] == nil { leaves[leaf] = index }
  }

  /// Forgets a leaf that no longer is at this index.
  mutating func forget(_ value: PlistValue, at index: Int) {
    let leaf = BinaryLeaf(value: value)
    if leaves[leaf] == index { leaves[leaf] = nil }
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

/// A value that is no container, as a key of a hash table.
struct BinaryLeaf: Hashable {
  let value: PlistValue

  func hash(into hasher: inout Hasher) {
    switch value {
    case .string(let value): ExactText(value).hash(into: &hasher)
    case .integer(let value): value.hash(into: &hasher)
    case .real(let value): value.hash(into: &hasher)
    case .date(let value): value.hash(into: &hasher)
    case .data(let value): hasher.combine(value)
    case .boolean(let value): hasher.combine(value)
    case .uid(let value): hasher.combine(value)
    case .null, .dictionary, .array, .set: break
    }
  }
}
