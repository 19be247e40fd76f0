/// An element of a property list. Names are case-sensitive (PropertyList-1.0.dtd).
enum XMLElement: UInt8, Sendable {
  case plist, dict, array, key, string, integer, real, date, data, `true`, `false`

  /// The element of a name, nil for one that property lists do not have.
  init?(name: UnsafeBufferPointer<UInt8>) {
    guard let first = name.first else { return nil }
    let candidate: XMLElement
    switch (first, name.count) {
    case (UInt8(ascii: "p"), 5): candidate = .plist
    case (UInt8(ascii: "a"), 5): candidate = .array
    case (UInt8(ascii: "k"), 3): candidate = .key
    case (UInt8(ascii: "s"), 6): candidate = .string
    case (UInt8(ascii: "i"), 7): candidate = .integer
    case (UInt8(ascii: "r"), 4): candidate = .real
    case (UInt8(ascii: "t"), 4): candidate = .true
    case (UInt8(ascii: "f"), 5): candidate = .false
    case (UInt8(ascii: "d"), 4):
      candidate =
        name[1] == UInt8(ascii: "i") ? .dict : name[3] == UInt8(ascii: "e") ? .date : .data
    default: return nil
    }
    let expected = candidate.name
    let matches = expected.withUTF8Buffer { expected in
      for index in 0..<expected.count where expected[index] != name[index] { return false }
      return true
    }
    guard matches else { return nil }
    self = candidate
  }

  /// The name in its tags.
  var name: StaticString {
    switch self {
    case .plist: "plist"
    case .dict: "dict"
    case .array: "array"
    case .key: "key"
    case .string: "string"
    case .integer: "integer"
    case .real: "real"
    case .date: "date"
    case .data: "data"
    case .true: "true"
    case .false: "false"
    }
  }
}

/// Where a value stands in the source. Nodes lie in document order, a container before its children,
/// so that a node's first child is the next node. Offsets fit in 32 bits: libxml2 takes no more.
struct XMLNode: Sendable {
  /// From `<` to past the last `>`.
  private let elementBounds: (UInt32, UInt32)
  /// Between the tags; empty at the element's end for `<a/>`.
  private let contentBounds: (UInt32, UInt32)
  /// The key's element, empty where there is none.
  private let keyBounds: (UInt32, UInt32)
  /// The node after this one and all in it.
  private let nextBits: UInt32
  let element: XMLElement
  /// Whether a later entry of the same key counts instead.
  var isShadowed = false

  init(
    _ element: XMLElement, range: Range<Int>, content: Range<Int>, key: Range<Int>, next: Int
  ) {
    self.element = element
    elementBounds = Self.bounds(range)
    contentBounds = Self.bounds(content)
    keyBounds = Self.bounds(key)
    nextBits = UInt32(truncatingIfNeeded: next)
  }

  var range: Range<Int> { Self.range(elementBounds) }
  var content: Range<Int> { Self.range(contentBounds) }
  var key: Range<Int>? { keyBounds.1 == 0 ? nil : Self.range(keyBounds) }
  /// From the key's start, where there is a key, to the value's end.
  var entry: Range<Int> { (key ?? range).lowerBound..<range.upperBound }
  var next: Int { Int(nextBits) }
  /// Whether the element is of the form `<a/>`.
  var isSelfClosing: Bool { contentBounds.0 == elementBounds.1 }

  private static func bounds(_ range: Range<Int>) -> (UInt32, UInt32) {
    (UInt32(truncatingIfNeeded: range.lowerBound), UInt32(truncatingIfNeeded: range.upperBound))
  }

  private static func range(_ bounds: (UInt32, UInt32)) -> Range<Int> {
    Int(bounds.0)..<max(Int(bounds.0), Int(bounds.1))
  }
}

extension [XMLNode] {
  /// The nodes of a container's children, which end before a node.
  func children(of node: Int, upTo end: Int) -> [Int] {
    var children: [Int] = []
    var child = node + 1
    while child < end, indices.contains(child) {
      children.append(child)
      child = Swift.max(self[child].next, child + 1)
    }
    return children
  }

  /// The nodes of a container's children that count, in their order.
  func entries(of node: Int) -> [Int] {
    guard indices.contains(node) else { return [] }
    return children(of: node, upTo: self[node].next).filter { !self[$0].isShadowed }
  }
}
