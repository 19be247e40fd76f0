/// The source of an XML property list, and where in it each value stands.
struct XMLLayout: PlistLayout {
  /// The bytes that were read.
  let source: [UInt8]
  /// The same in UTF-8, to which all places refer.
  let text: [UInt8]
  let encoding: XMLEncoding
  /// The outermost element.
  let body: Range<Int>
  let nodes: [XMLNode]
  /// Whether there are entries of which another counts.
  let hasShadowedEntries: Bool

  /// The source with what differs between two values changed in it.
  ///
  /// Everything else keeps its bytes: comments, indentation, line ends, entities. Without a
  /// difference the result is the source. O(n).
  /// - Throws: ``PlistError`` with code `unrepresentable` where XML cannot hold a value, `limit`
  ///   beyond 512 levels, `encoding` where the text does not go back into the source's encoding.
  func serialized(
    _ edited: PlistValue, original: PlistValue
  ) throws(PlistError) -> [UInt8] {
    let changed = try text.withUnsafeBufferPointer { (buffer) throws(PlistError) -> [UInt8]? in
      var editor = XMLEditor(source: XMLBytes(buffer), self)
      try editor.reconcile(edited, with: original, at: 0, level: 0)
      return editor.result()
    }
    guard let changed else { return source }
    if !encoding.isReversible, try encoding.encode(text) != source {
      throw PlistError(
        .encoding, detail: "the text does not go back into \(encoding) as it was")
    }
    return try encoding.encode(changed)
  }

  /// Where the values at some paths stand, or the nearest containers of those.
  func places(of paths: [PlistKeyPath], in original: PlistValue) -> [PlistPlace?] {
    let ends = PathEnd.ends(of: paths, from: 0, original) { node, _ in nodes.entries(of: node) }
    return text.withUnsafeBufferPointer { buffer in
      XMLBytes(buffer).places(
        of: ends.map { end in
          let isThere = nodes.indices.contains(end.node)
          return PathEnd(
            node: isThere ? nodes[end.node].range.lowerBound : body.lowerBound,
            isExact: isThere && end.isExact)
        })
    }
  }
}
