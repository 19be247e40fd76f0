/// Where a path ends in a layout's own terms.
struct PathEnd<Node> {
  var node: Node
  /// Whether the whole path led there.
  var isExact: Bool

  /// Follows many paths at once, so that each container on their ways is walked through once and the
  /// time is that of the containers and the paths together. `children` gives the nodes of a container's
  /// values in their order, or nil where they cannot be had.
  static func ends(
    of paths: [PlistKeyPath], from root: Node, _ value: PlistValue,
    children: (Node, PlistValue) -> [Node]?
  ) -> [PathEnd] {
    var ends = [PathEnd](repeating: PathEnd(node: root, isExact: false), count: paths.count)
    var stops = [PathStop(node: root, value: value, depth: 0, paths: Array(paths.indices))]
    while let stop = stops.popLast() {
      var going: [Int] = []
      for index in stop.paths {
        let isThere = paths[index].components.count == stop.depth
        ends[index] = PathEnd(node: stop.node, isExact: isThere)
        if !isThere { going.append(index) }
      }
      guard !going.isEmpty, let nodes = children(stop.node, stop.value) else { continue }
      var positions = ChildPositions(of: stop.value, isForMany: going.count > 8)
      var groups: [Int: [Int]] = [:]
      for index in going {
        guard let position = positions.position(of: paths[index].components[stop.depth]) else {
          continue
        }
        groups[position, default: []].append(index)
      }
      for (position, group) in groups where nodes.indices.contains(position) {
        guard let next = stop.value.child(at: position) else { continue }
        stops.append(
          PathStop(node: nodes[position], value: next, depth: stop.depth + 1, paths: group))
      }
    }
    return ends
  }
}

/// A value at which some of many paths arrived.
private struct PathStop<Node> {
  let node: Node
  let value: PlistValue
  /// How many steps were taken.
  let depth: Int
  let paths: [Int]
}

/// The positions of a container's values, looked up by the steps of paths.
private struct ChildPositions {
  private let value: PlistValue
  private var index: [ExactText: Int] = [:]
  private let isIndexed: Bool
  private var last: (key: String, position: Int?)?

  init(of value: PlistValue, isForMany: Bool) {
    self.value = value
    isIndexed = isForMany
    if isForMany, case .dictionary(let dictionary) = value {
      for (position, entry) in dictionary.entries.enumerated() {
        index[ExactText(entry.key)] = position
      }
    }
  }

  mutating func position(of component: PlistKeyPath.Component) -> Int? {
    switch value {
    case .dictionary(let dictionary):
      let key = component.text
      // Paths into one container follow each other; equal storage tells so at no price, even of a key
      // that is long.
      if let last, last.key == key, last.key.isIdenticalText(to: key) { return last.position }
      let position = isIndexed ? index[ExactText(key)] : dictionary.index(of: key)
      last = (key, position)
      return position
    case .array(let items):
      let place: Int? =
        switch component {
        case .index(let index): index
        case .key(let key): Int(arrayIndex: key)
        }
      return place.flatMap { items.indices.contains($0) ? $0 : nil }
    default: return nil
    }
  }
}

extension PlistValue {
  /// The value at a position among those of a dictionary or an array.
  fileprivate func child(at position: Int) -> PlistValue? {
    switch self {
    case .dictionary(let dictionary):
      dictionary.entries.indices.contains(position) ? dictionary.entries[position].value : nil
    case .array(let items): items.indices.contains(position) ? items[position] : nil
    default: nil
    }
  }
}
