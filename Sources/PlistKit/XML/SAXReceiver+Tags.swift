// libxml2 tells where it stands when it has read a tag; the exact ranges are worked out here.
extension SAXReceiver {
  /// An open element that holds no others.
  struct Leaf {
    let element: XMLElement
    let start: Int
    let contentStart: Int
  }

  /// Takes a start tag whose `>` or `/>` is at a place.
  func takeStart(at place: Int, attributes: Int) throws(PlistError) {
    let source = builder.source
    guard let start = source.lastIndex(of: .less, before: place, from: tagEnd) else {
      throw lost(at: place)
    }
    // libxml2 tells of a tag before it looks at its end.
    guard source[place] == .greater || source[place] == .slash else {
      let isCut = source.endsTooEarly(after: place)
      throw builder.error(
        isCut ? .truncated : .malformed, at: place, "a tag that does not end")
    }
    let contentStart = source[place] == .greater ? place + 1 : place + 2
    let element = try element(at: start)
    guard attributes <= builder.limits.attributes else {
      throw builder.error(
        .limit, at: start,
        "<\(element.name)> has \(attributes) attributes, at most \(builder.limits.attributes) "
          + "are read")
    }
    if let leaf {
      throw builder.error(
        .malformed, at: start, "<\(element.name)> inside <\(leaf.element.name)>")
    }
    let attributeBytes = place - start - 1 - element.name.utf8CodeUnitCount
    guard attributeBytes <= builder.limits.attributeBytes else {
      throw builder.error(
        .limit, at: start,
        "<\(element.name)> has more than \(builder.limits.attributeBytes) bytes of attributes")
    }
    try checkGap(before: start)
    try builder.checkPlace(of: element, at: start)
    tagEnd = contentStart
    switch element {
    case .plist, .dict, .array: try builder.open(element, tag: start..<contentStart)
    default: leaf = Leaf(element: element, start: start, contentStart: contentStart)
    }
  }

  /// Takes an end tag, or an empty element's tag, that ends at a place.
  func takeEnd(at place: Int) throws(PlistError) {
    let source = builder.source
    let contentEnd: Int
    if place == tagEnd, source[place - 2] == .slash {
      contentEnd = place
    } else {
      guard source[place - 1] == .greater,
        let start = source.lastIndex(of: .less, before: place, from: tagEnd)
      else { throw lost(at: place) }
      contentEnd = start
    }
    if let leaf {
      self.leaf = nil
      let content = leaf.contentStart..<max(leaf.contentStart, contentEnd)
      try builder.add(
        leaf.element, XMLRange(element: leaf.start..<place, content: content))
    } else {
      try checkGap(before: contentEnd)
      try builder.close(contentEnd: contentEnd, end: place)
    }
    tagEnd = place
  }

  private func lost(at place: Int) -> PlistError {
    builder.error(.malformed, at: place, "the parser tells of a tag that is not there")
  }

  private func element(at start: Int) throws(PlistError) -> XMLElement {
    let source = builder.source
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
    let source = builder.source
    let most = builder.limits.nameBytes
    var end = start + 1
    while !source[end].endsName, end - start <= most + 1 { end += 1 }
    return end - start - 1 > most
      ? builder.error(.limit, at: start, "an element's name is longer than \(most) bytes")
      : builder.error(
        .malformed, at: start, "unknown element <\(source.excerpt(start + 1..<end))>")
  }

  /// Checks that only white space and comments stand between the last tag and a place in a container.
  private func checkGap(before end: Int) throws(PlistError) {
    guard let container = builder.innermost else { return }
    let source = builder.source
    var index = tagEnd
    while index < end {
      if source[index].isXMLSpace {
        index += 1
      } else if let next = XMLMarkup.endOfComment(at: index, in: source), next <= end {
        index = next
      } else {
        throw builder.error(
          .malformed, at: index,
          "text in <\(container.name)>: '\(source.excerpt(index..<min(end, index + 40)))'")
      }
    }
  }
}
