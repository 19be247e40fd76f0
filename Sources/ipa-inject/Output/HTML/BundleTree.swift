internal import AppBundle

/// Nested bundles as a tree: each below the bundle that it lies in.
struct BundleTree: Sendable {
  struct Node: Sendable {
    let nested: InspectReport.NestedApp
    /// The path from the bundle above.
    let shown: String
    var children: [Node] = []
  }

  let children: [Node]

  /// Deeper ones stand beside their parent.
  private static let depthLimit = 12

  /// So many bundles at most, by path.
  init(_ bundles: [InspectReport.NestedApp], below root: String, most: Int) {
    // With the slash before all other bytes, what lies in a bundle follows it at once.
    let order = bundles.map { bundle in
      (key: bundle.bundle.path.utf8.map { $0 == UInt8(ascii: "/") ? 0 : $0 }, bundle: bundle)
    }
    let sorted = order.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.bundle)
    var rest = sorted.prefix(most)[...]
    children = Self.take(from: &rest, below: root == "." ? "" : root + "/", depth: 0)
  }

  /// Takes the bundles off the front that lie below a path.
  private static func take(
    from rest: inout ArraySlice<InspectReport.NestedApp>, below prefix: String, depth: Int
  ) -> [Node] {
    var nodes: [Node] = []
    while let next = rest.first, next.bundle.path.utf8.starts(with: prefix.utf8) {
      rest.removeFirst()
      var node = Node(
        nested: next,
        shown: String(decoding: next.bundle.path.utf8.dropFirst(prefix.utf8.count), as: UTF8.self))
      if depth < depthLimit {
        node.children = take(from: &rest, below: next.bundle.path + "/", depth: depth + 1)
      }
      nodes.append(node)
    }
    return nodes
  }
}
