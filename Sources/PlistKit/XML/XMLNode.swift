/// An element of a property list. Names are case-sensitive (PropertyList-1.0.dtd).
enum XMLElement: UInt8, Sendable {
  case plist, dict, array, key, string, integer, real, date, data, `true`, `false`

  /// The element of a name, whose bytes stand in a number one after the other; nil for one that
  /// property lists do not have.
  init?(packedName: UInt64) {
    switch packedName {
    case 0x70_6C_69_73_74: self = .plist
    case 0x64_69_63_74: self = .dict
    case 0x61_72_72_61_79: self = .array
    case 0x6B_65_79: self = .key
    case 0x73_74_72_69_6E_67: self = .string
    case 0x69_6E_74_65_67_65_72: self = .integer
    case 0x72_65_61_6C: self = .real
    case 0x64_61_74_65: self = .date
    case 0x64_61_74_61: self = .data
    case 0x74_72_75_65: self = .true
    case 0x66_61_6C_73_65: self = .false
    default: return nil
    }
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
